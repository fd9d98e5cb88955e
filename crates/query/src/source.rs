//! The trait of everything that values come from.

use std::path::PathBuf;

use merels_core::{Position, Ruleset, Value};
use rayon::prelude::*;

use crate::error::QueryError;

/// Values of positions in which the game is not over.
pub trait Source: Send + Sync {
    /// The value of `position`, in which each side has at least three stones (in hand or on the
    /// board) and the side to move has a legal move.
    ///
    /// # Errors
    /// [`QueryError::Missing`] if the source does not cover the position;
    /// [`QueryError::Database`] if a database cannot be read.
    fn value(&self, position: &Position) -> Result<Value, QueryError>;

    /// The values of many positions, in their order. Each equals what [`Source::value`] returns.
    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        positions.par_iter().map(|position| self.value(position)).collect()
    }

    /// The folder of the ruleset, in which missing databases would be; none if the source does not
    /// read files.
    fn folder(&self) -> Option<PathBuf> {
        None
    }
}

/// The value of a position, computed from the values of its successors: the best of them.
pub(crate) fn best_successor<E>(
    ruleset: &Ruleset,
    position: &Position,
    value: &mut dyn FnMut(&Position) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best = Value::LOST;
    // There is a legal move, so the least value does not remain.
    for mv in ruleset.legal_moves(position) {
        let next = mv.apply(position);
        let after = match ruleset.ending(&next) {
            Some(value) => value,
            None => value(&next)?,
        };
        best = best.max(after.before());
    }
    Ok(best)
}
