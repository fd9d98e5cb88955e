//! What can go wrong with an atlas.

use std::path::PathBuf;

use merels_db::DbError;
use merels_query::QueryError;

/// Why an atlas cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// No folder with databases was found.
    #[error("there are no databases in {}; make them with `merels solve`", folder.display())]
    Nothing {
        /// The folder that was looked into.
        folder: PathBuf,
    },
    /// The system refused.
    #[error("cannot {operation} {}", path.display())]
    Io {
        /// What was tried, as a verb.
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Its reason.
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
