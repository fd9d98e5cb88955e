//! The lines of a list, written in parallel.

use std::io::{self, Write};

use merels_core::{Plies, Position, Ruleset, Situation, Value};
use merels_json::Worth;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::list::writer::Writer;
use crate::output::screen::coloured;

/// Rows that one thread writes at a time.
const PIECE: usize = 2048;

/// A position in JSON.
#[derive(Debug, Serialize)]
struct Row {
    position: String,
    #[serde(flatten)]
    worth: Worth,
}

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    Jsonl,
    Csv,
}

/// Writes a line for each position.
pub(super) struct Lines<'a> {
    form: Form,
    ruleset: &'a Ruleset,
    out: &'a mut dyn Write,
    /// Whether a line has been written.
    has_lines: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(form: Form, ruleset: &'a Ruleset, out: &'a mut dyn Write) -> Self {
        Self { form, ruleset, out, has_lines: false }
    }
}

impl Writer for Lines<'_> {
    fn begin(&mut self) -> io::Result<()> {
        match self.form {
            Form::Csv => writeln!(self.out, "position,outcome,distance"),
            Form::Json => write!(self.out, "["),
            Form::Text | Form::Jsonl => Ok(()),
        }
    }

    fn write(&mut self, rows: &[(Position, Value)]) -> io::Result<()> {
        let Self { form, ruleset, .. } = *self;
        let written = rows.par_chunks(PIECE).map(|rows| {
            let mut text = Vec::new();
            rows.iter().try_for_each(|row| write_row(form, ruleset, row, &mut text)).map(|()| text)
        });
        for text in written.collect::<io::Result<Vec<_>>>()? {
            // The first object of an array follows no comma.
            let skipped = usize::from(form == Form::Json && !self.has_lines);
            self.out.write_all(&text[skipped..])?;
            self.has_lines = true;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        match (self.form, self.has_lines) {
            (Form::Json, true) => writeln!(self.out, "\n]"),
            (Form::Json, false) => writeln!(self.out, "]"),
            _ => Ok(()),
        }
    }
}

fn write_row(
    form: Form,
    ruleset: &Ruleset,
    &(position, value): &(Position, Value),
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let situation = Situation::new(position, ruleset).map_err(io::Error::other)?;
    let text = situation.text(ruleset);
    let worth = Worth::from(value);
    match form {
        Form::Text => writeln!(out, "{text}  {}", coloured(value)),
        Form::Csv => {
            // Texts of boards without rings have commas.
            let text = text.to_string();
            let quote = if text.contains(',') { "\"" } else { "" };
            write!(out, "{quote}{text}{quote},{},", worth.outcome)?;
            match value.distance() {
                Some(Plies(plies)) => writeln!(out, "{plies}"),
                None => writeln!(out),
            }
        }
        Form::Json => {
            write!(out, ",\n  ")?;
            Ok(serde_json::to_writer(out, &Row { position: text.to_string(), worth })?)
        }
        Form::Jsonl => {
            serde_json::to_writer(&mut *out, &Row { position: text.to_string(), worth })?;
            writeln!(out)
        }
    }
}
