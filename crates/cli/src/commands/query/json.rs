//! Answers as JSON objects.

use merels_core::{Choice, Ruleset};
use merels_db::Edition;
use merels_json::{Over, Principal, Worth};
use serde::Serialize;

use super::{Request, answer};

/// The answer for a position.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
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
    /// How the game has ended; null if it goes on.
    over: Option<Over>,
    /// Whether `moves` are the removals by which a move is finished.
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
    /// For the side that makes the move, which is counted.
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
pub(super) struct Refusal<'a> {
    /// The number of the line, from 1.
    pub(super) line: u64,
    /// The text of the line.
    pub(super) position: &'a str,
    /// Why there is no answer.
    pub(super) error: &'a str,
}

impl Answer {
    /// What `answer` has to say.
    pub(super) fn new(
        line: Option<u64>,
        ruleset: &Ruleset,
        request: &Request,
        answer: &answer::Answer,
    ) -> Self {
        let analysis = &answer.analysis;
        let geometry = ruleset.board.geometry();
        let name = |choice: &Choice| choice.display(geometry).to_string();
        let moves = answer.choices().iter().enumerate().map(|(place, ranked)| Move {
            r#move: name(&ranked.choice),
            worth: ranked.value.into(),
            position: ranked.position.text(ruleset).to_string(),
            class: answer.classes.as_ref().map(|classes| classes[place]),
        });
        let best = || answer.best().iter().map(|ranked| name(&ranked.choice)).collect();
        Self {
            line,
            position: analysis.situation().text(ruleset).to_string(),
            ruleset: ruleset.to_string(),
            edition: answer.edition.map(Edition::name),
            worth: analysis.value().into(),
            over: answer.end.map(Over::from),
            pending_removal: analysis.situation().is_pending(),
            moves: moves.collect(),
            best: request.all_best.then(best),
            principal: answer.line.as_ref().map(|line| Principal::new(ruleset, line)),
        }
    }
}
