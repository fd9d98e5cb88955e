//! From rows keyed by one side to rows keyed by the other, one family of rows at a time.
//!
//! All keys B with the same midpoints are consecutive representatives: a *family*. The groups of
//! their rows go into *columns*: one for each set of midpoint stones of `w`, the stones of the
//! other side. A column holds a group for each set of corners that B can have. For fixed corner
//! stones of `w`, the values over all corners of B are one *target group* of the row keyed by the
//! class of `w`: one byte for each subset of the corners that `w` leaves free. The source of each
//! byte in the column, and its lane in the target group under a symmetry, depend on the corners
//! alone: fixed tables hold them. A column has at most 34,650 bytes, so it stays in a cache.
//!
//! If B's midpoints have a stabiliser, only some sets of corners belong to representatives. The
//! groups of the others are filled in from theirs, so that every target group is complete.
//! Symmetric sets of midpoints of `w` then have the same target groups, so one of them is enough.
//! If the class of `w` has a stabiliser, each target group is written once under each symmetry that
//! leads to the representative.

use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::numbering::{
    ClassId, PART_LIMIT, Ranking, RowRankings, binomial, lower_patterns, lower_rank,
};
use merels_core::{Points, SymmetryId};
use merels_simd::{Cpu, bits, prefetch};

use crate::placing::group_tables::{GroupTable, GroupTables};
use crate::placing::key_family::KeyFamily;
use crate::rows::bytes::SLACK;
use crate::rows::lane_images::LaneImages;
use crate::rows::lanes::SHORT;
use crate::rows::row::{Rows, SYMMETRIC};

/// Room for every column: the bytes that an offset of two bytes can reach.
const COLUMN: usize = 1 << 16;

/// The tables for storing families of rows.
pub(crate) struct Transposer<'a> {
    pub(crate) tables: &'a GroupTables,
    pub(crate) images: &'a LaneImages,
    /// Rows keyed by the keys of the families.
    pub(crate) source: &'a Rows,
    /// The rankings of the stones in those rows.
    pub(crate) rankings: &'a RowRankings,
    /// Rows keyed by the stones.
    pub(crate) target: &'a Rows,
    /// The bytes of a table of `target`.
    pub(crate) values: &'a [AtomicU8],
}

/// Scratch memory, used for one family after the other.
#[derive(Default)]
pub(crate) struct TransposeScratch {
    targets: Vec<TargetGroup>,
    /// The target groups of a column, one after the other.
    bytes: Vec<u8>,
}

/// A target group on its way.
#[derive(Clone, Copy)]
struct TargetGroup {
    /// Its address in the target.
    target: usize,
    /// Where it starts among the target groups of the column, and where its lanes start in their
    /// table.
    source: usize,
    places: usize,
}

/// Target groups to prefetch ahead of their use.
const AHEAD: usize = 8;

impl Transposer<'_> {
    /// Bytes of the columns of a family, with room for vector loads.
    pub(crate) fn columns_len(&self, family: &KeyFamily) -> usize {
        self.groups(family) * self.row_len() + COLUMN
    }

    /// Entries of a row.
    pub(crate) fn row_len(&self) -> usize {
        self.rankings.of(self.source.row(0).key).count() as usize
    }

    /// Groups of a column: one for every set of as many corners as the keys have.
    fn groups(&self, family: &KeyFamily) -> usize {
        binomial(self.tables.corners, family.key_corners) as usize
    }

    fn ranking(&self, family: &KeyFamily) -> &Ranking {
        self.rankings.of(self.source.row(family.classes.start).key)
    }

    /// The symmetries that leave the midpoints of the family in place, other than the identity.
    fn stabiliser(&self, family: &KeyFamily) -> Vec<SymmetryId> {
        let symmetries = self.source.board().geometry().symmetries();
        symmetries.stabiliser(family.midpoints).filter(|&id| id != SymmetryId::IDENTITY).collect()
    }

    /// Puts the row of a class of the family into the columns. `row` has room for vector loads.
    #[inline(always)]
    pub(crate) fn put<C: Cpu>(
        &self,
        cpu: C,
        family: &KeyFamily,
        class: usize,
        row: &[u8],
        columns: &mut [u8],
    ) {
        let ranking = self.ranking(family);
        let groups = self.groups(family);
        let group = family.group_of(self.source.row(class).key);
        for_each_size(ranking, |size, patterns| {
            let len = binomial(ranking.lower(), size) as usize;
            for &stones in patterns {
                let from = ranking.group_starts()[usize::from(stones)] as usize;
                let to = groups * from + group * len;
                let target = &mut columns[to..to + len];
                for part in 0..len.div_ceil(64) {
                    cpu.store(cpu.load(row, from + 64 * part), &mut target[64 * part..]);
                }
            }
        });
    }

    /// Stores the values of a family, whose rows are in `columns`.
    #[inline(always)]
    pub(crate) fn store<C: Cpu>(
        &self,
        cpu: C,
        family: &KeyFamily,
        columns: &mut [u8],
        scratch: &mut TransposeScratch,
    ) {
        let stabiliser = self.stabiliser(family);
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let corner_count = self.tables.corners;
        let ranking = self.ranking(family);
        let all_midpoints = geometry.points().bits() >> corner_count << corner_count;
        let free_midpoints = (all_midpoints & !family.midpoints.bits()) >> corner_count;
        let midpoints_of =
            |stones: u32| Points::from_bits(cpu.deposit(stones, free_midpoints) << corner_count);
        // Of sets of midpoint stones that are images of each other, the first represents all.
        let is_first = |&stones: &u16| {
            let midpoints = midpoints_of(stones.into());
            stabiliser.iter().all(|&id| symmetries.apply(id, midpoints) >= midpoints)
        };
        if !stabiliser.is_empty() {
            self.complete(cpu, family, &stabiliser, is_first, columns);
        }
        for_each_size(ranking, |size, patterns| {
            let table = &self.tables.tables[family.key_corners as usize][size as usize];
            for &stones in patterns {
                if is_first(&stones) {
                    let from = ranking.group_starts()[usize::from(stones)] as usize;
                    let column = &columns[self.groups(family) * from..];
                    let column = column.first_chunk().expect("room behind the last column");
                    self.find_targets(
                        cpu,
                        family,
                        midpoints_of(stones.into()),
                        size,
                        &mut scratch.targets,
                    );
                    self.store_column(cpu, table, column, scratch);
                }
            }
        });
    }

    /// Finds the target groups of a column, for `size` corner stones and these midpoint stones.
    #[inline(always)]
    fn find_targets<C: Cpu>(
        &self,
        cpu: C,
        family: &KeyFamily,
        midpoints: Points,
        size: u8,
        targets: &mut Vec<TargetGroup>,
    ) {
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let corner_count = self.tables.corners;
        let table = &self.tables.tables[family.key_corners as usize][size as usize];
        let classes = self.target.index().classes();
        let images = self.source.images(family.midpoints);
        let all_points = geometry.points().bits();
        let by_free_corners = self.target.index().rankings().by_free_corners();
        let starts = by_free_corners[(corner_count - size) as usize].as_ref();
        let starts = starts.map_or(&[][..], |ranking| ranking.group_starts());
        let corner_sets = lower_patterns(corner_count, size).len();
        let target_group = |corners: usize, class: usize, key: u32, id: usize| {
            let free = (all_points & !key) >> corner_count;
            let group = starts[cpu.extract(images[id] >> corner_count, free) as usize];
            TargetGroup {
                target: class * self.target.stride() + group as usize,
                source: corners * table.len,
                places: (id * corner_sets + corners) * table.len,
            }
        };
        // The sets with these midpoint stones are consecutive in the table of classes.
        let first =
            classes.ranking().group_starts()[(midpoints.bits() >> corner_count) as usize] as usize;
        targets.clear();
        for (corners, &packed) in classes.packed()[first..first + corner_sets].iter().enumerate() {
            let (class, id) = ((packed >> 4) as usize, (packed & 15) as usize);
            let key = self.target.key_words()[class];
            targets.push(target_group(corners, class, key & !SYMMETRIC, id));
            if key & SYMMETRIC != 0 {
                let twins = classes.stabiliser(ClassId::new(class as u32));
                let id = SymmetryId::new(id as u8);
                for twin in twins.iter().filter(|&twin| twin != SymmetryId::IDENTITY) {
                    let id = symmetries.product(id, twin).index();
                    targets.push(target_group(corners, class, key & !SYMMETRIC, id));
                }
            }
        }
    }

    /// Collects the target groups of a column and stores them.
    #[inline(always)]
    fn store_column<C: Cpu>(
        &self,
        cpu: C,
        table: &GroupTable,
        column: &[u8; COLUMN],
        scratch: &mut TransposeScratch,
    ) {
        let TransposeScratch { targets, bytes } = scratch;
        for target_group in targets.iter().take(AHEAD) {
            self.prefetch(table, target_group);
        }
        bytes.resize(bytes.len().max(COLUMN + SLACK), 0);
        gather_groups(column, &table.sources, bytes);
        match table.len.div_ceil(64) {
            1 => self.store_groups::<C, 1>(cpu, table, targets, bytes),
            2 => self.store_groups::<C, 2>(cpu, table, targets, bytes),
            3..=4 => self.store_groups::<C, 4>(cpu, table, targets, bytes),
            _ => self.store_long_groups(table, targets, bytes),
        }
    }

    #[inline(always)]
    fn prefetch(&self, table: &GroupTable, target_group: &TargetGroup) {
        for line in (0..table.len).step_by(64) {
            prefetch(self.values, target_group.target + line);
        }
        prefetch(self.values, target_group.target + table.len - 1);
    }

    /// Stores target groups that fit `N` vectors.
    #[inline(always)]
    fn store_groups<C: Cpu, const N: usize>(
        &self,
        cpu: C,
        table: &GroupTable,
        targets: &[TargetGroup],
        bytes: &[u8],
    ) {
        for (i, target_group) in targets.iter().enumerate() {
            if let Some(ahead) = targets.get(i + AHEAD) {
                self.prefetch(table, ahead);
            }
            let sources: [_; N] = cpu.load_all(bytes, target_group.source);
            // No two families store to the same address, and no thread reads before all are done.
            let target = &self.values[target_group.target..target_group.target + table.len];
            for part in 0..N {
                if 64 * part < table.len {
                    let shuffles = cpu.load(&table.shuffles, target_group.places + 64 * part);
                    cpu.store_shared(cpu.shuffle(sources, shuffles), &target[64 * part..]);
                }
            }
        }
    }

    /// Stores target groups of any length.
    #[inline(always)]
    fn store_long_groups(&self, table: &GroupTable, targets: &[TargetGroup], bytes: &[u8]) {
        for target_group in targets {
            let target = &self.values[target_group.target..target_group.target + table.len];
            let places = &table.places[target_group.places..target_group.places + table.len];
            for (&byte, &place) in bytes[target_group.source..].iter().zip(places) {
                target[usize::from(place)].store(byte, Ordering::Relaxed);
            }
        }
    }

    /// Fills in the groups whose sets of corners belong to no representative: each is the image of
    /// one that does, under a symmetry that leaves the family's midpoints in place. Only for the
    /// midpoint stones that `is_wanted` accepts.
    #[inline(always)]
    fn complete<C: Cpu>(
        &self,
        cpu: C,
        family: &KeyFamily,
        stabiliser: &[SymmetryId],
        is_wanted: impl Fn(&u16) -> bool,
        columns: &mut [u8],
    ) {
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let corner_count = self.tables.corners;
        let ranking = self.ranking(family);
        let starts = ranking.group_starts();
        let groups = self.groups(family);
        let corner_sets = lower_patterns(corner_count, family.key_corners);
        // For each set of corners without a representative: its group, the group of its least
        // image, and the symmetry.
        let mut images: Vec<(usize, usize, SymmetryId)> = Vec::new();
        for &set in corner_sets {
            let corners = Points::from_bits(set.into());
            let image = stabiliser.iter().map(|&id| (symmetries.apply(id, corners), id)).min();
            if let Some((least, id)) = image.filter(|&(least, _)| least < corners) {
                let group = |set: Points| usize::from(lower_rank(set.bits()));
                images.push((group(corners), group(least), id));
            }
        }
        let all_midpoints = (geometry.points().bits() >> corner_count) << corner_count;
        let free_midpoints = all_midpoints & !family.midpoints.bits();
        let mut copy = vec![0; binomial(PART_LIMIT, PART_LIMIT / 2) as usize + SLACK];
        let mut first_lane = 0;
        for size in 0..=ranking.lower() {
            let len = binomial(ranking.lower(), size) as usize;
            let patterns = patterns_of(ranking, size);
            for &stones in patterns.iter().filter(|stones| is_wanted(stones)) {
                let stones = u32::from(stones);
                let midpoints = Points::from_bits(bits::deposit(
                    stones << corner_count,
                    free_midpoints | ((1 << corner_count) - 1),
                ));
                // By symmetry: where the column of the image starts.
                let mut image_columns = [0; 16];
                for &id in stabiliser {
                    let image =
                        bits::extract(symmetries.apply(id, midpoints).bits(), free_midpoints);
                    image_columns[id.index()] = groups * starts[image as usize] as usize;
                }
                let column = groups * starts[stones as usize] as usize;
                for &(group, least, id) in &images {
                    let lanes = self.images.get(corner_sets[group].into(), id);
                    let from = image_columns[id.index()] + least * len;
                    copy[..len].copy_from_slice(&columns[from..from + len]);
                    let to = column + group * len;
                    let target = &mut columns[to..to + len];
                    for part in 0..len.div_ceil(64) {
                        let at = first_lane + 64 * part;
                        let low = cpu.load(lanes.low, at);
                        let picked = if len > SHORT {
                            cpu.shuffle_long(&copy, len, low, cpu.load(lanes.high, at))
                        } else {
                            let sources: [_; 4] = cpu.load_all(&copy, 0);
                            cpu.shuffle(sources, low)
                        };
                        cpu.store(picked, &mut target[64 * part..]);
                    }
                }
            }
            first_lane += len;
        }
    }
}

/// Copies the bytes of a column at `sources` to the start of `bytes`.
///
/// It is a function of its own, so that the compiler does not use vectors: it would assemble them
/// byte by byte.
#[inline(never)]
fn gather_groups(column: &[u8; COLUMN], sources: &[u16], bytes: &mut [u8]) {
    for (byte, &source) in bytes.iter_mut().zip(sources) {
        *byte = column[usize::from(source)];
    }
}

/// The patterns of midpoint stones that leave `size` corner stones.
fn patterns_of(ranking: &Ranking, size: u8) -> &'static [u16] {
    match ranking.size().checked_sub(size) {
        Some(ones) if ones <= ranking.upper() => lower_patterns(ranking.upper(), ones),
        _ => &[],
    }
}

/// Calls `work` with every number of corner stones, and the patterns of midpoint stones that leave
/// this number.
#[inline(always)]
fn for_each_size(ranking: &Ranking, mut work: impl FnMut(u8, &'static [u16])) {
    for size in 0..=ranking.lower() {
        let patterns = patterns_of(ranking, size);
        if !patterns.is_empty() {
            work(size, patterns);
        }
    }
}
