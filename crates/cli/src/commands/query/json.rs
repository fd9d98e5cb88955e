//! Answers as JSON objects.

use merels_core::{Choice, Ruleset, Situation, Value};
use merels_db::Edition;
use merels_query::{Line, LineEnd, LineStep};
use merels_serve::json::Over;
use serde::Serialize;

use super::{Request, answer};
use crate::value::{distance, outcome};

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
    /// `win`, `draw` or `loss` for the side to move.
    outcome: &'static str,
    /// Plies to the end of the game; null for a draw, and where the edition keeps no distances.
    distance: Option<u16>,
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
    /// For the side that makes the move.
    outcome: &'static str,
    /// Plies to the end of the game, this move included; null for a draw.
    distance: Option<u16>,
    /// The position after the move.
    position: String,
    /// Moves with the same number are the same by a symmetry of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<usize>,
}

/// The line of best play.
#[derive(Debug, Serialize)]
struct Principal {
    /// `over`, `repeats` or `cut`.
    end: &'static str,
    plies: Vec<Ply>,
}

/// A ply of the line of best play.
#[derive(Debug, Serialize)]
struct Ply {
    r#move: String,
    after: After,
}

/// A position of the line, with its value for the side to move in it.
#[derive(Debug, Serialize)]
struct After {
    position: String,
    outcome: &'static str,
    distance: Option<u16>,
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
        let position = |situation: Situation| situation.text(ruleset).to_string();
        let (outcome, distance) = told(analysis.value());
        let moves = answer.choices().iter().enumerate().map(|(place, ranked)| {
            let (outcome, distance) = told(ranked.value);
            Move {
                r#move: name(&ranked.choice),
                outcome,
                distance,
                position: position(ranked.position.into()),
                class: answer.classes.as_ref().map(|classes| classes[place]),
            }
        });
        let best = || answer.best().iter().map(|ranked| name(&ranked.choice)).collect();
        let ply = |step: &LineStep| {
            let (outcome, distance) = told(step.value);
            let after = After { position: position(step.position.into()), outcome, distance };
            Ply { r#move: name(&step.choice), after }
        };
        let principal = |line: &Line| Principal {
            end: match line.end {
                LineEnd::Over => "over",
                LineEnd::Repeats => "repeats",
                LineEnd::Cut => "cut",
            },
            plies: line.steps.iter().map(ply).collect(),
        };
        Self {
            line,
            position: position(*analysis.situation()),
            ruleset: ruleset.to_string(),
            edition: answer.edition.map(Edition::name),
            outcome,
            distance,
            over: answer.end.map(Over::from),
            pending_removal: analysis.situation().is_pending(),
            moves: moves.collect(),
            best: request.all_best.then(best),
            principal: answer.line.as_ref().map(principal),
        }
    }
}

/// A value as two fields.
fn told(value: Value) -> (&'static str, Option<u16>) {
    (outcome(value), distance(value))
}
