//! Writing a table.
//!
//! Values come from a function that fills ranges of indices, so no whole table need be in memory; how
//! they become blocks says [`crate::folder::coding`].

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use merels_core::Subspace;
use tempfile::NamedTempFile;

use crate::blocks::Blocks;
use crate::blocks::frames::Compression;
use crate::digest::Digest;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored};
use crate::error::DbError;
use crate::folder::coding::{Coding, Written};
use crate::folder::files;
use crate::folder::folder::Folder;
use crate::folder::table::far_path;
use crate::format::header::block_count;
use crate::format::layout::{
    self, BLOCK_RECORD_SIZE, ENTRIES_PER_BLOCK, HEADER_SIZE, SORTED_ENTRIES_PER_BLOCK,
};
use crate::header::{Encoding, Header, Metric};
use crate::manifest::{FarInfo, TableInfo};
use crate::statistics::Statistics;

/// What table to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The numbers of stones.
    pub subspace: Subspace,
    /// The number of entries.
    pub entries: u64,
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
    /// The far codes, if there are any.
    far: Option<Box<Self>>,
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
            metric: Metric::DistanceToWin,
            edition,
            encoding,
            entries: spec.entries,
            entries_per_block,
            blocks: 0,
            statistics: Statistics::default(),
            digest: Digest([0; 32]),
            kept: Digest([0; 32]),
            generator: concat!("merels ", env!("CARGO_PKG_VERSION")).into(),
            companion: None,
            distribution: None,
        };
        let Ok(count) = u32::try_from(block_count(&header)) else {
            let reason = format!("{} entries are more than the format allows", spec.entries);
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
            far: None,
        })
    }

    /// Writes all values. `source` fills a slice with the bytes of the
    /// [`ValueCode`](merels_core::ValueCode)s of a range of indices; it is called once for each
    /// block, from all threads of the current rayon pool, in no particular order, also where the
    /// edition leaves entries out: the digest is over all of them. `progress` is told how many entries
    /// are done.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If `source` leaves a byte that is no value code, and if the values are written already.
    pub fn write_all(
        &mut self,
        source: &(impl Fn(Range<u64>, &mut [u8]) + Sync),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), DbError> {
        assert!(self.written.is_none(), "the values of {} are written", self.spec.subspace);
        let first = layout::blocks_start(self.header.blocks);
        let coding = self.coding(source, progress);
        let mut file = self.file.as_file();
        let mut write = || {
            // Room for header and block table; nothing of an attempt that failed.
            file.set_len(first)?;
            file.seek(SeekFrom::End(0))?;
            if self.header.stored() == Stored::Nothing {
                return Ok(coding.digest_only(self.spec.entries));
            }
            coding.write_blocks(file, first)
        };
        self.written = Some(write().map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    /// Writes all far codes, where one code does not say all values: the codes given to [`TableWriter::write_all`] are the
    /// near ones then. `source` and `progress` are as there. What the edition keeps of them gets a file of its
    /// own, which appears together with the table; the digest is over all of them.
    ///
    /// # Errors
    /// As [`TableWriter::write_all`].
    ///
    /// # Panics
    /// As [`TableWriter::write_all`].
    pub fn write_far(
        &mut self,
        source: &(impl Fn(Range<u64>, &mut [u8]) + Sync),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), DbError> {
        let mut far = self.begin_far()?;
        if self.header.edition.has_distances() {
            far.write_all(source, progress)?;
        } else {
            far.written = Some(far.coding(source, progress).digest_only(self.spec.entries));
        }
        self.far = Some(Box::new(far));
        Ok(())
    }

    /// The same of another edition's table, as [`TableWriter::write_copy`] does it; `values` are none if this edition keeps
    /// none.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub(crate) fn write_far_copy(&mut self, values: &[u8], digest: Digest) -> Result<(), DbError> {
        let mut far = self.begin_far()?;
        if values.is_empty() {
            let kept = Digest::of(&blake3::Hasher::new());
            far.written = Some(Written { records: Vec::new(), digest, kept });
        } else {
            far.write_copy(values, digest)?;
        }
        self.far = Some(Box::new(far));
        Ok(())
    }

    /// A table of far codes beside this one.
    fn begin_far(&self) -> Result<Self, DbError> {
        let header = Header { metric: Metric::Beyond, ..self.header.clone() };
        Ok(Self {
            file: files::temporary_in(&self.folder)?,
            folder: self.folder.clone(),
            path: far_path(&self.path),
            spec: self.spec,
            blocks: Blocks::of(&header),
            header,
            written: None,
            far: None,
        })
    }

    /// Writes the values of another edition's table, which has been checked: `values` hold
    /// [`LEFT_OUT`](crate::blocks::sorted::LEFT_OUT) where it has none, which must be where this one keeps none either.
    /// `digest` is that of all exact values.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub(crate) fn write_copy(&mut self, values: &[u8], digest: Digest) -> Result<(), DbError> {
        let first = layout::blocks_start(self.header.blocks);
        let source = |range: Range<u64>, bytes: &mut [u8]| {
            bytes.copy_from_slice(&values[range.start as usize..range.end as usize]);
        };
        let mut file = self.file.as_file();
        let mut write = || {
            file.set_len(first)?;
            file.seek(SeekFrom::End(0))?;
            if self.header.stored() == Stored::Nothing {
                let kept = Digest::of(&blake3::Hasher::new());
                return Ok(Written { records: Vec::new(), digest, kept });
            }
            let (subspace, blocks, compression) =
                (self.spec.subspace, &self.blocks, self.compression());
            let (source, progress) = (&source, &|_| ());
            let coding = Coding { subspace, blocks, compression, source, progress, partly: true };
            Ok(Written { digest, ..coding.write_blocks(file, first)? })
        };
        self.written = Some(write().map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    fn coding<'a, S>(&'a self, source: &'a S, progress: &'a (dyn Fn(u64) + Sync)) -> Coding<'a, S> {
        Coding {
            subspace: self.spec.subspace,
            blocks: &self.blocks,
            compression: self.compression(),
            source,
            progress,
            partly: false,
        }
    }

    fn compression(&self) -> Compression {
        match self.spec.kind {
            TableKind::Final => Compression::Level(self.spec.level),
            TableKind::Work => Compression::Quick,
        }
    }

    /// Completes the file with what was counted in it, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If the values have not been written, or if the counts contradict themselves.
    pub fn finish_counted(mut self, counted: Distribution) -> Result<Pending, DbError> {
        let statistics = counted.statistics();
        assert_eq!(counted.histogram.has_far(), self.far.is_some(), "{}", self.spec.subspace);
        if let Some(contradiction) = counted.contradiction(&statistics, self.spec.entries) {
            panic!("{}: {contradiction}", self.spec.subspace);
        }
        self.header.distribution = Some(Box::new(counted));
        self.finish(statistics)
    }

    /// Completes the file with sums alone, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If the values have not been written, or if `statistics` contradict themselves.
    pub fn finish(mut self, statistics: Statistics) -> Result<Pending, DbError> {
        let mut far = self.far.take();
        if let Some(far) = &mut far {
            self.header.companion = far.written.as_ref().map(|written| written.digest);
            far.header.companion = self.written.as_ref().map(|written| written.digest);
        }
        let has_far_table = self.header.has_far_table();
        let mut pending = self.complete(statistics)?;
        if let (Some(far), Some(digest)) = (far, pending.companion) {
            let mut size = 0;
            if has_far_table {
                let far = far.complete(statistics)?;
                size = far.info.size;
                pending.far = Some(Box::new(far));
            }
            pending.info.far = Some(FarInfo { size, digest });
        }
        Ok(pending)
    }

    fn complete(self, statistics: Statistics) -> Result<Pending, DbError> {
        let Self { file, folder, path, spec, mut header, written, .. } = self;
        let Written { records, digest, kept } = written.expect("write_all comes before finish");
        header.statistics = statistics;
        (header.digest, header.kept) = (digest, kept);
        if let Some(contradiction) = header.contradiction() {
            panic!("{}: {contradiction}", spec.subspace);
        }
        let mut bytes = header.to_bytes(&path)?;
        bytes.reserve(records.len() * BLOCK_RECORD_SIZE + layout::CRC_SIZE);
        bytes.extend(records.iter().flat_map(|record| record.to_bytes()));
        let crc = crc32fast::hash(&bytes[HEADER_SIZE..]);
        bytes.extend(crc.to_le_bytes());

        let counts = header.distribution.as_ref().map(|counted| counted.to_bytes());
        let write = || {
            let mut file = file.as_file();
            file.seek(SeekFrom::End(0))?;
            file.write_all(&counts.unwrap_or_default())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&bytes)?;
            Ok(file.metadata()?.len())
        };
        let size = write().map_err(DbError::io("write", &path))?;
        let (subspace, entries) = (spec.subspace, spec.entries);
        let info = TableInfo { subspace, size, entries, digest, statistics, far: None };
        Ok(Pending { file, folder, path, info, companion: header.companion, far: None })
    }
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
    companion: Option<Digest>,
    /// The table of far codes, if there is one.
    far: Option<Box<Self>>,
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
        self.file.as_file().sync_all().map_err(DbError::io("write", &self.path))?;
        self.far.as_ref().map_or(Ok(()), |far| far.sync())
    }

    /// Brings the file to the disk and gives it its name, in place of an older one.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    pub fn publish(self) -> Result<TableInfo, DbError> {
        self.sync()?;
        // First: a table is never without the far codes that belong to it.
        if let Some(far) = self.far {
            files::publish(far.file, &far.folder, &far.path)?;
        }
        files::publish(self.file, &self.folder, &self.path)?;
        Ok(self.info)
    }
}
