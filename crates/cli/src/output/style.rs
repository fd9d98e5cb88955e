//! Colours. They are printed through `anstream`, which removes them if the output is not a terminal
//! or `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use merels_core::Outcome;

/// The beginning of an error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Headings of tables, and prompts.
pub(crate) const HEADING: Style = Style::new().bold();
/// The stones of White on a board.
pub(crate) const WHITE: Style = Style::new().bold();
/// The stones of Black on a board.
pub(crate) const BLACK: Style = AnsiColor::Magenta.on_default().bold();

/// The style of values with this outcome.
pub(crate) const fn of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Win => AnsiColor::Green.on_default(),
        Outcome::Draw => AnsiColor::Yellow.on_default(),
        Outcome::Loss => AnsiColor::Red.on_default(),
    }
}
