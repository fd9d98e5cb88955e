//! The form of one letter a point, for boards of 24 points: `.WWBW..B/......../.B......|B|9|9`.
//!
//! Outer, middle and inner ring, each clockwise from the top left: `W` white, `B` black, `.` empty,
//! with or without slashes between rings. Then follow the side to move and the stones that white
//! and black have placed since the start of the game; the others are in hand. The form cannot show
//! a pending removal.

use std::fmt;

use crate::board::boards::Board;
use crate::board::point::{Point, Points};
use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::fill_in::fill_in;
use crate::notation::form::Form;
use crate::notation::plain::unsupported;
use crate::notation::problem::{NotationProblem, Part};
use crate::notation::rings::write_rings;
use crate::notation::setup::Setup;
use crate::notation::shown::{number, shown};
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// Points of a ring, and of the board.
const RING_POINTS: usize = 8;
pub(crate) const ALL: usize = 3 * RING_POINTS;

/// Whether the form can show a board: three rings and nothing else.
pub(crate) const fn is_for(board: Board) -> bool {
    matches!(board.rings_alone(), Some(3))
}

/// The point at `index` of the 24 letters. Both boards of 24 points number them alike.
pub(crate) const fn point_at(index: usize) -> Point {
    let (ring, around) = (index / RING_POINTS, index % RING_POINTS);
    let midpoints = if around.is_multiple_of(2) { 0 } else { ALL / 2 };
    Point::new((midpoints + 4 * ring + around / 2) as u8)
}

impl Situation {
    /// The position as one letter a point. Reading it back gives the same.
    ///
    /// None if the form cannot show it: a removal is pending, or the board does not have 24 points.
    pub const fn letters<'a>(&'a self, ruleset: &'a Ruleset) -> Option<DisplayLetters<'a>> {
        if self.is_pending() { None } else { self.position().letters(ruleset) }
    }
}

impl Position {
    /// The position as one letter a point, see [`Situation::letters`]. It need not be one that can
    /// occur.
    pub const fn letters<'a>(&'a self, ruleset: &'a Ruleset) -> Option<DisplayLetters<'a>> {
        if is_for(ruleset.board) { Some(DisplayLetters { position: self, ruleset }) } else { None }
    }
}

/// A position to be printed as letters, see [`Situation::letters`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayLetters<'a> {
    position: &'a Position,
    ruleset: &'a Ruleset,
}

impl fmt::Display for DisplayLetters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = [Side::White, Side::Black].map(|side| self.position.stones(side));
        write_rings(f, self.position, ALL, point_at, ["W", "B", "."])?;
        let side = match self.position.side() {
            Side::White => 'W',
            Side::Black => 'B',
        };
        let placed = |stones: Stones| self.ruleset.stones.saturating_sub(stones.hand);
        write!(f, "|{side}|{}|{}", placed(white), placed(black))
    }
}

/// Whether the text begins as this form does.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let board = text.split('|').next().unwrap_or_default();
    let letters = |text: &str| text.chars().all(|found| "WwBb./".contains(found));
    let first = text.split_whitespace().next().unwrap_or_default();
    let fields = text.contains('|') && text.lines().count() == 1;
    fields && !board.contains(['@', '*']) || first.len() >= RING_POINTS && letters(first)
}

/// Splits a side to move off the letters behind which it stands alone: `.WWBW... b`.
fn split_side(board: &str) -> (&str, Option<Side>) {
    let last = board.rsplit(char::is_whitespace).next().unwrap_or_default();
    let side = match last {
        "w" | "W" => Side::White,
        "b" | "B" => Side::Black,
        _ => return (board, None),
    };
    (board[..board.len() - last.len()].trim_end(), Some(side))
}

fn fault(column: usize, field: NotationField, problem: NotationProblem) -> NotationError {
    fault_in(Form::Letters, column, field, problem)
}

fn fault_in(
    form: Form,
    column: usize,
    field: NotationField,
    problem: NotationProblem,
) -> NotationError {
    NotationError::new(form, TextLocation::column(column), problem).in_field(field)
}

/// Reads a position written as letters.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    let text = text.trim_end();
    if !is_for(ruleset.board) {
        return Err(fault(1, NotationField::Board, unsupported(ruleset)));
    }
    // Each field with the column at which it starts.
    let mut column = 1;
    let mut fields = text.split('|').map(|field| {
        let start = column;
        column += field.chars().count() + 1;
        let blank = field.chars().take_while(|found| found.is_whitespace()).count();
        (start + blank, field.trim())
    });
    let end = text.chars().count() + 1;
    let (start, board) = fields.next().unwrap_or((1, ""));
    if !text.contains('|') {
        let (board, side) = split_side(board);
        let setup = read_board(Form::Letters, start, board, ruleset)?;
        let example = |position: &Position| {
            let letters = position.letters(ruleset);
            format!("'{}'", letters.map(|letters| letters.to_string()).unwrap_or_default())
        };
        let filled = fill_in(&setup, side, ruleset, example);
        return filled.map_err(|problem| fault(end, NotationField::Side, problem));
    }
    let setup = read_board(Form::Letters, start, board, ruleset)?;

    let mut field = |field: NotationField| {
        const NEEDED: &str = "after the 24 letters, write the side to move and the stones placed \
                              so far by white and black, as in |W|9|9";
        let problem = NotationProblem::Missing { needed: NEEDED };
        let found = fields.next().filter(|(_, found)| !found.is_empty());
        found.ok_or_else(|| fault(end, field, problem))
    };
    let (column, found) = field(NotationField::Side)?;
    let side = match found {
        "W" | "w" => Side::White,
        "B" | "b" => Side::Black,
        _ => {
            let problem = NotationProblem::Word { found: shown(found), allowed: "W, B" };
            return Err(fault(column, NotationField::Side, problem));
        }
    };
    let mut placed_column = 0;
    let mut stones = |side| {
        let name = NotationField::Placed(side);
        let (column, found) = field(name)?;
        placed_column = column;
        let board: Points = setup.stones(side);
        let problem = match number(found) {
            None => NotationProblem::Number { found: shown(found) },
            Some(said) if said > ruleset.stones => {
                NotationProblem::PlacedSurplus { said, most: ruleset.stones }
            }
            Some(said) if said < board.len() => {
                NotationProblem::PlacedShort { said, shown: board.len() }
            }
            Some(said) => return Ok(Stones { board, hand: ruleset.stones - said }),
        };
        Err(fault(column, name, problem))
    };
    let (white, black) = (stones(Side::White)?, stones(Side::Black)?);
    if let Some((column, found)) = fields.next() {
        let expected = "the stones placed by black are the last field";
        let problem = NotationProblem::Unexpected { found: shown(found), expected };
        return Err(fault(column, NotationField::Placed(Side::Black), problem));
    }

    Situation::new(Position::new(white, black, side), ruleset).map_err(|cause| {
        match Part::of(&cause) {
            Part::Hands => fault(placed_column, NotationField::Placed(Side::Black), cause.into()),
            Part::Stones(_) | Part::Removal => fault(start, NotationField::Board, cause.into()),
        }
    })
}

/// The stones of 24 letters that begin in column `start` of a text in `form`.
pub(crate) fn read_board<'a>(
    form: Form,
    start: usize,
    board: &str,
    ruleset: &'a Ruleset,
) -> Result<Setup<'a>, NotationError> {
    let mut setup = Setup::new(ruleset);
    let mut count = 0;
    for (column, found) in (start..).zip(board.chars()) {
        let at = |problem| fault_in(form, column, NotationField::Board, problem);
        let side = match found {
            'W' | 'w' => Some(Side::White),
            'B' | 'b' => Some(Side::Black),
            '.' => None,
            '/' if count % RING_POINTS == 0 && count > 0 => continue,
            '/' => return Err(at(NotationProblem::Slash { found: count })),
            _ if found.is_whitespace() => continue,
            _ => {
                let allowed = "W (white), B (black) or . (empty)";
                return Err(at(NotationProblem::Stone { found, allowed }));
            }
        };
        if let (Some(side), 0..ALL) = (side, count) {
            setup.put(side, point_at(count)).map_err(at)?;
        }
        count += 1;
    }
    if count == ALL {
        Ok(setup)
    } else {
        Err(fault_in(form, start, NotationField::Board, NotationProblem::Letters { found: count }))
    }
}
