//! What is known about a situation of which some databases are missing.

use std::cmp::Reverse;

use merels_core::{Board, Choice, Position, Situation, Value};

use crate::analysis::{Analysis, RankedChoice, classes};
use crate::error::{Missing, QueryError};

/// A situation, its value if that is known, and its choices with those values that are.
#[derive(Clone, Debug)]
pub struct Survey {
    board: Board,
    situation: Situation,
    value: Result<Value, Missing>,
    choices: Vec<RankedChoice>,
    unvalued: Vec<UnvaluedChoice>,
}

/// A choice without a value.
#[derive(Clone, Debug)]
pub struct UnvaluedChoice {
    /// The move or removal.
    pub choice: Choice,
    /// The position after it, with the opponent to move.
    pub position: Position,
    /// The database that would have its value.
    pub missing: Missing,
}

impl Survey {
    /// The choices in any order.
    pub(crate) fn new(
        board: Board,
        situation: Situation,
        value: Result<Value, Missing>,
        mut choices: Vec<RankedChoice>,
        mut unvalued: Vec<UnvaluedChoice>,
    ) -> Self {
        let geometry = board.geometry();
        choices.sort_by_cached_key(|ranked| {
            (Reverse(ranked.value), ranked.choice.notation_order(geometry))
        });
        unvalued.sort_by_cached_key(|one| one.choice.notation_order(geometry));
        Self { board, situation, value, choices, unvalued }
    }

    /// The situation.
    pub const fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The value for the side to move.
    ///
    /// # Errors
    /// Which database is missing.
    pub const fn value(&self) -> Result<Value, &Missing> {
        match &self.value {
            Ok(value) => Ok(*value),
            Err(missing) => Err(missing),
        }
    }

    /// The choices that have values: best first, equal ones in the order of their notation.
    pub fn choices(&self) -> &[RankedChoice] {
        &self.choices
    }

    /// The choices that have none, in the order of their notation.
    pub fn unvalued(&self) -> &[UnvaluedChoice] {
        &self.unvalued
    }

    /// The choices that are certainly best: those with the value of the situation. None if that is
    /// unknown. Choices without a value may be as good.
    pub fn best(&self) -> &[RankedChoice] {
        let Ok(value) = &self.value else { return &[] };
        let first = self.choices.chunk_by(|one, next| one.value == next.value).next();
        first.filter(|group| group[0].value.agrees_with(*value)).unwrap_or_default()
    }

    /// The position whose entry holds the value: in the middle of a move, which has no entry, the
    /// position after the best removal.
    pub fn looked_up(&self) -> Position {
        match self.choices.first() {
            Some(choice) if self.situation.is_pending() => choice.position,
            _ => *self.situation.position(),
        }
    }

    /// The number of the class of each choice, first of [`Survey::choices`], then of
    /// [`Survey::unvalued`]: see [`Analysis::classes`].
    pub fn classes(&self) -> Vec<usize> {
        let after = self.choices.iter().map(|ranked| ranked.position);
        let after = after.chain(self.unvalued.iter().map(|one| one.position));
        classes(self.board, after)
    }

    /// The analysis, if nothing is missing.
    ///
    /// # Errors
    /// Which database is missing.
    pub fn complete(self) -> Result<Analysis, QueryError> {
        let value = self.value?;
        match self.unvalued.into_iter().next() {
            Some(choice) => Err(choice.missing.into()),
            None => Ok(Analysis::new(self.board, self.situation, value, self.choices)),
        }
    }
}
