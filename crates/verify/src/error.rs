//! Why a verification could not be done. That something was found wrong is no error: it is told in
//! the reports.

use merels_core::{Ruleset, Subspace, Value};
use merels_db::{DbError, Digest, SolveCommand};

/// An error of the verifier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no table to check.
    #[error("there are no databases for the ruleset '{ruleset}' in {}; make them with `{}`",
        folder.display(), SolveCommand::new(folder))]
    Nothing {
        /// The rules.
        ruleset: Ruleset,
        /// The folder.
        folder: std::path::PathBuf,
    },
    /// What was restored of a subspace is not what was solved.
    #[error(
        "what is restored of {subspace} has the digest {found}, but the solved values had {stated}: a \
         stored value is wrong. `merels verify --full` tells which"
    )]
    Unrestorable {
        /// The subspace.
        subspace: Subspace,
        /// The digest in its header.
        stated: Digest,
        /// The digest of what was restored.
        found: Digest,
    },
    /// A subspace's moves lead to one whose table is missing.
    #[error(
        "{subspace} cannot be checked without {needs}, to which its moves lead; make that first, \
         or name what to check with --only"
    )]
    Needs {
        /// What is checked.
        subspace: Subspace,
        /// What is missing.
        needs: Subspace,
        /// Where it was looked for.
        source: Box<DbError>,
    },
    /// The values of a subspace's successors need more memory than is allowed.
    #[error(
        "{subspace} needs {} MiB of memory to be checked in full, but only {} MiB may be used; allow \
         more with --memory, or leave it out with --only", needed.div_ceil(1 << 20), allowed >> 20
    )]
    Budget {
        /// The subspace.
        subspace: Subspace,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The system gave no memory.
    #[error("cannot get the memory to check {subspace}; close other programs")]
    Memory {
        /// The subspace.
        subspace: Subspace,
        /// The system's words.
        source: std::io::Error,
    },
    /// The two ways of checking disagree: the verifier or the machine is at fault.
    #[error(
        "internal fault in {subspace}: entry {index} holds {stored}, which the plain rules confirm and \
         the fast check does not. Please report this"
    )]
    Fault {
        /// The subspace.
        subspace: Subspace,
        /// The entry.
        index: u64,
        /// What it holds.
        stored: Value,
    },
    /// The caller asked to stop.
    #[error("interrupted; the same command begins again, and with --full goes on from here")]
    Interrupted,
    /// A database file.
    #[error(transparent)]
    Db(#[from] DbError),
}
