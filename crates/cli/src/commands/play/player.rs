//! The players of a game.

use std::fmt;

use clap::ValueEnum;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Player {
    /// You, at standard input
    Person,
    /// The program, which plays perfectly
    Perfect,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Person => "person",
            Self::Perfect => "perfect play",
        })
    }
}
