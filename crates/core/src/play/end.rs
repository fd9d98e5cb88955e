//! How a game ends.

use std::fmt;

use crate::play::position::{Position, Side};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;
use crate::value::values::{Plies, Value};

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameEnd {
    /// The loser, to move, has fewer than three stones.
    TooFewStones {
        /// The side that has lost.
        loser: Side,
    },
    /// The loser is to move and cannot.
    Blocked {
        /// The side that has lost.
        loser: Side,
    },
    /// Placing has filled the board, which is a draw by the rules.
    FullBoard,
    /// The position has occurred three times, which is a draw by the rules.
    Repetition,
    /// This many plies in a row neither placed nor removed a stone, which is a draw by the rules.
    PlyLimit {
        /// How many plies.
        plies: u16,
    },
}

impl GameEnd {
    /// How a game in `situation` has ended, by the stones alone; none if it is not over.
    pub fn of_situation(situation: &Situation, ruleset: &Ruleset) -> Option<Self> {
        match situation.is_pending() {
            true => None,
            false => Self::of_position(situation.position(), ruleset),
        }
    }

    /// The same for a position before a move.
    pub fn of_position(position: &Position, ruleset: &Ruleset) -> Option<Self> {
        let loser = position.side();
        let value = ruleset.ending(position)?;
        Some(if position.mover().total() < Ruleset::MIN_STONES {
            Self::TooFewStones { loser }
        } else if value == Value::Draw {
            Self::FullBoard
        } else {
            Self::Blocked { loser }
        })
    }

    /// The side that has won; none if the game is a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::TooFewStones { loser } | Self::Blocked { loser } => Some(loser.opponent()),
            Self::FullBoard | Self::Repetition | Self::PlyLimit { .. } => None,
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewStones { loser } => {
                write!(f, "{loser:?} has fewer than three stones and has lost")
            }
            Self::Blocked { loser } => write!(f, "{loser:?} cannot move and has lost"),
            Self::FullBoard => f.write_str("the board is full, a draw"),
            Self::Repetition => f.write_str("the position has occurred three times, a draw"),
            Self::PlyLimit { plies } => {
                let plies = Plies(*plies).in_words();
                write!(f, "for {plies} no stone was placed or removed, a draw")
            }
        }
    }
}
