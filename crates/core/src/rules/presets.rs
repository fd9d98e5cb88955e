//! The rulesets that have a name.

use crate::board::boards::Board;
use crate::rules::choices::{DoubleMill, Flying, FullBoard, Placing, Removal};
use crate::rules::ruleset::Ruleset;

/// A ruleset with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in the text of a ruleset.
    pub name: &'static str,
    /// The game, in a line.
    pub summary: &'static str,
    /// The rules.
    pub ruleset: Ruleset,
}

impl Ruleset {
    /// The named rulesets.
    pub const PRESETS: &'static [Preset] = &[
        Preset {
            name: "standard",
            summary: "Nine Men's Morris: 9 stones, jumping with three, a mill protects its stones",
            ruleset: Self::STANDARD,
        },
        Preset {
            name: "no-flying",
            summary: "standard, but stones never jump",
            ruleset: Self { flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "free-removal",
            summary: "standard, but a mill does not protect its stones",
            ruleset: Self { removal: Removal::Free, ..Self::STANDARD },
        },
        Preset {
            name: "strict-removal",
            summary: "standard, but a stone in a mill is never removed",
            ruleset: Self { removal: Removal::Strict, ..Self::STANDARD },
        },
        Preset {
            name: "double-removal",
            summary: "standard, but a move that closes two mills removes two stones",
            ruleset: Self { double_mill: DoubleMill::Two, ..Self::STANDARD },
        },
        Preset {
            name: "lasker",
            summary: "Lasker's game: 10 stones, placing or moving while stones are in hand",
            ruleset: Self { stones: 10, placing: Placing::Mixed, ..Self::STANDARD },
        },
        Preset {
            name: "morabaraba",
            summary: "12 stones on the board with diagonals, a full board is a draw",
            ruleset: Self {
                board: Board::Twelve,
                stones: 12,
                full_board: FullBoard::Draw,
                ..Self::STANDARD
            },
        },
        Preset {
            name: "eleven",
            summary: "11 stones on the board with diagonals",
            ruleset: Self { board: Board::Twelve, stones: 11, ..Self::STANDARD },
        },
        Preset {
            name: "seven",
            summary: "Seven Men's Morris: 7 stones on two rings with a cross, jumping with three",
            ruleset: Self { board: Board::Seven, stones: 7, ..Self::STANDARD },
        },
        Preset {
            name: "six",
            summary: "Six Men's Morris: 6 stones on two rings, no jumping",
            ruleset: Self { board: Board::Six, stones: 6, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "five",
            summary: "Five Men's Morris: 5 stones on two rings, no jumping",
            ruleset: Self { board: Board::Six, stones: 5, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "four",
            summary: "4 stones on two rings, no jumping",
            ruleset: Self { board: Board::Six, stones: 4, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "three",
            summary: "Three Men's Morris: 3 stones on nine points, no jumping",
            ruleset: Self {
                board: Board::Three,
                stones: 3,
                flying: Flying::Never,
                ..Self::STANDARD
            },
        },
    ];
}
