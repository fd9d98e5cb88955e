//! What can go wrong while solving.

use merels_core::{Placing, Plies, Ruleset, Subspace, Value};
use merels_db::DbError;

use crate::job::Job;

/// An error of the solver. Finished files are never lost by it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The plan is for other rules than the folder.
    #[error("the folder is for the ruleset '{folder}', the plan for '{plan}'")]
    OtherRuleset {
        /// The folder's rules.
        folder: Ruleset,
        /// The plan's rules.
        plan: Ruleset,
    },
    /// A subspace that the game does not have.
    #[error(
        "{subspace} is not a subspace of '{ruleset}' that can be solved here: in the moving phase each \
         side has 3 to {} stones, and with stones in hand there must be as many as {}",
        .ruleset.stones,
        match .ruleset.placing {
            Placing::First => "placing in turn leaves",
            Placing::Mixed => "placing or moving in turn can leave",
        }
    )]
    NoSuchSubspace {
        /// What was asked for.
        subspace: Subspace,
        /// The rules.
        ruleset: Ruleset,
    },
    /// A job needs more memory than is allowed.
    #[error(
        "{job} needs {} MiB of memory, but only {} MiB may be used; allow more with --memory, or solve \
         less with --up-to", needed.div_ceil(1 << 20), allowed >> 20
    )]
    Budget {
        /// What would be solved.
        job: Job,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The databases would not fit the disk.
    #[error(
        "the databases need up to {} MiB more while they are made, but only {} MiB are free in {}; make room, name another \
         folder with --db, or solve less with --up-to", needed.div_ceil(1 << 20), free >> 20, folder.display()
    )]
    DiskSpace {
        /// Bytes that they need, by estimate.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// The folder.
        folder: std::path::PathBuf,
    },
    /// The system gave no memory.
    #[error(
        "cannot get the memory to solve {job}; close other programs, or solve less with --up-to"
    )]
    Memory {
        /// What was being solved.
        job: Job,
        /// The system's words.
        source: std::io::Error,
    },
    /// A distance has no code.
    #[error(
        "a position of {job} is decided later than in {longest} plies, the most that values can say"
    )]
    TooLong {
        /// What was being solved.
        job: Job,
        /// The longest distance that values can say.
        longest: Plies,
    },
    /// A position's value is not that of its best move: the solver or the machine is at fault.
    #[error(
        "internal fault in {subspace}: entry {index} was solved as {stored:?}, but its moves give \
         {recomputed:?}; nothing of it was written. Please report this"
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
    /// A pair was solved again because one of its files was gone, and the other file differs.
    #[error(
        "{subspace} was solved again and came out different from {}; delete that file, and run \
         `merels solve` again", path.display()
    )]
    Differs {
        /// The subspace.
        subspace: Subspace,
        /// Its file.
        path: std::path::PathBuf,
    },
    /// The caller asked to stop.
    #[error("interrupted; what is finished is kept, and `merels solve` goes on from there")]
    Interrupted,
    /// A database file.
    #[error(transparent)]
    Db(#[from] DbError),
}
