//! The FEN-like string of the most used mill program.
//!
//! ```text
//! ********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes
//! ```
//!
//! The fields: the board; side to move `w`/`b`; phase (`r` ready, `p` placing, `m` moving, `o`
//! over); action (`p` place, `s` select, `r` remove, `?` none); white stones on the board and in
//! hand, black stones on the board and in hand; the stones white and black have to remove; then
//! fields that a position does not depend on (where the last mills were closed, counters). The
//! first eight are required. Older strings end earlier, or have one number for the stones that the
//! side to move has to remove. The reader accepts all of them; the program prints the form above.
//!
//! The board is three groups of eight points, inner / middle / outer ring, each clockwise from the
//! midpoint at the top: `O` white, `@` black, `*` empty. The board of two rings has two groups,
//! inner / outer; this form is our own, since no other program has one. Boards with a centre have
//! no such string.

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

/// The rings of a board in the order of the groups; none if a board is not made of rings alone.
const fn rings(board: Board) -> Option<&'static [&'static str]> {
    match board.rings_alone() {
        Some(3) => Some(&["inner", "middle", "outer"]),
        Some(2) => Some(&["inner", "outer"]),
        _ => None,
    }
}

/// Points of a ring.
const RING_POINTS: usize = 8;

/// The required fields, in their order.
const NEEDED: [NotationField; 8] = [
    NotationField::Board,
    NotationField::Side,
    NotationField::Phase,
    NotationField::Action,
    NotationField::OnBoard(Side::White),
    NotationField::InHand(Side::White),
    NotationField::OnBoard(Side::Black),
    NotationField::InHand(Side::Black),
];

/// The point at `index` of the characters of a board with `rings` rings.
const fn point_at(rings: usize, index: usize) -> Point {
    let ring = rings - 1 - index / RING_POINTS;
    let around = index % RING_POINTS;
    // Midpoints (numbered after all corners) from the top, corners from the one right of it.
    let number = if around.is_multiple_of(2) {
        4 * rings + 4 * ring + around / 2
    } else {
        4 * ring + (around / 2 + 1) % 4
    };
    Point::new(number as u8)
}

/// The point of a ring, counted from the inside, clockwise from the midpoint at the top, both from 0.
/// None if the board is not made of rings alone, or has no such point.
pub(crate) fn point_of_ring(board: Board, ring: usize, around: usize) -> Option<Point> {
    let rings = rings(board)?.len();
    (ring < rings && around < RING_POINTS).then(|| point_at(rings, ring * RING_POINTS + around))
}

impl Situation {
    /// Reads a FEN-like string, in its present form or an older one.
    ///
    /// ```
    /// use merels_core::{Ruleset, Side, Situation};
    ///
    /// let text = "@*******/********/OO@O**@* b m s 3 0 3 0";
    /// let situation = Situation::from_fen(text, &Ruleset::STANDARD)?;
    /// assert_eq!(situation.position().side(), Side::Black);
    /// # Ok::<(), merels_core::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault found, with its field and column: a field is missing or malformed, fields
    /// contradict each other, or the position cannot occur under `ruleset`.
    pub fn from_fen(text: &str, ruleset: &Ruleset) -> Result<Self, NotationError> {
        let Some(rings) = rings(ruleset.board) else {
            return Err(fault(NotationField::Board, 1, unsupported(ruleset)));
        };
        // In an address the fields stand between underlines.
        let text = &text.replace('_', " ");
        let fields = Fields::split(text, rings);
        let setup = fields.board(ruleset)?;
        let side = fields.side()?;
        if fields.fields.len() == 2 {
            let example = |position: &Position| {
                let fen = position.fen(ruleset).map(|fen| fen.to_string()).unwrap_or_default();
                format!("'{}'", fen.split(' ').take(NEEDED.len()).collect::<Vec<_>>().join(" "))
            };
            let filled = fill_in(&setup, Some(side), ruleset, example);
            return filled.map_err(|problem| fields.error(NotationField::Side, problem));
        }
        let phase = fields.letter(NotationField::Phase, "r, p, m, o")?;
        let action = fields.letter(NotationField::Action, "p, s, r, ?")?;
        let stones = |side| {
            let board: Points = setup.stones(side);
            let on_board = NotationField::OnBoard(side);
            let said = fields.number(on_board)?;
            if said != board.len() {
                let problem = NotationProblem::Count { said, shown: board.len() };
                return Err(fields.error(on_board, problem));
            }
            Ok(Stones { board, hand: fields.number(NotationField::InHand(side))? })
        };
        let white = stones(Side::White)?;
        let black = stones(Side::Black)?;

        fields.check_rest()?;
        let counted = fields.to_remove(side)?;
        let pending = if action == 'r' { counted.max(1) } else { counted };
        let in_hand = white.hand > 0 || black.hand > 0;
        if phase == 'm' && in_hand {
            return Err(fields.error(NotationField::Phase, NotationProblem::MovingWithHands));
        }
        // The last stone placed may have closed a mill: still the placing phase.
        if phase == 'p' && !in_hand && pending == 0 {
            return Err(fields.error(NotationField::Phase, NotationProblem::PlacingWithoutHands));
        }
        let position = Position::new(white, black, side);
        Self::pending_removal(position, pending, ruleset).map_err(|cause| {
            let field = match Part::of(&cause) {
                Part::Stones(_) => NotationField::Board,
                Part::Hands => NotationField::InHand(Side::White),
                Part::Removal => NotationField::Action,
            };
            fields.error(field, cause.into())
        })
    }

    /// The FEN-like string, in its present form. The counters that a position does not depend on
    /// are those of a fresh game. None for boards that are not made of rings alone.
    pub const fn fen<'a>(&'a self, ruleset: &'a Ruleset) -> Option<DisplayFen<'a>> {
        of_position(self.position(), self.pending(), ruleset)
    }
}

impl Position {
    /// The FEN-like string, see [`Situation::fen`]. The position need not be one that can occur.
    pub const fn fen<'a>(&'a self, ruleset: &'a Ruleset) -> Option<DisplayFen<'a>> {
        of_position(self, 0, ruleset)
    }
}

const fn of_position<'a>(
    position: &'a Position,
    pending: u8,
    ruleset: &'a Ruleset,
) -> Option<DisplayFen<'a>> {
    match rings(ruleset.board) {
        Some(rings) => Some(DisplayFen { position, pending, ruleset, rings: rings.len() }),
        None => None,
    }
}

/// A FEN-like string to be printed, see [`Situation::fen`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayFen<'a> {
    position: &'a Position,
    pending: u8,
    ruleset: &'a Ruleset,
    rings: usize,
}

impl fmt::Display for DisplayFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let (white, black) = (position.stones(Side::White), position.stones(Side::Black));
        let points = self.rings * RING_POINTS;
        write_rings(f, position, points, |index| point_at(self.rings, index), ["O", "@", "*"])?;
        let side = match position.side() {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let pending = self.pending;
        let placing = white.hand > 0 || black.hand > 0;
        let phase = if placing { 'p' } else { 'm' };
        let (phase, action) = if pending > 0 {
            (phase, 'r')
        } else if self.ruleset.ending(position).is_some() {
            ('o', '?')
        } else {
            (phase, if position.mover().hand > 0 { 'p' } else { 's' })
        };
        let remove = |side| if position.side() == side { pending } else { 0 };
        write!(
            f,
            " {side} {phase} {action} {} {} {} {} {} {} -1 -1 -1 -1 0 0 1 ids:nodes",
            white.board.len(),
            white.hand,
            black.board.len(),
            black.hand,
            remove(Side::White),
            remove(Side::Black),
        )
    }
}

fn fault(field: NotationField, column: usize, problem: NotationProblem) -> NotationError {
    NotationError::new(Form::Fen, TextLocation::column(column), problem).in_field(field)
}

/// The fields of a string with the columns at which they start.
struct Fields<'a> {
    fields: Vec<(usize, &'a str)>,
    /// The names of the board's rings.
    rings: &'static [&'static str],
    /// The column after the last character.
    end: usize,
}

impl<'a> Fields<'a> {
    fn split(text: &'a str, rings: &'static [&'static str]) -> Self {
        let text_end = text.trim_end();
        let mut column = 1;
        let mut fields = Vec::new();
        for word in text_end.split(char::is_whitespace) {
            if !word.is_empty() {
                fields.push((column, word));
            }
            column += word.chars().count() + 1;
        }
        Self { fields, rings, end: text_end.chars().count() + 1 }
    }

    /// The place of `field` among the fields.
    fn place(field: NotationField) -> usize {
        let needed = NEEDED.iter().position(|&known| known == field);
        needed.unwrap_or(NEEDED.len())
    }

    fn error(&self, field: NotationField, problem: NotationProblem) -> NotationError {
        let column = self.fields.get(Self::place(field)).map_or(self.end, |&(column, _)| column);
        fault(field, column, problem)
    }

    fn get(&self, field: NotationField) -> Result<&'a str, NotationError> {
        let found = self.fields.get(Self::place(field)).map(|&(_, word)| word);
        found.ok_or_else(|| {
            const NEEDED: &str =
                "a position needs 8 fields (board, side, phase, action, then the stones on the \
                 board and in hand, white's and black's), as the empty board has: \
                 ********/********/******** w p p 0 9 0 9, or with two groups on two rings";
            self.error(field, NotationProblem::Missing { needed: NEEDED })
        })
    }

    /// The stones on the board.
    fn board<'r>(&self, ruleset: &'r Ruleset) -> Result<Setup<'r>, NotationError> {
        let text = self.get(NotationField::Board)?;
        let mut column = self.fields[0].0;
        let at = |column, problem| fault(NotationField::Board, column, problem);
        let groups: Vec<&str> = text.split('/').collect();
        let rings = self.rings.len();
        let mut setup = Setup::new(ruleset);
        for (number, group) in groups.iter().enumerate().take(rings) {
            for (around, found) in group.chars().enumerate() {
                let side = match found {
                    'O' | 'o' => Some(Side::White),
                    '@' => Some(Side::Black),
                    '*' => None,
                    _ => {
                        let allowed = "O (white), @ (black) or * (empty)";
                        let problem = match found {
                            'X' | 'x' => NotationProblem::Marked { found, allowed },
                            _ => NotationProblem::Stone { found, allowed },
                        };
                        return Err(at(column + around, problem));
                    }
                };
                if let (Some(side), 0..RING_POINTS) = (side, around) {
                    let put = setup.put(side, point_at(rings, number * RING_POINTS + around));
                    put.map_err(|problem| at(column + around, problem))?;
                }
            }
            let found = group.chars().count();
            if found != RING_POINTS && groups.len() == rings {
                let ring = self.rings[number];
                return Err(at(column, NotationProblem::GroupLength { ring, found }));
            }
            column += found + 1;
        }
        if groups.len() != rings {
            let (found, board) = (groups.len(), ruleset.board);
            let problem = NotationProblem::Groups { found, board, rings: self.rings.join("/") };
            return Err(self.error(NotationField::Board, problem));
        }
        Ok(setup)
    }

    fn side(&self) -> Result<Side, NotationError> {
        match self.letter(NotationField::Side, "w, b")? {
            'w' => Ok(Side::White),
            _ => Ok(Side::Black),
        }
    }

    /// The one letter of a field; `allowed` lists what it may be.
    fn letter(&self, field: NotationField, allowed: &'static str) -> Result<char, NotationError> {
        let found = self.get(field)?;
        let known = allowed.split(", ").find(|&known| known.eq_ignore_ascii_case(found));
        known.and_then(|known| known.chars().next()).ok_or_else(|| {
            self.error(field, NotationProblem::Word { found: shown(found), allowed })
        })
    }

    fn number(&self, field: NotationField) -> Result<u8, NotationError> {
        let found = self.get(field)?;
        number(found)
            .ok_or_else(|| self.error(field, NotationProblem::Number { found: shown(found) }))
    }

    /// Checks that numbers and names with a colon are all that follows the eighth field.
    fn check_rest(&self) -> Result<(), NotationError> {
        let is_known =
            |word: &str| word.parse::<i64>().is_ok() || word.contains(':') || word == "-";
        let rest = self.fields.iter().skip(NEEDED.len());
        match rest.into_iter().find(|(_, word)| !is_known(word)) {
            None => Ok(()),
            Some(&(column, word)) => {
                let expected = "only numbers follow the eighth field; write moves behind it as in \
                                'moves d6 f4'";
                let problem = NotationProblem::Unexpected { found: shown(word), expected };
                let error = NotationError::new(Form::Fen, TextLocation::column(column), problem);
                Err(error)
            }
        }
    }

    /// How many stones the side to move has to remove, by the fields after the eighth.
    fn to_remove(&self, mover: Side) -> Result<u8, NotationError> {
        let rest = &self.fields[NEEDED.len()..];
        let counters = rest.iter().take_while(|(_, word)| word.parse::<i64>().is_ok()).count();
        let read = |place: usize, side| {
            let (column, found) = rest[place];
            number(found).ok_or_else(|| {
                let problem = NotationProblem::Number { found: shown(found) };
                fault(NotationField::ToRemove(side), column, problem)
            })
        };
        match counters {
            0 => Ok(0),
            // Older strings: the mover's only, alone or before two counters.
            1 | 3 => read(0, mover),
            _ => {
                let (white, black) = (read(0, Side::White)?, read(1, Side::Black)?);
                let (said, waiting, place) = match mover {
                    Side::White => (black, white, 1),
                    Side::Black => (white, black, 0),
                };
                if said > 0 {
                    let side = mover.opponent();
                    let problem = NotationProblem::NotItsTurn { said, side };
                    let column = rest[place].0;
                    return Err(fault(NotationField::ToRemove(side), column, problem));
                }
                Ok(waiting)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::boards::Board;

    use super::*;

    const FIGURE_9: &str = "@*******/********/OO@O**@* b m s 3 0 3 0";

    fn read(text: &str) -> Result<Situation, NotationError> {
        Situation::from_fen(text, &Ruleset::STANDARD)
    }

    fn names(set: Points) -> String {
        let nine = Board::Nine.geometry();
        let mut names: Vec<_> = set.into_iter().map(|p| nine.name(p).to_string()).collect();
        names.sort();
        names.join(" ")
    }

    #[test]
    fn points_stand_in_the_documented_order() {
        let order = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7";
        let nine = Board::Nine.geometry();
        let printed: Vec<_> = (0..24).map(|i| nine.name(point_at(3, i)).to_string()).collect();
        assert_eq!(printed.join(" "), order);
        let order = "c4 d4 d3 d2 c2 b2 b3 b4 c5 e5 e3 e1 c1 a1 a3 a5";
        let six = Board::Six.geometry();
        let printed: Vec<_> = (0..16).map(|i| six.name(point_at(2, i)).to_string()).collect();
        assert_eq!(printed.join(" "), order);
    }

    #[test]
    fn the_start_is_printed_in_full() {
        let start = Situation::start(&Ruleset::STANDARD);
        let text = "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
        assert_eq!(start.fen(&Ruleset::STANDARD).unwrap().to_string(), text);
        assert_eq!(read(text), Ok(start));
    }

    #[test]
    fn figure_9_in_all_forms() {
        let expected = read(FIGURE_9).unwrap();
        let position = expected.position();
        assert_eq!(names(position.stones(Side::White).board), "d7 g1 g7");
        assert_eq!(names(position.stones(Side::Black).board), "a4 d5 g4");
        assert_eq!(position.side(), Side::Black);
        for rest in [
            " 0 0 1",
            " 0 0 0 1",
            " 0 0",
            " 0 0 -1 -1 -1 -1 0 0 1",
            " 0 0 0 0 0 0 0 3 25 ids:nodes",
            "   ",
        ] {
            assert_eq!(read(&format!("{FIGURE_9}{rest}")), Ok(expected), "{rest}");
        }
        // Seen in the wild: action p while moving.
        assert_eq!(read(&FIGURE_9.replace("m s", "m p")), Ok(expected));
        let printed = expected.fen(&Ruleset::STANDARD).unwrap().to_string();
        assert_eq!(printed, format!("{FIGURE_9} 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"));
    }

    #[test]
    fn pending_removals_by_action_or_count() {
        // Figure 2: White has closed b6-d6-f6.
        let board = "****@***/OOO*@*@O/***O@@**";
        for rest in [
            "w m r 5 0 5 0",
            "w m r 5 0 5 0 1 0 -1 -1 -1 -1 0 0 1",
            "w m s 5 0 5 0 1 0 -1 -1 -1 -1 0 0 1",
            "w p r 5 0 5 0 1 0 30",
            "w m r 5 0 5 0 0 0",
        ] {
            let situation = read(&format!("{board} {rest}")).unwrap();
            assert_eq!(situation.pending(), 1, "{rest}");
        }
        let printed = read(&format!("{board} w m r 5 0 5 0")).unwrap();
        let printed = printed.fen(&Ruleset::STANDARD).unwrap().to_string();
        assert_eq!(printed, format!("{board} w m r 5 0 5 0 1 0 -1 -1 -1 -1 0 0 1 ids:nodes"));
        let other_side = read(&format!("{board} b m s 5 0 5 0 1 0 0 1")).unwrap_err();
        assert_eq!(other_side.field(), Some(NotationField::ToRemove(Side::White)));
        assert!(other_side.to_string().contains("it is Black's turn"), "{other_side}");
    }

    #[test]
    fn faults_are_named_and_placed() {
        let cases = [
            ("", 1, "board: missing"),
            ("@*******/********/OO@O**@* b m s 3 0 3", 39, "black stones in hand: missing"),
            ("@*******/********/OO@O**@*", 27, "side to move: missing"),
            (
                "@*******/****X***/OO@O**@* b m s 3 0 3 0",
                14,
                "'X' is not a stone; points are O (white), @",
            ),
            ("@*******/***#****/OO@O**@* b m s 3 0 3 0", 13, "'#' is not a stone"),
            ("@*******/*******/OO@O**@* b m s 3 0 3 0", 10, "middle group has 7"),
            ("@*******/********/OO@O**@** b m s 3 0 3 0", 19, "outer group has 9"),
            ("@*******/******** b m s 3 0 3 0", 1, "2 groups"),
            ("@*******/********/OO@O**@* black m s 3 0 3 0", 28, "'black' is not one of w, b"),
            ("@*******/********/OO@O**@* b x s 3 0 3 0", 30, "phase: 'x'"),
            ("@*******/********/OO@O**@* b m go 3 0 3 0", 32, "action: 'go'"),
            ("@*******/********/OO@O**@* b m s 4 0 3 0", 34, "says 4, but the board shows 3"),
            ("@*******/********/OO@O**@* b m s 3 0 2 0", 38, "black stones on the board: says 2"),
            ("@*******/********/OO@O**@* b m s 3 0 3 x", 40, "black stones in hand: 'x'"),
            ("@*******/********/OO@O**@* b m s 3 -1 3 0", 36, "'-1' is not a number"),
            ("@*******/********/OO@O**@* b m s 3 999 3 0", 36, "'999' is not a number"),
            ("@*******/********/OO@O**@* b m s 3 5 3 6", 30, "stones are still in hand"),
            ("@*******/********/OO@O**@* b p s 3 0 3 0", 30, "no stones are in hand"),
            ("@*******/********/OO@O**@* b p p 3 5 3 8", 36, "11 stones"),
            ("@*******/********/OO@O**@* b m r 3 0 3 0", 32, "has not closed a mill"),
            ("@*******/********/OO****** b m s 2 0 1 0", 1, "has lost already"),
        ];
        for (text, column, message) in cases {
            let error = read(text).unwrap_err();
            assert!(error.to_string().contains(message), "{text}: {error}");
            assert_eq!(error.location().unwrap().column, column, "{text}: {error}");
        }
    }

    #[test]
    fn two_rings_have_two_groups() {
        let six: Ruleset = "six".parse().unwrap();
        let text = "*O******/@******O w p p 2 4 1 5";
        let error = Situation::from_fen(text, &six).unwrap_err();
        assert!(error.to_string().contains("in hand"), "{error}");
        let text = "*O******/@******O b p p 2 4 1 5";
        let situation = Situation::parse(text, &six).unwrap();
        assert_eq!(situation.plain(&six).to_string(), "w:a5,d4 b:c5 move:b hand:4,5");
        let printed = situation.fen(&six).unwrap().to_string();
        assert_eq!(printed, format!("{text} 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"));
        let error = Situation::from_fen(FIGURE_9, &six).unwrap_err();
        assert!(error.to_string().contains("3 groups between slashes; there must be 2"), "{error}");
    }

    #[test]
    fn boards_with_a_centre_have_no_such_string() {
        for name in ["three", "seven"] {
            let rules: Ruleset = name.parse().unwrap();
            let error = Situation::from_fen(FIGURE_9, &rules).unwrap_err();
            assert!(error.to_string().contains(&format!("not for the board '{name}'")), "{error}");
            let start = Situation::start(&rules);
            assert!(start.fen(&rules).is_none());
        }
    }
}
