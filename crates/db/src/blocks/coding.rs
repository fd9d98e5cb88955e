//! From values to the blocks of a file, batch by batch.
//!
//! Blocks are filled and coded on the current rayon pool, a batch at a time. The batch before is
//! digested meanwhile, by whichever thread has nothing else to do; the one before that is written by a
//! thread of its own, so that waiting for the disk holds up no computation until it lags three batches
//! behind. Memory: two batches of 4 MiB of values, and room for as much in each of up to four batches of
//! coded blocks.

use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::mpsc;
use std::{mem, thread};

use merels_core::Subspace;
use merels_core::numbering::Codes;
use rayon::prelude::*;

use crate::blocks::frames::Compression;
use crate::blocks::kind::{Blocks, holds_only_codes};
use crate::blocks::record::{BlockRecord, ENTRIES_PER_BLOCK};
use crate::blocks::split::split;
use crate::digest::Digest;

/// Blocks of a batch: 2 to 4 MiB of values, some 10 ms of work for one core.
const BATCH_BLOCKS: u64 = 64;

/// Batches that may wait for the disk.
const BATCHES_IN_FLIGHT: usize = 2;

/// Fills a slice with the codes of a range of indices.
pub type Fill<'a> = dyn Fn(Range<u64>, &mut [u8]) + Sync + 'a;

/// The values to be written, and how.
pub(crate) struct Coding<'a> {
    pub(crate) subspace: Subspace,
    pub(crate) blocks: &'a Blocks,
    pub(crate) compression: Compression,
    /// Where near and far codes come from.
    pub(crate) source: Codes<&'a Fill<'a>>,
    /// Called with the number of entries that are done.
    pub(crate) progress: &'a (dyn Fn(u64) + Sync),
    /// Whether the source itself leaves values out.
    pub(crate) partly: bool,
}

/// What has been written.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) records: Vec<BlockRecord>,
    /// Of all values.
    pub(crate) digest: Codes<Digest>,
    /// Of what the blocks decode to. Far codes are among it if blocks have them.
    pub(crate) kept: Codes<Digest>,
}

/// Blocks coded at a time. Its buffers are used again.
#[derive(Default)]
struct Batch {
    values: Codes<Vec<u8>>,
    /// What decoding returns; empty if that is the values themselves.
    kept: Codes<Vec<u8>>,
    coded: Coded,
    crcs: Vec<u32>,
}

/// The coded blocks of a batch.
type Coded = Vec<Vec<u8>>;

/// The digests of what has been coded.
#[derive(Default)]
struct Digests {
    values: Codes<blake3::Hasher>,
    kept: Codes<blake3::Hasher>,
}

impl Digests {
    fn add(&mut self, batch: &Batch) {
        for (hashers, bytes) in [(&mut self.values, &batch.values), (&mut self.kept, &batch.kept)] {
            hashers.near.update_rayon(&bytes.near);
            if let Some(far) = &bytes.far {
                hashers.far.get_or_insert_default().update_rayon(far);
            }
        }
    }
}

impl Coding<'_> {
    /// Asks for the codes of a range of indices.
    fn fill(&self, indices: &Range<u64>, codes: &mut Codes<&mut [u8]>) {
        let fill = |source: &Fill<'_>, codes: &mut [u8]| {
            source(indices.clone(), codes);
            assert!(
                self.partly || holds_only_codes(codes),
                "an entry of {} from {} on is no value code",
                self.subspace,
                indices.start
            );
        };
        fill(self.source.near, codes.near);
        if let (Some(source), Some(far)) = (self.source.far, &mut codes.far) {
            fill(source, far);
        }
    }

    /// Has every batch of some blocks made and taken, in order, and its values digested.
    fn in_batches<E: Send>(
        &self,
        blocks: &Blocks,
        make: impl Fn(Range<u64>, &mut Batch) -> Result<(), E> + Sync,
        mut take: impl FnMut(&mut Batch) -> Result<(), E>,
    ) -> Result<Digests, E> {
        let mut digests = Digests::default();
        let (mut batch, mut before) = (Batch::default(), Batch::default());
        for first in (0..blocks.count()).step_by(BATCH_BLOCKS as usize) {
            let numbers = first..(first + BATCH_BLOCKS).min(blocks.count());
            let end = blocks.indices_of(numbers.end - 1).end;
            let entries = (end - blocks.indices_of(first).start) as usize;
            resize(&mut batch.values, entries, self.source.has_far());
            let (made, ()) = rayon::join(|| make(numbers, &mut batch), || digests.add(&before));
            made?;
            take(&mut batch)?;
            (self.progress)(end);
            mem::swap(&mut batch, &mut before);
        }
        digests.add(&before);
        Ok(digests)
    }

    /// The digest of this many values, none of which is kept.
    pub(crate) fn digest_only(&self, entries: u64) -> Written {
        let blocks = Blocks::plain(entries, ENTRIES_PER_BLOCK);
        let make = |numbers: Range<u64>, batch: &mut Batch| {
            let work: Vec<_> = pieces(&blocks, numbers, &mut batch.values).collect();
            work.into_par_iter()
                .with_max_len(1)
                .for_each(|(block, mut codes)| self.fill(&blocks.indices_of(block), &mut codes));
            Ok::<(), Infallible>(())
        };
        let Ok(digests) = self.in_batches(&blocks, make, |_| Ok(()));
        let kept = Codes::near(Digest::of(&blake3::Hasher::new()));
        Written { records: Vec::new(), digest: self.digests(&digests.values), kept }
    }

    /// What the hashers have seen; of no values if there was none.
    fn digests(&self, hashers: &Codes<blake3::Hasher>) -> Codes<Digest> {
        let far = self.source.far.map(|_| hashers.far.clone().unwrap_or_default());
        Codes { near: hashers.near.clone(), far }.map(|hasher| Digest::of(&hasher))
    }

    /// Writes all blocks to `file`, the first at `offset`.
    pub(crate) fn write_blocks(
        &self,
        mut file: impl Write + Send,
        mut offset: u64,
    ) -> io::Result<Written> {
        let (full, to_write) = mpsc::sync_channel::<Coded>(BATCHES_IN_FLIGHT);
        let (used, to_fill) = mpsc::channel::<Coded>();
        thread::scope(|scope| {
            let write = move || -> io::Result<()> {
                for coded in to_write {
                    for block in &coded {
                        file.write_all(block)?;
                    }
                    // Nobody takes it any more when the last batch has been filled.
                    let _ = used.send(coded);
                }
                Ok(())
            };
            let writer = thread::Builder::new().spawn_scoped(scope, write)?;

            let mut records = Vec::new();
            let take = |batch: &mut Batch| {
                for (block, &crc) in batch.coded.iter().zip(&batch.crcs) {
                    let length = block.len() as u32;
                    records.push(BlockRecord { offset, length, crc });
                    offset += u64::from(length);
                }
                let coded = mem::replace(&mut batch.coded, to_fill.try_recv().unwrap_or_default());
                full.send(coded).map_err(|_| None)
            };
            let make = |numbers, batch: &mut Batch| self.code(numbers, batch).map_err(Some);
            let digests = self.in_batches(self.blocks, make, take);
            drop(full);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let digests = digests.map_err(|error| {
                error.unwrap_or_else(|| io::Error::other("the writing thread gave up"))
            })?;
            let digest = self.digests(&digests.values);
            let all = self.blocks.keep_all();
            let mut kept = if all { digest } else { self.digests(&digests.kept) };
            kept.far = kept.far.filter(|_| self.blocks.has_far());
            Ok(Written { records, digest, kept })
        })
    }

    /// Fills and codes the blocks of a batch.
    fn code(&self, numbers: Range<u64>, batch: &mut Batch) -> io::Result<()> {
        let blocks = self.blocks;
        let Batch { values, kept, coded, crcs } = batch;
        coded.resize_with((numbers.end - numbers.start) as usize, Vec::new);
        if !blocks.keep_all() {
            resize(kept, values.near.len(), values.has_far());
        }
        let mut kept = (!blocks.keep_all()).then(|| pieces(blocks, numbers.clone(), kept));
        let mut next_kept = || kept.as_mut()?.next().map(|(_, kept)| kept);
        let work = pieces(blocks, numbers.clone(), values).zip(coded);
        let work: Vec<_> = work.map(|(piece, bytes)| (piece, next_kept(), bytes)).collect();
        // Block by block: a thread that is done with its own takes over any other.
        let work = work.into_par_iter().with_max_len(1);
        let found: io::Result<Vec<_>> = work
            .map(|((block, mut values), kept, bytes)| {
                self.fill(&blocks.indices_of(block), &mut values);
                let values = Codes { near: &*values.near, far: values.far.as_deref() };
                blocks.encode(block, values, kept, self.compression, bytes)?;
                Ok(crc32fast::hash(bytes))
            })
            .collect();
        *crcs = found?;
        Ok(())
    }
}

/// Some blocks, each with its part of the codes.
fn pieces<'a>(
    blocks: &Blocks,
    numbers: Range<u64>,
    codes: &'a mut Codes<Vec<u8>>,
) -> impl Iterator<Item = (u64, Codes<&'a mut [u8]>)> {
    let lengths = numbers.clone().map(|block| blocks.len_of(block));
    numbers.zip(split(codes.slices_mut(), lengths))
}

/// Makes room for the codes of this many entries.
fn resize(codes: &mut Codes<Vec<u8>>, entries: usize, has_far: bool) {
    codes.near.resize(entries, 0);
    codes.far = has_far.then(|| {
        let mut far = codes.far.take().unwrap_or_default();
        far.resize(entries, 0);
        far
    });
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
            let coding = Coding {
                subspace: Subspace::moving(3, 3),
                blocks: &Blocks::plain(entries, ENTRIES_PER_BLOCK),
                compression: Compression::Level(1),
                source: Codes::near(&source),
                progress: &|_| (),
                partly: false,
            };
            coding.write_blocks(disk, 0).unwrap_err().kind()
        };
        assert_eq!(write(Disk(1000), 100 * batch), io::ErrorKind::StorageFull);
        let batches = filled.load(Ordering::Relaxed) / batch;
        assert!(batches < 100, "all {batches} batches were computed");

        // The end of the disk in the last batch is noticed too.
        assert_eq!(write(Disk(1), 10), io::ErrorKind::StorageFull);
    }
}
