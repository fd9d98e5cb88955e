//! What can go wrong with database files.

use std::io;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};

use crate::edition::Edition;

/// An error of the database layer. Every message names the file; what to do about it is for the
/// program to say.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DbError {
    /// There is no folder for the ruleset.
    #[error(
        "there are no databases for the ruleset '{ruleset}': {} does not exist", path.display()
    )]
    NoFolder {
        /// The folder that was looked for.
        path: PathBuf,
        /// The ruleset.
        ruleset: Ruleset,
    },
    /// There is no file for the subspace.
    #[error("there is no database for {subspace}: {} does not exist", path.display())]
    NoTable {
        /// The file that was looked for.
        path: PathBuf,
        /// The subspace.
        subspace: Subspace,
    },
    /// The operating system refused.
    #[error("cannot {operation} {}", path.display())]
    Io {
        /// What was tried, as a verb.
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// No room is left for a file that was being written.
    #[error("the disk is full (or a quota is used up) while writing {}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The operating system's words.
        source: io::Error,
    },
    /// The file does not begin like a database file.
    #[error("{} is not a finished merels {kind}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should be: a table or a manifest.
        kind: &'static str,
    },
    /// The file is of a format version that this program does not read.
    #[error("{} has format version {found}, and this program reads version 1", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file is not a regular file, or longer than any such file.
    #[error("{} is {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file uses something that this program does not know, in a version that it does.
    #[error(
        "{} has {field} number {number}, which this program does not know", path.display()
    )]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The field of the header.
        field: &'static str,
        /// What it holds.
        number: u8,
    },
    /// The file or folder was made for other rules.
    #[error(
        "{} was made for the ruleset '{found}', not for '{expected}'", path.display()
    )]
    OtherRuleset {
        /// The file.
        path: PathBuf,
        /// The ruleset in it.
        found: Ruleset,
        /// The ruleset asked for.
        expected: Ruleset,
    },
    /// The file or folder is of another edition.
    #[error("{} is of the edition '{found}', not '{expected}'", path.display())]
    OtherEdition {
        /// The file or folder.
        path: PathBuf,
        /// Its edition.
        found: Edition,
        /// The edition asked for.
        expected: Edition,
    },
    /// A folder does not hold what a larger edition keeps.
    #[error(
        "{} is of the edition '{found}', which leaves out what '{wanted}' keeps", path.display()
    )]
    NotCovered {
        /// The folder.
        path: PathBuf,
        /// Its edition.
        found: Edition,
        /// The edition asked for.
        wanted: Edition,
    },
    /// The folder has counted the subspace of a position, but keeps no values of it.
    #[error(
        "the values of {subspace} are not kept in {}, because its edition is '{edition}'",
        path.display()
    )]
    NotKept {
        /// The folder.
        path: PathBuf,
        /// Its edition.
        edition: Edition,
        /// The subspace.
        subspace: Subspace,
    },
    /// The file holds another subspace than its name says.
    #[error("{} holds the subspace {found}, not {expected}", path.display())]
    OtherSubspace {
        /// The file.
        path: PathBuf,
        /// The subspace in it.
        found: Subspace,
        /// The subspace asked for.
        expected: Subspace,
    },
    /// A file has the name of a subspace that the game does not have.
    #[error(
        "{} is not a table of this folder: the ruleset '{ruleset}' has no subspace {subspace}",
        path.display()
    )]
    NoSuchSubspace {
        /// The file.
        path: PathBuf,
        /// The ruleset of the folder.
        ruleset: Ruleset,
        /// The subspace that the name says.
        subspace: Subspace,
    },
    /// The bytes of the file contradict each other.
    #[error("{} is damaged{}: {reason}", path.display(), in_block(*block))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damaged block, if it is one; none for the header and the block table.
        block: Option<u64>,
        /// What does not fit.
        reason: String,
    },
    /// A file is sound, but not the one that the manifest lists.
    #[error(
        "{} and {} disagree about {subspace}: {reason}", path.display(), manifest.display()
    )]
    Disagreement {
        /// The table.
        path: PathBuf,
        /// The manifest.
        manifest: PathBuf,
        /// The subspace.
        subspace: Subspace,
        /// What differs.
        reason: String,
    },
    /// Another process holds the lock of the folder.
    #[error("another solver is running in {}", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// An index at or beyond the number of entries.
    #[error("{} has {entries} entries: there is no entry {index}", path.display())]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The index asked for.
        index: u64,
        /// How many entries there are.
        entries: u64,
    },
    /// The file format cannot express something.
    #[error("{} cannot be written: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the format lacks.
        reason: String,
    },
}

fn in_block(block: Option<u64>) -> String {
    block.map_or_else(String::new, |block| format!(" in block {block}"))
}

/// Kinds of errors of the database layer. The kind decides the exit code of a program and the
/// status of an HTTP answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DbErrorKind {
    /// A needed file or value is missing.
    Missing,
    /// The system refused: permissions, a full disk, a lock held by another run.
    System,
    /// A file is damaged, of other rules or another version, or not a database.
    Damaged,
}

impl DbError {
    /// What kind of error this is.
    pub const fn kind(&self) -> DbErrorKind {
        match self {
            Self::NoFolder { .. } | Self::NoTable { .. } | Self::NotKept { .. } => {
                DbErrorKind::Missing
            }
            Self::Io { .. }
            | Self::DiskFull { .. }
            | Self::Locked { .. }
            | Self::Unwritable { .. } => DbErrorKind::System,
            _ => DbErrorKind::Damaged,
        }
    }

    /// Turns the error of `operation` on `path` into ours.
    pub(crate) fn io(operation: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| {
            let path = path.to_owned();
            match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Self::DiskFull { path, source }
                }
                _ => Self::Io { operation, path, source },
            }
        }
    }

    /// Damage outside the blocks.
    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), block: None, reason: reason.into() }
    }

    /// Damage in one block.
    pub(crate) fn damaged_block(path: &Path, block: u64, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), block: Some(block), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_can_cross_threads_and_a_full_disk_is_told_apart() {
        fn crosses<T: Send + Sync + 'static>(_: &T) {}
        let full = DbError::io("write", Path::new("x"))(io::ErrorKind::StorageFull.into());
        crosses(&full);
        assert!(matches!(full, DbError::DiskFull { .. }));
        let other = DbError::io("write", Path::new("x"))(io::ErrorKind::PermissionDenied.into());
        assert_eq!(other.to_string(), "cannot write x");
    }

    #[test]
    fn damage_names_file_and_block() {
        let message = DbError::damaged_block(Path::new("a/8-7.merels"), 17, "no").to_string();
        assert_eq!(message, "a/8-7.merels is damaged in block 17: no");
        let message = DbError::damaged(Path::new("a/8-7.merels"), "no").to_string();
        assert_eq!(message, "a/8-7.merels is damaged: no");
    }
}
