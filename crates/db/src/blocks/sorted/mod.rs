//! The block form of the small editions: entries sorted by class, outcomes and distances apart.
//!
//! Entries of a block are sorted by their [class](threats), which is known from the position alone, so
//! that like stands beside like; within a class they keep their order. Then three zstd
//! frames follow: the outcomes, five to a byte; the distances of won entries; those of lost ones. An
//! edition without distances has the first frame only. Entries that are left out take no room.

mod order;
mod outcomes;
mod runs;
mod shape;
mod threats;

use std::cell::RefCell;
use std::io;
use std::ops::Range;

use merels_core::numbering::{SubspaceIndex, ValueCode, binomial};
use merels_core::{Board, Ruleset, Subspace};
use merels_simd::{Cpu, MIDDLE, Processor, SLACK, Work};

use crate::blocks::frames::{self, Compression};
use crate::edition::{Edition, Stored};

pub use order::LEFT_OUT;

use order::{Classify, Order, Sort, Sorting, Spread};
use outcomes::TRITS;
use shape::Shape;

/// The bytes in front of the frames, where there are three: the lengths of the first two.
const PREFIX: usize = 8;

/// Codes and decodes the blocks of a table.
#[derive(Debug)]
pub(crate) struct SortedBlocks {
    sorting: Sorting,
    distances: bool,
}

// The draw is the middle of the codes, as `Split` and `Join` need.
const _: () = assert!(ValueCode::DRAW.byte() == MIDDLE);

/// What a thread uses again for every block. Buffers grow, and are never shortened.
#[derive(Default)]
struct Scratch {
    order: Order,
    /// The values sorted by class, or outcomes.
    sorted: Vec<u8>,
    outcomes: Vec<u8>,
    wins: Vec<u8>,
    losses: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl SortedBlocks {
    /// For the table that `edition` keeps of a subspace, in blocks of about `entries_per_block`.
    pub(crate) fn new(
        ruleset: &Ruleset,
        subspace: Subspace,
        edition: Edition,
        entries_per_block: u32,
    ) -> Self {
        let index = SubspaceIndex::new(ruleset.board, subspace);
        Self {
            sorting: Sorting {
                ruleset: *ruleset,
                subspace,
                stored: edition.stored(ruleset, subspace),
                shape: Shape::new(index, entries_per_block),
            },
            distances: edition.has_distances(),
        }
    }

    /// Entries that a block may have beyond its size: its last group has up to 924.
    pub(crate) const MOST_BEYOND: usize = 1024;

    /// The most bytes of a block with about so many entries.
    pub(crate) fn longest(entries_per_block: u32) -> usize {
        let entries = entries_per_block as usize + Self::MOST_BEYOND;
        PREFIX + 3 * zstd::zstd_safe::compress_bound(entries)
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        if self.sorting.stored == Stored::Nothing { 0 } else { self.sorting.shape.blocks() }
    }

    /// How many blocks a table of which something is stored must have with so many entries.
    pub(crate) fn count_for(
        board: Board,
        subspace: Subspace,
        entries: u64,
        entries_per_block: u32,
    ) -> u64 {
        let points = board.geometry().point_count();
        let free = points.saturating_sub(subspace.mover());
        let row_len = binomial(free, subspace.other()) as u32;
        Shape::count_for(entries / u64::from(row_len.max(1)), row_len, entries_per_block)
    }

    /// The block that holds an entry.
    pub(crate) fn block_of(&self, index: u64) -> u64 {
        self.sorting.shape.block_of(index)
    }

    /// The indices of the entries of a block; an empty range if there is no such block.
    pub(crate) fn indices_of(&self, block: u64) -> Range<u64> {
        self.sorting.shape.indices_of(block)
    }

    /// Whether decoding gives back all that was coded.
    pub(crate) fn keeps_all(&self) -> bool {
        self.distances && self.sorting.stored == Stored::Whole
    }

    /// Codes the values of a block into `bytes`, in place of what was there. If asked for, `kept`
    /// becomes what [`SortedBlocks::decode`] gives back.
    ///
    /// # Errors
    /// Those of zstd.
    pub(crate) fn encode(
        &self,
        block: u64,
        values: &[u8],
        kept: Option<&mut [u8]>,
        compression: Compression,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { order, sorted, outcomes, wins, losses } = scratch;
            let processor = Processor::detect();
            grow([sorted, wins, losses], values.len());
            processor.dispatch(Sort { sorting: &self.sorting, block, values, order, sorted });
            let codes = &mut sorted[..order.total];
            outcomes::pack(codes, outcomes);
            let (won, lost) = if self.distances {
                processor.dispatch(Split { codes, wins, losses })
            } else {
                codes.iter_mut().for_each(|code| *code = outcomes::without_distance(*code));
                (0, 0)
            };
            if let Some(values) = kept {
                processor.dispatch(Spread { sorting: &self.sorting, block, sorted, order, values });
            }
            bytes.clear();
            if !self.distances {
                return frames::append(outcomes, compression, bytes);
            }
            bytes.extend([0; PREFIX]);
            frames::append(outcomes, compression, bytes)?;
            let first = (bytes.len() - PREFIX) as u32;
            if won > 0 {
                frames::append(&wins[..won], compression, bytes)?;
            }
            let second = (bytes.len() - PREFIX) as u32 - first;
            if lost > 0 {
                frames::append(&losses[..lost], compression, bytes)?;
            }
            bytes[..4].copy_from_slice(&first.to_le_bytes());
            bytes[4..PREFIX].copy_from_slice(&second.to_le_bytes());
            Ok(())
        })
    }

    /// Decodes a block into a buffer of its exact size: codes of values, [`LEFT_OUT`] where the
    /// table has none. Without distances a win is one in 1 ply, a loss one in 0.
    ///
    /// # Errors
    /// Why the bytes are no such block.
    pub(crate) fn decode(&self, block: u64, bytes: &[u8], values: &mut [u8]) -> Result<(), String> {
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { order, sorted, outcomes, wins, losses } = scratch;
            let processor = Processor::detect();
            processor.dispatch(Classify { sorting: &self.sorting, block, order });
            let total = order.total;
            let cut_off = || "it is cut off".to_owned();
            let (outcome_frame, win_frame, loss_frame) = if self.distances {
                let (prefix, rest) = bytes.split_at_checked(PREFIX).ok_or_else(cut_off)?;
                let length = |at: usize| {
                    let bytes = [prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]];
                    u32::from_le_bytes(bytes) as usize
                };
                let (outcomes, rest) = rest.split_at_checked(length(0)).ok_or_else(cut_off)?;
                let (wins, losses) = rest.split_at_checked(length(4)).ok_or_else(cut_off)?;
                (outcomes, wins, losses)
            } else {
                (bytes, &[][..], &[][..])
            };
            grow([sorted, wins, losses], values.len());
            outcomes.resize(total.div_ceil(TRITS), 0);
            frames::fill(outcome_frame, outcomes)?;
            let (won, lost) = outcomes::unpack(outcomes, total, sorted)?;
            if self.distances {
                let (wins_here, losses_here) = (&mut wins[..won], &mut losses[..lost]);
                frames::fill(win_frame, wins_here)?;
                frames::fill(loss_frame, losses_here)?;
                if !(are_distances(wins_here) && are_distances(losses_here)) {
                    return Err("a distance is longer than a value can say".into());
                }
                let codes = &mut sorted[..total];
                processor.dispatch(Join { codes, wins, losses });
            }
            processor.dispatch(Spread { sorting: &self.sorting, block, sorted, order, values });
            Ok(())
        })
    }
}

/// Makes room for so many bytes, and those that may be touched beyond them.
fn grow(buffers: [&mut Vec<u8>; 3], bytes: usize) {
    for buffer in buffers {
        if buffer.len() < bytes + SLACK {
            buffer.resize(bytes + SLACK, 0);
        }
    }
}

/// Splits off the distances of wins in `2 k + 1` plies as `k`, of losses in `2 e` plies as `e`.
struct Split<'a> {
    codes: &'a [u8],
    wins: &'a mut [u8],
    losses: &'a mut [u8],
}

impl Work for Split<'_> {
    type Output = (usize, usize);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> (usize, usize) {
        cpu.split(self.codes, self.wins, self.losses)
    }
}

/// The reverse of [`Split`], on codes without distances.
struct Join<'a> {
    codes: &'a mut [u8],
    wins: &'a [u8],
    losses: &'a [u8],
}

impl Work for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        cpu.join(self.codes, self.wins, self.losses);
    }
}

/// Whether a value can say these distances.
fn are_distances(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |most, &byte| byte.max(most)) < ValueCode::DRAW.byte()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: u8 = ValueCode::DRAW.byte();
    const LEVEL: Compression = Compression::Level(1);

    fn made_up(index: u64) -> u8 {
        let mixed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        match mixed % 7 {
            0 => (mixed >> 8) as u8 % 127,
            1 | 2 => 255 - (mixed >> 8) as u8 % 127,
            _ => DRAW,
        }
    }

    #[test]
    fn blocks_are_decoded_as_they_were_coded() {
        let standard = Ruleset::STANDARD;
        let cases = [
            (Subspace::moving(3, 4), 5000),
            (Subspace::moving(4, 4), 5000),
            (Subspace::moving(3, 3), 1 << 16),
            (Subspace::placing(0, 0, 9, 9), 1000),
            (Subspace::placing(1, 2, 8, 8), 8),
        ];
        for (subspace, entries_per_block) in cases {
            for edition in [Edition::Compact, Edition::Outcome] {
                let blocks = SortedBlocks::new(&standard, subspace, edition, entries_per_block);
                let mut bytes = Vec::new();
                let (mut stored, mut all) = (0, 0);
                for block in 0..blocks.blocks() {
                    let indices = blocks.indices_of(block);
                    let values: Vec<u8> = indices.map(made_up).collect();
                    let mut reduced = vec![2; values.len()];
                    let kept = Some(&mut reduced[..]);
                    blocks.encode(block, &values, kept, LEVEL, &mut bytes).unwrap();
                    assert!(bytes.len() <= SortedBlocks::longest(entries_per_block));
                    let mut decoded = vec![1; values.len()];
                    blocks.decode(block, &bytes, &mut decoded).unwrap();
                    assert_eq!(decoded, reduced);
                    for (&found, &value) in decoded.iter().zip(&values) {
                        all += 1;
                        if found == LEFT_OUT {
                            continue;
                        }
                        stored += 1;
                        if edition == Edition::Compact {
                            assert_eq!(found, value);
                        } else {
                            assert_eq!(found.cmp(&DRAW), value.cmp(&DRAW));
                        }
                    }
                }
                let half = blocks.sorting.stored == Stored::Half;
                let share = f64::from(stored) / f64::from(all);
                assert!(if half { (0.45..0.55).contains(&share) } else { share == 1.0 }, "{share}");
            }
        }
    }

    /// They come with blocks that are much smaller than those of files; both editions code them alike.
    #[test]
    fn blocks_without_stored_entries() {
        let four: Ruleset = "four".parse().unwrap();
        let of = |edition| SortedBlocks::new(&four, Subspace::moving(4, 4), edition, 4);
        let (compact, outcome) = (of(Edition::Compact), of(Edition::Outcome));
        let mut empty = 0;
        for block in 0..compact.blocks() {
            let values: Vec<u8> = compact.indices_of(block).map(made_up).collect();
            let mut kept = vec![2; values.len()];
            let (mut bytes, mut outcomes) = (Vec::new(), Vec::new());
            compact.encode(block, &values, Some(&mut kept), LEVEL, &mut bytes).unwrap();
            outcome.encode(block, &values, None, LEVEL, &mut outcomes).unwrap();
            assert!(!outcomes.is_empty());
            assert!(bytes[PREFIX..].starts_with(&outcomes));
            let mut decoded = vec![1; values.len()];
            compact.decode(block, &bytes, &mut decoded).unwrap();
            assert_eq!(decoded, kept);
            if decoded.iter().all(|&byte| byte == LEFT_OUT) {
                empty += 1;
                assert_eq!(bytes.len(), PREFIX + outcomes.len());
                outcome.decode(block, &outcomes, &mut decoded).unwrap();
                assert_eq!(decoded, kept);
            }
        }
        assert!(empty > 0);
    }

    #[test]
    fn damaged_blocks_are_refused() {
        let blocks =
            SortedBlocks::new(&Ruleset::STANDARD, Subspace::moving(3, 4), Edition::Compact, 5000);
        let values: Vec<u8> = blocks.indices_of(3).map(made_up).collect();
        let mut bytes = Vec::new();
        blocks.encode(3, &values, None, LEVEL, &mut bytes).unwrap();
        let mut decoded = vec![0; values.len()];
        for length in 0..bytes.len() {
            assert!(blocks.decode(3, &bytes[..length], &mut decoded).is_err(), "{length} bytes");
        }
        let mut other = vec![0; blocks.indices_of(4).count()];
        assert!(blocks.decode(4, &bytes, &mut other).is_err(), "another block");
        for i in 0..PREFIX {
            let mut changed = bytes.clone();
            changed[i] ^= 0x41;
            assert!(blocks.decode(3, &changed, &mut decoded).is_err(), "byte {i}");
        }
    }
}
