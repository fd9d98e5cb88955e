//! Checks databases of mill games, entry by entry.
//!
//! A database holds the value of every position. You can see from the database alone whether it is
//! right: each value must be that of the position's best move. `docs/proof.md` says why that
//! suffices. This crate does not depend on the solver. It shares with it only the board, the rules,
//! the numbering of positions and the file format.
//!
//! - [`verify_quick`] compares files with the manifest, checksums and digests.
//! - [`verify_sample`] recomputes random entries by the plain rules.
//! - [`verify_full`] recomputes every entry. It resumes from the journal [`JOURNAL_NAME`].
//! - [`verify_claims`] recomputes published facts.
//! - [`read_digests`] lists the digests of values, for comparison with another folder.
//!
//! There are two layers. The *plain* one (`plain`) makes every legal move as the rules list it: it
//! is the definition of a value. The *fast* one (`fast`) does the same on masks with its own code,
//! at ten million entries a second and more. Tests compare the two. A report names an entry that
//! the fast layer suspects only after the plain layer confirms it.
//!
//! The folders follow the data: `fast` finds successors and values, `tables` opens, decodes and
//! restores, `full`, `sample` and `claims` run the checks.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//!
//! use merels_core::Ruleset;
//! use merels_db::Folder;
//! use merels_verify::{FullOptions, Silent, verify_full};
//!
//! let folder = Folder::open("db".as_ref(), Ruleset::STANDARD)?;
//! let options = FullOptions { only: Vec::new(), memory: 2 << 30, again: false };
//! let reports = verify_full(&folder, &options, &Silent, &AtomicBool::new(false))?;
//! assert!(reports.iter().all(|report| report.holds()));
//! # Ok::<(), merels_verify::VerifyError>(())
//! ```

mod claims;
mod digests;
mod error;
mod fast;
mod full;
mod observer;
mod plain;
mod quick;
mod sample;
mod tables;

pub use claims::check::{Answer, ClaimReport, verify_claims};
pub use digests::{Digests, SubspaceDigest, read_digests};
pub use error::VerifyError;
pub use fast::precision::Precision;
pub use full::check::verify_full;
pub use full::journal::JOURNAL_NAME;
pub use full::report::{FullOptions, SubspaceReport};
pub use full::verified::Verified;
pub use observer::{Observer, Silent};
pub use plain::{Mismatch, RankedMove, Values, ranked_moves, recompute};
pub use quick::{QuickProblem, QuickReport, verify_quick};
pub use sample::check::{SampleOptions, SampleReport, verify_sample};
pub use tables::restored::RestoredOtherwise;
