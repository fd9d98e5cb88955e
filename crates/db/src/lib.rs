//! Database files: one per subspace, with the value of every position in one byte, compressed.
//!
//! `DIR/<ruleset>/<subspace>.merels` holds a subspace, `manifest.merels` beside it lists the files
//! of the folder. Every byte is specified in `docs/format.md`. The parts, in the order of use:
//!
//! - [`Folder`]: the files of one ruleset; the lock that only one solver holds; the [`Manifest`].
//! - [`TableWriter`]: makes a file under a temporary name, compressing in parallel. Nothing is
//!   visible before [`Pending::publish`], so a killed run leaves no half-written table.
//! - [`Table`]: a mapped file. Opening reads the header and the block table and trusts neither;
//!   each block is checked whenever it is decoded.
//!
//! Where a subspace has values beyond 253 plies, which one byte does not say, there are two files: near codes in
//! `<subspace>.merels`, which take all later values for one, and far codes in `<subspace>.far.merels` (see
//! [`FarCodes`](merels_core::FarCodes)). A [`Table`] refuses to decode one without the other, unless the reader says that
//! it knows; [`Table::exact_value`] looks into both.
//!
//! **Files are never changed in place.** They are made under another name and renamed, so a reader
//! that has a file open keeps what it opened even when a newer file takes its place. The memory map
//! rests on this promise: see [`Table::open`].
//!
//! ```
//! use merels_core::{Plies, Ruleset, Subspace, ValueCode};
//! use merels_db::{Edition, Folder, TableKind, TableSpec, TableWriter, ValueHistogram};
//!
//! # let dir = tempfile::tempdir()?;
//! # let dir = dir.path();
//! let folder = Folder::create(dir, Ruleset::STANDARD, Some(Edition::Full))?;
//! let lock = folder.lock()?;
//! let subspace = Subspace::moving(3, 3);
//! let (entries, level) = (100_000, TableSpec::DEFAULT_LEVEL);
//! let spec = TableSpec { subspace, entries, level, kind: TableKind::Final };
//! let mut writer = TableWriter::create(&folder, spec)?;
//! // Here every position is won in one ply.
//! let code = ValueCode::at_distance(Plies(1)).unwrap();
//! writer.write_all(&|_indices, bytes: &mut [u8]| bytes.fill(code.byte()), &|_done| ())?;
//! let mut histogram = ValueHistogram::default();
//! histogram.add_times(code, 100_000);
//! let info = writer.finish(histogram.statistics())?.publish()?;
//! folder.record(&[info])?;
//!
//! let table = folder.open_table(subspace, 100_000)?;
//! assert_eq!(table.value(77_777)?, Some(code));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
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

pub use blocks::sorted::LEFT_OUT;
pub use digest::Digest;
pub use distribution::{Distribution, Longest};
pub use edition::{Edition, Stored, UnknownEdition};
pub use error::{DbError, DbErrorKind, SolveCommand};
pub use folder::catalogue::Reconciled;
pub use folder::files::read_regular;
pub use folder::folder::Folder;
pub use folder::lock::FolderLock;
pub use folder::pack::{pack, to_be_packed};
pub use folder::space::free_space_at;
pub use folder::table::{Expectation, Table};
pub use folder::writer::{Pending, TableKind, TableSpec, TableWriter};
pub use format::layout::ENTRIES_PER_BLOCK;
pub use header::{Encoding, Header, Metric};
pub use histogram::ValueHistogram;
pub use manifest::{FarInfo, Manifest, TableInfo};
pub use statistics::Statistics;
