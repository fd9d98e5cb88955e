//! Positions in whatever form they are written.

use std::fmt;

use crate::{
    Board, NotationError, NotationProblem, Point, Position, Ruleset, Side, Situation, Stones,
};

use super::common::shown;
use super::fen::DisplayFen;
use super::plain::DisplayPlain;
use super::{letters, picture_read, plain};

/// How a position can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The FEN-like string: `********/********/******** w p p 0 9 0 9`. Boards of rings alone.
    Fen,
    /// The plain form, for every board: `w:a1,d7,g7 b:a4,g4,d5 move:b hand:0,0`.
    Plain,
    /// A letter a point: `W....... ........ .......B|W|1|1`. Boards of 24 points.
    Letters,
    /// A picture of the board, as [`draw`](crate::draw) makes it, with whose turn it is below.
    Picture,
}

impl Form {
    /// The form that `text` seems to be in, even if it has faults.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let first = text.split_whitespace().next()?;
        if picture_read::looks_like_one(text) {
            Some(Self::Picture)
        } else if plain::looks_like_one(text) {
            Some(Self::Plain)
        } else if letters::looks_like_one(text) {
            Some(Self::Letters)
        } else if first.contains(['*', '@', '/']) {
            Some(Self::Fen)
        } else {
            None
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
    ///     "position, column 6: 'd4' is no point of the board 'nine'; \
    ///      column d has points in rows 1 2 3 5 6 7"
    /// );
    /// # Ok::<(), merels_core::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault found and its place: the text is in no known form, it breaks the rules of its
    /// form, or the position cannot occur under `ruleset`.
    pub fn parse(text: &str, ruleset: &Ruleset) -> Result<Self, NotationError> {
        match Form::of(text) {
            Some(Form::Fen) => Self::from_fen(text, ruleset),
            Some(Form::Plain) => plain::read(text, ruleset),
            Some(Form::Letters) => letters::read(text, ruleset),
            Some(Form::Picture) => picture_read::read(text, ruleset),
            None => {
                let problem =
                    NotationProblem::NoForm { found: shown(text.trim()), forms: forms(ruleset) };
                Err(NotationError::no_form(problem))
            }
        }
    }

    /// The form that is printed unless another is asked for: FEN-like on boards of 24 points, where
    /// other programs understand it, the plain form on the others.
    pub const fn text<'a>(&'a self, ruleset: &'a Ruleset) -> DisplaySituation<'a> {
        match self.fen(ruleset) {
            Some(fen) if has_24_points(ruleset.board) => DisplaySituation::Fen(fen),
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

/// Whether the board has the 24 points that the letters are made for.
pub(super) const fn has_24_points(board: Board) -> bool {
    matches!(board, Board::Nine | Board::Twelve)
}

/// That a form was used for a board that it cannot show.
pub(super) fn unsupported(ruleset: &Ruleset) -> NotationProblem {
    let example = example(ruleset).plain(ruleset).to_string();
    NotationProblem::Unsupported { board: ruleset.board, example }
}

/// A position to show what forms look like: a stone of each side in a corner.
fn example(ruleset: &Ruleset) -> Situation {
    let stones =
        |corner| Stones { board: Point::new(corner).set(), hand: ruleset.stones.saturating_sub(1) };
    Situation::settled(Position::new(stones(3), stones(0), Side::White))
}

/// The forms that a position on the board may have, with an example each.
fn forms(ruleset: &Ruleset) -> String {
    let example = example(ruleset);
    let plain = example.plain(ruleset);
    let top = crate::draw(ruleset.board.geometry(), example.position());
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
