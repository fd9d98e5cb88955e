//! Rulesets, by their fields and in words.

use std::collections::BTreeMap;

use merels_core::{RuleSection, Ruleset};
use schemars::JsonSchema;
use serde::Serialize;

/// A ruleset.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Rules {
    /// The ruleset as text.
    pub ruleset: String,
    /// Who plays by these rules, in one line; `null` for rules without a name.
    pub summary: Option<&'static str>,
    /// Each field of the ruleset with its word.
    pub fields: BTreeMap<&'static str, String>,
}

impl From<&Ruleset> for Rules {
    fn from(ruleset: &Ruleset) -> Self {
        let preset = Ruleset::PRESETS.iter().find(|preset| preset.ruleset == *ruleset);
        Self {
            ruleset: ruleset.to_string(),
            summary: preset.map(|preset| preset.summary),
            fields: ruleset.fields().collect(),
        }
    }
}

/// The rules about one part of the game, in words.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Section {
    /// Its subject.
    pub title: &'static str,
    /// Its rules.
    pub rules: Vec<String>,
}

impl From<RuleSection> for Section {
    fn from(RuleSection { title, rules }: RuleSection) -> Self {
        Self { title, rules }
    }
}
