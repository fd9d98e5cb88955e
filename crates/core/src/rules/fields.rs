//! The fields of a ruleset: their names and the words that they take.

use crate::board::boards::Board;
use crate::rules::choices::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition};
use crate::rules::ruleset::Ruleset;

/// A field of a ruleset, as text.
pub(crate) struct Field {
    /// The name before the equals sign.
    pub(crate) name: &'static str,
    /// The allowed words, as errors list them.
    pub(crate) words: fn() -> String,
    /// The word for this field of a ruleset.
    pub(crate) get: fn(&Ruleset) -> String,
    /// Writes a word into this field of a ruleset; none if the field does not take it.
    pub(crate) set: fn(&mut Ruleset, &str) -> Option<()>,
}

/// A field that is a choice, by the table of its choices.
macro_rules! choice {
    ($name:literal, $field:ident, $Rule:ident) => {
        Field {
            name: $name,
            words: || listed($Rule::ALL.iter().map(|choice| choice.word())),
            get: |rules| rules.$field.word().into(),
            set: |rules, word| {
                rules.$field = *$Rule::ALL.iter().find(|choice| choice.word() == word)?;
                Some(())
            },
        }
    };
}

/// All fields, in the order in which rulesets print them.
pub(crate) static FIELDS: [Field; 9] = [
    Field {
        name: "board",
        words: || listed(Board::ALL.iter().map(|board| board.name())),
        get: |rules| rules.board.name().into(),
        set: |rules, word| {
            rules.board = Board::ALL.into_iter().find(|board| board.name() == word)?;
            Some(())
        },
    },
    Field {
        name: "stones",
        words: || format!("a number from {} to {}", Ruleset::MIN_STONES, Ruleset::MAX_STONES),
        get: |rules| rules.stones.to_string(),
        set: |rules, word| word.parse().ok().map(|stones| rules.stones = stones),
    },
    choice!("flying", flying, Flying),
    choice!("removal", removal, Removal),
    choice!("double-mill", double_mill, DoubleMill),
    choice!("placing", placing, Placing),
    choice!("full-board", full_board, FullBoard),
    choice!("repetition", repetition, Repetition),
    Field {
        name: "ply-limit",
        words: || "none or a number of plies from 1 to 65535".into(),
        get: |rules| rules.ply_limit.map_or_else(|| "none".into(), |plies| plies.to_string()),
        set: |rules, word| {
            rules.ply_limit = if word == "none" { None } else { Some(word.parse().ok()?) };
            Some(())
        },
    },
];

/// The names of all fields.
pub(crate) fn names() -> String {
    FIELDS.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// `a, b or c`.
fn listed(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<_> = words.collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
