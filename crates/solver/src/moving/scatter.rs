//! Storing decided values: from rows keyed by one side to rows keyed by the other.
//!
//! A layer decides positions in rows keyed by the side that waits; their values belong to rows
//! keyed by the side to move. This is the one random access for each position, so the storer
//! computes destinations some way ahead and prefetches them. If the representative has a
//! stabiliser, the value goes to all images under the symmetries that lead to it, so that entries
//! of one position always agree.

use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::Points;
use merels_core::numbering::{PART_LIMIT, lower_ranks};
use merels_simd::{Cpu, prefetch};

use crate::rows::row::{LINE, Rows, SYMMETRIC};

/// The destination: a table of rows, and for each of its cache lines whether it holds a value of
/// the next layer.
pub(crate) struct Target<'a> {
    /// The shape of the table.
    pub(crate) rows: &'a Rows,
    /// The values, as codes.
    pub(crate) values: &'a [AtomicU8],
    /// One byte for each cache line of `values`.
    pub(crate) touched: &'a [AtomicU8],
}

/// How many positions are looked up, and then stored, together.
const WINDOW: usize = 64;

/// Stores one code for many positions. Looks up one window of positions while the cache lines of
/// the previous window are on their way.
pub(crate) struct Storer<'a, B> {
    bits: B,
    target: &'a Target<'a>,
    code: u8,
    located: &'a [u32],
    class_starts: &'a [u32],
    key_words: &'a [u32],
    starts: [&'a [u32]; PART_LIMIT as usize + 1],
    points: u32,
    corner_count: u32,
    waiting: [usize; WINDOW],
    waiting_len: usize,
}

impl<'a, B: Cpu> Storer<'a, B> {
    /// Stores `code` into `target`.
    pub(crate) fn new(bits: B, target: &'a Target<'a>, code: u8) -> Self {
        let rows = target.rows;
        let classes = rows.index().classes();
        let mut starts = [&[][..]; PART_LIMIT as usize + 1];
        for (slot, ranking) in starts.iter_mut().zip(rows.index().rankings().by_free_corners()) {
            if let Some(ranking) = ranking {
                *slot = ranking.group_starts();
            }
        }
        Self {
            bits,
            target,
            code,
            located: classes.packed(),
            class_starts: classes.ranking().group_starts(),
            key_words: rows.key_words(),
            starts,
            points: rows.board().geometry().points().bits(),
            corner_count: u32::from(classes.ranking().lower()),
            waiting: [0; WINDOW],
            waiting_len: 0,
        }
    }

    /// Stores the code for the positions in which the side to move has one of the sets `movers`;
    /// the stones of the side that waits have these `images`, by symmetry.
    #[inline(always)]
    pub(crate) fn store(&mut self, images: &[u32; 16], movers: &[u32]) {
        let corner_mask = (1_u32 << self.corner_count) - 1;
        let mut ranks = [0_u32; WINDOW];
        for window in movers.chunks(WINDOW) {
            for (rank, &mover) in ranks.iter_mut().zip(window) {
                let lower_rank = lower_ranks()[(mover & corner_mask & 0xfff) as usize];
                *rank = self.class_starts[(mover >> self.corner_count) as usize]
                    + u32::from(lower_rank);
                prefetch(self.located, *rank as usize);
            }
            self.finish();
            let mut len = 0;
            for &rank in &ranks[..window.len()] {
                let packed = self.located[rank as usize];
                let class = (packed >> 4) as usize;
                let other = images[(packed & 15) as usize];
                let key = self.key_words[class];
                if key & SYMMETRIC != 0 {
                    self.store_to_images(class, other);
                    continue;
                }
                let address = self.address(class, key, other);
                prefetch(self.target.values, address);
                self.waiting[len] = address;
                len += 1;
            }
            self.waiting_len = len;
        }
    }

    /// Completes the waiting stores.
    #[inline(always)]
    pub(crate) fn finish(&mut self) {
        for &address in &self.waiting[..self.waiting_len] {
            self.put(address);
        }
        self.waiting_len = 0;
    }

    /// The address of the position with the key `key` (of row `class`) and the other stones
    /// `other`.
    #[inline(always)]
    fn address(&self, class: usize, key: u32, other: u32) -> usize {
        let free = self.points & !key;
        let compressed = self.bits.extract(other, free);
        let corners = (free & ((1 << self.corner_count) - 1)).count_ones();
        let lower_rank = lower_ranks()[(compressed & ((1 << corners) - 1) & 0xfff) as usize];
        let start = self.starts[corners as usize][(compressed >> corners) as usize];
        class * self.target.rows.stride() + start as usize + usize::from(lower_rank)
    }

    #[cold]
    #[inline(never)]
    fn store_to_images(&self, class: usize, other: u32) {
        let rows = self.target.rows;
        let key = self.key_words[class] & !SYMMETRIC;
        self.put(self.address(class, key, other));
        let symmetries = rows.board().geometry().symmetries();
        for twin in rows.twins(class) {
            let image = symmetries.apply(twin, Points::from_bits(other)).bits();
            self.put(self.address(class, key, image));
        }
    }

    /// Relaxed ordering is enough: no thread reads these tables before all threads of the stage
    /// have joined, and all threads that store to one address store the same byte.
    #[inline(always)]
    fn put(&self, address: usize) {
        self.target.values[address].store(self.code, Ordering::Relaxed);
        self.target.touched[address / LINE].store(1, Ordering::Relaxed);
    }
}
