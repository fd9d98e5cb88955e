//! The forms of a position in one line.

use crate::notation::error::NotationError;
use crate::notation::form::Form;
use crate::notation::{grid, integers, letters, mfen, plain};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// The form of one line that `text` seems to be in, even if it has faults.
pub(crate) fn form_of(text: &str) -> Option<Form> {
    let first = text.split_whitespace().next()?;
    if first.to_ascii_uppercase().starts_with("MFEN") {
        Some(Form::Mfen)
    } else if integers::looks_like_one(text) {
        Some(Form::Integers)
    } else if plain::looks_like_one(text) {
        Some(Form::Plain)
    } else if letters::looks_like_one(text) {
        Some(Form::Letters)
    } else if first.contains(['*', '@', '/']) {
        Some(Form::Fen)
    } else {
        None
    }
}

/// Reads a position in a form that [`form_of`] returns.
pub(crate) fn read(form: Form, text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    match form {
        Form::Letters => letters::read(text, ruleset),
        Form::Mfen => mfen::read(text, ruleset),
        Form::Integers => integers::read(text, ruleset),
        Form::Grid => grid::read(text, ruleset),
        Form::Plain | Form::Picture => plain::read(text, ruleset),
        Form::Fen => Situation::from_fen(text, ruleset),
    }
}
