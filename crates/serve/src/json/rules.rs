//! Rulesets, by their fields and in words.

use std::collections::BTreeMap;

use merels_core::{RuleSection, Ruleset};
use serde::Serialize;

/// A ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct Rules {
    /// As `--ruleset` takes it.
    pub ruleset: String,
    /// Who plays so, in a line; none for rules without a name of their own.
    pub summary: Option<&'static str>,
    /// Every field of the ruleset with its word.
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

/// What the rules say about one part of the game, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// What it is about.
    pub title: &'static str,
    /// Its rules.
    pub rules: Vec<String>,
}

impl From<RuleSection> for Section {
    fn from(RuleSection { title, rules }: RuleSection) -> Self {
        Self { title, rules }
    }
}
