//! Lines of best play.

use merels_core::Ruleset;
use merels_query::{Line, LineEnd, LineStep};
use schemars::JsonSchema;
use serde::Serialize;

use crate::value::Worth;

/// The line of best play.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Principal {
    /// `over` (the game ends), `repeats` (the last position occurs earlier in the line) or `cut`
    /// (a drawn line has reached the limit).
    #[schemars(extend("enum" = ["over", "repeats", "cut"]))]
    pub end: &'static str,
    /// Its moves.
    pub plies: Vec<LinePly>,
}

/// A ply of the line of best play.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct LinePly {
    /// The move.
    pub r#move: String,
    /// The position after it.
    pub after: After,
}

/// A position with its value for its side to move.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct After {
    /// The position.
    pub position: String,
    /// Its value for the side to move in it.
    #[serde(flatten)]
    pub worth: Worth,
}

impl Principal {
    /// Describes a line.
    pub fn new(ruleset: &Ruleset, line: &Line) -> Self {
        let geometry = ruleset.board.geometry();
        let ply = |step: &LineStep| {
            let position = step.position.text(ruleset).to_string();
            let after = After { position, worth: step.value.into() };
            LinePly { r#move: step.choice.display(geometry).to_string(), after }
        };
        let end = match line.end {
            LineEnd::Over => "over",
            LineEnd::Repeats => "repeats",
            LineEnd::Cut => "cut",
        };
        Self { end, plies: line.steps.iter().map(ply).collect() }
    }
}
