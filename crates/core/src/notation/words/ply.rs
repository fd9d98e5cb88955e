//! One move out of the tokens of a game: which points it names, whatever the signs between them.

use std::cmp::Reverse;

use crate::board::boards::Board;
use crate::board::geometry::Geometry;
use crate::board::point::Point;
use crate::notation::fen;
use crate::notation::words::token::{Kind, Token};

/// How the points of a game are numbered, if numbers name points at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PointNumbers {
    /// From 1, row by row from the top left. Such numbers are points only in games without letters.
    #[default]
    FromOne,
    /// From 0, in the same order.
    FromZero,
}

impl PointNumbers {
    /// The number of the first point.
    pub const fn first(self) -> usize {
        match self {
            Self::FromOne => 1,
            Self::FromZero => 0,
        }
    }
}

/// A move as a game writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ply {
    /// The move in the usual notation; points that do not exist as they are written.
    pub(crate) text: String,
    /// How many tokens it takes.
    pub(crate) tokens: usize,
}

/// Why tokens are not a move: the place of the token at fault among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAPly(pub(crate) usize);

/// The points of a board row by row from the top left.
pub(crate) fn points_in_rows(geometry: &Geometry) -> Vec<Point> {
    let mut points: Vec<_> = geometry.points().into_iter().collect();
    points.sort_by_key(|&point| {
        let place = geometry.coordinates(point);
        (Reverse(place.row), place.column)
    });
    points
}

/// The points of a board, by the ways in which games name them.
pub(crate) struct Names {
    geometry: &'static Geometry,
    numbers: PointNumbers,
    /// The points row by row from the top left.
    in_rows: Vec<Point>,
}

impl Names {
    pub(crate) fn new(board: Board, numbers: PointNumbers) -> Self {
        let geometry = board.geometry();
        let in_rows = points_in_rows(geometry);
        Self { geometry, numbers, in_rows }
    }

    /// The usual name of the point that a token names. A number beyond the last point, or a ring
    /// that the board does not have, stays as it is written, so that the error shows it.
    fn name(&self, token: &Token<'_>) -> Option<String> {
        let point = match token.kind {
            Kind::Point(name) | Kind::InParentheses(name) => return Some(name.to_owned()),
            Kind::Digits(digits) => {
                let number = digits.parse::<usize>().ok();
                let place = number.and_then(|number| number.checked_sub(self.numbers.first()));
                place.and_then(|place| self.in_rows.get(place).copied())
            }
            Kind::Pair(ring, around) => {
                let digit = |found: char| found.to_digit(10)?.checked_sub(1);
                digit(ring).zip(digit(around)).and_then(|(ring, around)| {
                    fen::point_of_ring(self.geometry.board(), ring as usize, around as usize)
                })
            }
            _ => return None,
        };
        let name = point.map(|point| self.geometry.name(point).to_string());
        Some(name.unwrap_or_else(|| token.text.to_owned()))
    }

    /// Reads the move with which `tokens` begins. It is not known whether it is legal.
    pub(crate) fn ply(&self, tokens: &[Token<'_>]) -> Result<Ply, NotAPly> {
        let mut cursor = Cursor { tokens, at: 0 };
        let mut text = String::new();
        cursor.skip_fillers();
        if !cursor.is_removal() {
            text += &self.point(&mut cursor)?;
            cursor.skip_fillers();
            if cursor.is_step() {
                cursor.at += 1;
                cursor.skip_fillers();
                text.push('-');
                text += &self.point(&mut cursor)?;
            }
        }
        loop {
            let end = cursor.at;
            cursor.skip_remarks();
            if cursor.is_joined_removal() {
                text.push('x');
                text += &self.point(&mut cursor)?;
            } else if cursor.is_removal() {
                cursor.at += 1;
                cursor.skip_fillers();
                text.push('x');
                text += &self.point(&mut cursor)?;
            } else {
                return Ok(Ply { text, tokens: end });
            }
        }
    }

    fn point(&self, cursor: &mut Cursor<'_>) -> Result<String, NotAPly> {
        let token = cursor.tokens.get(cursor.at);
        let name = token.and_then(|token| self.name(token)).ok_or(NotAPly(cursor.at))?;
        cursor.at += 1;
        Ok(name)
    }
}

struct Cursor<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl Cursor<'_> {
    fn kind(&self, ahead: usize) -> Option<Kind<'_>> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    fn skip_fillers(&mut self) {
        while self.kind(0) == Some(Kind::Filler) || self.is_leading_to() {
            self.at += 1;
        }
    }

    /// `to` after a word such as `Place`.
    fn is_leading_to(&self) -> bool {
        let before = self.at.checked_sub(1).map(|before| self.tokens[before].kind);
        self.kind(0) == Some(Kind::To) && matches!(before, None | Some(Kind::Filler))
    }

    /// Skips what may stand between a move and its removal, if a removal follows.
    fn skip_remarks(&mut self) {
        let start = self.at;
        while matches!(
            self.kind(0),
            Some(Kind::Comment(_) | Kind::Glyph | Kind::Comma | Kind::Filler | Kind::Clock(..))
        ) {
            self.at += 1;
        }
        if !self.is_removal() {
            self.at = start;
        }
    }

    /// A sign of removal, or a dash before a pair: there an arrow leads to the next point.
    fn is_removal(&self) -> bool {
        match self.kind(0) {
            Some(Kind::Removal) => true,
            Some(Kind::Dash) => {
                self.tokens[self.at].text == "-" && matches!(self.kind(1), Some(Kind::Pair(..)))
            }
            _ => false,
        }
    }

    /// A point in parentheses directly behind the move.
    fn is_joined_removal(&self) -> bool {
        let token = self.tokens.get(self.at);
        token.is_some_and(|token| {
            token.is_joined && self.at > 0 && matches!(token.kind, Kind::InParentheses(_))
        })
    }

    fn is_step(&self) -> bool {
        matches!(self.kind(0), Some(Kind::Dash | Kind::To)) && !self.is_removal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::words::token::tokens;

    fn ply(text: &str, numbers: PointNumbers) -> Result<(String, usize), NotAPly> {
        let ply = Names::new(Board::Nine, numbers).ply(&tokens(text))?;
        Ok((ply.text, ply.tokens))
    }

    #[test]
    fn one_move_in_every_notation() {
        for text in [
            "a1-a4xd7",
            "a1 - a4 x d7",
            "a1->a4, take d7",
            "a1–a4(d7)",
            "Move from a1 to a4 and take the stone on d7",
            "22-10x2",
            "(3,6)->(3,7)-(3,1)",
        ] {
            let (found, _) = ply(text, PointNumbers::FromOne).unwrap();
            assert_eq!(found, "a1-a4xd7", "{text}");
        }
        assert_eq!(ply("21-9x1", PointNumbers::FromZero).unwrap().0, "a1-a4xd7");
        for text in ["d6", "Place to d6", "place a stone on d6", "5", "(2,1)"] {
            assert_eq!(ply(text, PointNumbers::FromOne).unwrap().0, "d6", "{text}");
        }
        assert_eq!(ply("xd7", PointNumbers::FromOne), Ok(("xd7".into(), 2)));
        assert_eq!(ply("-(3,1)", PointNumbers::FromOne), Ok(("xd7".into(), 2)));
    }

    #[test]
    fn a_move_ends_where_the_next_begins() {
        assert_eq!(ply("d6 f4", PointNumbers::FromOne), Ok(("d6".into(), 1)));
        assert_eq!(ply("d6! {so} xf4 d7", PointNumbers::FromOne), Ok(("d6xf4".into(), 5)));
        assert_eq!(ply("d6 (f4) d7", PointNumbers::FromOne), Ok(("d6".into(), 1)));
        assert_eq!(ply("a1-", PointNumbers::FromOne), Err(NotAPly(2)));
        assert_eq!(ply("25", PointNumbers::FromOne), Ok(("25".into(), 1)));
    }
}
