//! Writing a table.
//!
//! Values come from a function that fills ranges of indices, so no whole table need be in memory.
//! Blocks are filled and compressed on the current rayon pool, a batch at a time; a thread of its
//! own writes the previous batch meanwhile, so that waiting for the disk holds up no computation
//! until it lags three batches behind. Memory: 4 MiB of values, and room for as much in each of up
//! to four batches of compressed blocks.

use std::cell::RefCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use merels_core::{Ruleset, Subspace};
use rayon::prelude::*;
use tempfile::NamedTempFile;
use zstd::bulk::Compressor;

use crate::header::{Digest, Edition, Encoding, Header, Metric};
use crate::layout::{self, BLOCK_RECORD_SIZE, BlockRecord, ENTRIES_PER_BLOCK, HEADER_SIZE};
use crate::manifest::TableInfo;
use crate::table::holds_only_codes;
use crate::{DbError, Folder, Statistics, files};

const BLOCK_SIZE: usize = ENTRIES_PER_BLOCK as usize;

/// Blocks of a batch: 4 MiB of values, some 20 ms of work for one core.
const BATCH_BLOCKS: usize = 64;

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
    ruleset: Ruleset,
    spec: TableSpec,
    blocks: u32,
    /// Block table and digest, once all values are written.
    written: Option<(Vec<BlockRecord>, Digest)>,
}

impl TableWriter {
    /// Begins a table in `folder`. For the holder of the folder's lock.
    ///
    /// # Errors
    /// [`DbError::Io`]; [`DbError::Unwritable`] beyond 2^48 entries.
    pub fn create(folder: &Folder, spec: TableSpec) -> Result<Self, DbError> {
        let path = folder.path_of(spec.subspace);
        let blocks = u32::try_from(spec.entries.div_ceil(ENTRIES_PER_BLOCK.into()));
        let Ok(blocks) = blocks else {
            let reason = format!("{} entries are more than the format allows", spec.entries);
            return Err(DbError::Unwritable { path, reason });
        };
        Ok(Self {
            file: files::temporary_in(folder.path())?,
            folder: folder.path().to_owned(),
            path,
            ruleset: *folder.ruleset(),
            spec,
            blocks,
            written: None,
        })
    }

    /// Writes all values. `source` fills a slice with the bytes of the
    /// [`ValueCode`](merels_core::ValueCode)s of a range of indices; it is called once for each
    /// block, from all threads of the current rayon pool, in no particular order. `progress` is
    /// told how many entries are done.
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
        let first = layout::blocks_start(self.blocks);
        let mut file = self.file.as_file();
        let mut write = || {
            // Room for header and block table; nothing of an attempt that failed.
            file.set_len(first)?;
            file.seek(SeekFrom::End(0))?;
            write_blocks(file, first, self.spec, source, progress)
        };
        self.written = Some(write().map_err(DbError::io("write", &self.path))?);
        Ok(())
    }

    /// Completes the file and brings it to the disk, still under its temporary name.
    ///
    /// # Errors
    /// [`DbError::DiskFull`], [`DbError::Io`].
    ///
    /// # Panics
    /// If the values have not been written, or if `statistics` contradict themselves.
    pub fn finish(self, statistics: Statistics) -> Result<Pending, DbError> {
        let Self { file, folder, path, ruleset, spec, blocks, written } = self;
        let (records, digest) = written.expect("write_all comes before finish");
        let header = Header {
            ruleset,
            subspace: spec.subspace,
            metric: Metric::DistanceToWin,
            edition: Edition::Full,
            encoding: Encoding::Zstd,
            entries: spec.entries,
            entries_per_block: ENTRIES_PER_BLOCK,
            blocks,
            statistics,
            digest,
            generator: concat!("merels ", env!("CARGO_PKG_VERSION")).into(),
        };
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
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let size = write().map_err(DbError::io("write", &path))?;
        let info =
            TableInfo { subspace: spec.subspace, size, entries: spec.entries, digest, statistics };
        Ok(Pending { file, folder, path, info })
    }
}

/// Writes all blocks to `file`, the first at `offset`; gives the block table and the digest.
fn write_blocks(
    mut file: impl Write + Send,
    mut offset: u64,
    spec: TableSpec,
    source: &(impl Fn(Range<u64>, &mut [u8]) + Sync),
    progress: &(dyn Fn(u64) + Sync),
) -> io::Result<(Vec<BlockRecord>, Digest)> {
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
        let mut values = Vec::new();
        let mut done = 0;
        while done < spec.entries {
            let length = (spec.entries - done).min((BATCH_BLOCKS * BLOCK_SIZE) as u64) as usize;
            values.resize(length, 0);
            let mut batch = to_fill.try_recv().unwrap_or_default();
            batch.resize_with(length.div_ceil(BLOCK_SIZE), Vec::new);
            let crcs = compress_batch(done, &mut values, &mut batch, spec, source)?;
            hasher.update_rayon(&values);
            for (block, crc) in batch.iter().zip(crcs) {
                let length = block.len() as u32;
                records.push(BlockRecord { offset, length, crc });
                offset += u64::from(length);
            }
            done += length as u64;
            if full.send(batch).is_err() {
                // The writing thread gave up, and says below why.
                break;
            }
            progress(done);
        }
        drop(full);
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok((records, Digest::of(&hasher)))
    })
}

/// Fills and compresses the blocks of a batch, and gives their checksums.
fn compress_batch(
    start: u64,
    values: &mut [u8],
    batch: &mut [Vec<u8>],
    spec: TableSpec,
    source: &(impl Fn(Range<u64>, &mut [u8]) + Sync),
) -> io::Result<Vec<u32>> {
    let work = |(number, (chunk, block)): (usize, (&mut [u8], &mut Vec<u8>))| {
        let first = start + (number * BLOCK_SIZE) as u64;
        source(first..first + chunk.len() as u64, chunk);
        assert!(
            holds_only_codes(chunk),
            "an entry of {} from {first} on is no value code",
            spec.subspace
        );
        compress(chunk, spec.level, block)?;
        Ok(crc32fast::hash(block))
    };
    values.par_chunks_mut(BLOCK_SIZE).zip(batch).enumerate().map(work).collect()
}

/// Compresses `values` into `block`, in place of what was there.
fn compress(values: &[u8], level: i32, block: &mut Vec<u8>) -> io::Result<()> {
    thread_local! {
        // One for each thread, kept for the next block.
        static CONTEXT: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    }
    let level = level.clamp(1, 19);
    CONTEXT.with_borrow_mut(|slot| {
        let context = match slot {
            Some((kept, context)) if *kept == level => context,
            _ => &mut slot.insert((level, Compressor::new(level)?)).1,
        };
        block.clear();
        block.reserve(zstd::zstd_safe::compress_bound(values.len()));
        context.compress_to_buffer(values, block)?;
        Ok(())
    })
}

/// A complete table under a temporary name. Dropping it removes the file.
///
/// The two tables of a pair are finished first and published then, one right after the other.
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

    /// Gives the file its name, in place of an older one.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn publish(self) -> Result<TableInfo, DbError> {
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
        let batch = (BATCH_BLOCKS * BLOCK_SIZE) as u64;
        let spec = TableSpec { subspace: Subspace::moving(3, 3), entries: 100 * batch, level: 1 };
        let filled = AtomicU64::new(0);
        let source = |range: Range<u64>, bytes: &mut [u8]| {
            filled.fetch_add(range.end - range.start, Ordering::Relaxed);
            bytes.fill(127);
        };
        let error = write_blocks(Disk(1000), 0, spec, &source, &|_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let batches = filled.load(Ordering::Relaxed) / batch;
        assert!(batches < 100, "all {batches} batches were computed");

        // The end of the disk in the last batch is noticed too.
        let spec = TableSpec { entries: 10, ..spec };
        let error = write_blocks(Disk(1), 0, spec, &source, &|_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
