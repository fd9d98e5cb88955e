//! Checks databases of mill games, entry by entry.
//!
//! A database says of every position what it is worth. Whether it is right can be seen from the
//! database alone: each value must be that of the position's best move. `docs/proof.md` says why
//! that suffices. This crate does not depend on the solver, and shares with it only the board, the
//! rules, the numbering of positions and the file format.
//!
//! - [`verify_quick`]: files against manifest, checksums and digests.
//! - [`verify_sample`]: random entries, recomputed by the plain rules.
//! - [`verify_full`]: every entry. Resumable, with the journal [`JOURNAL_NAME`].
//! - [`verify_claims`]: published facts, recomputed.
//!
//! There are two layers. The *plain* one (`plain`) makes every legal move as the rules list them: it is
//! the definition of a value. The *fast* one (`reach` and `fast`) does the same on masks with code of its own,
//! ten million entries a second and more; in tests it is compared with the plain one, and whatever
//! it suspects is confirmed by the plain one before it is told.
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
mod error;
mod fast;
mod full;
mod observer;
mod plain;
mod quick;
mod sample;
mod tables;

pub use claims::check::{Answer, ClaimReport, verify_claims};
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
