//! The trait of everything that values come from.

use merels_core::{Position, Ruleset, Subspace, Value};
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

    /// The command that makes the database of `subspace`, or makes it again. With stones in hand it
    /// solves the whole game, because the placing phase depends on almost all of the moving phase.
    fn command_for(&self, subspace: Subspace) -> String {
        if subspace.is_moving() {
            format!("merels solve --only {subspace}")
        } else {
            "merels solve".to_owned()
        }
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
