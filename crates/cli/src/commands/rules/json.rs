//! Rulesets as JSON objects.

use merels_core::{KnownResult, RuleSection, Ruleset};
use merels_json::{Rules as Fields, Section, Worth};
use serde::Serialize;

/// A ruleset.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    fields: Fields,
    /// The result of the game; null if it is not known.
    result: Option<Known>,
    /// The rules in words; absent in the list of all rulesets.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Section>>,
}

/// The value of the empty board for the side that moves first.
#[derive(Debug, Serialize)]
struct Known {
    #[serde(flatten)]
    worth: Worth,
    published: bool,
    computed: bool,
    /// Whether the ruleset has rules about history and the result is that of the game without them.
    without_history: bool,
}

impl Known {
    fn new(ruleset: &Ruleset, KnownResult { value, evidence }: KnownResult) -> Self {
        Self {
            worth: value.into(),
            published: evidence.is_published(),
            computed: evidence.is_computed(),
            without_history: *ruleset != ruleset.without_history(),
        }
    }
}

impl Answer {
    fn new(ruleset: &Ruleset) -> Self {
        Self {
            fields: ruleset.into(),
            result: ruleset.known_result().map(|known| Known::new(ruleset, known)),
            rules: None,
        }
    }
}

/// All rulesets with a name.
pub(super) fn all() -> Vec<Answer> {
    Ruleset::PRESETS.iter().map(|preset| Answer::new(&preset.ruleset)).collect()
}

/// One ruleset with its rules in words.
pub(super) fn one(ruleset: &Ruleset, sections: &[RuleSection]) -> Answer {
    let rules = sections.iter().cloned().map(Section::from).collect();
    Answer { rules: Some(rules), ..Answer::new(ruleset) }
}
