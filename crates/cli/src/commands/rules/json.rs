//! Rulesets as JSON objects.

use std::collections::BTreeMap;
use std::io::{self, Write};

use merels_core::{KnownResult, RuleSection, Ruleset};
use serde::Serialize;

use crate::value::{distance, outcome};

/// A ruleset.
#[derive(Debug, Serialize)]
struct Rules {
    /// As `--ruleset` takes it.
    ruleset: String,
    /// Who plays so; null for rulesets without a name.
    summary: Option<&'static str>,
    fields: BTreeMap<&'static str, String>,
    /// What the game comes to; null where it is not known.
    result: Option<Known>,
    /// The rules in words, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Section>>,
}

/// What the side that moves first has from the empty board.
#[derive(Debug, Serialize)]
struct Known {
    outcome: &'static str,
    /// Plies to the end of the game; null for a draw, and where nobody has told.
    distance: Option<u16>,
    published: bool,
    computed: bool,
    /// Whether it is that of the game without the rules about history, which this ruleset has.
    without_history: bool,
}

#[derive(Debug, Serialize)]
struct Section {
    title: &'static str,
    rules: Vec<String>,
}

impl Known {
    fn new(ruleset: &Ruleset, KnownResult { value, evidence }: KnownResult) -> Self {
        Self {
            outcome: outcome(value),
            distance: distance(value),
            published: evidence.is_published(),
            computed: evidence.is_computed(),
            without_history: *ruleset != ruleset.without_history(),
        }
    }
}

impl From<&RuleSection> for Section {
    fn from(section: &RuleSection) -> Self {
        Self { title: section.title, rules: section.rules.clone() }
    }
}

impl Rules {
    fn new(ruleset: &Ruleset) -> Self {
        let preset = Ruleset::PRESETS.iter().find(|preset| preset.ruleset == *ruleset);
        Self {
            ruleset: ruleset.to_string(),
            summary: preset.map(|preset| preset.summary),
            fields: ruleset.fields().collect(),
            result: ruleset.known_result().map(|known| Known::new(ruleset, known)),
            rules: None,
        }
    }
}

/// Writes an array of all rulesets with a name.
pub(super) fn write_list(out: &mut impl Write) -> io::Result<()> {
    let all: Vec<_> = Ruleset::PRESETS.iter().map(|preset| Rules::new(&preset.ruleset)).collect();
    write(out, &all)
}

/// Writes one ruleset with its rules in words.
pub(super) fn write_one(
    out: &mut impl Write,
    ruleset: &Ruleset,
    sections: &[RuleSection],
) -> io::Result<()> {
    let rules = sections.iter().map(Section::from).collect();
    write(out, &Rules { rules: Some(rules), ..Rules::new(ruleset) })
}

fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
