//! Un-moves on their way to the counters.
//!
//! In most layers a row has few sources, and none of its bytes is in a cache. So un-moves pass
//! through three plain loops: collect the sets of stones; compute the addresses of their counters
//! and prefetch them; test the counters.

use merels_core::numbering::lower_ranks;
use merels_simd::{Cpu, Work, prefetch};

use crate::moving::decided::{Decided, Effect};
use crate::moving::unmoves::{Arrival, MOST_UNMOVES, Unmoves};
use crate::rows::row::Row;

/// A row within its chunk.
pub(super) struct ChunkRow<'a> {
    pub(super) class: usize,
    /// Where its counters start within the chunk.
    pub(super) start: usize,
    pub(super) row: Row<'a>,
}

/// Un-moves on their way to the counters.
pub(super) struct UnmoveBuffer {
    /// The sets of stones before the move.
    stones: Box<[u32; Self::CAPACITY]>,
    /// The addresses of their counters within the chunk, computed for rows that have ended.
    addresses: Box<[u32; Self::CAPACITY]>,
    len: usize,
    /// The classes of the rows that have ended, and where their un-moves end.
    rows: Vec<(usize, usize)>,
}

impl Default for UnmoveBuffer {
    fn default() -> Self {
        let zeros = || Box::new([0; Self::CAPACITY]);
        Self { stones: zeros(), addresses: zeros(), len: 0, rows: Vec::new() }
    }
}

impl UnmoveBuffer {
    const CAPACITY: usize = 4096;

    /// How many un-moves may wait: their counters, each in a line of its own, fit a first-level
    /// cache.
    const WAITING: usize = 384;

    /// Whether the un-moves of one more source may not fit.
    #[inline(always)]
    pub(super) const fn is_full(&self) -> bool {
        self.len > Self::CAPACITY - MOST_UNMOVES
    }

    /// Adds the un-moves of the source of rank `rank`.
    ///
    /// # Panics
    /// If this [is full](Self::is_full).
    #[inline(always)]
    pub(super) fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        moves: impl Unmoves,
        row: &Row<'_>,
        rank: usize,
        arrival: Arrival,
    ) {
        let stones = cpu.deposit(row.unranked[rank], row.free);
        let arrived = moves.arrived(stones, arrival);
        let window = self.stones[self.len..].first_chunk_mut().expect("room for one more source");
        self.len += moves.unmoves(cpu, stones, arrived, row.free & !stones, window);
    }

    /// Computes the addresses of the un-moves added since the last row ended. Tests the counters if
    /// enough of them wait, or if `all` is set. Returns the number of un-moves completed.
    #[inline(always)]
    pub(super) fn end_row<C: Cpu>(
        &mut self,
        cpu: C,
        chunk_row: &ChunkRow<'_>,
        effect: Effect,
        counters: &mut [u8],
        decided: &mut Decided,
        all: bool,
    ) -> u64 {
        let new = self.rows.last().map_or(0, |&(_, end)| end)..self.len;
        let (row, start) = (chunk_row.row, chunk_row.start);
        let (stones, addresses) = (&self.stones[new.clone()], &mut self.addresses[new]);
        cpu.call(Locate { row, start, stones, addresses, counters });
        self.rows.push((chunk_row.class, self.len));
        if all || self.len > Self::WAITING {
            self.finish(cpu, effect, counters, decided)
        } else {
            0
        }
    }

    /// Tests the counters of all waiting un-moves. Returns their number.
    #[inline(always)]
    pub(super) fn finish<C: Cpu>(
        &mut self,
        cpu: C,
        effect: Effect,
        counters: &mut [u8],
        decided: &mut Decided,
    ) -> u64 {
        let mut start = 0;
        for (class, end) in self.rows.drain(..) {
            let (stones, addresses) = (&self.stones[start..end], &self.addresses[start..end]);
            decided.add_row(class, end - start, |decided| match effect {
                Effect::Win => cpu.call(Apply::<true> { stones, addresses, counters, decided }),
                Effect::OneWayLess => {
                    cpu.call(Apply::<false> { stones, addresses, counters, decided })
                }
            });
            start = end;
        }
        std::mem::take(&mut self.len) as u64
    }
}

/// Computes the addresses of the counters of one row's un-moves, and prefetches them.
struct Locate<'a> {
    row: Row<'a>,
    start: usize,
    stones: &'a [u32],
    addresses: &'a mut [u32],
    counters: &'a [u8],
}

impl Work for Locate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { row, start, stones, addresses, counters } = self;
        let lower_ranks = lower_ranks();
        let corner_mask = (1_u32 << row.corners) - 1;
        for (&stones, address) in stones.iter().zip(addresses) {
            let compressed = cpu.extract(stones, row.free);
            let group = row.starts[(compressed >> row.corners) as usize];
            let lane = u32::from(lower_ranks[(compressed & corner_mask & 0xfff) as usize]);
            *address = start as u32 + group + lane;
            prefetch(counters, *address as usize);
        }
    }
}

/// Tests the counters of un-moves: `WIN` for [`Effect::Win`], else [`Effect::OneWayLess`]. Writes
/// the decided positions to the start of `decided` and returns their number.
///
/// The loop has no branches, since they would be unpredictable.
struct Apply<'a, const WIN: bool> {
    stones: &'a [u32],
    addresses: &'a [u32],
    counters: &'a mut [u8],
    decided: &'a mut [u32],
}

impl<const WIN: bool> Work for Apply<'_, WIN> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> usize {
        let Self { stones, addresses, counters, decided } = self;
        let mut count = 0;
        for (&stones, &address) in stones.iter().zip(addresses) {
            let counter = &mut counters[address as usize];
            decided[count] = stones;
            if WIN {
                count += usize::from(*counter != 0);
                *counter = 0;
            } else {
                count += usize::from(*counter == 1);
                *counter = counter.saturating_sub(1);
            }
        }
        count
    }
}
