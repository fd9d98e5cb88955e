//! A request to `merels query`.

use merels_core::{GameEnd, Situation, Value};
use serde::Serialize;

use crate::shared::oracle::Oracle;

/// What the answers show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The line of best play.
    pub(super) line: bool,
    /// The best moves only.
    pub(super) all_best: bool,
    /// Which moves are the same by a symmetry of the board.
    pub(super) symmetries: bool,
    /// Whether the position belongs to a game, so that its history is known.
    pub(super) game: bool,
}

/// A position to answer.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) oracle: &'a Oracle,
    pub(super) request: &'a Request,
    /// The number of its line of standard input, from 1; none for an argument.
    pub(super) line: Option<u64>,
    /// Its text as the user wrote it.
    pub(super) text: &'a str,
    pub(super) situation: Situation,
    /// Its value, if it was looked up together with others.
    pub(super) value: Option<Value>,
    /// How its game ended, also by its history; none if the game is not over, or is not known.
    pub(super) end: Option<GameEnd>,
}

/// A line of standard input that has no answer.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Refusal<'a> {
    #[serde(skip)]
    pub(super) request: &'a Request,
    /// The number of the line, from 1.
    pub(super) line: u64,
    /// Its text.
    #[serde(rename = "position")]
    pub(super) text: &'a str,
    /// Why it has no answer.
    pub(super) error: &'a str,
}
