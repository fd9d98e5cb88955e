//! Positions.

use merels_core::{Geometry, Ruleset, Side, Situation, Stones, draw, draw_turn};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::{SIDES, point_names, side_name};

/// The stones of a side.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct SideStones {
    /// The points that they occupy, by name.
    pub points: Vec<String>,
    /// The number of stones in hand.
    pub hand: u8,
}

impl SideStones {
    fn new(geometry: &Geometry, stones: Stones) -> Self {
        Self { points: point_names(geometry, stones.board), hand: stones.hand }
    }
}

/// A position without its value.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct PositionParts {
    /// The position as merels writes it: FEN-like on boards of 24 points, else plain.
    pub position: String,
    /// The position in all notations.
    pub forms: Forms,
    /// The numbers of stones: `8-7`, `5-4+2-3`.
    pub subspace: String,
    /// `white` or `black`: the side to move.
    #[schemars(extend("enum" = SIDES))]
    pub side: &'static str,
    /// White's stones.
    pub white: SideStones,
    /// Black's stones.
    pub black: SideStones,
    /// The number of stones that the side to move must remove after it closed a mill.
    pub remove: u8,
}

/// A position in all notations.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Forms {
    /// `w:a1 b:g7 move:w hand:8,8`.
    pub plain: String,
    /// The FEN-like string; `null` on boards without 24 points.
    pub fen: Option<String>,
    /// One letter for each point; `null` on boards without 24 points, and for a pending removal.
    pub letters: Option<String>,
    /// The board in characters, and below it the side to move.
    pub picture: String,
}

impl PositionParts {
    /// Describes a situation.
    pub fn new(ruleset: &Ruleset, situation: &Situation) -> Self {
        let geometry = ruleset.board.geometry();
        let position = situation.position();
        let text = situation.text(ruleset).to_string();
        let plain = situation.plain(ruleset).to_string();
        let forms = Forms {
            fen: (text != plain).then(|| text.clone()),
            letters: situation.letters(ruleset).map(|letters| letters.to_string()),
            picture: format!("{}\n{}\n", draw(geometry, position), draw_turn(situation)),
            plain,
        };
        Self {
            position: text,
            forms,
            subspace: position.subspace().to_string(),
            side: side_name(position.side()),
            white: SideStones::new(geometry, position.stones(Side::White)),
            black: SideStones::new(geometry, position.stones(Side::Black)),
            remove: situation.pending(),
        }
    }
}
