//! A layer on a row with many sources: whole groups work back at once.
//!
//! The sources of a group are bits of words, one for each lane ([`LaneWords`]). An un-move between
//! two midpoints leads to another group and keeps the lane. An un-move between a midpoint and a
//! corner leads to another group, too, and moves all lanes alike. So all un-moves along one edge of
//! the board between two groups take a few instructions, and for one edge the same constants serve
//! all pairs of groups of the same sizes. Whether the arriving stone closes a mill is a constant,
//! too: the edge lies in a line that the un-move breaks open, and the point of arrival lies on at
//! most one other line. The midpoint stones of that line belong to the group, its corner stones are
//! a set of lanes.
//!
//! The sweep collects what it reaches for the whole row: as bits where one way to win is enough, as
//! counts where ways out are closed. Then it passes the counters once, line by line.
//!
//! This needs a board without neighbouring corners. It pays where sources are dense
//! ([`sweep_share`] of a processor); elsewhere `propagate` handles un-moves one by one.

use merels_core::numbering::{LaneWords, binomial};
use merels_simd::{Cpu, Processor, Work};

use crate::moving::decided::{Decided, Effect};
use crate::rows::edges::Edges;
use crate::rows::lane_moves::{LaneMoves, PATTERNS_WITHOUT};
use crate::rows::row::{LINE, Row};

/// The sweep of a row costs less than single un-moves if at least one in this many entries is a
/// source. Zero means that it never does.
pub(crate) fn sweep_share(processor: Processor) -> usize {
    if processor == Processor::Portable { 0 } else { 12 }
}

const WORD: usize = LaneWords::WORD;

/// One byte for each lane of a word.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bytes([u8; LINE]);

/// Sets of entries of a row, one bit for each rank.
#[derive(Default)]
pub(crate) struct RowBits {
    words: Vec<u64>,
}

impl RowBits {
    /// Empties the set, for a row of `stride` bytes.
    pub(crate) fn clear(&mut self, stride: usize) {
        self.words.clear();
        // One more word, so that any 64 bits of the row lie in two words.
        self.words.resize(stride / WORD + 1, 0);
    }

    /// Adds an entry.
    #[inline(always)]
    pub(crate) fn insert(&mut self, rank: usize) {
        self.words[rank / WORD] |= 1 << (rank % WORD);
    }

    /// Sets the entries of one cache line.
    #[inline(always)]
    pub(crate) fn set_line(&mut self, line: usize, bits: u64) {
        self.words[line] = bits;
    }

    /// `len` entries, at most 64, from rank `start` on.
    #[inline(always)]
    fn get(&self, start: usize, len: usize) -> u64 {
        let (word, shift) = (start / WORD, start % WORD);
        let bits = self.words[word] >> shift | (self.words[word + 1] << 1) << (WORD - 1 - shift);
        if len < WORD { bits & ((1 << len) - 1) } else { bits }
    }
}

/// The other stones of the line that an arriving stone closes, compressed to the free points.
#[derive(Clone, Copy)]
struct Closes {
    midpoints: u32,
    corners: u32,
    /// Whether there is such a line.
    is_line: bool,
}

impl Closes {
    #[inline(always)]
    fn new<C: Cpu>(cpu: C, row: &Row<'_>, rest: u32) -> Self {
        let is_line = rest != 0 && rest & !row.free == 0;
        let rest = cpu.extract(rest, row.free);
        Self { midpoints: rest >> row.corners, corners: rest & ((1 << row.corners) - 1), is_line }
    }

    /// The lanes of a word of groups with `size` corner stones in which these close the line. Bits
    /// beyond the last lane mean nothing.
    #[inline(always)]
    fn lanes(self, size: usize, word: usize) -> u64 {
        if self.is_line { LaneWords::shared().holding(size as u8, word, self.corners) } else { 0 }
    }

    /// Those lanes in a group with these midpoint stones.
    #[inline(always)]
    const fn with(self, lanes: u64, stones: u32) -> u64 {
        if stones & self.midpoints == self.midpoints { lanes } else { 0 }
    }
}

/// Scratch memory of a thread, used for one row after the other.
#[derive(Default)]
pub(crate) struct Sweeper {
    /// The sources, group by group.
    sources: Vec<SourceWord>,
    /// What the un-moves reach, group by group: which lanes, or how often each lane.
    reached: Vec<u64>,
    hits: Vec<Bytes>,
    /// The same by rank; at the end, the newly decided entries.
    reached_ranks: Vec<u64>,
    hit_ranks: Vec<u8>,
}

/// The sources of a word of lanes.
#[derive(Clone, Copy)]
struct SourceWord {
    /// The sources if the arriving stone closed no mill.
    quiet: u64,
    /// The lanes in which it matters whether the stone closed a mill.
    differing: u64,
}

impl SourceWord {
    /// The sources if the stone closed a mill in the lanes `closed`.
    #[inline(always)]
    const fn arrived(self, closed: u64) -> u64 {
        self.quiet ^ (self.differing & closed)
    }
}

/// The sweep over one row. Returns the number of un-moves.
pub(crate) struct SweepRow<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) row: &'a Row<'a>,
    pub(crate) effect: Effect,
    /// Entries with a value of the layer's distance.
    pub(crate) values: &'a RowBits,
    /// Entries whose best removal has a value of that distance.
    pub(crate) removals: &'a RowBits,
    /// Whether a stone that arrives in a mill removes another; the value before it is then that of
    /// the removal.
    pub(crate) mills_remove: bool,
    pub(crate) counters: &'a mut [u8],
    pub(crate) sweeper: &'a mut Sweeper,
    /// The class of the row's key.
    pub(crate) class: usize,
    pub(crate) decided: &'a mut Decided,
}

impl Work for SweepRow<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { edges, row, sweeper, counters, .. } = self;
        let Sweeper { sources, reached, hits, reached_ranks, hit_ranks } = sweeper;
        let group_words = *row.group_words.last().expect("a start for each pattern") as usize;
        sources.clear();
        for_each_word(row, |_, start, len| {
            let quiet = self.values.get(start, len);
            let closed = if self.mills_remove { self.removals.get(start, len) } else { quiet };
            sources.push(SourceWord { quiet, differing: quiet ^ closed });
        });
        reached_ranks.clear();
        reached_ranks.resize(counters.len() / WORD + 1, 0);
        let edges = match self.effect {
            Effect::Win => {
                reached.clear();
                reached.resize(group_words, 0);
                let edges = cpu.call(WorkBack { edges, row, sources, reached: Once(reached) });
                for_each_word(row, |at, start, _| {
                    let (word, shift) = (start / WORD, start % WORD);
                    reached_ranks[word] |= reached[at] << shift;
                    reached_ranks[word + 1] |= (reached[at] >> 1) >> (WORD - 1 - shift);
                });
                for (fresh, counters) in reached_ranks.iter_mut().zip(as_lines(counters)) {
                    let before = cpu.load(counters, 0);
                    *fresh &= !cpu.equal(before, 0);
                    cpu.store(cpu.blend(*fresh, before, cpu.splat(0)), counters);
                }
                edges
            }
            Effect::OneWayLess => {
                hits.clear();
                hits.resize(group_words, Bytes([0; LINE]));
                let edges = cpu.call(WorkBack { edges, row, sources, reached: Counted(hits) });
                // Each word is written whole. The bytes behind its lanes are zero, and the next
                // word overwrites them.
                hit_ranks.resize(hit_ranks.len().max(counters.len() + LINE), 0);
                for_each_word(row, |at, start, _| {
                    cpu.store(cpu.load(&hits[at].0, 0), &mut hit_ranks[start..][..LINE]);
                });
                let lines = as_lines(counters).iter_mut().zip(as_lines(hit_ranks));
                for (fresh, (counters, hits)) in reached_ranks.iter_mut().zip(lines) {
                    let before = cpu.load(counters, 0);
                    let after = cpu.subtract(before, cpu.load(hits, 0));
                    *fresh = cpu.equal(after, 0) & !cpu.equal(before, 0);
                    cpu.store(after, counters);
                }
                edges
            }
        };
        let count = reached_ranks.iter().map(|fresh| fresh.count_ones() as usize).sum();
        self.decided.add_row(self.class, count, |decided| {
            let mut slots = decided.iter_mut();
            for (i, &fresh) in reached_ranks.iter().enumerate() {
                let mut fresh = fresh;
                while fresh != 0 {
                    let rank = i * WORD + fresh.trailing_zeros() as usize;
                    fresh &= fresh - 1;
                    let slot = slots.next().expect("they were counted");
                    *slot = cpu.deposit(row.unranked[rank], row.free);
                }
            }
            count
        });
        edges
    }
}

fn as_lines(bytes: &mut [u8]) -> &mut [[u8; LINE]] {
    bytes.as_chunks_mut().0
}

/// Calls `found` with the number, the first rank and the number of lanes of every word of a row.
#[inline(always)]
fn for_each_word(row: &Row<'_>, mut found: impl FnMut(usize, usize, usize)) {
    let mut at = 0;
    for ranks in row.starts.windows(2) {
        for start in (ranks[0]..ranks[1]).step_by(WORD) {
            found(at, start as usize, (ranks[1] - start).min(WORD as u32) as usize);
            at += 1;
        }
    }
}

/// What the un-moves of a row reach.
trait Reached {
    /// Notes that the un-moves reach the `lanes` of word `at`.
    fn reach<C: Cpu>(&mut self, cpu: C, at: usize, lanes: u64);
}

/// Whether un-moves reach an entry.
struct Once<'a>(&'a mut [u64]);

impl Reached for Once<'_> {
    #[inline(always)]
    fn reach<C: Cpu>(&mut self, _: C, at: usize, lanes: u64) {
        self.0[at] |= lanes;
    }
}

/// How often un-moves reach an entry.
struct Counted<'a>(&'a mut [Bytes]);

impl Reached for Counted<'_> {
    #[inline(always)]
    fn reach<C: Cpu>(&mut self, cpu: C, at: usize, lanes: u64) {
        let bytes = &mut self.0[at].0;
        cpu.store(cpu.masked_add(lanes, cpu.load(bytes, 0), 1), bytes);
    }
}

/// All un-moves of a row. Returns their number.
struct WorkBack<'a, R> {
    edges: &'a Edges,
    row: &'a Row<'a>,
    sources: &'a [SourceWord],
    reached: R,
}

impl<R: Reached> Work for WorkBack<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) -> u64 {
        let row = self.row;
        let mut unmoves = 0;
        for edge in &self.edges.0 {
            let [one, other] = edge.points;
            if row.free >> one & row.free >> other & 1 == 0 {
                continue;
            }
            let number = |point: u8| (row.free & ((1 << point) - 1)).count_ones() as usize;
            let (i, j) = (number(one) - row.corners as usize, number(other));
            let [closes_one, closes_other] = edge.closes;
            let closes = [Closes::new(cpu, row, closes_one), Closes::new(cpu, row, closes_other)];
            unmoves += match j.checked_sub(row.corners as usize) {
                None => self.midpoint_corner(cpu, i, j, closes),
                Some(j) => self.two_midpoints(cpu, i, j, closes),
            };
        }
        unmoves
    }
}

impl<R: Reached> WorkBack<'_, R> {
    /// Both directions along an edge from midpoint `i` to corner `j`, both numbered among the free
    /// points.
    #[inline(always)]
    fn midpoint_corner<C: Cpu>(&mut self, cpu: C, i: usize, j: usize, closes: [Closes; 2]) -> u64 {
        let Self { row, sources, reached, .. } = self;
        let midpoints = row.free.count_ones() as usize - row.corners as usize;
        let sizes = LaneMoves::of_all_sizes(row.corners);
        let size = row.unranked[0].count_ones() as usize;
        let [closes_midpoint, closes_corner] = closes;
        let mut unmoves = 0;
        // The number of midpoint stones that stay.
        for ones in 0..midpoints.min(size) {
            let corner_size = size - 1 - ones;
            let Some(moves) = sizes.get(corner_size) else { continue };
            for way in moves.adding(j) {
                let closed_midpoint = closes_midpoint.lanes(corner_size, way.from as usize);
                let closed_corner = closes_corner.lanes(corner_size + 1, way.to as usize);
                for &stones in PATTERNS_WITHOUT.get(midpoints, i, ones) {
                    let stones = u32::from(stones);
                    let with = (row.group_words[(stones | 1 << i) as usize] + way.from) as usize;
                    let without = (row.group_words[stones as usize] + way.to) as usize;
                    // A stone that arrived on the midpoint goes back to the corner, and the other
                    // way round.
                    let arrived =
                        sources[with].arrived(closes_midpoint.with(closed_midpoint, stones));
                    let moved = cpu.extract_lanes(arrived, way.without);
                    unmoves += moved.count_ones();
                    reached.reach(cpu, without, cpu.deposit_lanes(moved, way.with));
                    let arrived =
                        sources[without].arrived(closes_corner.with(closed_corner, stones));
                    let moved = cpu.extract_lanes(arrived, way.with);
                    unmoves += moved.count_ones();
                    reached.reach(cpu, with, cpu.deposit_lanes(moved, way.without));
                }
            }
        }
        u64::from(unmoves)
    }

    /// Both directions along an edge between the midpoints `i` and `j`, numbered among the free
    /// midpoints.
    #[inline(always)]
    fn two_midpoints<C: Cpu>(&mut self, cpu: C, i: usize, j: usize, closes: [Closes; 2]) -> u64 {
        let Self { row, sources, reached, .. } = self;
        let midpoints = row.free.count_ones() as usize - row.corners as usize;
        let size = row.unranked[0].count_ones() as usize;
        let [closes_one, closes_other] = closes;
        let mut unmoves = 0;
        for ones in 0..midpoints.min(size) {
            let corner_size = size - 1 - ones;
            let lanes = binomial(row.corners, corner_size as u8) as usize;
            for word in 0..lanes.div_ceil(WORD) {
                let closed_one = closes_one.lanes(corner_size, word);
                let closed_other = closes_other.lanes(corner_size, word);
                for &stones in PATTERNS_WITHOUT.get(midpoints, i, ones) {
                    let stones = u32::from(stones);
                    if stones >> j & 1 == 1 {
                        continue;
                    }
                    let one = row.group_words[(stones | 1 << i) as usize] as usize + word;
                    let other = row.group_words[(stones | 1 << j) as usize] as usize + word;
                    let moved = sources[one].arrived(closes_one.with(closed_one, stones));
                    unmoves += moved.count_ones();
                    reached.reach(cpu, other, moved);
                    let moved = sources[other].arrived(closes_other.with(closed_other, stones));
                    unmoves += moved.count_ones();
                    reached.reach(cpu, one, moved);
                }
            }
        }
        u64::from(unmoves)
    }
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::ValueCode;
    use merels_core::{Board, Plies, Removal, Ruleset};
    use merels_simd::Portable;

    use super::*;
    use crate::moving::counters::{Movement, count_moves};
    use crate::moving::propagate::{ChunkLayer, Scratch};
    use crate::moving::queue::{RowSorter, ValueQueue};
    use crate::rows::row::Rows;
    use merels_simd::Processor;

    /// The result of a layer on a chunk of rows: counters, decided sets by class, number of
    /// un-moves.
    type Done = (Vec<u8>, Vec<(usize, u32)>, u64);

    /// Works back from made-up sources: one in `spread` entries.
    fn work_back(
        ruleset: &Ruleset,
        rows: &Rows,
        classes: std::ops::Range<usize>,
        distance: Plies,
        spread: u32,
        processor: Processor,
        sweep_share: usize,
    ) -> Done {
        let code = ValueCode::at_distance(distance).unwrap();
        let mut random = 1_u32;
        let mut is_source = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random >> 8 & 0xffff < 0x10000 / spread
        };
        let stride = rows.stride();
        let mut values = vec![ValueCode::DRAW.byte(); classes.len() * stride];
        let mut counters = vec![0; values.len()];
        let mut queue = ValueQueue::default();
        let mut sorter = RowSorter::default();
        for (i, class) in classes.clone().enumerate() {
            let row = rows.row(class);
            let counters = &mut counters[i * stride..][..rows.row_len()];
            count_moves(Portable, rows.slides(), &row, Movement::Slide, counters);
            let can_remove = !ruleset.removable(row.key).is_empty();
            for rank in 0..rows.row_len() {
                if is_source() {
                    values[i * stride + rank] = code.byte();
                }
                if is_source() && can_remove {
                    sorter.push(rank, code.byte());
                }
            }
            queue.add_row(&mut sorter);
        }
        queue.finish(&mut sorter);
        let mut decided = Decided::default();
        let layer = ChunkLayer {
            ruleset,
            rows,
            movement: Movement::Slide,
            distance,
            code: code.byte(),
            first: classes.start,
            counters: &mut counters,
            values: &values,
            touched: &mut vec![1; values.len() / LINE],
            queue: &mut queue,
            placings: None,
            decided: &mut decided,
            scratch: &mut Scratch::default(),
            edges: rows.edges(),
            sweep_share,
        };
        let tally = processor.dispatch(layer);
        let rows = decided.rows();
        let sets = rows.flat_map(|(class, sets)| sets.iter().map(move |&stones| (class, stones)));
        let mut sets: Vec<_> = sets.collect();
        sets.sort_unstable();
        assert_eq!(sets.len() as u64, tally.decided);
        (counters, sets, tally.edges)
    }

    #[test]
    fn sweeping_does_what_single_unmoves_do() {
        let strict = Ruleset { removal: Removal::Strict, ..Ruleset::STANDARD };
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let cases = [
            (Ruleset::STANDARD, 5, 4, 30),
            (Ruleset::STANDARD, 7, 6, 200),
            (Ruleset::STANDARD, 4, 7, 150),
            (Ruleset::STANDARD, 9, 9, 20_000),
            (strict, 3, 4, 1),
            (six, 5, 5, 20),
        ];
        for (ruleset, key, size, step) in cases {
            let rows = Rows::new(ruleset.board, key, size);
            assert!(rows.edges().is_some());
            for first in (0..rows.count()).step_by(step) {
                let classes = first..(first + 2).min(rows.count());
                for (distance, spread) in [(4, 3), (5, 3), (4, 300), (7, 100)] {
                    let done = |processor, share| {
                        let (classes, distance) = (classes.clone(), Plies(distance));
                        work_back(&ruleset, &rows, classes, distance, spread, processor, share)
                    };
                    let single = done(Processor::detect(), 0);
                    assert!(single.2 > 0);
                    for processor in Processor::available() {
                        let swept = done(processor, 1 << 20);
                        let what = format!("{}, {key}-{size}, class {first}", processor.name());
                        assert!(single == swept, "{what}, {distance} plies");
                    }
                }
            }
        }
    }
}
