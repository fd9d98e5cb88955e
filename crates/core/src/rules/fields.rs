//! The fields of a ruleset: their names and the words that they take.

use crate::board::boards::Board;
use crate::rules::ruleset::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition, Ruleset};

/// The fields of a ruleset as text: one place for their names and the words they take.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    Board,
    Stones,
    Flying,
    Removal,
    DoubleMill,
    Placing,
    FullBoard,
    Repetition,
    PlyLimit,
}

impl Field {
    pub(crate) const ALL: [Self; 9] = [
        Self::Board,
        Self::Stones,
        Self::Flying,
        Self::Removal,
        Self::DoubleMill,
        Self::Placing,
        Self::FullBoard,
        Self::Repetition,
        Self::PlyLimit,
    ];

    pub(crate) const NAMES: [&'static str; 9] = [
        "board",
        "stones",
        "flying",
        "removal",
        "double-mill",
        "placing",
        "full-board",
        "repetition",
        "ply-limit",
    ];

    pub(crate) const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub(crate) const fn allowed(self) -> &'static str {
        match self {
            Self::Board => "nine, twelve, six, seven or three",
            Self::Stones => "a number from 3 to 12",
            Self::Flying => "three or never",
            Self::Removal => "protected, strict or free",
            Self::DoubleMill => "one or two",
            Self::Placing => "first or mixed",
            Self::FullBoard => "loss or draw",
            Self::Repetition => "unlimited or threefold",
            Self::PlyLimit => "none or a number of plies from 1 to 65535",
        }
    }

    /// The word for what `ruleset` has in this field.
    pub(crate) fn get(self, ruleset: &Ruleset) -> String {
        match self {
            Self::Board => ruleset.board.name().into(),
            Self::Stones => ruleset.stones.to_string(),
            Self::Flying => match ruleset.flying {
                Flying::AtThree => "three".into(),
                Flying::Never => "never".into(),
            },
            Self::Removal => match ruleset.removal {
                Removal::Protected => "protected".into(),
                Removal::Strict => "strict".into(),
                Removal::Free => "free".into(),
            },
            Self::DoubleMill => match ruleset.double_mill {
                DoubleMill::One => "one".into(),
                DoubleMill::Two => "two".into(),
            },
            Self::Placing => match ruleset.placing {
                Placing::First => "first".into(),
                Placing::Mixed => "mixed".into(),
            },
            Self::FullBoard => match ruleset.full_board {
                FullBoard::Loss => "loss".into(),
                FullBoard::Draw => "draw".into(),
            },
            Self::Repetition => match ruleset.repetition {
                Repetition::Unlimited => "unlimited".into(),
                Repetition::Threefold => "threefold".into(),
            },
            Self::PlyLimit => {
                ruleset.ply_limit.map_or_else(|| "none".into(), |plies| plies.to_string())
            }
        }
    }

    /// Writes `word` into this field of `ruleset`; none if the field does not take it.
    pub(crate) fn set(self, ruleset: &mut Ruleset, word: &str) -> Option<()> {
        match self {
            Self::Board => {
                ruleset.board = Board::ALL.into_iter().find(|board| board.name() == word)?;
            }
            Self::Stones => ruleset.stones = word.parse().ok()?,
            Self::Flying => {
                ruleset.flying =
                    choose(word, [("three", Flying::AtThree), ("never", Flying::Never)])?;
            }
            Self::Removal => {
                let words = [
                    ("protected", Removal::Protected),
                    ("strict", Removal::Strict),
                    ("free", Removal::Free),
                ];
                ruleset.removal = choose(word, words)?;
            }
            Self::DoubleMill => {
                ruleset.double_mill =
                    choose(word, [("one", DoubleMill::One), ("two", DoubleMill::Two)])?;
            }
            Self::Placing => {
                ruleset.placing =
                    choose(word, [("first", Placing::First), ("mixed", Placing::Mixed)])?;
            }
            Self::FullBoard => {
                ruleset.full_board =
                    choose(word, [("loss", FullBoard::Loss), ("draw", FullBoard::Draw)])?;
            }
            Self::Repetition => {
                let words =
                    [("unlimited", Repetition::Unlimited), ("threefold", Repetition::Threefold)];
                ruleset.repetition = choose(word, words)?;
            }
            Self::PlyLimit => {
                ruleset.ply_limit = if word == "none" { None } else { Some(word.parse().ok()?) };
            }
        }
        Some(())
    }
}

fn choose<T: Copy, const N: usize>(word: &str, words: [(&str, T); N]) -> Option<T> {
    words.into_iter().find(|(known, _)| *known == word).map(|(_, value)| value)
}
