//! The least value over all stones that may be removed, for every arrangement of a row.
//!
//! For each of the stones the child row is known, and how blocks and lanes map to it. The stones
//! on upper points lead to blocks that are as long as the row's, those on lower points to longer ones,
//! with one free lower point more. How many vectors hold the two depends on the number of lower
//! stones in a block alone, so that blocks are worked on by that number, each by code for the
//! vectors it has.

use merels_core::{binomial, lower_patterns};

use crate::dispatch::Cpu;
use crate::rows::bytes::prefetch;
use crate::rows::lane_images::LaneTable;
use crate::rows::lanes::SHORT;
use crate::rows::row::Row;

/// How a row maps to the child row that the removal of one stone leads to.
#[derive(Clone, Copy)]
pub(crate) struct RemovedStone<'a> {
    /// The child row and what follows it.
    pub(crate) row: &'a [u8],
    /// By pattern of upper stones: where the child's block starts.
    pub(crate) starts: &'a [u32],
    /// By size and lane: the child's lane.
    pub(crate) lanes: LaneTable<'a>,
}

/// What blocks of one size have in common: by number of upper stones.
struct Blocks<'a> {
    /// The patterns of upper stones.
    patterns: &'a [u16],
    /// Where they start in the row, by pattern.
    starts: &'a [u32],
    /// Where their lanes begin in lane tables, and how many they are.
    lanes: usize,
    len: usize,
    /// Lanes of the child's blocks when a lower stone is removed.
    wider_len: usize,
}

/// Sets the values of a row to the least over all stones that may be removed: `uppers` on upper
/// points, `lowers` on lower points.
#[inline(always)]
pub(crate) fn least_over_stones<C: Cpu>(
    cpu: C,
    row: &Row<'_>,
    uppers: &[RemovedStone<'_>],
    lowers: &[RemovedStone<'_>],
    values: &mut [u8],
) {
    let size = row.unranked[0].count_ones() as u8;
    let upper = row.free.count_ones() as u8 - row.lower;
    let mut lanes = 0;
    for ones in 0..=row.lower.min(size) {
        let len = binomial(row.lower, ones) as usize;
        let wider_len =
            if lowers.is_empty() { len } else { binomial(row.lower + 1, ones) as usize };
        if size - ones <= upper {
            let patterns = lower_patterns(upper, size - ones);
            let blocks = Blocks { patterns, starts: row.starts, lanes, len, wider_len };
            match (len.div_ceil(64), wider_len.div_ceil(64)) {
                (1, 1) => blocks.fill::<C, 1, 1>(cpu, uppers, lowers, values),
                (1, 2) => blocks.fill::<C, 1, 2>(cpu, uppers, lowers, values),
                (2, 2) => blocks.fill::<C, 2, 2>(cpu, uppers, lowers, values),
                (1, 3..=4) => blocks.fill::<C, 1, 4>(cpu, uppers, lowers, values),
                (2, 3..=4) => blocks.fill::<C, 2, 4>(cpu, uppers, lowers, values),
                (3..=4, 3..=4) => blocks.fill::<C, 4, 4>(cpu, uppers, lowers, values),
                _ => blocks.fill_long(cpu, uppers, lowers, values),
            }
        }
        lanes += len;
    }
}

/// Blocks that are prefetched ahead of their use.
const AHEAD: usize = 8;

impl Blocks<'_> {
    /// `T` times 64 bytes hold a block, `S` times as many the child's block if a lower stone is
    /// removed. The least so far stays in registers, see [`Cpu::store`].
    #[inline(always)]
    fn fill<C: Cpu, const T: usize, const S: usize>(
        &self,
        cpu: C,
        uppers: &[RemovedStone<'_>],
        lowers: &[RemovedStone<'_>],
        values: &mut [u8],
    ) {
        for (i, &pattern) in self.patterns.iter().enumerate() {
            if let Some(&ahead) = self.patterns.get(i + AHEAD) {
                for stone in uppers.iter().chain(lowers) {
                    let start = stone.starts[usize::from(ahead)] as usize;
                    prefetch(stone.row, start);
                    prefetch(stone.row, start + self.len - 1);
                }
            }
            let pattern = usize::from(pattern);
            let mut least = [cpu.splat(u8::MAX); T];
            for stone in uppers {
                stone.lower::<C, T, T>(cpu, pattern, self.lanes, self.len, &mut least);
            }
            for stone in lowers {
                stone.lower::<C, T, S>(cpu, pattern, self.lanes, self.len, &mut least);
            }
            let start = self.starts[pattern] as usize;
            let target = &mut values[start..start + self.len];
            for part in 0..T {
                if 64 * part < self.len {
                    cpu.store(least[part], &mut target[64 * part..]);
                }
            }
        }
    }

    /// Blocks of any length.
    #[inline(always)]
    fn fill_long<C: Cpu>(
        &self,
        cpu: C,
        uppers: &[RemovedStone<'_>],
        lowers: &[RemovedStone<'_>],
        values: &mut [u8],
    ) {
        for &pattern in self.patterns {
            let pattern = usize::from(pattern);
            let start = self.starts[pattern] as usize;
            let target = &mut values[start..start + self.len];
            for part in 0..self.len.div_ceil(64) {
                let lanes = self.lanes + 64 * part;
                let mut least = cpu.splat(u8::MAX);
                for stone in uppers {
                    least = cpu.min(least, stone.part(cpu, pattern, lanes, self.len));
                }
                for stone in lowers {
                    least = cpu.min(least, stone.part(cpu, pattern, lanes, self.wider_len));
                }
                cpu.store(least, &mut target[64 * part..]);
            }
        }
    }
}

impl RemovedStone<'_> {
    /// Lowers `least` to what the removal is worth in the block of these upper stones, which has `len`
    /// lanes, where the child's block fits `S` times 64 bytes.
    #[inline(always)]
    fn lower<C: Cpu, const T: usize, const S: usize>(
        &self,
        cpu: C,
        pattern: usize,
        lanes: usize,
        len: usize,
        least: &mut [C::Lanes; T],
    ) {
        let start = self.starts[pattern] as usize;
        let sources: [_; S] = cpu.load_all(self.row, start);
        let places: [_; T] = cpu.load_all(self.lanes.low, lanes);
        for (part, (least, places)) in least.iter_mut().zip(places).enumerate() {
            let picked = cpu.pick_first(sources, places, len.saturating_sub(64 * part));
            *least = cpu.min(*least, picked);
        }
    }

    /// What the removal is worth in 64 lanes of the block of these upper stones; the child's block has
    /// `len`.
    #[inline(always)]
    fn part<C: Cpu>(&self, cpu: C, pattern: usize, lanes: usize, len: usize) -> C::Lanes {
        let block = &self.row[self.starts[pattern] as usize..];
        let low = cpu.load(self.lanes.low, lanes);
        if len > SHORT {
            return cpu.pick_long(block, len, low, cpu.load(self.lanes.high, lanes));
        }
        let sources: [_; 4] = cpu.load_all(block, 0);
        cpu.pick(sources, low)
    }
}
