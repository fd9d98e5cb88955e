//! Answers as comma-separated values (RFC 4180): a heading, then a row for each position.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::WriterBuilder;
use merels_core::{Choice, Geometry, Situation};
use merels_json::{Over, Worth};

use super::answer::Answer;
use super::{Origin, Request};
use crate::shared::oracle::Oracle;

/// Bytes that are kept ready for a row: most are shorter, and longer ones are written in parts.
const ROW_CAPACITY: usize = 256;

/// Writes the heading: `line,position,outcome,distance`, what was asked for beyond, of a game `over`, and `error`.
pub(super) fn write_heading(out: &mut (impl Write + ?Sized), request: &Request) -> io::Result<()> {
    let mut names = vec!["line", "position", "outcome", "distance"];
    names.extend(request.all_best.then_some("best"));
    names.extend(request.line.then_some("principal"));
    names.extend(request.game.then_some("over"));
    names.push("error");
    write_row(out, names)
}

/// Adds the row of a position.
pub(super) fn write(
    out: &mut Vec<u8>,
    oracle: &Oracle,
    request: &Request,
    origin: &Origin<'_>,
    situation: Situation,
) -> anyhow::Result<()> {
    let (value, best, principal) = if request.all_best || request.line {
        let answer = Answer::of(oracle, request, situation, origin.end)?;
        let geometry = oracle.ruleset().board.geometry();
        let best = answer.best().iter().map(|ranked| &ranked.choice);
        let best = request.all_best.then(|| names(geometry, best));
        let line = answer.line.as_ref();
        let line = line.map(|line| names(geometry, line.steps.iter().map(|step| &step.choice)));
        (answer.analysis.value(), best, line)
    } else {
        let value = match origin.value {
            Some(value) => value,
            None => oracle.value(situation)?,
        };
        (value, None, None)
    };
    let line = origin.line.map(|line| line.to_string()).unwrap_or_default();
    let Worth { outcome, distance } = value.into();
    let distance = distance.map(|plies| plies.to_string()).unwrap_or_default();
    let mut fields: Vec<Cow<'_, str>> =
        vec![line.into(), origin.text.into(), outcome.into(), distance.into()];
    fields.extend(best.map(Cow::from));
    fields.extend(principal.map(Cow::from));
    if request.game {
        let end = origin.end.map(|end| Over::from(end).reason);
        fields.push(end.unwrap_or_default().into());
    }
    fields.push("".into());
    Ok(write_row(out, fields.iter().map(|field| field.as_bytes()))?)
}

/// Adds the row of a line that has no answer.
pub(super) fn write_refusal(
    out: &mut Vec<u8>,
    request: &Request,
    line: u64,
    position: &str,
    error: &str,
) -> io::Result<()> {
    let line = line.to_string();
    let mut fields = vec![line.as_str(), position, "", ""];
    fields.extend(request.all_best.then_some(""));
    fields.extend(request.line.then_some(""));
    fields.extend(request.game.then_some(""));
    fields.push(error);
    write_row(out, fields)
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
