//! Storing decided values: from rows keyed by one side to rows keyed by the other.
//!
//! A layer decides positions in rows keyed by the side that waits; their values belong into rows
//! keyed by the side to move. That is the one random access for each position. Destinations are
//! worked out some way ahead and prefetched. Where the representative has a stabiliser, the value
//! goes to all images under the symmetries that lead to it, so that entries that stand for the same
//! position always agree.

use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::bits::BitTricks;
use merels_core::{PART_LIMIT, lower_ranks};

use crate::memory::prefetch;
use crate::rows::{LINE, Rows, SYMMETRIC};

/// Where values are stored: a table of rows, and for each of its cache lines whether it holds a
/// value of the layer to come.
pub(crate) struct Target<'a> {
    /// The shape of the table.
    pub(crate) rows: &'a Rows,
    /// The values, as codes.
    pub(crate) values: &'a [AtomicU8],
    /// One byte for each cache line of `values`.
    pub(crate) touched: &'a [AtomicU8],
}

/// How many stores are under way at once.
const AHEAD: usize = 32;

/// The tables that an address needs, at hand.
struct Addressing<'a> {
    starts: [&'a [u32]; PART_LIMIT as usize + 1],
    points: u32,
    lower_mask: u32,
    stride: usize,
}

impl Addressing<'_> {
    /// Where the position with the target's key `key` (of row `class`) and the other stones `other`
    /// lies.
    #[inline(always)]
    fn address<B: BitTricks>(&self, bits: B, class: usize, key: u32, other: u32) -> usize {
        let free = self.points & !key;
        let compressed = bits.extract(other, free);
        let lower = (free & self.lower_mask).count_ones();
        let lower_rank = lower_ranks()[(compressed & ((1 << lower) - 1) & 0xfff) as usize];
        let start = self.starts[lower as usize][(compressed >> lower) as usize];
        class * self.stride + start as usize + usize::from(lower_rank)
    }
}

impl Target<'_> {
    /// Stores `code` for the positions in which the side to move has one of the sets `movers` and
    /// the side that waits has the stones with these `images` (by symmetry).
    #[inline(always)]
    pub(crate) fn store<B: BitTricks>(
        &self,
        bits: B,
        images: &[u32; 16],
        movers: &[u32],
        code: u8,
    ) {
        let classes = self.rows.index().classes();
        let located = classes.packed();
        let ranking = classes.ranking();
        let lower_count = u32::from(ranking.lower());
        let lower_mask = (1_u32 << lower_count) - 1;
        let class_starts = ranking.block_starts();
        let mut starts = [&[][..]; PART_LIMIT as usize + 1];
        for (slot, ranking) in starts.iter_mut().zip(self.rows.index().rankings().by_free_lower()) {
            if let Some(ranking) = ranking {
                *slot = ranking.block_starts();
            }
        }
        let addressing = Addressing {
            starts,
            points: self.rows.board().geometry().points().bits(),
            lower_mask,
            stride: self.rows.stride(),
        };
        let keys = self.rows.key_words();

        let mut ranks = [0_usize; AHEAD];
        let mut addresses = [0_usize; AHEAD];
        for group in movers.chunks(AHEAD) {
            for (rank, &mover) in ranks.iter_mut().zip(group) {
                let lower_rank = lower_ranks()[(mover & lower_mask & 0xfff) as usize];
                *rank = class_starts[(mover >> lower_count) as usize] as usize
                    + usize::from(lower_rank);
                prefetch(located, *rank);
            }
            let mut len = 0;
            for &rank in &ranks[..group.len()] {
                let packed = located[rank];
                let class = (packed >> 4) as usize;
                let other = images[(packed & 15) as usize];
                let key = keys[class];
                if key & SYMMETRIC != 0 {
                    self.store_to_images(bits, &addressing, class, other, code);
                    continue;
                }
                let address = addressing.address(bits, class, key, other);
                prefetch(self.values, address);
                addresses[len] = address;
                len += 1;
            }
            for &address in &addresses[..len] {
                self.put(address, code);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn store_to_images<B: BitTricks>(
        &self,
        bits: B,
        addressing: &Addressing<'_>,
        class: usize,
        other: u32,
        code: u8,
    ) {
        let key = self.rows.key_words()[class] & !SYMMETRIC;
        self.put(addressing.address(bits, class, key, other), code);
        let images = self.rows.images(merels_core::Points::from_bits(other));
        for twin in self.rows.twins(class) {
            self.put(addressing.address(bits, class, key, images[twin.index()]), code);
        }
    }

    /// Relaxed order is enough: nobody reads these tables before the threads of the stage have
    /// joined, and whoever stores to the same place stores the same byte.
    #[inline(always)]
    fn put(&self, address: usize, code: u8) {
        self.values[address].store(code, Ordering::Relaxed);
        self.touched[address / LINE].store(1, Ordering::Relaxed);
    }
}
