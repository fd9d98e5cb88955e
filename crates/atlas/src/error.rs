//! Errors of making an atlas.

use std::path::PathBuf;

use merels_db::{DbError, DbErrorKind};
use merels_query::QueryError;

/// Why an atlas cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// No folder with databases was found.
    #[error("there are no databases in {}", folder.display())]
    Nothing {
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// The operating system reports an error.
    #[error("cannot {operation} {}", path.display())]
    Io {
        /// The operation, as a verb.
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A plot could not be drawn.
    #[error("cannot draw a plot: {0}")]
    Drawing(String),
    /// A database cannot be read.
    #[error(transparent)]
    Database(#[from] DbError),
    /// A position cannot be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Whether an error says that values are missing, and not that something is wrong with them.
pub(crate) const fn is_absent(error: &DbError) -> bool {
    matches!(error.kind(), DbErrorKind::Missing)
}
