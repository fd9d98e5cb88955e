//! What can be wrong with a move in text.

use crate::board::boards::Board;
use crate::play::end::GameEnd;
use crate::play::position::Side;

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move '{text}': {problem}")]
pub struct MoveError {
    text: String,
    #[source]
    problem: MoveProblem,
}

impl MoveError {
    pub(crate) const fn new(text: String, problem: MoveProblem) -> Self {
        Self { text, problem }
    }

    /// The text of the move, ready to be shown: cut if it is long, control characters escaped.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong.
    pub const fn problem(&self) -> &MoveProblem {
        &self.problem
    }

    pub(crate) fn into_problem(self) -> MoveProblem {
        self.problem
    }
}

/// What is wrong with a move. Points and example moves are in notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveProblem {
    /// The text does not have the form of a move.
    #[error(
        "this is not a move; write d2 to place a stone, a1-a4 to move one, d2xd7 or a1-a4xd7 to \
         remove one as well, xd7 for a removal alone"
    )]
    Form,
    /// Numbers in the place of points.
    #[error(
        "a point is a letter and a digit, as in {example}; numbers name points only in a game that \
         uses nothing else"
    )]
    Numbers {
        /// A point.
        example: String,
    },
    /// Two points without a line between them.
    #[error("write {from}-{to} to move a stone, {from}x{to} to place one and remove another")]
    Joined {
        /// The first point.
        from: String,
        /// The second point.
        to: String,
    },
    /// The board has no such point.
    #[error("'{found}' is not a point of the board '{board}'; {hint}")]
    NoPoint {
        /// The name.
        found: String,
        /// The ruleset's board.
        board: Board,
        /// The names that the board has.
        hint: String,
    },
    /// The game is over.
    #[error("the game is over: {end}")]
    Over {
        /// How it has ended.
        end: GameEnd,
    },
    /// A stone is to go to a point that is not empty.
    #[error("{point} is not empty: {side:?} has a stone there")]
    Occupied {
        /// The point.
        point: String,
        /// Whose stone stands there.
        side: Side,
    },
    /// The point has no stone to move.
    #[error("there is no stone on {point}")]
    Empty {
        /// The point.
        point: String,
    },
    /// The stone to move is the opponent's, or the stone to remove is the mover's.
    #[error("the stone on {point} is {side:?}'s")]
    Whose {
        /// The point.
        point: String,
        /// Whose stone stands there.
        side: Side,
    },
    /// The point to go to is not next to where the stone stands.
    #[error("{to} is not next to {from}; from there a stone goes to {open}{}",
        if *.jumping { " (only a side with three stones jumps)" } else { "" })]
    NotNext {
        /// Where the stone stands.
        from: String,
        /// Where it is to go.
        to: String,
        /// The points next to `from`.
        open: String,
        /// Whether the rules have jumping.
        jumping: bool,
    },
    /// Stones are in hand and have to be placed first.
    #[error(
        "{side:?} has stones in hand ({hand}) and must place them first; \
         write one point to place a stone, as in {example}"
    )]
    PlaceFirst {
        /// The side to move.
        side: Side,
        /// How many stones it has in hand.
        hand: u8,
        /// A legal move.
        example: String,
    },
    /// No stone is left to place.
    #[error("{side:?} has no stones in hand; write two points to move a stone, as in {example}")]
    NoHand {
        /// The side to move.
        side: Side,
        /// A legal move.
        example: String,
    },
    /// The move closes a mill and does not say what it removes.
    #[error("it closes {}; name the {} to remove, as in {example}", mills(*.count),
        if *.count == 1 { "stone" } else { "two stones" })]
    NameRemoval {
        /// How many stones are to be removed.
        count: u8,
        /// A legal move.
        example: String,
    },
    /// A removal is pending, and the text is not a removal.
    #[error("{side:?} has closed {}; write the removal as in {example}", mills(*.count))]
    RemovalPending {
        /// The side to move.
        side: Side,
        /// How many stones are to be removed.
        count: u8,
        /// A legal removal.
        example: String,
    },
    /// A removal where no mill has been closed.
    #[error(
        "no mill has been closed, so there is nothing to remove; write a move, as in {example}"
    )]
    NothingPending {
        /// A legal move.
        example: String,
    },
    /// The move closes no mill, but the text removes a stone.
    #[error("it closes no mill, so it removes nothing; write {example}")]
    NoMill {
        /// The move without the removal.
        example: String,
    },
    /// The move closes a mill, but no stone may be removed.
    #[error("no stone of {side:?} may be removed, so it removes nothing; write {example}")]
    NothingRemovable {
        /// The side that would lose a stone.
        side: Side,
        /// The move without the removal.
        example: String,
    },
    /// The wrong number of stones to remove.
    #[error(
        "{found} stone{} named for removal, but it removes {count}, as in {example}",
        if *.found == 1 { " is" } else { "s are" }
    )]
    RemovalCount {
        /// How many are named.
        found: usize,
        /// How many are to be removed.
        count: u8,
        /// A legal move.
        example: String,
    },
    /// A stone is to be removed twice.
    #[error("{point} is named twice")]
    Twice {
        /// The point.
        point: String,
    },
    /// A stone in a mill is to be removed.
    #[error("the stone on {point} stands in a mill and may not be removed; {open} may")]
    Protected {
        /// The point.
        point: String,
        /// The stones that may be removed.
        open: String,
    },
    /// Two stones, each of which may be removed, but not both.
    #[error("these stones may not both be removed; {open} may")]
    NotBoth {
        /// What may be removed.
        open: String,
    },
}

fn mills(count: u8) -> &'static str {
    if count == 1 { "a mill" } else { "two mills" }
}
