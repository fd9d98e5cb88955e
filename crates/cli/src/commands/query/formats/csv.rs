//! Answers as comma-separated values (RFC 4180): a heading, then a row for each position.

use std::io::{self, Write};

use csv::WriterBuilder;
use merels_core::{Choice, Geometry, Value};
use merels_json::{Over, Worth};
use merels_query::Missing;

use crate::advice::told;
use crate::commands::query::answer::Answer;
use crate::commands::query::format::Format;
use crate::commands::query::request::{Question, Refusal, Request};

/// The buffer of a row in bytes. Most rows are shorter; longer ones are written in parts.
const ROW_CAPACITY: usize = 256;

/// The value alone, unless the request asks for more.
#[derive(Debug)]
pub(super) struct Csv;

impl Format for Csv {
    fn has_symmetries(&self) -> bool {
        false
    }

    fn needs_values_only(&self, request: &Request) -> bool {
        !request.all_best && !request.line
    }

    fn write_heading(&self, request: &Request, out: &mut dyn Write) -> io::Result<()> {
        let first = ["line", "position", "outcome", "distance"];
        write_row(out, fields(request, first, ["best", "principal", "over"], "error"))
    }

    fn write_answer(
        &self,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<Option<Missing>> {
        let Question { oracle, request, .. } = *question;
        if self.needs_values_only(request) {
            // The value takes less time than all moves.
            let value = question.value.map_or_else(|| oracle.value(question.situation), Ok)?;
            write_valued(question, Some(value), ["", ""], "", out)?;
            return Ok(None);
        }
        let answer = Answer::of(question)?;
        let geometry = oracle.ruleset().board.geometry();
        let best = names(geometry, answer.best().iter().map(|ranked| &ranked.choice));
        let line = answer.line.iter().flatten().flat_map(|line| &line.steps);
        let line = names(geometry, line.map(|step| &step.choice));
        let missing: Vec<_> =
            answer.all_missing().into_iter().map(|missing| told(missing)).collect();
        let value = answer.survey.value().ok();
        write_valued(question, value, [&best, &line], &missing.join("; "), out)?;
        Ok(answer.missing())
    }

    fn write_refusal(&self, refusal: &Refusal<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let line = refusal.line.to_string();
        let first = [line.as_str(), refusal.text, "", ""];
        write_row(out, fields(refusal.request, first, [""; 3], refusal.error))
    }
}

/// Writes the row of an answer.
fn write_valued(
    question: &Question<'_>,
    value: Option<Value>,
    [best, principal]: [&str; 2],
    missing: &str,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let line = question.line.map(|line| line.to_string()).unwrap_or_default();
    let worth = value.map(Worth::from);
    let outcome = worth.map_or("", |worth| worth.outcome);
    let distance = worth.and_then(|worth| worth.distance);
    let distance = distance.map(|plies| plies.to_string()).unwrap_or_default();
    let first = [line.as_str(), question.text, outcome, &distance];
    let end = question.end.map_or("", |end| Over::from(end).reason);
    write_row(out, fields(question.request, first, [best, principal, end], missing))
}

/// The fields of a row: `line,position,outcome,distance`, those of `best,principal,over` that the
/// request has, and `error`.
fn fields<'a>(
    request: &Request,
    first: [&'a str; 4],
    optional: [&'a str; 3],
    error: &'a str,
) -> impl Iterator<Item = &'a str> {
    let asked = [request.all_best, request.line, request.game];
    let optional =
        optional.into_iter().zip(asked).filter_map(|(field, asked)| asked.then_some(field));
    first.into_iter().chain(optional).chain([error])
}

/// The names of moves, with blanks between them.
fn names<'a>(geometry: &Geometry, choices: impl Iterator<Item = &'a Choice>) -> String {
    let names: Vec<_> = choices.map(|choice| choice.display(geometry).to_string()).collect();
    names.join(" ")
}

fn write_row(
    out: &mut (impl Write + ?Sized),
    fields: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> io::Result<()> {
    let mut row = WriterBuilder::new().buffer_capacity(ROW_CAPACITY).from_writer(out);
    row.write_record(fields)?;
    row.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let row = |fields: &[&str]| {
            let mut out = Vec::new();
            write_row(&mut out, fields).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(row(&["", "w:a1 move:b", "#1", ""]), ",w:a1 move:b,#1,\n");
        assert_eq!(row(&["w:a1,d7", "a \"b\"\nc"]), "\"w:a1,d7\",\"a \"\"b\"\"\nc\"\n");
        let long = "x,".repeat(ROW_CAPACITY);
        assert_eq!(row(&["1", &long]), format!("1,\"{long}\"\n"));
    }
}
