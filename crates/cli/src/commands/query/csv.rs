//! Answers as comma-separated values (RFC 4180): a heading, then a row for each position.

use std::borrow::Cow;
use std::io::{self, Write};

use merels_core::{Geometry, Situation, Value};

use super::answer::Answer;
use super::{Origin, Request};
use crate::oracle::Oracle;
use crate::value::{distance, outcome};

/// Writes the heading: `line,position,outcome,distance`, what was asked for beyond, `error`.
pub(super) fn write_heading(out: &mut (impl Write + ?Sized), request: &Request) -> io::Result<()> {
    let best = if request.all_best { ",best" } else { "" };
    let principal = if request.line { ",principal" } else { "" };
    writeln!(out, "line,position,outcome,distance{best}{principal},error")
}

/// Adds the row of a position.
pub(super) fn write(
    out: &mut Vec<u8>,
    oracle: &Oracle,
    request: &Request,
    origin: Origin<'_>,
    situation: Situation,
) -> anyhow::Result<()> {
    if !request.all_best && !request.line {
        let value = oracle.value(situation)?;
        write_value(out, origin, value)?;
        writeln!(out, ",")?;
        return Ok(());
    }
    let answer = Answer::of(oracle, request, situation)?;
    write_value(out, origin, answer.analysis.value())?;
    let geometry = oracle.ruleset().board.geometry();
    if request.all_best {
        write_names(out, geometry, answer.analysis.best().iter().map(|ranked| &ranked.choice))?;
    }
    if let Some(line) = &answer.line {
        write_names(out, geometry, line.steps.iter().map(|step| &step.choice))?;
    }
    writeln!(out, ",")?;
    Ok(())
}

/// Adds the row of a line that has no answer.
pub(super) fn write_refusal(
    out: &mut Vec<u8>,
    request: &Request,
    line: u64,
    position: &str,
    error: &str,
) -> io::Result<()> {
    let more = usize::from(request.all_best) + usize::from(request.line);
    let empty = &",,,,,"[..3 + more];
    writeln!(out, "{line},{}{empty}{}", field(position), field(error))
}

/// The columns that every row has.
fn write_value(out: &mut Vec<u8>, origin: Origin<'_>, value: Value) -> io::Result<()> {
    if let Some(line) = origin.line {
        write!(out, "{line}")?;
    }
    write!(out, ",{},{},", field(origin.text), outcome(value))?;
    distance(value).map_or(Ok(()), |plies| write!(out, "{plies}"))
}

/// A column of moves, with blanks between them.
fn write_names<'a>(
    out: &mut Vec<u8>,
    geometry: &Geometry,
    choices: impl Iterator<Item = &'a merels_core::Choice>,
) -> io::Result<()> {
    let mut separator = ',';
    for choice in choices {
        write!(out, "{separator}{}", choice.display(geometry))?;
        separator = ' ';
    }
    if separator == ',' { write!(out, ",") } else { Ok(()) }
}

/// A field as it is written: in quotes if it has a comma, a quote or a line break.
fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("w:a1 move:b"), "w:a1 move:b");
        assert_eq!(field("w:a1,d7"), "\"w:a1,d7\"");
        assert_eq!(field("a \"b\"\nc"), "\"a \"\"b\"\"\nc\"");
        assert_eq!(field(""), "");
    }
}
