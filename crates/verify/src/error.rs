//! Why a verification fails to run. A wrong value is not an error: the reports list it.

use merels_core::{Ruleset, Subspace, Value};
use merels_db::{DbError, Digest};

/// An error of the verifier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no table to check.
    #[error("there are no databases for the ruleset '{ruleset}' in {}", folder.display())]
    Nothing {
        /// The rules.
        ruleset: Ruleset,
        /// The folder.
        folder: std::path::PathBuf,
    },
    /// Restored values differ from the solved ones.
    #[error(
        "the restored values of {subspace} have the digest {found}, but the solved values had \
         {stated}: a stored value is wrong"
    )]
    Unrestorable {
        /// The subspace.
        subspace: Subspace,
        /// The digest in its header.
        stated: Digest,
        /// The digest of the restored values.
        found: Digest,
    },
    /// The moves of a subspace lead to one whose table is missing.
    #[error("{subspace} cannot be checked without {needs}, to which its moves lead")]
    Needs {
        /// The subspace to check.
        subspace: Subspace,
        /// The missing subspace.
        needs: Subspace,
        /// The error of opening it.
        source: Box<DbError>,
    },
    /// The values of a subspace's successors need more memory than is allowed.
    #[error(
        "{subspace} needs {} MiB of memory to be checked in full, but only {} MiB may be used",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Budget {
        /// The subspace.
        subspace: Subspace,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The system refuses to provide memory.
    #[error("cannot get the memory to check {subspace}")]
    Memory {
        /// The subspace.
        subspace: Subspace,
        /// The system's message.
        source: std::io::Error,
    },
    /// The two forms of the check disagree: the verifier or the machine is at fault.
    #[error(
        "internal fault in {subspace}: entry {index} holds {stored}, which the plain rules confirm and \
         the fast check does not. Please report this"
    )]
    Fault {
        /// The subspace.
        subspace: Subspace,
        /// The entry.
        index: u64,
        /// The value that it holds.
        stored: Value,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A database file.
    #[error(transparent)]
    Db(#[from] DbError),
}
