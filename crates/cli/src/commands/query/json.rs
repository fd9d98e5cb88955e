//! Answers as JSON objects.

use merels_core::{Ruleset, Situation};
use merels_query::{Analysis, RankedChoice};
use serde::Serialize;

use crate::value::{distance, outcome};

/// The answer for a position.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    /// The number of the input line, from 1; absent if the position was an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The position as a FEN-like string.
    position: String,
    ruleset: String,
    /// `win`, `draw` or `loss` for the side to move.
    outcome: &'static str,
    /// Plies to the end of the game; null for a draw.
    distance: Option<u16>,
    /// Whether `moves` are the removals by which a move is finished.
    pending_removal: bool,
    /// Best first. Empty if the game is over.
    moves: Vec<Move>,
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
}

/// A line of the input that has no answer.
#[derive(Debug, Serialize)]
pub(super) struct Refusal<'a> {
    /// The number of the line, from 1.
    pub(super) line: u64,
    /// The text of the line.
    pub(super) position: &'a str,
    /// Why there is no answer.
    pub(super) error: String,
}

impl Answer {
    /// The answer that `analysis` gives.
    pub(super) fn new(line: Option<u64>, ruleset: &Ruleset, analysis: &Analysis) -> Self {
        let geometry = ruleset.board.geometry();
        let describe = |ranked: &RankedChoice| Move {
            r#move: ranked.choice.display(geometry).to_string(),
            outcome: outcome(ranked.value),
            distance: distance(ranked.value),
            position: Situation::settled(ranked.position).fen(ruleset).to_string(),
        };
        Self {
            line,
            position: analysis.situation().fen(ruleset).to_string(),
            ruleset: ruleset.to_string(),
            outcome: outcome(analysis.value()),
            distance: distance(analysis.value()),
            pending_removal: analysis.situation().is_pending(),
            moves: analysis.choices().iter().map(describe).collect(),
        }
    }
}
