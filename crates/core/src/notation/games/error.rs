//! What can be wrong with games in text, and where.

use std::fmt;

use crate::notation::error::{NotationError, TextLocation};
use crate::notation::game::dots;
use crate::notation::move_error::MoveProblem;
use crate::notation::words::ply::PointNumbers;
use crate::play::position::Side;
use crate::rules::ruleset::Ruleset;

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game, {location}{}: {problem}", .ply.as_ref().map(|ply| format!(", move {ply}")).unwrap_or_default())]
pub struct GameError {
    location: TextLocation,
    ply: Option<PlyName>,
    #[source]
    problem: GameProblem,
}

/// The number of a move with its text, `12... a1-a4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlyName {
    pub(crate) number: usize,
    pub(crate) side: Side,
    pub(crate) text: String,
}

impl fmt::Display for PlyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {}", self.number, dots(self.side), self.text)
    }
}

impl GameError {
    pub(crate) const fn new(
        location: TextLocation,
        ply: Option<PlyName>,
        problem: GameProblem,
    ) -> Self {
        Self { location, ply, problem }
    }

    /// That a text has several games where one is asked for.
    pub(crate) const fn several(count: usize) -> Self {
        let location = TextLocation { line: Some(1), column: 1 };
        Self::new(location, None, GameProblem::Several { count })
    }

    /// Where the fault is; it always has a line.
    pub const fn location(&self) -> TextLocation {
        self.location
    }

    /// The number of the move at fault (from 1, counted as it is printed) and the side that makes
    /// it; none if the fault lies elsewhere.
    pub fn number(&self) -> Option<(usize, Side)> {
        self.ply.as_ref().map(|ply| (ply.number, ply.side))
    }

    /// The text of the move at fault.
    pub fn text(&self) -> Option<&str> {
        self.ply.as_ref().map(|ply| ply.text.as_str())
    }

    /// What is wrong.
    pub const fn problem(&self) -> &GameProblem {
        &self.problem
    }
}

/// What is wrong with a game in text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// A move that cannot be made.
    #[error(transparent)]
    Move(#[from] Box<MoveProblem>),
    /// The starting position cannot be read.
    #[error("the game starts from a position that cannot be read: {0}")]
    Start(#[source] Box<NotationError>),
    /// A second starting position.
    #[error("a game has one starting position, before its first move")]
    LateStart,
    /// A comment, tag or variation without an end.
    #[error("'{open}' is never closed by '{close}'")]
    Open {
        /// How it begins.
        open: char,
        /// How it would end.
        close: char,
    },
    /// Something after the result.
    #[error(
        "'{found}' follows the result '{result}'; put a tag in front of the next game, as in [Event \"2\"]"
    )]
    AfterResult {
        /// What follows.
        found: String,
        /// The result.
        result: String,
    },
    /// A stone more than a side has by these rules, in a game in which none has moved yet.
    #[error(
        "{side:?} has placed its {placed} stones; if this is a game with more, name its rules, as \
         in '{other}'"
    )]
    MoreStones {
        /// The side to move.
        side: Side,
        /// The stones of a side.
        placed: u8,
        /// A ruleset with more stones and the same points.
        other: &'static str,
    },
    /// Words that are not part of a game.
    #[error("'{found}' is not understood; {hint}")]
    NotUnderstood {
        /// The words.
        found: String,
        /// What could be meant, or how moves are written.
        hint: &'static str,
    },
    /// A number that no point has.
    #[error(
        "'{found}' is not understood; points are numbered row by row from {} at the top left",
        .numbers.first()
    )]
    PointNumber {
        /// The words.
        found: String,
        /// How points are numbered: [`PointNumbers::FromZero`] reads games that count from 0.
        numbers: PointNumbers,
    },
    /// Rules that are not known.
    #[error("the rules '{found}' are not known")]
    Ruleset {
        /// The name of the rules.
        found: String,
    },
    /// Other rules than the user names.
    #[error("this game has the rules '{found}', but '{expected}' is asked for")]
    OtherRuleset {
        /// The rules in the text.
        found: Box<Ruleset>,
        /// The rules that the user names.
        expected: Box<Ruleset>,
    },
    /// A number of a move that is not due.
    #[error(
        "'{found}' instead of move number {due}; put a tag or a result between two games, as in 1/2-1/2"
    )]
    OtherNumber {
        /// What stands there.
        found: String,
        /// The number of the move that follows.
        due: usize,
    },
    /// A move of the side that is not to move.
    #[error("it is {side:?}'s turn")]
    OtherSide {
        /// The side to move.
        side: Side,
    },
    /// A variation before the first move, or too many of them.
    #[error("{reason}")]
    Variation {
        /// What is wrong with the variation.
        reason: &'static str,
    },
    /// A text without a move.
    #[error("no moves found{hint}")]
    NoMoves {
        /// Where the moves may be.
        hint: &'static str,
    },
    /// Several games where one is asked for.
    #[error("the text has {count} games; pass one of them")]
    Several {
        /// How many games it has.
        count: usize,
    },
}
