//! Database files: one per subspace, with the value of every position in one byte, compressed.
//!
//! `DIR/<ruleset>/<subspace>.merels` holds a subspace, `manifest.merels` beside it lists the files
//! of the folder. Every byte is specified in `docs/format.md`. The parts, in the order of use:
//!
//! - [`Folder`]: the files of one ruleset; the lock that only one solver holds; the [`Manifest`].
//! - [`TableWriter`]: makes a file under a temporary name, compressing in parallel. Nothing is
//!   visible before [`Pending::publish`], so a killed run leaves no half-written table.
//! - [`Table`]: a file, mapped or read by pieces. Opening reads the header and the block table and
//!   trusts neither; each block is checked whenever it is decoded.
//!
//! A subspace with values beyond 253 plies, which one byte does not say, has two codes for each
//! entry (see [`Codes`](merels_core::numbering::Codes)). A [`Table`] decodes both, into two
//! buffers.
//!
//! **Files are never changed in place.** They are made under another name and renamed, so a reader
//! that has a file open keeps what it opened even when a newer file takes its place. The memory map
//! rests on this promise: see [`Table::map`].
//!
//! ```
//! use merels_core::numbering::ValueCode;
//! use merels_core::{Plies, Ruleset, Subspace};
//! use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter, ValueHistogram};
//!
//! # let dir = tempfile::tempdir()?;
//! # let dir = dir.path();
//! let folder = Folder::create(dir, Ruleset::STANDARD, Some(Edition::Full))?;
//! let lock = folder.lock()?;
//! let subspace = Subspace::moving(3, 3);
//! let level = TableSpec::DEFAULT_LEVEL;
//! let spec = TableSpec { subspace, level, kind: TableKind::Final };
//! let mut writer = TableWriter::create(&folder, spec)?;
//! // Here every position is won in one ply.
//! let code = ValueCode::at_distance(Plies(1)).unwrap();
//! writer.write_all(&|_indices, bytes: &mut [u8]| bytes.fill(code.byte()), &|_done| ())?;
//! let mut histogram = ValueHistogram::default();
//! histogram.add_times(code, 169_626);
//! let distribution = Distribution { histogram, longest_win: Some(0), longest_loss: None };
//! let info = writer.finish(distribution)?.publish()?;
//! folder.record(&[info])?;
//!
//! let table = folder.open_table(subspace)?;
//! assert_eq!(table.value(77_777)?, Some(code.value()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod bytes;
mod digest;
mod distribution;
mod edition;
mod error;
mod folder;
mod format;
mod header;
mod histogram;
mod manifest;
mod statistics;

pub use blocks::coding::Fill;
pub use blocks::far::fill as fill_far_codes;
pub use blocks::record::ENTRIES_PER_BLOCK;
pub use blocks::sorted::LEFT_OUT;
pub use bytes::cut::report_cut_files;
pub use bytes::stamp::FileStamp;
pub use digest::Digest;
pub use distribution::{Distribution, Longest};
pub use edition::{Edition, Stored, UnknownEdition, entries_of, has_subspace};
pub use error::{DbError, DbErrorKind};
pub use folder::base::Folder;
pub use folder::files::read_bounded;
pub use folder::listing::Reconciled;
pub use folder::lock::FolderLock;
pub use folder::pack::{pack, to_be_packed};
pub use folder::space::free_space_at;
pub use folder::table::{Expectation, Table};
pub use folder::writer::{Pending, TableKind, TableSpec, TableWriter};
pub use header::{Encoding, FarDigests, Header, Metric};
pub use histogram::ValueHistogram;
pub use manifest::{Companion, CompanionKind, Manifest, TableInfo};
pub use statistics::Statistics;
