//! Answers as JSON objects.

use std::io;

use merels_core::Choice;
use merels_db::Edition;
use merels_json::{Over, Principal, Worth};
use merels_query::QueryError;
use serde::Serialize;

use crate::commands::query::answer::Answer;
use crate::commands::query::format::{Format, Frame};
use crate::commands::query::request::{Question, Refusal};

/// One object, or an array of objects for standard input.
#[derive(Debug)]
pub(super) struct Json;

/// One object per line.
#[derive(Debug)]
pub(super) struct JsonLines;

impl Format for Json {
    fn frame(&self) -> Frame {
        Frame { open: "[", first: "\n", between: ",\n", end: "\n", close: "]\n" }
    }

    fn write_answer(&self, question: &Question<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(serde_json::to_writer_pretty(out, &Answered::new(question)?)?)
    }

    fn write_refusal(&self, refusal: &Refusal<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(out, refusal)?)
    }
}

impl Format for JsonLines {
    fn write_answer(&self, question: &Question<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(write_line(&Answered::new(question)?, out)?)
    }

    fn write_refusal(&self, refusal: &Refusal<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        write_line(refusal, out)
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
    /// How the game ended; null if it is not over.
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

impl Answered {
    fn new(question: &Question<'_>) -> Result<Self, QueryError> {
        let answer = Answer::of(question)?;
        let (analysis, ruleset) = (&answer.analysis, question.oracle.ruleset());
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
            best: question.request.all_best.then(best),
            principal: answer.line.as_ref().map(|line| Principal::new(ruleset, line)),
        })
    }
}
