//! A position that can occur in a game, perhaps in the middle of a move, and the choices of the
//! side to move.

use std::fmt;

use crate::board::geometry::Geometry;
use crate::board::point::{Point, Points};
use crate::play::moves::Move;
use crate::play::position::{Position, PositionError, Side, Stones};
use crate::rules::choices::DoubleMill;
use crate::rules::ruleset::Ruleset;

/// A position that can occur in a game, together with the number of stones that the side to move
/// still has to remove because it has just closed a mill.
///
/// Without pending removals it is an ordinary position before a move. With them the move is half
/// made: the side to move chooses the stones to remove, and then it is the opponent's turn. A
/// database has no entry for such a situation; its value is that of the best removal.
///
/// [`Situation::new`], [`Situation::pending_removal`] and [`Situation::parse`] check a situation
/// against a ruleset. Use it with that ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    position: Position,
    pending: u8,
}

impl Situation {
    /// The empty board, before the first move.
    pub const fn start(ruleset: &Ruleset) -> Self {
        Self::beginning(ruleset, Side::White)
    }

    /// The empty board, with `side` to make the first move.
    pub const fn beginning(ruleset: &Ruleset, side: Side) -> Self {
        let start = Position::start(ruleset);
        let position = Position::new(start.stones(Side::White), start.stones(Side::Black), side);
        Self { position, pending: 0 }
    }

    /// The position before a move.
    ///
    /// # Errors
    /// What [`Position::check`] finds.
    pub fn new(position: Position, ruleset: &Ruleset) -> Result<Self, SituationError> {
        Self::pending_removal(position, 0, ruleset)
    }

    /// The position after the side to move has closed a mill, with `pending` stones to remove; with
    /// 0, the same as [`Situation::new`].
    ///
    /// # Errors
    /// What [`Position::check`] finds; with pending removals, also that the side has closed no such
    /// mill, or that there is nothing to remove.
    pub fn pending_removal(
        position: Position,
        pending: u8,
        ruleset: &Ruleset,
    ) -> Result<Self, SituationError> {
        let situation = Self { position, pending };
        situation.check(ruleset)?;
        Ok(situation)
    }

    /// The situation after `choice`, with the opponent to move.
    ///
    /// The result is meaningful only if the choice is legal here.
    #[must_use]
    pub fn after(&self, choice: &Choice) -> Self {
        Self { position: choice.apply(self), pending: 0 }
    }

    /// The stones, and whose turn it is.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How many stones the side to move still has to remove.
    pub const fn pending(&self) -> u8 {
        self.pending
    }

    /// Whether a removal is pending.
    pub const fn is_pending(&self) -> bool {
        self.pending > 0
    }

    fn check(&self, ruleset: &Ruleset) -> Result<(), SituationError> {
        if !self.is_pending() {
            return Ok(self.position.check(ruleset)?);
        }
        let position = &self.position;
        let side = position.side();
        // The stone that closed the mill is down, so the hands are those of the opponent's turn.
        let after = Position::new(
            position.stones(Side::White),
            position.stones(Side::Black),
            side.opponent(),
        );
        let checked = after.check_before(ruleset, self.pending);
        checked.map_err(SituationError::AfterRemoval)?;
        let total = position.other().total();
        if total < Ruleset::MIN_STONES {
            return Err(PositionError::Over { side: side.opponent(), total }.into());
        }
        let most = match ruleset.double_mill {
            DoubleMill::One => 1,
            DoubleMill::Two => 2,
        };
        if self.pending > most {
            return Err(SituationError::TooMany { pending: self.pending, most });
        }
        let geometry = ruleset.board.geometry();
        let stones = position.mover().board;
        let pending = usize::from(self.pending);
        if !stones.into_iter().any(|point| geometry.mills_at(stones, point) >= pending) {
            return Err(SituationError::NoMill { side, pending: self.pending });
        }
        if self.removals(ruleset).is_empty() {
            return Err(SituationError::NothingToRemove { side });
        }
        Ok(())
    }

    /// All that the side to move can do, in the order of points: the legal moves, or the removals
    /// if some are pending. Empty if the game is over.
    pub fn choices(&self, ruleset: &Ruleset) -> Vec<Choice> {
        if self.is_pending() {
            self.removals(ruleset).into_iter().map(Choice::Removal).collect()
        } else {
            ruleset.legal_moves(&self.position).into_iter().map(Choice::Move).collect()
        }
    }

    /// The sets of stones that may be removed now: the pending number of stones, or the most that
    /// the rules allow.
    fn removals(&self, ruleset: &Ruleset) -> Vec<Points> {
        let mut choices = ruleset.removals(self.position.other().board, self.pending.into());
        choices.retain(|choice| !choice.is_empty());
        choices
    }
}

/// A situation, or a position that becomes one by a check: the input of a look-up.
pub trait IntoSituation {
    /// The situation.
    ///
    /// # Errors
    /// Those of [`Situation::new`] for a position; none for a situation.
    fn into_situation(self, ruleset: &Ruleset) -> Result<Situation, SituationError>;
}

impl IntoSituation for Situation {
    fn into_situation(self, _: &Ruleset) -> Result<Situation, SituationError> {
        Ok(self)
    }
}

impl IntoSituation for Position {
    fn into_situation(self, ruleset: &Ruleset) -> Result<Situation, SituationError> {
        Situation::new(self, ruleset)
    }
}

/// What a side can do in a [`Situation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// A move, with the stones that it removes.
    Move(Move),
    /// The pending removal of these stones.
    Removal(Points),
}

impl Choice {
    /// The position that follows, with the opponent to move.
    ///
    /// The result is meaningful only if the choice is legal in `situation`.
    #[must_use]
    pub fn apply(&self, situation: &Situation) -> Position {
        let position = &situation.position;
        match self {
            Self::Move(mv) => mv.apply(position),
            Self::Removal(removes) => {
                let other = position.other();
                let left = Stones { board: other.board.difference(*removes), ..other };
                position.moved(position.mover(), left)
            }
        }
    }

    /// The choice as people write it: `d2`, `a1-a4`, `a1-a4xd7`; a pending removal is `xd7`.
    pub const fn display<'a>(&'a self, geometry: &'a Geometry) -> DisplayChoice<'a> {
        DisplayChoice { choice: self, geometry }
    }

    /// A key that sorts choices like their text: by the names of the points from, to, removed.
    pub fn notation_order(&self, geometry: &Geometry) -> impl Ord + use<> {
        let name = |point: Point| {
            let place = geometry.coordinates(point);
            Some((place.column, place.row))
        };
        let (from, to, removes) = match self {
            Self::Move(mv) => (mv.from.and_then(name), name(mv.to), mv.removes),
            Self::Removal(removes) => (None, None, *removes),
        };
        let mut removed = removes.into_iter().map(name);
        (from, to, removed.next().flatten(), removed.next().flatten())
    }
}

/// A choice to be printed, see [`Choice::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayChoice<'a> {
    choice: &'a Choice,
    geometry: &'a Geometry,
}

impl fmt::Display for DisplayChoice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            Choice::Move(mv) => mv.display(self.geometry).fmt(f),
            Choice::Removal(removes) => {
                let names =
                    removes.into_iter().map(|point| format!("x{}", self.geometry.name(point)));
                f.pad(&names.collect::<String>())
            }
        }
    }
}

/// Why a [`Situation`] cannot occur in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SituationError {
    /// The position itself is impossible.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The position after the pending removal would be impossible.
    #[error("after the pending removal: {0}")]
    AfterRemoval(#[source] PositionError),
    /// The rules allow the removal of fewer stones.
    #[error(
        "{pending} stones are to be removed, but by these rules one move removes at most {most}"
    )]
    TooMany {
        /// The stones to be removed.
        pending: u8,
        /// The most that one move removes.
        most: u8,
    },
    /// The side has closed no mill that allows the removal.
    #[error(
        "{side:?} is to remove {}, but has not closed {}",
        if *.pending == 1 { "a stone" } else { "two stones" },
        if *.pending == 1 { "a mill" } else { "two mills at one point" }
    )]
    NoMill {
        /// The side to move.
        side: Side,
        /// The stones to be removed.
        pending: u8,
    },
    /// The opponent has no stone that may be removed.
    #[error("{side:?} is to remove a stone, but no stone of its opponent may be removed")]
    NothingToRemove {
        /// The side to move.
        side: Side,
    },
}

#[cfg(test)]
mod tests {
    use crate::board::boards::Board;

    use super::*;

    fn points(names: &str) -> Points {
        let nine = Board::Nine.geometry();
        names.split_whitespace().map(|name| nine.point_named(name).unwrap()).collect()
    }

    fn situation(white: &str, black: &str, hands: (u8, u8), side: Side, pending: u8) -> Situation {
        let white = Stones { board: points(white), hand: hands.0 };
        let black = Stones { board: points(black), hand: hands.1 };
        // Not checked: some of the tests are about the check.
        Situation { position: Position::new(white, black, side), pending }
    }

    fn listed(ruleset: &Ruleset, situation: &Situation) -> Vec<String> {
        let nine = ruleset.board.geometry();
        let mut choices = situation.choices(ruleset);
        choices.sort_by_key(|choice| choice.notation_order(nine));
        choices.iter().map(|choice| choice.display(nine).to_string()).collect()
    }

    #[test]
    fn a_pending_removal_lists_the_stones_that_may_go() {
        // Figure 2 of Gasser's paper: White has just closed a mill on b6.
        let closed = situation("b6 d6 f6 f4 g1", "b4 d3 d2 d1 a1", (0, 0), Side::White, 1);
        assert_eq!(closed.check(&Ruleset::STANDARD), Ok(()));
        assert_eq!(listed(&Ruleset::STANDARD, &closed), ["xa1", "xb4"]);
        let choice = closed.choices(&Ruleset::STANDARD)[0];
        let after = choice.apply(&closed);
        assert_eq!(after.side(), Side::Black);
        assert_eq!(after.mover().board.len(), 4);
        assert_eq!(after.other(), closed.position().mover());
    }

    #[test]
    fn two_pending_removals_take_two() {
        let rules = Ruleset { double_mill: DoubleMill::Two, ..Ruleset::STANDARD };
        let closed = situation("a7 d7 g7 d6 d5", "a1 b4 f4", (0, 0), Side::White, 2);
        assert_eq!(closed.check(&rules), Ok(()));
        assert_eq!(listed(&rules, &closed), ["xa1xb4", "xa1xf4", "xf4xb4"]);
        assert!(matches!(
            closed.check(&Ruleset::STANDARD),
            Err(SituationError::TooMany { pending: 2, most: 1 })
        ));
    }

    #[test]
    fn moves_sort_as_their_names() {
        let three = situation("a7 d7 g1", "a4 g4 d5", (0, 0), Side::Black, 0);
        let names = listed(&Ruleset::STANDARD, &three);
        let mut sorted = names.clone();
        sorted.sort();
        assert_eq!(names, sorted);
        assert_eq!(names[0], "a4-a1");
    }

    #[test]
    fn impossible_removals_are_named() {
        let refusal =
            |situation: Situation| situation.check(&Ruleset::STANDARD).unwrap_err().to_string();
        let no_mill = situation("a7 d7 g1", "b4 d3 d2", (0, 0), Side::White, 1);
        assert_eq!(refusal(no_mill), "White is to remove a stone, but has not closed a mill");
        let over = situation("a7 d7 g7", "b4 d3", (0, 0), Side::White, 1);
        assert!(refusal(over).contains("has lost already"));
        let hands = situation("a7 d7 g7", "b4 d3", (6, 5), Side::White, 1);
        assert!(refusal(hands).starts_with("after the pending removal: White has 6"));
        let placed = situation("a7 d7 g7", "b4 d3", (6, 7), Side::White, 1);
        assert_eq!(placed.check(&Ruleset::STANDARD), Ok(()));
        let strict = Ruleset { removal: crate::Removal::Strict, ..Ruleset::STANDARD };
        let all_in_mills = situation("a7 d7 g7", "a1 d1 g1", (0, 0), Side::White, 1);
        assert!(matches!(
            all_in_mills.check(&strict),
            Err(SituationError::NothingToRemove { side: Side::White })
        ));
    }
}
