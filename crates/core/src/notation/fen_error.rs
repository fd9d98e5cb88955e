//! What can be wrong with a FEN-like string, and where.

use std::fmt;

use crate::{Board, Side, SituationError};

/// Why a text is not the FEN-like string of a position: what is wrong, in which field, at which
/// column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position, column {column}, {field}: {problem}")]
pub struct FenError {
    pub(super) field: FenField,
    pub(super) column: usize,
    #[source]
    pub(super) problem: FenProblem,
}

impl FenError {
    /// The field at fault.
    pub const fn field(&self) -> FenField {
        self.field
    }

    /// Where the fault is: the number of the character in the text, from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    pub const fn problem(&self) -> &FenProblem {
        &self.problem
    }
}

/// The fields of the string that mean something here, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FenField {
    /// The stones on the board, three groups of eight.
    Board,
    /// Whose turn it is.
    Side,
    /// Ready, placing, moving, or over.
    Phase,
    /// What the side to move does next.
    Action,
    /// How many stones a side has on the board.
    OnBoard(Side),
    /// How many stones a side has in hand.
    InHand(Side),
    /// How many stones a side has to remove.
    ToRemove(Side),
}

impl FenField {
    /// The fields that must be there.
    pub(super) const NEEDED: [Self; 8] = [
        Self::Board,
        Self::Side,
        Self::Phase,
        Self::Action,
        Self::OnBoard(Side::White),
        Self::InHand(Side::White),
        Self::OnBoard(Side::Black),
        Self::InHand(Side::Black),
    ];
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Board => "board",
            Self::Side => "side to move",
            Self::Phase => "phase",
            Self::Action => "action",
            Self::OnBoard(Side::White) => "white stones on the board",
            Self::OnBoard(Side::Black) => "black stones on the board",
            Self::InHand(Side::White) => "white stones in hand",
            Self::InHand(Side::Black) => "black stones in hand",
            Self::ToRemove(Side::White) => "stones that white has to remove",
            Self::ToRemove(Side::Black) => "stones that black has to remove",
        };
        f.pad(name)
    }
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenProblem {
    /// The notation has 24 points, the ruleset's board another number.
    #[error("this notation is for boards of 24 points, not for the board '{board}'")]
    Unsupported {
        /// The ruleset's board.
        board: Board,
    },
    /// The text ends before this field.
    #[error(
        "missing; a position needs 8 fields, as in ********/********/******** w p p 0 9 0 9 \
         (board, side, phase, action, then the stones on the board and in hand, white's and black's)"
    )]
    Missing,
    /// The board has more or fewer than three groups.
    #[error("{found} groups between slashes; there must be 3, inner/middle/outer")]
    Groups {
        /// How many groups there are.
        found: usize,
    },
    /// A group has more or fewer than eight points.
    #[error("the {ring} group has {found} points; there must be 8")]
    GroupLength {
        /// Which group.
        ring: &'static str,
        /// How many characters it has.
        found: usize,
    },
    /// A point marked as closed, which only another game has.
    #[error("'X' is a marked point of another variant, which no ruleset here has")]
    Marked,
    /// A character that stands for no stone.
    #[error("'{}' is no stone; points are O (white), @ (black) or * (empty)", .found.escape_debug())]
    Stone {
        /// The character.
        found: char,
    },
    /// Not one of the words that the field takes.
    #[error("'{}' is not one of {allowed}", .found.escape_debug())]
    Word {
        /// The text of the field.
        found: String,
        /// What it could be.
        allowed: &'static str,
    },
    /// Not a number, or too large for one.
    #[error("'{}' is not a number of stones", .found.escape_debug())]
    Number {
        /// The text of the field.
        found: String,
    },
    /// A number of stones that is not that of the board.
    #[error("says {said}, but the board shows {shown}")]
    Count {
        /// The number in the field.
        said: u8,
        /// The number of stones on the board.
        shown: u8,
    },
    /// The phase does not fit the stones in hand.
    #[error("'m' (moving), but stones are still in hand")]
    MovingWithHands,
    /// The phase does not fit the stones in hand.
    #[error("'p' (placing), but no stones are in hand")]
    PlacingWithoutHands,
    /// A removal by the side that is not to move.
    #[error("{said}, but it is {:?}'s turn", .side.opponent())]
    NotItsTurn {
        /// The number in the field.
        said: u8,
        /// The side that would have to remove.
        side: Side,
    },
    /// The fields agree with each other, but not with the rules.
    #[error(transparent)]
    Impossible(#[from] SituationError),
}
