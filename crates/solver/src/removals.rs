//! Removal values: what closing a mill is worth, for every arrangement of a row.
//!
//! In a row keyed by the side that waits (B), take the arrangement `w` of the other side (W) *after*
//! a move that closed a mill. W then removes one of B's stones, and the best removal depends on the
//! row and on `w` alone: the least value, for B to move, over the child rows `B` minus one stone. The
//! result is worked out for all arrangements of the row at once. For each removable stone the child
//! row is found once; a symmetry leads to its representative, and it acts on a block as a block:
//! upper stones choose the child's block, lower stones a fixed permutation of its lanes.

use std::sync::Arc;

use merels_core::{
    Classes, Index, Located, PART_LIMIT, Points, Ruleset, SubspaceIndex, binomial, bits, lower_rank,
};

use crate::dispatch::Cpu;
use crate::lanes::{LaneBits, lanes_of_all_sizes};
use crate::memory::ByteTable;
use crate::rows::{Row, Rows};

/// The subspace that a removal leads to, with its values: row after row without padding.
pub(crate) struct Child {
    /// The order of the values.
    pub(crate) index: SubspaceIndex,
    /// The values as codes.
    pub(crate) values: ByteTable,
    /// Bytes from one row to the next.
    pub(crate) stride: usize,
}

impl Child {
    /// The values of the row of a class.
    pub(crate) fn row(&self, class: usize) -> &[u8] {
        &self.values[class * self.stride..][..self.index.row_len() as usize]
    }

    /// The code at an index.
    pub(crate) fn code(&self, index: Index) -> u8 {
        let row_len = u64::from(self.index.row_len());
        let (class, rank) = ((index.0 / row_len) as usize, (index.0 % row_len) as usize);
        self.values[class * self.stride + rank]
    }
}

/// What a removal leads to.
pub(crate) enum AfterRemoval {
    /// There is none: the side that moves has too few stones for a mill, or the other side none on
    /// the board.
    Never,
    /// The side is left with too few stones and has lost.
    Lost,
    /// A smaller subspace.
    Child(Arc<Child>),
}

impl AfterRemoval {
    /// The smaller subspace, if it leads to one.
    pub(crate) fn child(&self) -> Option<&Child> {
        match self {
            Self::Child(child) => Some(child),
            Self::Never | Self::Lost => None,
        }
    }
}

/// Works out the removal values of rows; holds scratch memory that is used again for every row.
pub(crate) struct RemovalValues<'a> {
    ruleset: &'a Ruleset,
    rows: &'a Rows,
    after: &'a AfterRemoval,
    values: Vec<u8>,
    stones: Vec<RemovedStone<'a>>,
    mills: MillLanes,
}

/// How a row maps to the child row that the removal of one stone leads to.
#[derive(Default)]
struct RemovedStone<'a> {
    /// The child row.
    row: &'a [u8],
    /// Where its blocks start.
    starts: &'a [u32],
    /// How many lower points its key leaves free.
    lower: u8,
    /// By pattern of upper stones: the child's pattern.
    upper: Vec<u32>,
    /// By size and lane: the child's lane, and the same cut to a byte for blocks that are not
    /// longer.
    lanes: Vec<u16>,
    short_lanes: Vec<u8>,
}

impl<'a> RemovedStone<'a> {
    /// The child's block for these upper stones.
    #[inline(always)]
    fn block(&self, upper_stones: usize) -> &'a [u8] {
        let image = self.upper[upper_stones] as usize;
        &self.row[self.starts[image] as usize..self.starts[image + 1] as usize]
    }
}

impl<'a> RemovalValues<'a> {
    pub(crate) fn new(ruleset: &'a Ruleset, rows: &'a Rows, after: &'a AfterRemoval) -> Self {
        let mills = MillLanes::new();
        Self { ruleset, rows, after, values: vec![0; rows.row_len()], stones: Vec::new(), mills }
    }

    /// The removal values of all arrangements of the row, by rank, as codes for the side that loses
    /// a stone; those without a mill mean nothing. None if nothing can be removed.
    #[inline(always)]
    pub(crate) fn values<C: Cpu>(&mut self, cpu: C, row: &Row<'_>) -> Option<&[u8]> {
        let removable = self.ruleset.removable(row.key);
        if removable.is_empty() {
            return None;
        }
        match self.after {
            AfterRemoval::Never => return None,
            AfterRemoval::Lost => self.values.fill(merels_core::ValueCode::LOST.byte()),
            AfterRemoval::Child(child) => {
                let count = usize::from(removable.len());
                self.stones.resize_with(self.stones.len().max(count), RemovedStone::default);
                for (stone, slot) in removable.into_iter().zip(&mut self.stones) {
                    slot.prepare(self.rows, row, child, row.key.without(stone));
                }
                least_over_stones(cpu, row, &self.stones[..count], &mut self.values);
            }
        }
        Some(&self.values)
    }

    /// Calls `found` with the rank and the removal value of every arrangement of the row that
    /// contains a mill. Nothing is called if nothing can be removed.
    #[inline(always)]
    pub(crate) fn for_each<C: Cpu>(
        &mut self,
        cpu: C,
        row: &Row<'_>,
        mut found: impl FnMut(usize, u8),
    ) {
        if self.values(cpu, row).is_some() {
            self.mills.fill(self.rows, row);
            self.mills.for_each(row, |rank| found(rank, self.values[rank]));
        }
    }
}

impl<'a> RemovedStone<'a> {
    /// For the row with the stones `left` after the removal.
    fn prepare(&mut self, rows: &Rows, row: &Row<'_>, child: &'a Child, left: Points) {
        let classes: &'static Classes = child.index.classes();
        let Located { class, symmetry } = classes.locate(left);
        let key = classes.representative(class);
        let geometry = rows.board().geometry();
        let child_free = geometry.points().difference(key).bits();
        let ranking = child.index.rankings().of(key);
        let symmetry = geometry.symmetries().get(symmetry);
        self.row = child.row(class.index());
        self.starts = ranking.block_starts();
        self.lower = ranking.lower();

        // Where each free point goes, as a bit of the child's compressed masks.
        let mut images = [0; 24];
        for (image, point) in images.iter_mut().zip(Points::from_bits(row.free)) {
            *image = bits::extract(symmetry.apply(point).set().bits(), child_free);
        }
        let (lower, upper) = images[..row.free.count_ones() as usize].split_at(row.lower as usize);
        images_of_patterns(upper, &mut self.upper);
        self.upper.iter_mut().for_each(|image| *image >>= ranking.lower());

        let mut lower_images = [0; 1 << PART_LIMIT];
        let lower_images = &mut lower_images[..1 << row.lower];
        for (i, &image) in lower.iter().enumerate() {
            let (known, new) = lower_images[..2 << i].split_at_mut(1 << i);
            new.iter_mut().zip(known).for_each(|(new, known)| *new = *known | image);
        }
        self.lanes.clear();
        for &lane in lanes_of_all_sizes(row.lower) {
            self.lanes.push(lower_rank(lower_images[usize::from(lane)]));
        }
        self.short_lanes.clear();
        self.short_lanes.extend(self.lanes.iter().map(|&lane| lane as u8));
    }
}

/// Sets the values of a row to the least over all stones that may be removed.
#[inline(always)]
fn least_over_stones<C: Cpu>(
    cpu: C,
    row: &Row<'_>,
    stones: &[RemovedStone<'_>],
    values: &mut [u8],
) {
    const SHORT: usize = u8::MAX as usize + 1;
    let size = row.unranked[0].count_ones();
    let mut lane_starts = [0; PART_LIMIT as usize + 2];
    let mut are_short = [true; PART_LIMIT as usize + 1];
    for ones in 0..=row.lower {
        let i = ones as usize;
        lane_starts[i + 1] = lane_starts[i] + binomial(row.lower, ones) as usize;
        are_short[i] = stones.iter().all(|stone| binomial(stone.lower, ones) as usize <= SHORT);
    }
    for (upper, pair) in row.starts.windows(2).enumerate() {
        let target = &mut values[pair[0] as usize..pair[1] as usize];
        if target.is_empty() {
            continue;
        }
        let ones = (size - upper.count_ones()) as usize;
        let lanes = lane_starts[ones]..lane_starts[ones + 1];
        if are_short[ones] {
            // The least so far stays in a register, see `Cpu::store`.
            for (i, target) in target.chunks_mut(64).enumerate() {
                let places = lanes.start + 64 * i..lanes.end;
                let mut least = cpu.splat(u8::MAX);
                for stone in stones {
                    let places = cpu.load(&stone.short_lanes[places.clone()]);
                    least = cpu.min(least, cpu.pick(stone.block(upper), places));
                }
                cpu.store(least, target);
            }
            continue;
        }
        target.fill(u8::MAX);
        for stone in stones {
            let block = stone.block(upper);
            for (value, &lane) in target.iter_mut().zip(&stone.lanes[lanes.clone()]) {
                *value = (*value).min(block[usize::from(lane)]);
            }
        }
    }
}

/// The image of every pattern of points, from the images of the single points.
fn images_of_patterns(points: &[u32], images: &mut Vec<u32>) {
    images.clear();
    images.push(0);
    for &image in points {
        for i in 0..images.len() {
            images.push(images[i] | image);
        }
    }
}

/// The arrangements of a row that contain a mill, block by block.
struct MillLanes {
    lines: Vec<Line>,
    lower_parts: Vec<u32>,
    lanes: LaneBits,
    words: Vec<u64>,
}

/// A line that the key leaves free, compressed: its upper points, and which of the distinct lower
/// parts it has.
struct Line {
    upper: u32,
    lower_part: usize,
}

impl MillLanes {
    const fn new() -> Self {
        Self {
            lines: Vec::new(),
            lower_parts: Vec::new(),
            lanes: LaneBits::new(),
            words: Vec::new(),
        }
    }

    fn fill(&mut self, rows: &Rows, row: &Row<'_>) {
        self.lines.clear();
        self.lower_parts.clear();
        for &line in rows.slides().lines() {
            if line & !row.free != 0 {
                continue;
            }
            let compressed = bits::extract(line, row.free);
            let lower = compressed & ((1 << row.lower) - 1);
            let known = self.lower_parts.iter().position(|&part| part == lower);
            let lower_part = known.unwrap_or_else(|| {
                self.lower_parts.push(lower);
                self.lower_parts.len() - 1
            });
            self.lines.push(Line { upper: compressed >> row.lower, lower_part });
        }
        self.lanes.fill(row.lower, &self.lower_parts);
    }

    fn for_each(&mut self, row: &Row<'_>, mut found: impl FnMut(usize)) {
        let size = row.unranked[0].count_ones() as u8;
        for (stones, pair) in row.starts.windows(2).enumerate() {
            let (start, len) = (pair[0] as usize, (pair[1] - pair[0]) as usize);
            if len == 0 {
                continue;
            }
            let stones = stones as u32;
            let lower_size = size - stones.count_ones() as u8;
            self.words.clear();
            self.words.resize(len.div_ceil(64), 0);
            for line in self.lines.iter().filter(|line| stones & line.upper == line.upper) {
                let lanes = self.lanes.get(lower_size, line.lower_part);
                for (word, lanes) in self.words.iter_mut().zip(lanes) {
                    *word |= lanes;
                }
            }
            for (i, &word) in self.words.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    found(start + 64 * i + word.trailing_zeros() as usize);
                    word &= word - 1;
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use merels_core::bits::Portable;
    use merels_core::{Board, Index, Subspace};

    use super::*;

    /// Values that mean nothing but are the same for all images of a position.
    pub(crate) fn made_up_child(board: Board, key: u8, size: u8) -> Child {
        let index = SubspaceIndex::new(board, Subspace::moving(key, size));
        let mut values = crate::memory::Pool::new(0).table(index.entries() as usize).unwrap();
        let symmetries = board.geometry().symmetries();
        for i in 0..index.entries() {
            let (mover, other) = index.stones_at(Index(i));
            let images = symmetries
                .iter()
                .map(|(_, g)| (g.apply_set(mover).bits(), g.apply_set(other).bits()));
            let (mover, other) = images.min().unwrap();
            let mixed = mover.wrapping_mul(2_654_435_761) ^ other.wrapping_mul(40_503) >> 3;
            // Codes whose distances leave room for one ply more.
            values[i as usize] =
                if mixed & 0x80 == 0 { mixed as u8 % 128 } else { 255 - mixed as u8 % 100 };
        }
        let stride = index.row_len() as usize;
        Child { index, values, stride }
    }

    #[test]
    fn row_form_equals_single_removals() {
        let strict = Ruleset { removal: merels_core::Removal::Strict, ..Ruleset::STANDARD };
        let free = Ruleset { removal: merels_core::Removal::Free, ..Ruleset::STANDARD };
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
        for (ruleset, key, size) in
            [(Ruleset::STANDARD, 4, 4), (strict, 4, 3), (free, 4, 3), (six, 5, 5), (twelve, 4, 3)]
        {
            let board = ruleset.board;
            let geometry = board.geometry();
            let rows = Rows::new(board, key, size);
            let after = AfterRemoval::Child(Arc::new(made_up_child(board, key - 1, size)));
            let AfterRemoval::Child(child) = &after else { unreachable!() };
            let mut removals = RemovalValues::new(&ruleset, &rows, &after);
            for class in 0..rows.count() {
                let row = rows.row(class);
                let mut found = Vec::new();
                removals.for_each(Portable, &row, |rank, value| found.push((rank, value)));
                let removable = ruleset.removable(row.key);
                let slow: Vec<_> = (0..rows.row_len())
                    .filter_map(|rank| {
                        let stones = Points::from_bits(bits::deposit(row.unranked[rank], row.free));
                        if geometry.in_mills(stones).is_empty() {
                            return None;
                        }
                        let value = |stone| {
                            child.values
                                [child.index.index_of(row.key.without(stone), stones).0 as usize]
                        };
                        Some((rank, removable.into_iter().map(value).min()?))
                    })
                    .collect();
                assert_eq!(found, slow, "{board}, class {class}");
            }
        }
    }
}
