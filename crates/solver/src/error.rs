//! Errors of the solver.

use merels_core::{Placing, Plies, Ruleset, Subspace, Value};
use merels_db::DbError;

use crate::job::Job;

/// An error of the solver. Finished files survive every error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The plan and the folder have different rules.
    #[error("the folder is for the ruleset '{folder}', the plan for '{plan}'")]
    OtherRuleset {
        /// The folder's rules.
        folder: Ruleset,
        /// The plan's rules.
        plan: Ruleset,
    },
    /// A subspace that the game does not have.
    #[error(
        "{subspace} is not a subspace of '{ruleset}': in the moving phase each side has 3 to {} \
         stones, and with stones in hand the numbers must follow from {}",
        .ruleset.stones,
        match .ruleset.placing {
            Placing::First => "placing in turn",
            Placing::Mixed => "placing or moving in turn",
        }
    )]
    NoSuchSubspace {
        /// The subspace.
        subspace: Subspace,
        /// The rules.
        ruleset: Ruleset,
    },
    /// A job needs more memory than allowed.
    #[error(
        "{job} needs {} MiB of memory, but only {} MiB may be used",
        needed.div_ceil(1 << 20),
        allowed >> 20
    )]
    Budget {
        /// The job.
        job: Job,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that the caller allows.
        allowed: u64,
    },
    /// The databases do not fit the disk.
    #[error(
        "solving takes up to {} MiB more of disk space, but only {} MiB are free in {}",
        needed.div_ceil(1 << 20),
        free >> 20,
        folder.display()
    )]
    DiskSpace {
        /// Bytes that they need, by estimate.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// The folder.
        folder: std::path::PathBuf,
    },
    /// The system does not grant the memory.
    #[error("cannot get the memory to solve {job}")]
    Memory {
        /// The job.
        job: Job,
        /// The system's error.
        source: std::io::Error,
    },
    /// The system refuses a thread.
    #[error("cannot start a thread")]
    Threads(#[source] std::io::Error),
    /// A distance has no code.
    #[error(
        "a position of {job} has a distance beyond {longest} plies, the longest that has a code"
    )]
    TooLong {
        /// The job.
        job: Job,
        /// The longest distance that codes can express.
        longest: Plies,
    },
    /// A position's value differs from that of its best move: the solver or the machine is at
    /// fault.
    #[error(
        "internal error in {subspace}: the solver found {stored:?} for entry {index}, but its moves \
         lead to {recomputed:?}; none of it was written. Please report this"
    )]
    Inconsistent {
        /// The subspace.
        subspace: Subspace,
        /// The entry.
        index: u64,
        /// Its value as solved.
        stored: Option<Value>,
        /// Its value from its successors.
        recomputed: Option<Value>,
    },
    /// A subspace of which one file was missing was solved again, and the result differs from the
    /// file that remained.
    #[error("{subspace} was solved again and differs from {}", path.display())]
    Differs {
        /// The subspace.
        subspace: Subspace,
        /// Its file.
        path: std::path::PathBuf,
    },
    /// The caller asked the run to stop.
    #[error("interrupted; finished subspaces are kept")]
    Interrupted,
    /// An error of the database.
    #[error(transparent)]
    Db(#[from] DbError),
}
