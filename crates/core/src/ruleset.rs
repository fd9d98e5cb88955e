//! Everything that the rule books disagree about, as one value.
//!
//! A [`Ruleset`] names the board and every variable rule. Solver, files and queries take it as a
//! whole; a database records the ruleset it was made for. Rules that need the history of a game
//! (repetition, a limit of plies without a removal) are part of it, but not of a position's value.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use crate::Board;

/// Whether a side reduced to three stones (board and hand together) may jump to any empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flying {
    /// With exactly three stones a side jumps.
    AtThree,
    /// Stones always slide along a line.
    Never,
}

/// Which stones may be removed by closing a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// Stones in mills are protected, unless all stones on the board stand in mills.
    Protected,
    /// Stones in mills are always protected: if all stand in mills, nothing is removed.
    Strict,
    /// Any stone may be removed.
    Free,
}

/// How many stones are removed when one move closes two mills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleMill {
    /// One, as for one mill.
    One,
    /// Two.
    Two,
}

/// Whether stones may slide while some are still in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placing {
    /// All stones are placed first.
    First,
    /// Each turn is a placing or a slide, as long as stones are in hand (Lasker's game).
    Mixed,
}

/// What happens when the placing phase ends on a full board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FullBoard {
    /// The side to move is stuck and loses.
    Loss,
    /// The game is a draw.
    Draw,
}

/// Whether a position that occurs for the third time ends the game as a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// No such rule; endless play is a draw all the same.
    Unlimited,
    /// The third occurrence is a draw.
    Threefold,
}

/// One complete set of rules.
///
/// ```
/// use merels_core::{Flying, Ruleset};
///
/// let rules: Ruleset = "standard,flying=never".parse()?;
/// assert_eq!(rules, Ruleset { flying: Flying::Never, ..Ruleset::STANDARD });
/// assert_eq!(rules.to_string(), "no-flying");
/// # Ok::<(), merels_core::RulesetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The board.
    pub board: Board,
    /// Stones of each side at the start, [`Ruleset::MIN_STONES`]`..=`[`Ruleset::MAX_STONES`].
    pub stones: u8,
    /// Jumping with three stones.
    pub flying: Flying,
    /// Which stones a mill removes.
    pub removal: Removal,
    /// How many stones two mills at once remove.
    pub double_mill: DoubleMill,
    /// How placing and sliding go together.
    pub placing: Placing,
    /// A full board after placing.
    pub full_board: FullBoard,
    /// Draw by repetition.
    pub repetition: Repetition,
    /// Draw after this many plies without a removal.
    pub ply_limit: Option<NonZeroU16>,
}

/// A ruleset that people call by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name, as `--ruleset` takes it.
    pub name: &'static str,
    /// Who plays so, in a line.
    pub summary: &'static str,
    /// The rules.
    pub ruleset: Ruleset,
}

impl Ruleset {
    /// A side with fewer stones than this has lost, so no game starts with fewer.
    pub const MIN_STONES: u8 = 3;
    /// The most stones that a side has in any game known to us (Morabaraba).
    pub const MAX_STONES: u8 = 12;

    /// Nine Men's Morris by the rules of R. Gasser's solution.
    pub const STANDARD: Self = Self {
        board: Board::Nine,
        stones: 9,
        flying: Flying::AtThree,
        removal: Removal::Protected,
        double_mill: DoubleMill::One,
        placing: Placing::First,
        full_board: FullBoard::Loss,
        repetition: Repetition::Unlimited,
        ply_limit: None,
    };

    /// The named rulesets.
    pub const PRESETS: &'static [Preset] = &[
        Preset {
            name: "standard",
            summary: "Nine Men's Morris: 9 stones, jumping with three, a mill protects its stones",
            ruleset: Self::STANDARD,
        },
        Preset {
            name: "no-flying",
            summary: "standard, but nobody ever jumps",
            ruleset: Self { flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "free-removal",
            summary: "standard, but a stone may be taken out of a mill at any time",
            ruleset: Self { removal: Removal::Free, ..Self::STANDARD },
        },
        Preset {
            name: "strict-removal",
            summary: "standard, but a stone in a mill can never be taken",
            ruleset: Self { removal: Removal::Strict, ..Self::STANDARD },
        },
        Preset {
            name: "double-removal",
            summary: "standard, but two mills closed at once take two stones",
            ruleset: Self { double_mill: DoubleMill::Two, ..Self::STANDARD },
        },
        Preset {
            name: "lasker",
            summary: "Lasker's game: 10 stones, placing or sliding while stones are in hand",
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
            name: "six",
            summary: "Six Men's Morris: 6 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 6, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "five",
            summary: "Five Men's Morris: 5 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 5, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "four",
            summary: "4 stones on two rings, nobody jumps",
            ruleset: Self { board: Board::Six, stones: 4, flying: Flying::Never, ..Self::STANDARD },
        },
        Preset {
            name: "three",
            summary: "Three Men's Morris: 3 stones on nine points, nobody jumps",
            ruleset: Self {
                board: Board::Three,
                stones: 3,
                flying: Flying::Never,
                ..Self::STANDARD
            },
        },
    ];

    /// Checks that the numbers fit each other and the board.
    ///
    /// # Errors
    /// Names the field that is out of range.
    pub fn check(&self) -> Result<(), RulesetError> {
        let most = Self::MAX_STONES.min(self.board.geometry().point_count() / 2);
        if (Self::MIN_STONES..=most).contains(&self.stones) {
            Ok(())
        } else {
            Err(RulesetError::Stones { stones: self.stones, board: self.board, most })
        }
    }

    /// Whether a side with `stones` stones in all (board and hand) jumps.
    pub const fn flies(&self, stones: u8) -> bool {
        stones == 3 && matches!(self.flying, Flying::AtThree)
    }
}

/// Why a text is not a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesetError {
    /// The first word is not the name of a preset.
    #[error("there is no ruleset '{name}'; the named ones are {}", preset_names())]
    Name {
        /// What was asked for.
        name: String,
    },
    /// A later word is not of the form `field=value`.
    #[error("'{text}' is not of the form field=value (as in standard,flying=never)")]
    Form {
        /// The word.
        text: String,
    },
    /// No field has this name.
    #[error("rulesets have no field '{field}'; they have {}", Field::NAMES.join(", "))]
    Field {
        /// What was asked for.
        field: String,
    },
    /// A field is changed twice.
    #[error("{field} is given twice")]
    Twice {
        /// The field.
        field: &'static str,
    },
    /// The field does not take this value.
    #[error("{field} cannot be '{value}'; it takes {allowed}")]
    Value {
        /// The field.
        field: &'static str,
        /// What was asked for.
        value: String,
        /// What may be asked for.
        allowed: &'static str,
    },
    /// The number of stones does not fit the board.
    #[error("{stones} stones a side do not fit the board '{board}': 3 to {most} do")]
    Stones {
        /// Stones a side.
        stones: u8,
        /// The board.
        board: Board,
        /// The most stones a side that the board takes.
        most: u8,
    },
}

fn preset_names() -> String {
    Ruleset::PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// The fields of a ruleset as text: one place for their names and the words they take.
#[derive(Clone, Copy)]
enum Field {
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

    const NAMES: [&'static str; 9] = [
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
            Self::Board => "nine, twelve, six or three",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_sound_and_print_as_they_are_read() {
        for preset in Ruleset::PRESETS {
            assert_eq!(preset.ruleset.check(), Ok(()), "{}", preset.name);
            assert_eq!(preset.name.parse(), Ok(preset.ruleset));
            assert_eq!(preset.ruleset.to_string(), preset.name);
        }
    }

    #[test]
    fn overrides_are_read_and_printed() {
        let text = "standard,stones=7,removal=free,repetition=threefold,ply-limit=100";
        let rules: Ruleset = text.parse().unwrap();
        assert_eq!((rules.stones, rules.removal), (7, Removal::Free));
        assert_eq!(rules.to_string(), text);
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |text: &str| text.parse::<Ruleset>().unwrap_err().to_string();
        assert!(refusal("standart").contains("no ruleset 'standart'"));
        assert!(refusal("standard,flying").contains("field=value"));
        assert!(refusal("standard,wings=2").contains("no field 'wings'"));
        assert!(refusal("standard,flying=4").contains("three or never"));
        assert!(refusal("standard,stones=2").contains("3 to 12"));
        assert!(refusal("three,stones=5").contains("3 to 4"));
        assert!(refusal("").contains("no ruleset ''"));
        assert!(refusal("standard,stones=5,stones=6").contains("stones is given twice"));
    }
}
