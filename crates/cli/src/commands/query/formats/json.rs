//! Answers as JSON objects.

use std::io;

use merels_core::Choice;
use merels_db::Edition;
use merels_json::{Over, Principal, Worth};
use merels_query::QueryError;
use serde::Serialize;

use crate::commands::query::answer::Answer;
use crate::commands::query::format::{Format, Frame};
use crate::commands::query::request::{Question, Refusal, Request};
use crate::shared::oracle::Oracle;

/// One object, or an array of objects for standard input.
#[derive(Debug)]
pub(super) struct Json;

/// One object a line.
#[derive(Debug)]
pub(super) struct JsonLines;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "An object, or an array of objects for standard input"
    }

    fn frame(&self) -> Frame {
        Frame { open: "[", first: "\n", between: ",\n", end: "\n", close: "]\n" }
    }

    fn write_answer(
        &self,
        oracle: &Oracle,
        request: &Request,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        Ok(serde_json::to_writer_pretty(out, &Answered::new(oracle, request, question)?)?)
    }

    fn write_refusal(
        &self,
        _: &Request,
        refusal: &Refusal<'_>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(out, &Refused::from(refusal))?)
    }
}

impl Format for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn help(&self) -> &'static str {
        "An object a line"
    }

    fn write_answer(
        &self,
        oracle: &Oracle,
        request: &Request,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        Ok(write_line(&Answered::new(oracle, request, question)?, out)?)
    }

    fn write_refusal(
        &self,
        _: &Request,
        refusal: &Refusal<'_>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        write_line(&Refused::from(refusal), out)
    }
}

fn write_line(object: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    out.push(b'\n');
    Ok(())
}

/// The answer for a position.
#[derive(Debug, Serialize)]
struct Answered {
    /// The number of the input line, from 1; absent if the position was an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The position in its usual form.
    position: String,
    ruleset: String,
    /// `full`, `compact` or `outcome`; null if the position was solved on the spot.
    edition: Option<&'static str>,
    /// For the side to move.
    #[serde(flatten)]
    worth: Worth,
    /// How the game ended; null if it goes on.
    over: Option<Over>,
    /// Whether `moves` are the removals that complete a move.
    pending_removal: bool,
    /// Best first. Empty if the game is over.
    moves: Vec<Move>,
    /// The best moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<String>>,
    /// The line of best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<Principal>,
}

/// A move with its value.
#[derive(Debug, Serialize)]
struct Move {
    r#move: String,
    /// For the side that makes the move; the distance counts the move.
    #[serde(flatten)]
    worth: Worth,
    /// The position after the move.
    position: String,
    /// Moves with the same number are the same by a symmetry of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<usize>,
}

/// A line of the input that has no answer.
#[derive(Debug, Serialize)]
struct Refused<'a> {
    /// The number of the line, from 1.
    line: u64,
    /// The text of the line.
    position: &'a str,
    /// Why there is no answer.
    error: &'a str,
}

impl<'a> From<&Refusal<'a>> for Refused<'a> {
    fn from(&Refusal { line, text, error }: &Refusal<'a>) -> Self {
        Self { line, position: text, error }
    }
}

impl Answered {
    fn new(
        oracle: &Oracle,
        request: &Request,
        question: &Question<'_>,
    ) -> Result<Self, QueryError> {
        let answer = Answer::of(oracle, request, question)?;
        let (analysis, ruleset) = (&answer.analysis, oracle.ruleset());
        let geometry = ruleset.board.geometry();
        let name = |choice: &Choice| choice.display(geometry).to_string();
        let moves = answer.choices().iter().enumerate().map(|(place, ranked)| Move {
            r#move: name(&ranked.choice),
            worth: ranked.value.into(),
            position: ranked.position.text(ruleset).to_string(),
            class: answer.classes.as_ref().map(|classes| classes[place]),
        });
        let best = || answer.best().iter().map(|ranked| name(&ranked.choice)).collect();
        Ok(Self {
            line: question.line,
            position: analysis.situation().text(ruleset).to_string(),
            ruleset: ruleset.to_string(),
            edition: answer.edition.map(Edition::name),
            worth: analysis.value().into(),
            over: answer.end.map(Over::from),
            pending_removal: analysis.situation().is_pending(),
            moves: moves.collect(),
            best: request.all_best.then(best),
            principal: answer.line.as_ref().map(|line| Principal::new(ruleset, line)),
        })
    }
}
