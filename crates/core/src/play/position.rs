//! Positions: the stones of both sides on the board and in hand, and whose move it is.

use crate::board::boards::Board;
use crate::board::point::{Point, Points};
use crate::index::subspace::Subspace;
use crate::rules::choices::Placing;
use crate::rules::ruleset::Ruleset;

/// One of the two sides. White usually begins; values depend only on who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that usually begins.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// What a position holds of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones {
    /// The stones on the board.
    pub board: Points,
    /// How many stones are still to be placed.
    pub hand: u8,
}

impl Stones {
    /// Stones on the board and in hand; 255 if there are more.
    pub const fn total(self) -> u8 {
        self.board.len().saturating_add(self.hand)
    }
}

/// A position: all that the value of a game's continuation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    white: Stones,
    black: Stones,
    side: Side,
}

/// Why a position cannot occur in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Two stones on one point.
    #[error("{point} holds a stone of both sides")]
    Overlap {
        /// The point's name.
        point: String,
    },
    /// A stone outside the board.
    #[error("a stone stands outside the board '{board}'")]
    OffBoard {
        /// The ruleset's board.
        board: Board,
    },
    /// More stones than a side has in a game.
    #[error("{side:?} has {total} stones (board and hand); by these rules a side has {most}")]
    TooMany {
        /// Whose stones.
        side: Side,
        /// How many there are.
        total: u8,
        /// How many there are at the start.
        most: u8,
    },
    /// The side that has just moved has lost already, so the game was over before.
    #[error(
        "{side:?} has only {total} stone{} (board and hand) and has lost already, so it is not \
         {:?}'s move",
        if *.total == 1 { "" } else { "s" }, .side.opponent()
    )]
    Over {
        /// The side that is not to move.
        side: Side,
        /// How many stones it has.
        total: u8,
    },
    /// Numbers of stones in hand that cannot occur if the sides place in turn.
    #[error(
        "White has {white} stone{} in hand and Black {black} with {side:?} to move, but the sides \
         place in turn: both have equally many, or {side:?} has one more",
        if *.white == 1 { "" } else { "s" },
    )]
    Hands {
        /// White's stones in hand.
        white: u8,
        /// Black's stones in hand.
        black: u8,
        /// The side to move.
        side: Side,
    },
    /// A side has placed no stone yet, although it must have.
    #[error(
        "White has {white} stone{} in hand and Black {black} with {side:?} to move, but the first \
         two moves of a game place a stone of each side",
        if *.white == 1 { "" } else { "s" }
    )]
    Beginning {
        /// White's stones in hand.
        white: u8,
        /// Black's stones in hand.
        black: u8,
        /// The side to move.
        side: Side,
    },
    /// More stones removed than these numbers in hand allow.
    #[error(
        "White has lost {white} stone{} and Black {black}, but no game removes that many with \
         these stones in hand",
        if *.white == 1 { "" } else { "s" }
    )]
    Removed {
        /// The number of White's missing stones.
        white: u8,
        /// The number of Black's missing stones.
        black: u8,
    },
}

impl Position {
    /// A position with these stones. [`Position::check`] finds out whether rules allow it.
    pub const fn new(white: Stones, black: Stones, side: Side) -> Self {
        Self { white, black, side }
    }

    /// The position before the first move.
    pub const fn start(ruleset: &Ruleset) -> Self {
        let stones = Stones { board: Points::EMPTY, hand: ruleset.stones };
        Self { white: stones, black: stones, side: Side::White }
    }

    /// The position of a subspace with these stones. White is to move, unless the mover has more
    /// stones in hand than the other side: if all stones are placed first, White has just placed
    /// one in that case.
    pub const fn of_subspace(subspace: Subspace, mover: Points, other: Points) -> Self {
        let mover = Stones { board: mover, hand: subspace.mover_hand() };
        let other = Stones { board: other, hand: subspace.other_hand() };
        if mover.hand > other.hand {
            Self { white: other, black: mover, side: Side::Black }
        } else {
            Self { white: mover, black: other, side: Side::White }
        }
    }

    /// The side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The stones of `side`.
    pub const fn stones(&self, side: Side) -> Stones {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The stones of the side to move.
    pub const fn mover(&self) -> Stones {
        self.stones(self.side)
    }

    /// The stones of the side that is not to move.
    pub const fn other(&self) -> Stones {
        self.stones(self.side.opponent())
    }

    /// All stones on the board.
    pub const fn occupied(&self) -> Points {
        self.white.board.union(self.black.board)
    }

    /// The subspace to which the position belongs.
    pub const fn subspace(&self) -> Subspace {
        let (mover, other) = (self.mover(), self.other());
        Subspace::placing(mover.board.len(), other.board.len(), mover.hand, other.hand)
    }

    /// The image of the position that stands for all its images under the symmetries of the board:
    /// the one whose mover's stones are smallest as a number, then those of the other side. Hands
    /// and the side to move stay.
    #[must_use]
    pub fn canonical(&self, board: Board) -> Self {
        let symmetries = board.geometry().symmetries().iter();
        let image = symmetries.map(|(_, symmetry)| {
            (symmetry.apply_set(self.mover().board), symmetry.apply_set(self.other().board))
        });
        let (mover, other) = image.min().expect("a group has an identity");
        self.with_boards(mover, other)
    }

    /// The images of the position under the symmetries of the board, each once, in the order of the
    /// stones as numbers: first [`Position::canonical`].
    pub fn images(&self, board: Board) -> Vec<Self> {
        let symmetries = board.geometry().symmetries().iter();
        let images = symmetries.map(|(_, symmetry)| {
            (symmetry.apply_set(self.mover().board), symmetry.apply_set(self.other().board))
        });
        let mut images: Vec<_> = images.collect();
        images.sort_unstable();
        images.dedup();
        images.into_iter().map(|(mover, other)| self.with_boards(mover, other)).collect()
    }

    /// The position with other stones on the board.
    const fn with_boards(&self, mover: Points, other: Points) -> Self {
        let mover = Stones { board: mover, hand: self.mover().hand };
        let other = Stones { board: other, hand: self.other().hand };
        let (white, black) = match self.side {
            Side::White => (mover, other),
            Side::Black => (other, mover),
        };
        Self { white, black, side: self.side }
    }

    /// Whether the stones in hand are those of a game that White has begun. If all stones are on the
    /// board, they are those of any game.
    pub const fn fits_white_first(&self, ruleset: &Ruleset) -> bool {
        let (white, black) = (self.white.hand, self.black.hand);
        let is_first = white == black;
        let is_second = white + 1 == black;
        match (ruleset.placing, self.side) {
            (Placing::First, Side::White) => is_first,
            (Placing::First, Side::Black) => is_second || white == 0 && black == 0,
            // Only the first two moves tell who has begun.
            (Placing::Mixed, Side::White) => black < ruleset.stones || is_first,
            (Placing::Mixed, Side::Black) => black < ruleset.stones || is_second,
        }
    }

    /// The position in which `stones` and `opponents` have replaced those of the mover and of the
    /// other side, with the other side to move.
    pub(crate) const fn moved(&self, stones: Stones, opponents: Stones) -> Self {
        let (white, black) = match self.side {
            Side::White => (stones, opponents),
            Side::Black => (opponents, stones),
        };
        Self { white, black, side: self.side.opponent() }
    }

    /// Checks that the position can occur in a game under `ruleset`: the stones are on different
    /// points of the board, no side has too many, the game was not over before, the stones in hand
    /// agree with placing in turn, and no more stones are missing than moves can have removed.
    ///
    /// # Errors
    /// The first of these that fails.
    pub fn check(&self, ruleset: &Ruleset) -> Result<(), PositionError> {
        self.check_before(ruleset, 0)
    }

    /// [`Position::check`], with `removals` stones of the side to move still to be removed.
    pub(crate) fn check_before(
        &self,
        ruleset: &Ruleset,
        removals: u8,
    ) -> Result<(), PositionError> {
        let geometry = ruleset.board.geometry();
        if !geometry.points().contains_all(self.occupied()) {
            return Err(PositionError::OffBoard { board: ruleset.board });
        }
        let shared: Option<Point> =
            self.white.board.intersection(self.black.board).into_iter().next();
        if let Some(point) = shared {
            return Err(PositionError::Overlap { point: geometry.name(point).to_string() });
        }
        for side in [Side::White, Side::Black] {
            let total = self.stones(side).total();
            if total > ruleset.stones {
                return Err(PositionError::TooMany { side, total, most: ruleset.stones });
            }
        }
        let waiting = self.side.opponent();
        let total = self.stones(waiting).total();
        if total < Ruleset::MIN_STONES {
            return Err(PositionError::Over { side: waiting, total });
        }
        // Either side may have begun: what counts is who is to move.
        let (white, black) = (self.white.hand, self.black.hand);
        let (mover, other) = (self.mover().hand, self.other().hand);
        match ruleset.placing {
            Placing::First => {
                if mover != other && mover != other + 1 {
                    return Err(PositionError::Hands { white, black, side: self.side });
                }
            }
            // As soon as both sides have placed a stone, either may slide while the other places.
            Placing::Mixed => {
                let all = ruleset.stones;
                let is_first = mover == all && other == all;
                let is_second = mover == all && other + 1 == all;
                if !(is_first || is_second || mover < all && other < all) {
                    return Err(PositionError::Beginning { white, black, side: self.side });
                }
            }
        }
        if self.could_be_removed(ruleset, removals) {
            return Ok(());
        }
        let [white, black] =
            [Side::White, Side::Black].map(|side| ruleset.stones - self.stones(side).total());
        Err(PositionError::Removed { white, black })
    }

    /// Whether a game can reach these numbers of stones, after `removals` more of the side to move.
    fn could_be_removed(&self, ruleset: &Ruleset, removals: u8) -> bool {
        let (mover, other) = (self.mover(), self.other());
        let on_board = mover.board.len().saturating_sub(removals);
        let subspace = Subspace::placing(on_board, other.board.len(), mover.hand, other.hand);
        // The layers leave out games that are over.
        subspace.is_moving()
            || on_board + mover.hand < Ruleset::MIN_STONES
            || subspace.is_placing_of(ruleset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With slides between placings, the numbers in hand may differ by any number, but not until
    /// both sides have placed a stone.
    #[test]
    fn hands_of_mixed_placing() {
        let lasker: Ruleset = "lasker".parse().unwrap();
        let check = |white: (u8, u8), black: (u8, u8), side: Side| {
            let stones = |(board, hand): (u8, u8), skip: usize| Stones {
                board: lasker
                    .board
                    .geometry()
                    .points()
                    .into_iter()
                    .skip(skip)
                    .take(board.into())
                    .collect(),
                hand,
            };
            Position::new(stones(white, 0), stones(black, 12), side).check(&lasker)
        };
        for side in [Side::White, Side::Black] {
            assert_eq!(check((1, 9), (1, 9), side), Ok(()));
            assert_eq!(check((1, 9), (9, 1), side), Ok(()));
            assert_eq!(check((10, 0), (2, 8), side), Ok(()));
            // One stone of White's is gone: Black must have had a mill.
            let early = check((1, 8), (2, 8), side);
            assert_eq!(early, Err(PositionError::Removed { white: 1, black: 0 }), "{side:?}");
        }
        assert_eq!(check((0, 10), (0, 10), Side::White), Ok(()));
        assert_eq!(check((1, 9), (0, 10), Side::Black), Ok(()));
        // Black began.
        assert_eq!(check((0, 10), (0, 10), Side::Black), Ok(()));
        assert_eq!(check((0, 10), (1, 9), Side::White), Ok(()));
        for (white, black, side) in [
            ((0, 10), (1, 9), Side::Black),
            ((1, 9), (0, 10), Side::White),
            ((2, 8), (0, 10), Side::Black),
        ] {
            let refusal = PositionError::Beginning { white: white.1, black: black.1, side };
            assert_eq!(check(white, black, side), Err(refusal));
        }
    }

    #[test]
    fn any_number_of_stones_in_hand_is_counted() {
        for hand in [7, 248, 255] {
            let stones = Stones { board: Points::first(9), hand };
            let position = Position::new(stones, Stones::default(), Side::White);
            let refusal = position.check(&Ruleset::STANDARD).unwrap_err();
            let total = if hand == 7 { 16 } else { 255 };
            assert_eq!(refusal, PositionError::TooMany { side: Side::White, total, most: 9 });
        }
    }
}
