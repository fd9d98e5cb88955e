//! The lines of a list, written in parallel.

use std::io::{self, Write};

use merels_core::{Plies, Position, Ruleset, Situation, Value};
use merels_json::Worth;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::list::args::ListFormat;

/// Rows that one thread writes at a time.
const PIECE: usize = 2048;

/// A position in JSON.
#[derive(Debug, Serialize)]
struct Row {
    position: String,
    #[serde(flatten)]
    worth: Worth,
}

/// Writes what precedes all rows.
pub(super) fn write_heading(format: ListFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ListFormat::Csv => writeln!(out, "position,outcome,distance"),
        ListFormat::Jsonl => Ok(()),
    }
}

/// Writes positions with their values.
pub(super) fn write(
    format: ListFormat,
    ruleset: &Ruleset,
    rows: &[(Position, Value)],
    out: &mut impl Write,
) -> io::Result<()> {
    let written = rows.par_chunks(PIECE).map(|rows| {
        let mut text = Vec::new();
        rows.iter().try_for_each(|row| write_row(format, ruleset, row, &mut text)).map(|()| text)
    });
    for text in written.collect::<io::Result<Vec<_>>>()? {
        out.write_all(&text)?;
    }
    Ok(())
}

fn write_row(
    format: ListFormat,
    ruleset: &Ruleset,
    &(position, value): &(Position, Value),
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let situation = Situation::new(position, ruleset).map_err(io::Error::other)?;
    let text = situation.text(ruleset);
    let worth = Worth::from(value);
    match format {
        ListFormat::Csv => {
            // Texts of boards without rings have commas.
            let text = text.to_string();
            let quote = if text.contains(',') { "\"" } else { "" };
            write!(out, "{quote}{text}{quote},{},", worth.outcome)?;
            match value.distance() {
                Some(Plies(plies)) => writeln!(out, "{plies}"),
                None => writeln!(out),
            }
        }
        ListFormat::Jsonl => {
            serde_json::to_writer(&mut *out, &Row { position: text.to_string(), worth })?;
            writeln!(out)
        }
    }
}
