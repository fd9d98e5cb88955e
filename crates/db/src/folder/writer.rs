//! Writing a table.
//!
//! Values come from a function that fills ranges of indices, so no whole table need be in memory; how
//! they become blocks says [`crate::blocks::coding`].

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use merels_core::Subspace;
use merels_core::numbering::Codes;
use tempfile::NamedTempFile;

use crate::blocks::coding::{Coding, Fill, Written};
use crate::blocks::frames::Compression;
use crate::blocks::kind::{Blocks, block_count};
use crate::blocks::record::{BLOCK_RECORD_SIZE, ENTRIES_PER_BLOCK, SORTED_ENTRIES_PER_BLOCK};
use crate::digest::Digest;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored, entries_of};
use crate::error::DbError;
use crate::folder::base::Folder;
use crate::folder::files;
use crate::format::layout::{self, HEADER_SIZE};
use crate::header::{Encoding, FarDigests, Header, Metric};
use crate::manifest::TableInfo;
use crate::statistics::Statistics;

/// What table to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The numbers of stones.
    pub subspace: Subspace,
    /// The zstd level, 1 (fast) to 19 (small); others are brought into this range. Work tables are
    /// compressed in a quicker way. The values' digest does not depend on it.
    pub level: i32,
    /// What it is for.
    pub kind: TableKind,
}

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// To be kept, as the folder's edition has it.
    Final,
    /// All values, for solving others: see [`Folder::work_path_of`].
    Work,
}

impl TableSpec {
    /// The fastest. Level 19 saves 6 to 19 % of the size, and is far too slow for whole databases.
    pub const DEFAULT_LEVEL: i32 = 1;
}

/// A table in the making, under a temporary name. Dropping it removes the file.
#[derive(Debug)]
pub struct TableWriter {
    file: NamedTempFile,
    folder: PathBuf,
    path: PathBuf,
    spec: TableSpec,
    /// Complete but for what is known at the end: counts and digests.
    header: Header,
    blocks: Blocks,
    /// Once all values are written.
    written: Option<Written>,
}

impl TableWriter {
    /// Begins a table in `folder`. For the holder of the folder's lock.
    ///
    /// # Errors
    /// [`DbError::Io`]; [`DbError::Unwritable`] beyond 2^48 entries.
    pub fn create(folder: &Folder, spec: TableSpec) -> Result<Self, DbError> {
        let (path, edition) = match spec.kind {
            TableKind::Final => (folder.path_of(spec.subspace), folder.edition()),
            TableKind::Work => (folder.work_path_of(spec.subspace), Edition::Full),
        };
        let (encoding, entries_per_block) = match edition {
            Edition::Full => (Encoding::Zstd, ENTRIES_PER_BLOCK),
            Edition::Compact | Edition::Outcome | Edition::Statistics => {
                (Encoding::Sorted, SORTED_ENTRIES_PER_BLOCK)
            }
        };
        let mut header = Header {
            ruleset: *folder.ruleset(),
            subspace: spec.subspace,
            metric: Metric::of(folder.ruleset()),
            edition,
            encoding,
            entries: entries_of(folder.ruleset().board, spec.subspace),
            entries_per_block,
            blocks: 0,
            statistics: Statistics::default(),
            digest: Digest([0; 32]),
            kept: Digest([0; 32]),
            generator: concat!("merels ", env!("CARGO_PKG_VERSION")).into(),
            far: None,
            distribution: Box::default(),
        };
        let Ok(count) = u32::try_from(block_count(&header)) else {
            let reason = format!("{} entries are more than the format allows", header.entries);
            return Err(DbError::Unwritable { path, reason });
        };
        header.blocks = count;
        Ok(Self {
            file: files::temporary_in(folder.path())?,
            folder: folder.path().to_owned(),
            path,
            spec,
            blocks: Blocks::of(&header),
            header,
            written: None,
        })
    }

    /// Writes all values of a subspace without far codes. `source` fills a slice with the bytes of
    /// the [`ValueCode`](merels_core::numbering::ValueCode)s of a range of indices. It is called
    /// once for each block, from all threads of the current rayon pool, in no particular order,
    /// also where the edition leaves entries out: the digest is over all of them. `progress` is
    /// called with the number of entries that are done.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If `source` leaves a byte that is no value code, and if the values are written already.
    pub fn write_all(
        &mut self,
        source: &Fill<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), DbError> {
        self.write_codes(Codes::near(source), progress)
    }

    /// Writes all values, as [`TableWriter::write_all`] does, with far codes if the subspace has
    /// them: with a value beyond the distances of one code.
    ///
    /// # Errors
    /// As [`TableWriter::write_all`].
    ///
    /// # Panics
    /// As [`TableWriter::write_all`].
    pub fn write_codes(
        &mut self,
        source: Codes<&Fill<'_>>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), DbError> {
        self.begin(source.has_far());
        let first = self.make_room()?;
        let coding = self.coding(source, progress, false);
        let written = match self.header.stored() {
            Stored::Nothing => Ok(coding.digest_only(self.header.entries)),
            _ => coding.write_blocks(self.file.as_file(), first),
        };
        self.written = Some(written.map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    /// Writes the codes of all entries, which are in memory.
    ///
    /// # Errors
    /// As [`TableWriter::write_all`].
    ///
    /// # Panics
    /// As [`TableWriter::write_all`], and if there are too few.
    pub fn write_slices(&mut self, codes: Codes<&[u8]>) -> Result<(), DbError> {
        let sources = codes.map(copy_of);
        self.write_codes(sources.as_ref().map(|source| source as &Fill<'_>), &|_| ())
    }

    /// Writes the values of another edition's table, which has been checked: `values` hold
    /// [`LEFT_OUT`](crate::LEFT_OUT) where it has none, which must be where this one keeps none
    /// either; there are none if this table keeps none. `digest` is that of all exact values.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub(crate) fn write_copy(
        &mut self,
        values: Option<Codes<&[u8]>>,
        digest: Codes<Digest>,
    ) -> Result<(), DbError> {
        self.begin(digest.has_far());
        let first = self.make_room()?;
        let Some(values) = values else {
            let kept = Codes::near(Digest::of(&blake3::Hasher::new()));
            self.written = Some(Written { records: Vec::new(), digest, kept });
            return Ok(());
        };
        let sources = values.map(copy_of);
        let source = sources.as_ref().map(|source| source as &Fill<'_>);
        let coding = self.coding(source, &|_| (), true);
        let written = coding.write_blocks(self.file.as_file(), first);
        let written = written.map_err(DbError::io("write", &self.path))?;
        self.written = Some(Written { digest, ..written });
        Ok(())
    }

    /// Fixes whether blocks have frames of far values.
    fn begin(&mut self, has_far: bool) {
        assert!(self.written.is_none(), "the values of {} are written", self.spec.subspace);
        let unknown = FarDigests { digest: Digest([0; 32]), kept: Digest([0; 32]) };
        self.header.far = has_far.then_some(unknown);
        self.blocks = Blocks::of(&self.header);
    }

    /// Leaves room for header and block table, and nothing of an attempt that failed. Returns where
    /// the first block begins.
    fn make_room(&self) -> Result<u64, DbError> {
        let first = layout::blocks_start(self.header.blocks);
        let mut file = self.file.as_file();
        let seek = file.set_len(first).and_then(|()| file.seek(SeekFrom::End(0)));
        seek.map_err(DbError::io("write", &self.path))?;
        Ok(first)
    }

    fn coding<'a>(
        &'a self,
        source: Codes<&'a Fill<'a>>,
        progress: &'a (dyn Fn(u64) + Sync),
        partly: bool,
    ) -> Coding<'a> {
        let compression = match self.spec.kind {
            TableKind::Final => Compression::Level(self.spec.level),
            TableKind::Work => Compression::Quick,
        };
        let (subspace, blocks) = (self.spec.subspace, &self.blocks);
        Coding { subspace, blocks, compression, source, progress, partly }
    }

    /// Completes the file with what was counted in it, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If the values have not been written, or if the counts contradict themselves.
    pub fn finish(self, counted: Distribution) -> Result<Pending, DbError> {
        let Self { file, folder, path, spec, mut header, written, .. } = self;
        let Written { records, digest, kept } = written.expect("values are written first");
        let subspace = spec.subspace;
        header.statistics = counted.statistics();
        (header.digest, header.kept) = (digest.near, kept.near);
        if let Some(far) = &mut header.far {
            far.digest = digest.far.expect("far codes are digested");
            far.kept = kept.far.unwrap_or_else(|| Digest::of(&blake3::Hasher::new()));
        }
        assert_eq!(counted.histogram.has_far(), header.far.is_some(), "{subspace}");
        if let Some(contradiction) = counted.contradiction(&header.statistics, header.entries) {
            panic!("{subspace}: {contradiction}");
        }
        *header.distribution = counted;
        if let Some(contradiction) = header.contradiction() {
            panic!("{subspace}: {contradiction}");
        }
        let mut bytes = header.to_bytes(&path)?;
        bytes.reserve(records.len() * BLOCK_RECORD_SIZE + layout::CRC_SIZE);
        bytes.extend(records.iter().flat_map(|record| record.to_bytes()));
        let crc = crc32fast::hash(&bytes[HEADER_SIZE..]);
        bytes.extend(crc.to_le_bytes());
        let write = || {
            let mut file = file.as_file();
            file.seek(SeekFrom::End(0))?;
            file.write_all(&header.distribution.to_bytes())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&bytes)?;
            Ok(file.metadata()?.len())
        };
        let size = write().map_err(DbError::io("write", &path))?;
        let info = TableInfo {
            subspace,
            size,
            entries: header.entries,
            digest: header.digest,
            statistics: header.statistics,
            far: digest.far,
            companions: Vec::new(),
        };
        Ok(Pending { file, folder, path, info })
    }
}

/// A source of codes that are in memory.
fn copy_of(codes: &[u8]) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    |range, bytes| bytes.copy_from_slice(&codes[range.start as usize..range.end as usize])
}

/// A complete table under a temporary name. Dropping it removes the file.
///
/// The two tables of a pair are finished and brought to the disk first, and published then, one right
/// after the other.
#[derive(Debug)]
#[must_use = "a table that is not published is removed"]
pub struct Pending {
    file: NamedTempFile,
    folder: PathBuf,
    path: PathBuf,
    info: TableInfo,
}

impl Pending {
    /// What the manifest is going to say.
    pub const fn info(&self) -> &TableInfo {
        &self.info
    }

    /// Brings the file to the disk, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub fn sync(&self) -> Result<(), DbError> {
        self.file.as_file().sync_all().map_err(DbError::io("write", &self.path))
    }

    /// Brings the file to the disk and gives it its name, in place of an older one.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub fn publish(self) -> Result<TableInfo, DbError> {
        self.sync()?;
        files::publish(self.file, &self.folder, &self.path)?;
        Ok(self.info)
    }
}
