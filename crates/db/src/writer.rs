//! Writing a table.
//!
//! Values come from a function that fills ranges of indices, so no whole table need be in memory.
//! Blocks are filled and compressed on the current rayon pool, a batch at a time; a thread of its
//! own writes the previous batch meanwhile, so that waiting for the disk holds up no computation
//! until it lags three batches behind. Memory: 4 MiB of values, and room for as much in each of up
//! to four batches of compressed blocks.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use merels_core::Subspace;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use crate::blocks::{Blocks, block_count, holds_only_codes};
use crate::edition::{Edition, Stored};
use crate::header::{Digest, Encoding, Header, Metric};
use crate::layout::{
    self, BLOCK_RECORD_SIZE, BlockRecord, ENTRIES_PER_BLOCK, HEADER_SIZE, SORTED_ENTRIES_PER_BLOCK,
};
use crate::manifest::TableInfo;
use crate::table::split;
use crate::{DbError, Folder, Statistics, files};

/// Blocks of a batch: 2 to 4 MiB of values, some 20 ms of work for one core.
const BATCH_BLOCKS: u64 = 64;

/// Batches that may wait for the disk.
const BATCHES_IN_FLIGHT: usize = 2;

/// The compressed blocks of a batch. Their buffers are used again.
type Batch = Vec<Vec<u8>>;

/// What table to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The numbers of stones.
    pub subspace: Subspace,
    /// The number of entries.
    pub entries: u64,
    /// The zstd level, 1 (fast) to 19 (small); others are brought into this range. The values'
    /// digest does not depend on it.
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

/// What has been written.
#[derive(Debug)]
struct Written {
    records: Vec<BlockRecord>,
    digest: Digest,
    kept: Digest,
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
            Edition::Compact | Edition::Outcome => (Encoding::Sorted, SORTED_ENTRIES_PER_BLOCK),
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
        let work = Work { spec: self.spec, blocks: &self.blocks, source, progress, partly: false };
        let mut file = self.file.as_file();
        let mut write = || {
            // Room for header and block table; nothing of an attempt that failed.
            file.set_len(first)?;
            file.seek(SeekFrom::End(0))?;
            if self.header.stored() == Stored::Nothing {
                return Ok(work.digest_only());
            }
            work.write_blocks(file, first)
        };
        self.written = Some(write().map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    /// Writes the values of another edition's table, which has been checked: `values` hold
    /// [`LEFT_OUT`](crate::LEFT_OUT) where it has none, which must be where this one keeps none either.
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
            let (spec, blocks) = (self.spec, &self.blocks);
            let work = Work { spec, blocks, source: &source, progress: &|_| (), partly: true };
            Ok(Written { digest, ..work.write_blocks(file, first)? })
        };
        self.written = Some(write().map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    /// Completes the file, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If the values have not been written, or if `statistics` contradict themselves.
    pub fn finish(self, statistics: Statistics) -> Result<Pending, DbError> {
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

        let write = || {
            let mut file = file.as_file();
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&bytes)?;
            Ok(file.metadata()?.len())
        };
        let size = write().map_err(DbError::io("write", &path))?;
        let info =
            TableInfo { subspace: spec.subspace, size, entries: spec.entries, digest, statistics };
        Ok(Pending { file, folder, path, info })
    }
}

/// The values to be written, and how.
struct Work<'a, S> {
    spec: TableSpec,
    blocks: &'a Blocks,
    source: &'a S,
    progress: &'a (dyn Fn(u64) + Sync),
    /// Whether the source itself leaves values out.
    partly: bool,
}

impl<S: Fn(Range<u64>, &mut [u8]) + Sync> Work<'_, S> {
    /// Asks for the values of a range of indices.
    fn fill(&self, indices: Range<u64>, values: &mut [u8]) {
        let first = indices.start;
        (self.source)(indices, values);
        assert!(
            self.partly || holds_only_codes(values),
            "an entry of {} from {first} on is no value code",
            self.spec.subspace
        );
    }

    /// The digest of values that are not kept.
    fn digest_only(&self) -> Written {
        let size = u64::from(ENTRIES_PER_BLOCK);
        let mut hasher = blake3::Hasher::new();
        let mut values = Vec::new();
        let mut done = 0;
        while done < self.spec.entries {
            let length = (self.spec.entries - done).min(BATCH_BLOCKS * size) as usize;
            values.resize(length, 0);
            values.par_chunks_mut(size as usize).enumerate().for_each(|(number, chunk)| {
                let first = done + number as u64 * size;
                self.fill(first..first + chunk.len() as u64, chunk);
            });
            hasher.update_rayon(&values);
            done += length as u64;
            (self.progress)(done);
        }
        let kept = Digest::of(&blake3::Hasher::new());
        Written { records: Vec::new(), digest: Digest::of(&hasher), kept }
    }

    /// Writes all blocks to `file`, the first at `offset`.
    fn write_blocks(&self, mut file: impl Write + Send, mut offset: u64) -> io::Result<Written> {
        let (full, to_write) = mpsc::sync_channel::<Batch>(BATCHES_IN_FLIGHT);
        let (used, to_fill) = mpsc::channel::<Batch>();
        thread::scope(|scope| {
            let writer = scope.spawn(move || -> io::Result<()> {
                for batch in to_write {
                    for block in &batch {
                        file.write_all(block)?;
                    }
                    // Nobody takes it any more when the last batch has been filled.
                    let _ = used.send(batch);
                }
                Ok(())
            });

            let mut records = Vec::new();
            let mut hasher = blake3::Hasher::new();
            // Where decoding does not give back everything: of what it gives back.
            let mut kept = (!self.blocks.keep_all()).then(blake3::Hasher::new);
            let mut values = Vec::new();
            for first in (0..self.blocks.count()).step_by(BATCH_BLOCKS as usize) {
                let numbers = first..(first + BATCH_BLOCKS).min(self.blocks.count());
                let mut batch = to_fill.try_recv().unwrap_or_default();
                batch.resize_with((numbers.end - numbers.start) as usize, Vec::new);
                let end = self.blocks.indices_of(numbers.end - 1).end;
                values.resize((end - self.blocks.indices_of(first).start) as usize, 0);
                let crcs = self.code_batch(numbers, &mut values, &mut batch, &mut hasher)?;
                if let Some(kept) = &mut kept {
                    kept.update_rayon(&values);
                }
                for (block, crc) in batch.iter().zip(crcs) {
                    let length = block.len() as u32;
                    records.push(BlockRecord { offset, length, crc });
                    offset += u64::from(length);
                }
                if full.send(batch).is_err() {
                    // The writing thread gave up, and says below why.
                    break;
                }
                (self.progress)(end);
            }
            drop(full);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let digest = Digest::of(&hasher);
            Ok(Written { records, digest, kept: kept.map_or(digest, |kept| Digest::of(&kept)) })
        })
    }

    /// Fills and codes the blocks of a batch, tells `hasher` the values, and gives the blocks'
    /// checksums. The values are left as decoding gives them back.
    fn code_batch(
        &self,
        numbers: Range<u64>,
        values: &mut [u8],
        batch: &mut [Vec<u8>],
        hasher: &mut blake3::Hasher,
    ) -> io::Result<Vec<u32>> {
        let lengths: Vec<_> = numbers.clone().map(|block| self.blocks.len_of(block)).collect();
        let code = |block, values: &mut [u8], bytes: &mut Vec<u8>| {
            self.blocks.encode(block, values, self.spec.level, bytes)?;
            Ok(crc32fast::hash(bytes))
        };
        if self.blocks.keep_all() {
            // In one go, while the values are in the cache.
            let work: Vec<_> = pieces(&numbers, &lengths, values).zip(batch).collect();
            let coded = work.into_par_iter().map(|((block, values), bytes)| {
                self.fill(self.blocks.indices_of(block), values);
                code(block, values, bytes)
            });
            let coded: io::Result<Vec<_>> = coded.collect();
            hasher.update_rayon(values);
            return coded;
        }
        let work: Vec<_> = pieces(&numbers, &lengths, values).collect();
        work.into_par_iter()
            .for_each(|(block, values)| self.fill(self.blocks.indices_of(block), values));
        hasher.update_rayon(values);
        let work: Vec<_> = pieces(&numbers, &lengths, values).zip(batch).collect();
        work.into_par_iter().map(|((block, values), bytes)| code(block, values, bytes)).collect()
    }
}

/// The blocks of a batch, each with its part of the values.
fn pieces<'a>(
    numbers: &Range<u64>,
    lengths: &[usize],
    values: &'a mut [u8],
) -> impl Iterator<Item = (u64, &'a mut [u8])> {
    numbers.clone().zip(split(values, lengths.iter().copied()))
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A disk with room for this many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_ends_the_work_at_once() {
        let batch = BATCH_BLOCKS * u64::from(ENTRIES_PER_BLOCK);
        let filled = AtomicU64::new(0);
        let source = |range: Range<u64>, bytes: &mut [u8]| {
            filled.fetch_add(range.end - range.start, Ordering::Relaxed);
            bytes.fill(127);
        };
        let write = |disk, entries| {
            let (subspace, kind) = (Subspace::moving(3, 3), TableKind::Final);
            let blocks = Blocks::Plain { entries, entries_per_block: ENTRIES_PER_BLOCK };
            let spec = TableSpec { subspace, entries, level: 1, kind };
            let progress = &|_| ();
            let work = Work { spec, blocks: &blocks, source: &source, progress, partly: false };
            work.write_blocks(disk, 0).unwrap_err().kind()
        };
        assert_eq!(write(Disk(1000), 100 * batch), io::ErrorKind::StorageFull);
        let batches = filled.load(Ordering::Relaxed) / batch;
        assert!(batches < 100, "all {batches} batches were computed");

        // The end of the disk in the last batch is noticed too.
        assert_eq!(write(Disk(1), 10), io::ErrorKind::StorageFull);
    }
}
