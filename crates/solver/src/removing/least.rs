//! The least value over all stones that can be removed, for every arrangement of a row.
//!
//! For each of these stones the child row is known, and how groups and lanes map to it. Stones on
//! midpoints lead to groups as long as the row's, stones on corners to longer groups, with one more
//! free corner. The number of vectors for the two depends only on the number of corner stones in a
//! group. So the code handles groups by that number, with a form of its own for each pair of
//! lengths.

use merels_core::numbering::{binomial, lower_patterns};
use merels_simd::{Cpu, prefetch};

use crate::rows::lane_images::LaneTable;
use crate::rows::lanes::SHORT;
use crate::rows::row::Row;

/// How a row maps to the child row after the removal of one stone.
#[derive(Clone, Copy)]
pub(crate) struct RemovedStone<'a> {
    /// The child row and the bytes behind it.
    pub(crate) row: &'a [u8],
    /// By pattern of midpoint stones: where the child's group starts.
    pub(crate) starts: &'a [u32],
    /// By size and lane: the child's lane.
    pub(crate) lanes: LaneTable<'a>,
}

/// The groups of a row with the same number of midpoint stones.
struct Groups<'a> {
    /// The patterns of midpoint stones.
    patterns: &'a [u16],
    /// Where the groups start in the row, by pattern.
    starts: &'a [u32],
    /// Where their lanes begin in lane tables, and the number of lanes.
    lanes: usize,
    len: usize,
    /// The number of lanes of the child's groups after the removal of a corner stone.
    wider_len: usize,
}

/// Sets the values of a row to the least over all stones that can be removed, on midpoints and on
/// corners.
#[inline(always)]
pub(crate) fn least_over_stones<C: Cpu>(
    cpu: C,
    row: &Row<'_>,
    on_midpoints: &[RemovedStone<'_>],
    on_corners: &[RemovedStone<'_>],
    values: &mut [u8],
) {
    let size = row.unranked[0].count_ones() as u8;
    let midpoints = row.free.count_ones() as u8 - row.corners;
    let mut lanes = 0;
    for ones in 0..=row.corners.min(size) {
        let len = binomial(row.corners, ones) as usize;
        let wider_len =
            if on_corners.is_empty() { len } else { binomial(row.corners + 1, ones) as usize };
        if size - ones <= midpoints {
            let patterns = lower_patterns(midpoints, size - ones);
            let groups = Groups { patterns, starts: row.starts, lanes, len, wider_len };
            match (len.div_ceil(64), wider_len.div_ceil(64)) {
                (1, 1) => groups.fill::<C, 1, 1>(cpu, on_midpoints, on_corners, values),
                (1, 2) => groups.fill::<C, 1, 2>(cpu, on_midpoints, on_corners, values),
                (2, 2) => groups.fill::<C, 2, 2>(cpu, on_midpoints, on_corners, values),
                (1, 3..=4) => groups.fill::<C, 1, 4>(cpu, on_midpoints, on_corners, values),
                (2, 3..=4) => groups.fill::<C, 2, 4>(cpu, on_midpoints, on_corners, values),
                (3..=4, 3..=4) => groups.fill::<C, 4, 4>(cpu, on_midpoints, on_corners, values),
                _ => groups.fill_long(cpu, on_midpoints, on_corners, values),
            }
        }
        lanes += len;
    }
}

/// Groups to prefetch ahead of their use.
const AHEAD: usize = 8;

impl Groups<'_> {
    /// `T` vectors hold a group, `S` vectors the child's group if a corner stone is removed. The
    /// least value so far stays in registers, see [`Cpu::store`].
    #[inline(always)]
    fn fill<C: Cpu, const T: usize, const S: usize>(
        &self,
        cpu: C,
        on_midpoints: &[RemovedStone<'_>],
        on_corners: &[RemovedStone<'_>],
        values: &mut [u8],
    ) {
        for (i, &pattern) in self.patterns.iter().enumerate() {
            if let Some(&ahead) = self.patterns.get(i + AHEAD) {
                for stone in on_midpoints.iter().chain(on_corners) {
                    let start = stone.starts[usize::from(ahead)] as usize;
                    prefetch(stone.row, start);
                    prefetch(stone.row, start + self.len - 1);
                }
            }
            let pattern = usize::from(pattern);
            let mut least = [cpu.splat(u8::MAX); T];
            for stone in on_midpoints {
                stone.lower_to::<C, T, T>(cpu, pattern, self.lanes, self.len, &mut least);
            }
            for stone in on_corners {
                stone.lower_to::<C, T, S>(cpu, pattern, self.lanes, self.len, &mut least);
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

    /// Groups of any length.
    #[inline(always)]
    fn fill_long<C: Cpu>(
        &self,
        cpu: C,
        on_midpoints: &[RemovedStone<'_>],
        on_corners: &[RemovedStone<'_>],
        values: &mut [u8],
    ) {
        for &pattern in self.patterns {
            let pattern = usize::from(pattern);
            let start = self.starts[pattern] as usize;
            let target = &mut values[start..start + self.len];
            for part in 0..self.len.div_ceil(64) {
                let lanes = self.lanes + 64 * part;
                let mut least = cpu.splat(u8::MAX);
                for stone in on_midpoints {
                    least = cpu.min(least, stone.part(cpu, pattern, lanes, self.len));
                }
                for stone in on_corners {
                    least = cpu.min(least, stone.part(cpu, pattern, lanes, self.wider_len));
                }
                cpu.store(least, &mut target[64 * part..]);
            }
        }
    }
}

impl RemovedStone<'_> {
    /// Reduces `least` by the values after the removal, in the group of these midpoint stones,
    /// which has `len` lanes. The child's group fits `S` vectors.
    #[inline(always)]
    fn lower_to<C: Cpu, const T: usize, const S: usize>(
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
            let picked = cpu.shuffle_first(sources, places, len.saturating_sub(64 * part));
            *least = cpu.min(*least, picked);
        }
    }

    /// The values after the removal in 64 lanes of the group of these midpoint stones; the child's
    /// group has `len` lanes.
    #[inline(always)]
    fn part<C: Cpu>(&self, cpu: C, pattern: usize, lanes: usize, len: usize) -> C::Lanes {
        let group = &self.row[self.starts[pattern] as usize..];
        let low = cpu.load(self.lanes.low, lanes);
        if len > SHORT {
            return cpu.shuffle_long(group, len, low, cpu.load(self.lanes.high, lanes));
        }
        let sources: [_; 4] = cpu.load_all(group, 0);
        cpu.shuffle(sources, low)
    }
}
