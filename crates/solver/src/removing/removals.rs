//! Removal values: the value of closing a mill, for every arrangement of a row.
//!
//! In a row keyed by the side that waits (B), take the arrangement `w` of the other side (W)
//! *after* a move that closed a mill. W then removes one of B's stones. The best removal depends on
//! the row and on `w` alone: it is the least value, for B to move, over the child rows `B` minus
//! one stone. This module computes it for all arrangements of a row at once. It finds the child row
//! of each removable stone once. A symmetry maps that row to its representative, and maps groups to
//! groups: midpoint stones determine the child's group, corner stones a fixed permutation of its
//! lanes.

use std::sync::Arc;

use arrayvec::ArrayVec;
use merels_core::numbering::{LaneWords, Located, ValueCode, binomial};
use merels_core::{Point, Points, Ruleset, SymmetryId};
use merels_simd::{Cpu, bits};

use crate::job::AfterRemoval;
use crate::removing::least::{RemovedStone, least_over_stones};
use crate::rows::bytes::SLACK;
use crate::rows::edges::crossings;
use crate::rows::lane_images::{LaneImages, LaneTable, OwnLanes, insertion};
use crate::rows::row::{Row, Rows};
use crate::rows::solved::Child;

/// Computes the removal values of rows. Holds scratch memory, used again for every row.
pub(crate) struct RemovalValues<'a> {
    ruleset: &'a Ruleset,
    rows: &'a Rows,
    after: &'a AfterRemoval<Arc<Child>>,
    images: &'static LaneImages,
    /// The values, with [`SLACK`] bytes behind them.
    values: Vec<u8>,
    midpoint_images: MidpointImages,
    /// For each removable corner stone: lanes that no fixed table has.
    own_lanes: Vec<OwnLanes>,
    mills: MillLanes,
}

/// The stones that can be removed from a row's key; a side has at most this many.
type RemovedStones<'a> = ArrayVec<RemovedStone<'a>, { Ruleset::MAX_STONES as usize }>;

impl<'a> RemovalValues<'a> {
    /// The values after the removal for one mill, which leads to `after`.
    pub(crate) fn of_one(
        ruleset: &'a Ruleset,
        rows: &'a Rows,
        after: &'a AfterRemoval<Arc<Child>>,
    ) -> Self {
        Self::of_arrangements(ruleset, rows, after, rows.slides().lines().to_vec())
    }

    /// The values after the two removals for two mills at once. `after` is what the first removal
    /// leads to, with the best second removal already made.
    pub(crate) fn of_two(
        ruleset: &'a Ruleset,
        rows: &'a Rows,
        after: &'a AfterRemoval<Arc<Child>>,
    ) -> Self {
        Self::of_arrangements(ruleset, rows, after, crossings(rows.slides().lines()))
    }

    /// The values of arrangements that contain one of the sets of points in `mills`.
    fn of_arrangements(
        ruleset: &'a Ruleset,
        rows: &'a Rows,
        after: &'a AfterRemoval<Arc<Child>>,
        mills: Vec<u32>,
    ) -> Self {
        Self {
            ruleset,
            rows,
            after,
            images: LaneImages::of(rows.board()),
            values: vec![0; rows.row_len() + SLACK],
            midpoint_images: MidpointImages::default(),
            own_lanes: Vec::new(),
            mills: MillLanes::new(mills),
        }
    }

    /// The removal values of all arrangements of the row, by rank, as codes for the side that loses
    /// a stone, with room for vector loads behind them. The values of arrangements without the
    /// mills mean nothing. None if no stone can be removed.
    #[inline(always)]
    pub(crate) fn values<C: Cpu>(&mut self, cpu: C, row: &Row<'_>) -> Option<&[u8]> {
        let removable = self.ruleset.removable(row.key);
        if removable.is_empty() {
            return None;
        }
        match self.after {
            AfterRemoval::Never => return None,
            AfterRemoval::Lost => self.values.fill(ValueCode::LOST.byte()),
            AfterRemoval::To(child) => self.fill(cpu, row, child, removable),
        }
        Some(&self.values)
    }

    #[inline(always)]
    fn fill<C: Cpu>(&mut self, cpu: C, row: &Row<'_>, child: &Child, removable: Points) {
        let all_corners = Points::first(self.rows.board().geometry().corner_count());
        let classes = child.index.classes();
        let (corners, midpoints) =
            (removable.intersection(all_corners), removable.difference(all_corners));
        let corner_key = row.key.intersection(all_corners).bits();
        self.own_lanes.resize_with(Ruleset::MAX_STONES.into(), OwnLanes::default);

        // All tables are made before any is borrowed.
        self.midpoint_images.begin(row, row.key.difference(all_corners));
        let mut found = ArrayVec::<_, { Ruleset::MAX_STONES as usize }>::new();
        for stone in removable {
            let Located { class, symmetry } = classes.locate(row.key.without(stone));
            let midpoint_stone = Some(stone).filter(|stone| midpoints.contains(*stone));
            let starts = self.midpoint_images.find(self.rows, row, child, midpoint_stone, symmetry);
            found.push((stone, class, symmetry, starts));
        }
        for (own, &(stone, _, symmetry, _)) in self.own_lanes.iter_mut().zip(&found) {
            if corners.contains(stone) && symmetry != SymmetryId::IDENTITY {
                let rest = corner_key & !stone.set().bits();
                fill_lanes(own, row.corners, stone, self.images.get(rest, symmetry), rest);
            }
        }
        let (mut on_midpoints, mut on_corners) = (RemovedStones::new(), RemovedStones::new());
        for (own, &(stone, class, symmetry, starts)) in self.own_lanes.iter().zip(&found) {
            let (row_of_child, starts) =
                (child.padded_row(class.index()), self.midpoint_images.starts(starts));
            if midpoints.contains(stone) {
                let lanes = self.images.get(corner_key, symmetry);
                on_midpoints.push(RemovedStone { row: row_of_child, starts, lanes });
            } else {
                let lanes = if symmetry == SymmetryId::IDENTITY {
                    insertion(row.corners, place_among_free(corner_key, stone))
                } else {
                    own.table()
                };
                on_corners.push(RemovedStone { row: row_of_child, starts, lanes });
            }
        }
        least_over_stones(cpu, row, &on_midpoints, &on_corners, &mut self.values);
    }

    /// Calls `found` with the rank and the removal value of every arrangement of the row that
    /// contains one of the mills. Calls nothing if no stone can be removed.
    #[inline(always)]
    pub(crate) fn for_each<C: Cpu>(
        &mut self,
        cpu: C,
        row: &Row<'_>,
        mut found: impl FnMut(usize, u8),
    ) {
        if self.values(cpu, row).is_some() {
            self.mills.fill(row);
            self.mills.for_each(row, |rank| found(rank, self.values[rank]));
        }
    }
}

/// The number of corners before `stone` that the rest of the key leaves free.
fn place_among_free(corner_key: u32, stone: Point) -> usize {
    (!corner_key & (stone.set().bits() - 1)).count_ones() as usize
}

/// The images of lanes over `points` free corners when the corner stone `stone` is removed and
/// `images` is applied to the rest. `rest` is the set of corners of the key without the stone.
fn fill_lanes(own: &mut OwnLanes, points: u8, stone: Point, images: LaneTable<'_>, rest: u32) {
    let inserted = insertion(points, place_among_free(rest, stone));
    own.clear();
    let (mut start, mut wider_start) = (0, 0);
    for size in 0..=points {
        let len = binomial(points, size) as usize;
        let lanes = (start..start + len).map(|i| images.at(wider_start + inserted.at(i)));
        own.extend(points + 1, lanes);
        start += len;
        wider_start += binomial(points + 1, size) as usize;
    }
    own.finish();
}

/// Where the groups of child rows start, for all rows whose keys have the same midpoints, which
/// most consecutive rows share.
#[derive(Default)]
struct MidpointImages {
    /// The midpoints, and the number of free corners, of the tables.
    of: Option<(Points, u8)>,
    tables: Vec<MidpointTable>,
    /// How many of `tables` are in use.
    used: usize,
}

#[derive(Default)]
struct MidpointTable {
    removed: Option<Point>,
    symmetry: Option<SymmetryId>,
    starts: Vec<u32>,
}

impl MidpointImages {
    /// Prepares for a row whose key has these midpoints.
    fn begin(&mut self, row: &Row<'_>, midpoints: Points) {
        if self.of != Some((midpoints, row.corners)) {
            self.of = Some((midpoints, row.corners));
            self.used = 0;
        }
    }

    fn starts(&self, table: usize) -> &[u32] {
        &self.tables[table].starts
    }

    /// The table for a symmetry and for the removal of `removed`, a stone on a midpoint, or of a
    /// corner stone if none.
    fn find(
        &mut self,
        rows: &Rows,
        row: &Row<'_>,
        child: &Child,
        removed: Option<Point>,
        symmetry: SymmetryId,
    ) -> usize {
        let is_it =
            |table: &MidpointTable| table.removed == removed && table.symmetry == Some(symmetry);
        if let Some(found) = self.tables[..self.used].iter().position(is_it) {
            return found;
        }
        if self.used == self.tables.len() {
            self.tables.push(MidpointTable::default());
        }
        let (of, _) = self.of.expect("begun");
        let table = &mut self.tables[self.used];
        table.removed = removed;
        table.symmetry = Some(symmetry);

        let geometry = rows.board().geometry();
        let corner_count = geometry.corner_count();
        let left = removed.map_or(of, |stone| of.without(stone));
        let symmetry = geometry.symmetries().get(symmetry);
        let all = geometry.points().bits() >> corner_count << corner_count;
        let free = all & !of.bits();
        let child_free = all & !symmetry.apply_set(left).bits();
        let images: ArrayVec<u32, 12> = Points::from_bits(free)
            .into_iter()
            .map(|point| bits::extract(symmetry.apply(point).set().bits(), child_free))
            .collect();
        images_of_patterns(&images, &mut table.starts);
        // A removed corner stone leaves one more corner free.
        let child_corners = row.corners + u8::from(removed.is_none());
        let ranking = child.index.rankings().by_free_corners()[child_corners as usize].as_ref();
        let starts = ranking.expect("the child has such a row").group_starts();
        table.starts.iter_mut().for_each(|start| *start = starts[*start as usize]);
        self.used += 1;
        self.used - 1
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

/// The arrangements of a row that contain one of the mills, group by group.
struct MillLanes {
    /// The sets of points that count as mills.
    mills: Vec<u32>,
    lines: Vec<Line>,
}

/// A mill whose points the key leaves free, compressed.
struct Line {
    midpoints: u32,
    corners: u32,
}

impl MillLanes {
    const fn new(mills: Vec<u32>) -> Self {
        Self { mills, lines: Vec::new() }
    }

    fn fill(&mut self, row: &Row<'_>) {
        self.lines.clear();
        for &mill in &self.mills {
            if mill & !row.free != 0 {
                continue;
            }
            let compressed = bits::extract(mill, row.free);
            let (midpoints, corners) =
                (compressed >> row.corners, compressed & ((1 << row.corners) - 1));
            self.lines.push(Line { midpoints, corners });
        }
    }

    fn for_each(&mut self, row: &Row<'_>, mut found: impl FnMut(usize)) {
        let words = LaneWords::shared();
        let size = row.unranked[0].count_ones() as u8;
        for (stones, pair) in row.starts.windows(2).enumerate() {
            let (start, end) = (pair[0] as usize, pair[1] as usize);
            if start == end {
                continue;
            }
            let stones = stones as u32;
            let corner_size = size - stones.count_ones() as u8;
            for (part, start) in (start..end).step_by(LaneWords::WORD).enumerate() {
                let closed = self
                    .lines
                    .iter()
                    .filter(|line| stones & line.midpoints == line.midpoints)
                    .fold(0, |all, line| all | words.holding(corner_size, part, line.corners));
                // Bits beyond the last lane mean nothing.
                let beyond = LaneWords::WORD.saturating_sub(end - start);
                let mut left = closed << beyond >> beyond;
                while left != 0 {
                    found(start + left.trailing_zeros() as usize);
                    left &= left - 1;
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use merels_core::numbering::{Index, SubspaceIndex};
    use merels_core::{Board, Subspace};
    use merels_simd::Portable;

    use super::*;
    use crate::rows::bytes::Pool;

    /// Meaningless values that are the same for all images of a position.
    pub(crate) fn made_up_child(board: Board, key: u8, size: u8) -> Child {
        let index = SubspaceIndex::new(board, Subspace::moving(key, size));
        let mut values = Pool::new(0).table(index.entries() as usize).unwrap();
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
        Child::new(index, values, stride)
    }

    #[test]
    fn row_form_equals_single_removals() {
        let strict = Ruleset { removal: merels_core::Removal::Strict, ..Ruleset::STANDARD };
        let free = Ruleset { removal: merels_core::Removal::Free, ..Ruleset::STANDARD };
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
        let seven = Ruleset { board: Board::Seven, ..Ruleset::STANDARD };
        for (ruleset, key, size) in [
            (Ruleset::STANDARD, 4, 4),
            (strict, 4, 3),
            (free, 4, 3),
            (six, 5, 5),
            (seven, 4, 5),
            (twelve, 4, 3),
        ] {
            let board = ruleset.board;
            let geometry = board.geometry();
            let rows = Rows::new(board, key, size);
            let after = AfterRemoval::To(Arc::new(made_up_child(board, key - 1, size)));
            let AfterRemoval::To(child) = &after else { unreachable!() };
            let mut removals = RemovalValues::of_one(&ruleset, &rows, &after);
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
