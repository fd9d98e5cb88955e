//! Errors of look-ups.

use merels_core::{Ruleset, SituationError, Subspace, Value};
use merels_db::DbError;
use merels_solver::SolverError;

/// Why a position has no answer. Each message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The position cannot occur under the ruleset.
    #[error("no game by the rules '{ruleset}' has this position: {cause}")]
    Impossible {
        /// The oracle's rules.
        ruleset: Ruleset,
        /// The reason.
        #[source]
        cause: SituationError,
    },
    /// The database of the position's subspace is missing.
    #[error("there is no database for {subspace} yet; make it with `{command}`")]
    Missing {
        /// The subspace.
        subspace: Subspace,
        /// The command that makes it.
        command: String,
    },
    /// A database cannot be read.
    #[error(transparent)]
    Database(#[from] DbError),
    /// A subspace cannot be solved on the spot.
    #[error(transparent)]
    Solver(SolverError),
    /// The [`Source`](crate::Source) stopped, because the request was cancelled.
    #[error("the request was cancelled")]
    Stopped,
    /// The value of a position is not that of its best move.
    #[error(
        "the database is inconsistent: {position} is a {stored}, but its best move makes it a \
         {best}; delete the database of {subspace} and make it again with `{command}`"
    )]
    Inconsistent {
        /// The position as a FEN-like string.
        position: String,
        /// Its subspace.
        subspace: Subspace,
        /// Its value in the database.
        stored: Value,
        /// Its value by the values of its successors.
        best: Value,
        /// The command that makes the database again.
        command: String,
    },
}

impl From<SolverError> for QueryError {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Db(error) => Self::Database(error),
            other => Self::Solver(other),
        }
    }
}
