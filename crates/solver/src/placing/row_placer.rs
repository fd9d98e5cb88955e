//! The values of a whole row of placings, 64 lanes at a time.
//!
//! Placing a stone on the free point `x` leads from the arrangement `w` to `w + x` in the following
//! row; if `x` closes a mill there, to the removal value of `w + x`. The free points of a row are
//! split anew: the lowest nine, wherever they are on the board, make the lanes, the others the
//! groups. Any split would do, since symmetries play no part here. This one fills vectors well, and
//! it is the same for all rows of a subspace.
//!
//! A placing on a high point leads to another group and keeps the lane. A placing on a low point
//! leads to the group with the same high stones, each lane to a fixed other lane. If the high
//! stones of a line are there, the lanes that close a mill on it are an intersection of fixed lane
//! masks. Lanes that two lines share close two mills.

use merels_core::Ruleset;
use merels_core::numbering::{LaneWords, lower_patterns};
use merels_simd::{Cpu, prefetch};

use crate::placing::inputs::{LOW, PlacingInputs, Split};
use crate::placing::mill_lines::{MillLines, PARTS, POINTS};
use crate::removing::removals::RemovalValues;
use crate::rows::lanes::LANE_STEPS;
use crate::rows::row::LINE;

/// Computes the values of rows. Holds scratch memory, used again for every row.
pub(crate) struct RowPlacer<'a> {
    ruleset: &'a Ruleset,
    inputs: &'a PlacingInputs,
    removals: RemovalValues<'a>,
    /// After two removals, if two mills remove two stones.
    double_removals: Option<RemovalValues<'a>>,
    lines: Box<MillLines>,
    words: &'static LaneWords,
}

impl<'a> RowPlacer<'a> {
    pub(crate) fn new(ruleset: &'a Ruleset, inputs: &'a PlacingInputs) -> Self {
        let rows = &inputs.rows;
        let removals = RemovalValues::of_one(ruleset, rows, &inputs.after.one);
        let two = inputs.after.two.as_ref();
        let double_removals = two.map(|two| RemovalValues::of_two(ruleset, rows, &two.first));
        let lines = Box::new(MillLines::new());
        Self { ruleset, inputs, removals, double_removals, lines, words: LaneWords::shared() }
    }

    /// Writes the values of the row of `class`, by rank of the mover's stones before the placing.
    /// Wins of the other side slower than the code `slowest` count as that win.
    #[inline(always)]
    pub(crate) fn fill<C: Cpu>(&mut self, cpu: C, class: usize, slowest: u8, values: &mut [u8]) {
        self.fill_seen_by(cpu, View::Before { slowest }, class, values);
    }

    /// Writes the values for the other side after the best placing, a ply nearer to the end.
    #[inline(always)]
    pub(crate) fn fill_after<C: Cpu>(&mut self, cpu: C, class: usize, values: &mut [u8]) {
        self.fill_seen_by(cpu, View::After, class, values);
    }

    #[inline(always)]
    fn fill_seen_by<C: Cpu>(&mut self, cpu: C, view: View, class: usize, values: &mut [u8]) {
        let inputs = self.inputs;
        let split = &inputs.split;
        let row = inputs.rows.row(class);
        let placed = inputs.placed.padded_row(class);
        // The row arrives while the removal values are computed.
        for line in (0..split.placed_len).step_by(LINE) {
            prefetch(placed, line);
        }
        let removed = self.removals.values(cpu, &row);
        let two = self.double_removals.as_mut();
        let removed_two = two.and_then(|removals| removals.values(cpu, &row));
        if removed.is_some() {
            self.lines.find(self.ruleset, split.low, row.free);
        }
        for (ones, patterns) in split.groups.iter().enumerate() {
            if patterns.is_empty() {
                continue;
            }
            let size = split.size - ones as u8;
            let len = lower_patterns(split.low, size).len();
            let fits_more = size < split.low;
            let after = if fits_more { lower_patterns(split.low, size + 1).len() } else { 0 };
            if removed.is_some() {
                self.lines.begin_groups(self.words, split.low, size);
            }
            let lines = &self.lines;
            let groups = Groups {
                split,
                lines,
                view,
                placed,
                removed,
                removed_two,
                patterns,
                size,
                len,
                fits_more,
            };
            match (len.div_ceil(64), after.div_ceil(64)) {
                (1, 0 | 1) => groups.fill::<C, 1, 1>(cpu, self.words, values),
                (1, 2) => groups.fill::<C, 1, 2>(cpu, self.words, values),
                (2, 1) => groups.fill::<C, 2, 1>(cpu, self.words, values),
                (2, 2) => groups.fill::<C, 2, 2>(cpu, self.words, values),
                other => unreachable!("groups of nine points in {other:?} vectors"),
            }
        }
    }
}

/// The side whose values the row gets.
#[derive(Clone, Copy)]
enum View {
    /// The side that places.
    Before {
        /// The code of the slowest win of the other side that has a code of its own.
        slowest: u8,
    },
    /// The other side, after the placing.
    After,
}

/// The groups of a row with the same number of high stones.
struct Groups<'a> {
    split: &'a Split,
    lines: &'a MillLines,
    view: View,
    /// The row after the placing, and its removal values if a mill removes a stone.
    placed: &'a [u8],
    removed: Option<&'a [u8]>,
    /// Its values after two removals, if two mills remove two stones.
    removed_two: Option<&'a [u8]>,
    /// The patterns of high stones, and where their groups start.
    patterns: &'a [(u32, u32)],
    /// Low stones, and lanes.
    size: u8,
    len: usize,
    /// Whether one more low stone fits.
    fits_more: bool,
}

impl Groups<'_> {
    /// `T` vectors hold a group before the placing, `S` vectors a group with one more low stone.
    #[inline(always)]
    fn fill<C: Cpu, const T: usize, const S: usize>(
        &self,
        cpu: C,
        words: &LaneWords,
        values: &mut [u8],
    ) {
        match (self.removed, self.removed_two) {
            (Some(one), Some(two)) => self.fill_all::<C, T, S, 2>(cpu, words, [one, two], values),
            (Some(one), None) => self.fill_all::<C, T, S, 1>(cpu, words, [one, &[]], values),
            (None, _) => self.fill_all::<C, T, S, 0>(cpu, words, [&[]; 2], values),
        }
    }

    /// For mills that remove at most `REMOVED` stones: `removed` holds the values after one
    /// removal, and after two.
    #[inline(always)]
    fn fill_all<C: Cpu, const T: usize, const S: usize, const REMOVED: usize>(
        &self,
        cpu: C,
        words: &LaneWords,
        removed: [&[u8]; 2],
        values: &mut [u8],
    ) {
        let Self { split, placed, size, .. } = *self;
        let [removed, removed_two] = removed;
        let low = usize::from(split.low);
        let mut empty = [[0; LOW as usize]; T];
        for (part, empty) in empty.iter_mut().enumerate() {
            for (point, empty) in empty[..low].iter_mut().enumerate() {
                *empty = !words.holding(size, part, 1 << point);
            }
        }
        for &(stones, start) in self.patterns {
            let none = [[0; POINTS]; PARTS];
            let closing = if REMOVED >= 1 { self.lines.closing(stones) } else { none };
            let closing_two = if REMOVED == 2 { self.lines.closing_two(stones) } else { none };
            let mut least = [cpu.splat(u8::MAX); T];
            let mut left = !stones & ((1 << split.high) - 1);
            while left != 0 {
                let point = left.trailing_zeros() as usize;
                left &= left - 1;
                let from = split.placed[(stones | 1 << point) as usize] as usize;
                for part in 0..T {
                    let mut value = cpu.load(placed, from + 64 * part);
                    if REMOVED >= 1 {
                        let removed = cpu.load(removed, from + 64 * part);
                        value = cpu.blend(closing[part][low + point], value, removed);
                    }
                    if REMOVED == 2 {
                        let removed = cpu.load(removed_two, from + 64 * part);
                        value = cpu.blend(closing_two[part][low + point], value, removed);
                    }
                    least[part] = cpu.min(least[part], value);
                }
            }
            if self.fits_more {
                let from = split.placed[stones as usize] as usize;
                let placed_sources: [_; S] = cpu.load_all(placed, from);
                let removed_sources =
                    if REMOVED >= 1 { cpu.load_all(removed, from) } else { placed_sources };
                let twice_removed_sources =
                    if REMOVED == 2 { cpu.load_all(removed_two, from) } else { placed_sources };
                let sources_of = |point: usize| {
                    let mut sources = placed_sources;
                    if REMOVED >= 1 {
                        for part in 0..S {
                            let (placed, removed) = (placed_sources[part], removed_sources[part]);
                            sources[part] = cpu.blend(closing[part][point], placed, removed);
                        }
                    }
                    if REMOVED == 2 {
                        for part in 0..S {
                            let (once, twice) = (sources[part], twice_removed_sources[part]);
                            sources[part] = cpu.blend(closing_two[part][point], once, twice);
                        }
                    }
                    sources
                };
                if C::ONE_BY_ONE && split.low == LOW {
                    let mut bytes = [[0; 64 * PARTS]; LOW as usize];
                    for (point, bytes) in bytes.iter_mut().enumerate() {
                        for (part, source) in sources_of(point).into_iter().enumerate() {
                            cpu.store(source, &mut bytes[64 * part..]);
                        }
                    }
                    let listed = least_of_lists(&bytes, size);
                    for (part, least) in least.iter_mut().enumerate() {
                        *least = cpu.min(*least, cpu.load(&listed, 64 * part));
                    }
                } else {
                    // A loop over indices, since an iterator is not always inlined here.
                    #[allow(clippy::needless_range_loop)]
                    for point in 0..low {
                        let sources = sources_of(point);
                        let steps = LANE_STEPS.adding(size, point);
                        for part in 0..T {
                            let value = cpu.shuffle(sources, cpu.load(steps, 64 * part));
                            let lesser = cpu.min(least[part], value);
                            least[part] = cpu.blend(empty[part][point], least[part], lesser);
                        }
                    }
                }
            }
            let start = start as usize;
            let target = &mut values[start..start + self.len];
            for part in 0..T {
                if 64 * part < self.len {
                    let value = match self.view {
                        View::Before { slowest } => {
                            // Wins have the codes that are negative as signed bytes, the
                            // slowest first: this takes slower wins for `slowest`.
                            cpu.before(cpu.max_signed(least[part], slowest))
                        }
                        View::After => least[part],
                    };
                    cpu.store(value, &mut target[64 * part..]);
                }
            }
        }
    }
}

/// For every lane of a group of `size` low stones: the least byte after a placing on an empty low
/// point. `bytes` holds the group with one more stone, by point. For processors that work on lanes
/// one by one: no lane visits points that are taken.
fn least_of_lists(bytes: &[[u8; 64 * PARTS]; LOW as usize], size: u8) -> [u8; 64 * PARTS] {
    match LOW - size {
        1 => least_of_lists_of::<1>(bytes, size),
        2 => least_of_lists_of::<2>(bytes, size),
        3 => least_of_lists_of::<3>(bytes, size),
        4 => least_of_lists_of::<4>(bytes, size),
        5 => least_of_lists_of::<5>(bytes, size),
        6 => least_of_lists_of::<6>(bytes, size),
        7 => least_of_lists_of::<7>(bytes, size),
        8 => least_of_lists_of::<8>(bytes, size),
        9 => least_of_lists_of::<9>(bytes, size),
        empty => unreachable!("{empty} of nine points are empty before a placing on one"),
    }
}

/// The same with `EMPTY` empty low points in each lane.
fn least_of_lists_of<const EMPTY: usize>(
    bytes: &[[u8; 64 * PARTS]; LOW as usize],
    size: u8,
) -> [u8; 64 * PARTS] {
    let bytes = bytes.as_flattened();
    let mut least = [u8::MAX; 64 * PARTS];
    for (least, places) in least.iter_mut().zip(LANE_STEPS.list(size).as_chunks::<EMPTY>().0) {
        let values = places.map(|place| bytes[usize::from(place)]);
        *least = values.into_iter().fold(u8::MAX, u8::min);
    }
    least
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::ValueCode;
    use merels_simd::{MIDDLE, Portable};

    use super::*;

    #[test]
    fn codes_are_numbered_as_the_operations_on_lanes_need() {
        assert_eq!(ValueCode::DRAW.byte(), MIDDLE);
        for code in (0..=255).filter_map(ValueCode::from_byte) {
            let Some(before) = ValueCode::from_value(code.value().before()) else { continue };
            assert_eq!(Portable.before([code.byte(); 64]), [before.byte(); 64], "{code:?}");
        }
        // As signed numbers, wins are the negative ones, the slowest first.
        let limited = |byte| Portable.max_signed([byte; 64], 200)[0];
        let expected = |byte| if (128..200).contains(&byte) { 200 } else { byte };
        assert!((0..=255).all(|byte| limited(byte) == expected(byte)));
    }
}
