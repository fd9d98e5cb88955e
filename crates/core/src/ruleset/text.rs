//! Rulesets as text: a preset's name, with fields changed after commas.

use std::fmt;
use std::str::FromStr;

use crate::{
    Board, DoubleMill, Flying, FullBoard, Placing, Removal, Repetition, Ruleset, RulesetError,
};

/// The fields of a ruleset as text: one place for their names and the words they take.
#[derive(Clone, Copy)]
pub(super) enum Field {
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
    const ALL: [Self; 9] = [
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

    pub(super) const NAMES: [&'static str; 9] = [
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

    const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    const fn allowed(self) -> &'static str {
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
    fn get(self, ruleset: &Ruleset) -> String {
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
    fn set(self, ruleset: &mut Ruleset, word: &str) -> Option<()> {
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

impl Ruleset {
    /// All fields, each with the word for what it is here, as `field=word` takes it.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, String)> {
        Field::ALL.into_iter().map(|field| (field.name(), field.get(self)))
    }
}

impl fmt::Display for Ruleset {
    /// The preset's name, or `standard` with the fields that differ. Reading it back gives the same
    /// rules, and no two rulesets print alike: it serves as the name of a folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(preset) = Self::PRESETS.iter().find(|preset| preset.ruleset == *self) {
            return f.write_str(preset.name);
        }
        f.write_str("standard")?;
        for field in Field::ALL {
            let word = field.get(self);
            if word != field.get(&Self::STANDARD) {
                write!(f, ",{}={word}", field.name())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Ruleset {
    type Err = RulesetError;

    /// Reads a preset's name, with fields changed after commas: `standard,flying=never,stones=7`.
    fn from_str(text: &str) -> Result<Self, RulesetError> {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        let preset = Self::PRESETS.iter().find(|preset| preset.name == name);
        let mut ruleset =
            preset.ok_or_else(|| RulesetError::Name { name: name.to_owned() })?.ruleset;
        let mut seen = Vec::new();
        for text in words {
            let (key, value) =
                text.split_once('=').ok_or_else(|| RulesetError::Form { text: text.to_owned() })?;
            let field = Field::ALL
                .into_iter()
                .find(|field| field.name() == key)
                .ok_or_else(|| RulesetError::Field { field: key.to_owned() })?;
            if seen.contains(&field.name()) {
                return Err(RulesetError::Twice { field: field.name() });
            }
            seen.push(field.name());
            field.set(&mut ruleset, value).ok_or_else(|| RulesetError::Value {
                field: field.name(),
                value: value.to_owned(),
                allowed: field.allowed(),
            })?;
        }
        ruleset.check()?;
        Ok(ruleset)
    }
}
