//! A ruleset in words, for people.

use std::io::{self, Write};

use merels_core::{RuleSection, Ruleset};
use serde::Serialize;

use crate::output::screen::bullet;
use crate::output::style::HEADING;
use crate::shared::records::Records;

/// Writes the rules section by section, then the fields of the ruleset.
pub(super) fn write(
    out: &mut dyn Write,
    ruleset: &Ruleset,
    sections: &[RuleSection],
) -> io::Result<()> {
    match Ruleset::PRESETS.iter().find(|preset| preset.ruleset == *ruleset) {
        Some(preset) => writeln!(out, "{}: {}", preset.name, preset.summary)?,
        None => writeln!(out, "{ruleset}")?,
    }
    for section in sections {
        writeln!(out, "\n{HEADING}{}{HEADING:#}", section.title)?;
        write_sentences(out, &section.rules)?;
    }
    writeln!(out, "\n{HEADING}As fields{HEADING:#}")?;
    let fields: Vec<_> = ruleset.fields().map(|(name, word)| format!("{name}={word}")).collect();
    write_sentences(out, &[fields.join(" ")])
}

/// Writes a list of sentences.
fn write_sentences(out: &mut dyn Write, sentences: &[String]) -> io::Result<()> {
    sentences.iter().try_for_each(|sentence| writeln!(out, "{}", bullet(sentence)))
}

/// A sentence of the rules.
#[derive(Debug, Serialize)]
struct Row<'a> {
    section: &'a str,
    rule: &'a str,
}

/// A row for each sentence.
pub(super) fn rows(sections: &[RuleSection]) -> io::Result<Records> {
    Records::new(
        sections.iter().flat_map(|section| {
            section.rules.iter().map(|rule| Row { section: section.title, rule })
        }),
    )
}
