//! Answers as JSON objects.

use std::io;

use merels_core::{Choice, Position};
use merels_db::Edition;
use merels_json::{MissingDatabase, Over, Principal, Worth};
use merels_query::{Line, Missing, QueryError};
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

    fn write_answer(
        &self,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<Option<Missing>> {
        let (answer, missing) = Answered::new(question)?;
        serde_json::to_writer_pretty(out, &answer)?;
        Ok(missing)
    }

    fn write_refusal(&self, refusal: &Refusal<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(out, refusal)?)
    }
}

impl Format for JsonLines {
    fn write_answer(
        &self,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<Option<Missing>> {
        let (answer, missing) = Answered::new(question)?;
        write_line(&answer, out)?;
        Ok(missing)
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
    /// For the side to move; null if its database is missing.
    outcome: Option<&'static str>,
    distance: Option<u16>,
    /// The missing databases, without which some values are not known; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<MissingDatabase>,
    /// How the game ended; null if it is not over.
    over: Option<Over>,
    /// Whether `moves` are the removals that complete a move.
    pending_removal: bool,
    /// Best first, and last those whose value is not known. Empty if the game is over.
    moves: Vec<Move>,
    /// The best moves that are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<String>>,
    /// The line of best play; null if a database is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<Option<Principal>>,
}

/// A move with its value.
#[derive(Debug, Serialize)]
struct Move {
    r#move: String,
    /// For the side that makes the move; null if a database is missing.
    outcome: Option<&'static str>,
    /// It counts the move.
    distance: Option<u16>,
    /// The missing database; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<MissingDatabase>,
    /// The position after the move.
    position: String,
    /// Moves with the same number are the same by a symmetry of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<usize>,
}

impl Answered {
    /// The answer, and what is missing for a value of the position.
    fn new(question: &Question<'_>) -> Result<(Self, Option<Missing>), QueryError> {
        let answer = Answer::of(question)?;
        let (survey, ruleset) = (&answer.survey, question.oracle.ruleset());
        let geometry = ruleset.board.geometry();
        let name = |choice: &Choice| choice.display(geometry).to_string();
        let bare = |choice: &Choice, after: &Position, place: usize| Move {
            r#move: name(choice),
            outcome: None,
            distance: None,
            missing: None,
            position: after.text(ruleset).to_string(),
            class: answer.classes.as_ref().map(|classes| classes[place]),
        };
        let valued = answer.choices().iter().enumerate().map(|(place, ranked)| {
            let Worth { outcome, distance } = ranked.value.into();
            let bare = bare(&ranked.choice, &ranked.position, place);
            Move { outcome: Some(outcome), distance, ..bare }
        });
        let places = answer.choices().len()..;
        let unvalued = places.zip(answer.unvalued()).map(|(place, one)| {
            let missing = Some(MissingDatabase::from(&one.missing));
            Move { missing, ..bare(&one.choice, &one.position, place) }
        });
        let best = || answer.best().iter().map(|ranked| name(&ranked.choice)).collect();
        let worth = survey.value().ok().map(Worth::from);
        let principal = |line: &Line| Principal::new(ruleset, line);
        let answered = Self {
            line: question.line,
            position: survey.situation().text(ruleset).to_string(),
            ruleset: ruleset.to_string(),
            edition: answer.edition.map(Edition::name),
            outcome: worth.map(|worth| worth.outcome),
            distance: worth.and_then(|worth| worth.distance),
            missing: answer.all_missing().into_iter().map(MissingDatabase::from).collect(),
            over: answer.end.map(Over::from),
            pending_removal: survey.situation().is_pending(),
            moves: valued.chain(unvalued).collect(),
            best: question.request.all_best.then(best),
            principal: answer.line.as_ref().map(|line| line.as_ref().ok().map(principal)),
        };
        Ok((answered, answer.missing()))
    }
}
