//! Colours, for terminals only: whoever prints them does so through `anstream`, which leaves them
//! out where nobody would see them, or where `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use merels_core::Outcome;

/// What begins an error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Headings of tables, and what a program asks for.
pub(crate) const HEADING: Style = Style::new().bold();
/// The stones of White on a board.
pub(crate) const WHITE: Style = Style::new().bold();
/// The stones of Black on a board.
pub(crate) const BLACK: Style = AnsiColor::Magenta.on_default().bold();

/// How a value of this outcome is shown.
pub(crate) const fn of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Win => AnsiColor::Green.on_default(),
        Outcome::Draw => AnsiColor::Yellow.on_default(),
        Outcome::Loss => AnsiColor::Red.on_default(),
    }
}
