//! The forms in which `--as` writes a position.

use anyhow::Context;
use clap::ValueEnum;
use merels_core::{Ruleset, Situation, draw, draw_turn};

use crate::output::svg;

/// A form of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AsForm {
    /// `w:d7 b:a4 move:w hand:8,8`, for every board
    Plain,
    /// The FEN-like string of the most widely used mill program
    Fen,
    /// MFEN/1.0, a string of several programs
    Mfen,
    /// 24 letters, the side to move and the stones placed
    Letters,
    /// The board in characters
    Picture,
    /// The board as a picture for pages
    Svg,
}

impl AsForm {
    /// The position in this form.
    ///
    /// # Errors
    /// If the form cannot show it.
    pub(super) fn write(self, situation: &Situation, ruleset: &Ruleset) -> anyhow::Result<String> {
        let text = match self {
            Self::Plain => Some(situation.plain(ruleset).to_string()),
            Self::Fen => situation.fen(ruleset).map(|fen| fen.to_string()),
            Self::Mfen => situation.mfen(ruleset).map(|mfen| mfen.to_string()),
            Self::Letters => situation.letters(ruleset).map(|letters| letters.to_string()),
            Self::Picture => {
                let board = draw(ruleset.board.geometry(), situation.position());
                Some(format!("{board}\n{}", draw_turn(situation)))
            }
            Self::Svg => Some(svg::draw(situation.position(), ruleset.board.geometry())),
        };
        text.context(
            "this form cannot show the position: it is for boards of rings, MFEN and letters for \
             24 points without a pending removal, MFEN also for games that are not over; \
             --as plain shows every position",
        )
    }
}
