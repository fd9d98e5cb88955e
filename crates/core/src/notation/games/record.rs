//! What a text holds of a game.

use crate::notation::game::Game;
use crate::notation::words::ply::PointNumbers;
use crate::play::position::Side;
use crate::rules::ruleset::Ruleset;

/// A game as a text tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameRecord {
    /// The tags in front of the game, in their order: names and values.
    pub tags: Vec<(String, String)>,
    /// The moves that were played. If the last one closes a mill and names no stone, a removal is
    /// pending at the end.
    pub game: Game,
    /// The moves that might have been played, in the order in which they begin in the text.
    pub variations: Vec<Variation>,
    /// The result behind the moves.
    pub result: Option<String>,
}

/// Moves in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation {
    /// The whole game to the end of the variation.
    pub game: Game,
    /// How many plies it shares with the line that it leaves.
    pub shared: usize,
}

/// How to read games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The rules.
    pub ruleset: RulesetChoice,
    /// The meaning of numbers that name points.
    pub points: PointNumbers,
    /// The side that makes the first move of a game from the empty board.
    pub begins: Side,
}

/// Where the rules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesetChoice {
    /// The user has named these rules: a text that names others is refused.
    Given(Ruleset),
    /// These rules, unless the text names others.
    Default(Ruleset),
}

impl ReadOptions {
    /// The rules that the user has named; points are numbered from 1, and White begins.
    pub const fn given(ruleset: &Ruleset) -> Self {
        let ruleset = RulesetChoice::Given(*ruleset);
        Self { ruleset, points: PointNumbers::FromOne, begins: Side::White }
    }
}
