//! Errors of look-ups.

use std::path::PathBuf;

use merels_core::{Ruleset, SituationError, Subspace, Value};
use merels_db::{DbError, Edition};
use merels_solver::SolverError;

/// Why a position has no answer.
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
    /// A database is missing, or does not keep the values of a subspace.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// A database cannot be read.
    #[error(transparent)]
    Database(DbError),
    /// A subspace cannot be solved on the spot.
    #[error(transparent)]
    Solver(SolverError),
    /// The [`Source`](crate::Source) stopped, because the request was cancelled.
    #[error("the request was cancelled")]
    Stopped,
    /// The value of a position is not that of its best move.
    #[error(
        "the database of {subspace} is inconsistent: {position} is a {stored}, but its best move \
         makes it a {best}"
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
        /// The folder of the ruleset; none if the source has none.
        folder: Option<PathBuf>,
    },
}

/// A subspace without values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .why.in_words(*.subspace))]
pub struct Missing {
    /// The subspace.
    pub subspace: Subspace,
    /// The folder of the ruleset, where its database would be; none if the source has none. The
    /// name of the folder is the ruleset.
    pub folder: Option<PathBuf>,
    /// Why it has none.
    pub why: WhyMissing,
}

/// Why a subspace has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyMissing {
    /// There is no database.
    NoTable,
    /// The edition of the folder leaves the values out.
    NotKept {
        /// The folder.
        path: PathBuf,
        /// Its edition.
        edition: Edition,
    },
}

impl Missing {
    /// A subspace that has no database in `folder`.
    pub const fn no_table(subspace: Subspace, folder: Option<PathBuf>) -> Self {
        Self { subspace, folder, why: WhyMissing::NoTable }
    }
}

impl WhyMissing {
    fn in_words(&self, subspace: Subspace) -> String {
        match self {
            Self::NoTable => format!("there is no database for {subspace} yet"),
            Self::NotKept { path, edition } => format!(
                "the values of {subspace} are not kept in {}, because its edition is '{edition}'",
                path.display()
            ),
        }
    }
}

impl From<DbError> for QueryError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::NotKept { path, edition, subspace } => {
                let folder = Some(path.clone());
                let why = WhyMissing::NotKept { path, edition };
                Self::Missing(Missing { subspace, folder, why })
            }
            other => Self::Database(other),
        }
    }
}

impl From<SolverError> for QueryError {
    fn from(error: SolverError) -> Self {
        match error {
            SolverError::Db(error) => error.into(),
            other => Self::Solver(other),
        }
    }
}
