//! Positions in any form.

use std::fmt;

use crate::notation::error::NotationError;
use crate::notation::fen::DisplayFen;
use crate::notation::form::Form;
use crate::notation::picture::draw;
use crate::notation::plain::{DisplayPlain, example};
use crate::notation::problem::NotationProblem;
use crate::notation::shown::shown;
use crate::notation::{grid, letters, one_line, picture_read};
use crate::play::position::Position;
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

impl Form {
    /// The form that `text` seems to be in, even if it has faults.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        if !text.contains('\n') {
            one_line::form_of(text)
        } else if picture_read::looks_like_one(text) {
            Some(Self::Picture)
        } else if grid::looks_like_one(text) {
            Some(Self::Grid)
        } else {
            one_line::form_of(text)
        }
    }
}

impl Situation {
    /// Reads a position in any [`Form`].
    ///
    /// ```
    /// use merels_core::{Ruleset, Situation};
    ///
    /// let rules = Ruleset::STANDARD;
    /// let plain = Situation::parse("w:d7,g7,g1 b:a4,d5,g4 move:b", &rules)?;
    /// let fen = Situation::parse("@*******/********/OO@O**@* b m s 3 0 3 0", &rules)?;
    /// let letters = Situation::parse(".WWBW..B/......../.B......|B|9|9", &rules)?;
    /// assert_eq!((plain, plain), (fen, letters));
    ///
    /// let error = Situation::parse("w:d7,d4 b:a4 move:w hand:7,8", &rules).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "position, column 6: 'd4' is not a point of the board 'nine'; \
    ///      column d has points in rows 1 2 3 5 6 7"
    /// );
    /// # Ok::<(), merels_core::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault found and its place: the text is in no known form, it breaks the rules of
    /// its form, or the position cannot occur under `ruleset`.
    pub fn parse(text: &str, ruleset: &Ruleset) -> Result<Self, NotationError> {
        match Form::of(text) {
            Some(Form::Picture) => picture_read::read(text, ruleset),
            Some(form) => one_line::read(form, text, ruleset),
            None => {
                let problem =
                    NotationProblem::NoForm { found: shown(text.trim()), forms: forms(ruleset) };
                Err(NotationError::no_form(problem))
            }
        }
    }

    /// The form that the program prints by default: FEN-like on boards of 24 points, since other
    /// programs understand it; the plain form on the others.
    pub const fn text<'a>(&'a self, ruleset: &'a Ruleset) -> DisplaySituation<'a> {
        match self.fen(ruleset) {
            Some(fen) if letters::is_for(ruleset.board) => DisplaySituation::Fen(fen),
            _ => DisplaySituation::Plain(self.plain(ruleset)),
        }
    }
}

impl Position {
    /// The position as [`Situation::text`] prints it. It need not be one that can occur.
    pub const fn text<'a>(&'a self, ruleset: &'a Ruleset) -> DisplaySituation<'a> {
        match self.fen(ruleset) {
            Some(fen) if letters::is_for(ruleset.board) => DisplaySituation::Fen(fen),
            _ => DisplaySituation::Plain(self.plain(ruleset)),
        }
    }
}

/// A position to be printed, see [`Situation::text`].
#[derive(Clone, Copy, Debug)]
pub enum DisplaySituation<'a> {
    /// As FEN-like string.
    Fen(DisplayFen<'a>),
    /// In the plain form.
    Plain(DisplayPlain<'a>),
}

impl fmt::Display for DisplaySituation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(fen) => fen.fmt(f),
            Self::Plain(plain) => plain.fmt(f),
        }
    }
}

/// The forms that a position on the board may have, with an example each.
fn forms(ruleset: &Ruleset) -> String {
    let example = example(ruleset);
    let plain = example.plain(ruleset);
    let top = draw(ruleset.board.geometry(), &example);
    let top = top.lines().next().unwrap_or_default();
    let picture = format!("a picture, its lines from '{top}' to 'White (O) to move'");
    let mut forms = format!("write it plainly, as in '{plain}', ");
    if let Some(fen) = example.fen(ruleset) {
        forms += &format!("as FEN, as in '{}', ", short_fen(&fen.to_string()));
    }
    if let Some(letters) = example.letters(ruleset) {
        forms += &format!("as letters, as in '{letters}', ");
    }
    forms + &format!("or as {picture}")
}

/// The fields of a FEN-like string that are needed.
fn short_fen(fen: &str) -> String {
    fen.split(' ').take(8).collect::<Vec<_>>().join(" ")
}
