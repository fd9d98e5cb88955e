//! From rows keyed by one side to rows keyed by the other, whole groups of rows at a time.
//!
//! All keys B with the same upper points are consecutive representatives. The blocks of their rows are
//! put into *columns*: one for each set of upper stones `w` of the other side, which holds a block for
//! each set of lower points that B can have. For fixed lower stones of `w`, too, the values over
//! all lower parts of B are one contiguous *run* in the row keyed by the class of `w`: one byte for
//! each subset of the lower points that `w` leaves free. Where each byte of the runs comes from in the
//! column, and at which place of the run it goes under a symmetry, depends on the lower points
//! alone: fixed tables. A column has at most 34,650 bytes, so that all of this stays near.
//!
//! Where the upper part of B has a stabiliser, only some of the lower parts are representatives. The
//! blocks of the others are filled in from theirs, so that every run is complete; and since
//! symmetric upper parts of `w` then have the same runs, one of them is enough. Where the class of
//! `w` has a stabiliser, the run is written once under each symmetry that leads to the
//! representative.

use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::{
    ClassId, PART_LIMIT, Points, Ranking, RowRankings, SymmetryId, binomial, bits, lower_patterns,
    lower_rank,
};

use crate::dispatch::Cpu;
use crate::placing::run_tables::{RunTable, RunTables, SLACK};
use crate::rows::bytes::prefetch;
use crate::rows::lane_images::LaneImages;
use crate::rows::lanes::SHORT;
use crate::rows::row::{Rows, SYMMETRIC};

/// Room for every column: how many bytes an offset of two bytes can reach.
const COLUMN: usize = 1 << 16;

/// Keys with the same upper points: consecutive classes.
pub(crate) struct KeyGroup {
    /// The classes.
    pub(crate) classes: std::ops::Range<usize>,
    /// The upper points, as a mask of the board.
    upper: Points,
    /// Lower points of each key.
    lower_keys: u8,
}

impl KeyGroup {
    /// All groups of the keys of `rows`.
    pub(crate) fn all(rows: &Rows) -> Vec<Self> {
        let lower = Points::first(rows.board().geometry().lower_count());
        let keys = rows.index().classes().representatives();
        let mut start = 0;
        keys.chunk_by(|one, other| one.difference(lower) == other.difference(lower))
            .map(|group| {
                let classes = start..start + group.len();
                start = classes.end;
                let upper = group[0].difference(lower);
                KeyGroup { classes, upper, lower_keys: group[0].len() - upper.len() }
            })
            .collect()
    }

    /// The number of a key of the group among all sets of as many lower points: the number of its
    /// blocks in the columns.
    fn block_of(&self, key: Points) -> usize {
        usize::from(lower_rank(key.difference(self.upper).bits()))
    }
}

/// What is needed to store groups of rows.
pub(crate) struct Transposer<'a> {
    pub(crate) tables: &'a RunTables,
    pub(crate) images: &'a LaneImages,
    /// Rows keyed by the keys of the groups.
    pub(crate) source: &'a Rows,
    /// The rankings of the stones in those rows.
    pub(crate) rankings: &'a RowRankings,
    /// Rows keyed by the stones.
    pub(crate) target: &'a Rows,
    /// The bytes of a table of `target`.
    pub(crate) values: &'a [AtomicU8],
}

/// Memory that is used for one group after the other.
#[derive(Default)]
pub(crate) struct TransposeScratch {
    runs: Vec<Run>,
    /// The runs of a column, one after the other.
    bytes: Vec<u8>,
}

/// One run on its way.
#[derive(Clone, Copy)]
struct Run {
    /// Where it starts in the target.
    target: usize,
    /// Where it starts among the runs of the column, and where its places start in their table.
    source: usize,
    places: usize,
}

/// Runs that are prefetched ahead of their use.
const AHEAD: usize = 8;

impl Transposer<'_> {
    /// Bytes of the columns of a group, with room for vector loads.
    pub(crate) fn columns_len(&self, group: &KeyGroup) -> usize {
        self.blocks(group) * self.row_len() + COLUMN
    }

    /// Entries of a row.
    pub(crate) fn row_len(&self) -> usize {
        self.rankings.of(self.source.row(0).key).count() as usize
    }

    /// Blocks of a column: one for every set of as many lower points as the keys have.
    fn blocks(&self, group: &KeyGroup) -> usize {
        binomial(self.tables.lower, group.lower_keys) as usize
    }

    fn ranking(&self, group: &KeyGroup) -> &Ranking {
        self.rankings.of(self.source.row(group.classes.start).key)
    }

    /// The symmetries that leave the upper points of the group in place, other than the identity.
    fn stabiliser(&self, group: &KeyGroup) -> Vec<SymmetryId> {
        let symmetries = self.source.board().geometry().symmetries();
        symmetries.stabiliser(group.upper).filter(|&id| id != SymmetryId::IDENTITY).collect()
    }

    /// Puts the row of a class of the group into the columns. `row` has room for vector loads.
    #[inline(always)]
    pub(crate) fn put<C: Cpu>(
        &self,
        cpu: C,
        group: &KeyGroup,
        class: usize,
        row: &[u8],
        columns: &mut [u8],
    ) {
        let ranking = self.ranking(group);
        let blocks = self.blocks(group);
        let block = group.block_of(self.source.row(class).key);
        for_each_size(ranking, |size, patterns| {
            let len = binomial(ranking.lower(), size) as usize;
            for &stones in patterns {
                let from = ranking.block_starts()[usize::from(stones)] as usize;
                let to = blocks * from + block * len;
                let target = &mut columns[to..to + len];
                for part in 0..len.div_ceil(64) {
                    cpu.store(cpu.load(row, from + 64 * part), &mut target[64 * part..]);
                }
            }
        });
    }

    /// Stores the values of a group, whose rows have been put into `columns`.
    #[inline(always)]
    pub(crate) fn store<C: Cpu>(
        &self,
        cpu: C,
        group: &KeyGroup,
        columns: &mut [u8],
        scratch: &mut TransposeScratch,
    ) {
        let stabiliser = self.stabiliser(group);
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let lower_count = self.tables.lower;
        let ranking = self.ranking(group);
        let all_upper = geometry.points().bits() >> lower_count << lower_count;
        let free_upper = (all_upper & !group.upper.bits()) >> lower_count;
        let upper_of =
            |stones: u32| Points::from_bits(cpu.deposit(stones, free_upper) << lower_count);
        // Of upper stones that a symmetry leads to each other, the first stand for all.
        let is_first = |&stones: &u16| {
            let upper = upper_of(stones.into());
            stabiliser.iter().all(|&id| symmetries.apply(id, upper) >= upper)
        };
        if !stabiliser.is_empty() {
            self.complete(cpu, group, &stabiliser, is_first, columns);
        }
        for_each_size(ranking, |size, patterns| {
            let table = &self.tables.tables[group.lower_keys as usize][size as usize];
            for &stones in patterns {
                if is_first(&stones) {
                    let from = ranking.block_starts()[usize::from(stones)] as usize;
                    let column = &columns[self.blocks(group) * from..];
                    let column = column.first_chunk().expect("room behind the last column");
                    self.find_runs(cpu, group, upper_of(stones.into()), size, &mut scratch.runs);
                    self.store_column(cpu, table, column, scratch);
                }
            }
        });
    }

    /// Finds where the runs of a column go, for `size` lower stones and these upper ones.
    #[inline(always)]
    fn find_runs<C: Cpu>(
        &self,
        cpu: C,
        group: &KeyGroup,
        upper: Points,
        size: u8,
        runs: &mut Vec<Run>,
    ) {
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let lower_count = self.tables.lower;
        let table = &self.tables.tables[group.lower_keys as usize][size as usize];
        let classes = self.target.index().classes();
        let images = self.source.images(group.upper);
        let all_points = geometry.points().bits();
        let by_free_lower = self.target.index().rankings().by_free_lower();
        let starts = by_free_lower[(lower_count - size) as usize].as_ref();
        let starts = starts.map_or(&[][..], |ranking| ranking.block_starts());
        let lower_sets = lower_patterns(lower_count, size).len();
        let run = |lower: usize, class: usize, key: u32, id: usize| {
            let free = (all_points & !key) >> lower_count;
            let block = starts[cpu.extract(images[id] >> lower_count, free) as usize];
            Run {
                target: class * self.target.stride() + block as usize,
                source: lower * table.len,
                places: (id * lower_sets + lower) * table.len,
            }
        };
        // The sets with these upper stones are consecutive in the table of classes.
        let first =
            classes.ranking().block_starts()[(upper.bits() >> lower_count) as usize] as usize;
        runs.clear();
        for (lower, &packed) in classes.packed()[first..first + lower_sets].iter().enumerate() {
            let (class, id) = ((packed >> 4) as usize, (packed & 15) as usize);
            let key = self.target.key_words()[class];
            runs.push(run(lower, class, key & !SYMMETRIC, id));
            if key & SYMMETRIC != 0 {
                let twins = classes.stabiliser(ClassId::new(class as u32));
                let id = SymmetryId::new(id as u8);
                for twin in twins.iter().filter(|&twin| twin != SymmetryId::IDENTITY) {
                    let id = symmetries.product(id, twin).index();
                    runs.push(run(lower, class, key & !SYMMETRIC, id));
                }
            }
        }
    }

    /// Makes runs of a column and stores them.
    #[inline(always)]
    fn store_column<C: Cpu>(
        &self,
        cpu: C,
        table: &RunTable,
        column: &[u8; COLUMN],
        scratch: &mut TransposeScratch,
    ) {
        let TransposeScratch { runs, bytes } = scratch;
        for run in runs.iter().take(AHEAD) {
            self.prefetch(table, run);
        }
        bytes.resize(bytes.len().max(COLUMN + SLACK), 0);
        make_runs(column, &table.sources, bytes);
        match table.len.div_ceil(64) {
            1 => self.store_runs::<C, 1>(cpu, table, runs, bytes),
            2 => self.store_runs::<C, 2>(cpu, table, runs, bytes),
            3..=4 => self.store_runs::<C, 4>(cpu, table, runs, bytes),
            _ => self.store_long_runs(table, runs, bytes),
        }
    }

    #[inline(always)]
    fn prefetch(&self, table: &RunTable, run: &Run) {
        for line in (0..table.len).step_by(64) {
            prefetch(self.values, run.target + line);
        }
        prefetch(self.values, run.target + table.len - 1);
    }

    /// Runs that fit `N` vectors.
    #[inline(always)]
    fn store_runs<C: Cpu, const N: usize>(
        &self,
        cpu: C,
        table: &RunTable,
        runs: &[Run],
        bytes: &[u8],
    ) {
        for (i, run) in runs.iter().enumerate() {
            if let Some(ahead) = runs.get(i + AHEAD) {
                self.prefetch(table, ahead);
            }
            let sources: [_; N] = cpu.load_all(bytes, run.source);
            // No two groups store to the same place, and nobody reads before all are done.
            let target = &self.values[run.target..run.target + table.len];
            for part in 0..N {
                if 64 * part < table.len {
                    let picks = cpu.load(&table.picks, run.places + 64 * part);
                    cpu.store_shared(cpu.pick(sources, picks), &target[64 * part..]);
                }
            }
        }
    }

    /// Runs of any length.
    #[inline(always)]
    fn store_long_runs(&self, table: &RunTable, runs: &[Run], bytes: &[u8]) {
        for run in runs {
            let target = &self.values[run.target..run.target + table.len];
            let places = &table.places[run.places..run.places + table.len];
            for (&byte, &place) in bytes[run.source..].iter().zip(places) {
                target[usize::from(place)].store(byte, Ordering::Relaxed);
            }
        }
    }

    /// Fills in the blocks of the lower parts that are no representatives: each is the image of one
    /// that is, under a symmetry that leaves the group's upper points in place. Only those of upper
    /// stones that `is_wanted` accepts.
    #[inline(always)]
    fn complete<C: Cpu>(
        &self,
        cpu: C,
        group: &KeyGroup,
        stabiliser: &[SymmetryId],
        is_wanted: impl Fn(&u16) -> bool,
        columns: &mut [u8],
    ) {
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let lower_count = self.tables.lower;
        let ranking = self.ranking(group);
        let starts = ranking.block_starts();
        let blocks = self.blocks(group);
        let lower_sets = lower_patterns(lower_count, group.lower_keys);
        // For each lower part that is no representative: its block, that of the least image, and
        // the symmetry.
        let mut images: Vec<(usize, usize, SymmetryId)> = Vec::new();
        for &set in lower_sets {
            let lower = Points::from_bits(set.into());
            let image = stabiliser.iter().map(|&id| (symmetries.apply(id, lower), id)).min();
            if let Some((least, id)) = image.filter(|&(least, _)| least < lower) {
                let block = |set: Points| usize::from(lower_rank(set.bits()));
                images.push((block(lower), block(least), id));
            }
        }
        let all_upper = (geometry.points().bits() >> lower_count) << lower_count;
        let free_upper = all_upper & !group.upper.bits();
        let mut copy = vec![0; binomial(PART_LIMIT, PART_LIMIT / 2) as usize + SLACK];
        let mut first_lane = 0;
        for size in 0..=ranking.lower() {
            let len = binomial(ranking.lower(), size) as usize;
            let patterns = patterns_of(ranking, size);
            for &stones in patterns.iter().filter(|stones| is_wanted(stones)) {
                let stones = u32::from(stones);
                let upper = Points::from_bits(bits::deposit(
                    stones << lower_count,
                    free_upper | ((1 << lower_count) - 1),
                ));
                // By symmetry: where the column of the image starts.
                let mut image_columns = [0; 16];
                for &id in stabiliser {
                    let image = bits::extract(symmetries.apply(id, upper).bits(), free_upper);
                    image_columns[id.index()] = blocks * starts[image as usize] as usize;
                }
                let column = blocks * starts[stones as usize] as usize;
                for &(block, least, id) in &images {
                    let lanes = self.images.get(lower_sets[block].into(), id);
                    let from = image_columns[id.index()] + least * len;
                    copy[..len].copy_from_slice(&columns[from..from + len]);
                    let to = column + block * len;
                    let target = &mut columns[to..to + len];
                    for part in 0..len.div_ceil(64) {
                        let at = first_lane + 64 * part;
                        let low = cpu.load(lanes.low, at);
                        let picked = if len > SHORT {
                            cpu.pick_long(&copy, len, low, cpu.load(lanes.high, at))
                        } else {
                            let sources: [_; 4] = cpu.load_all(&copy, 0);
                            cpu.pick(sources, low)
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
/// A function of its own, so that it is not compiled for vectors: they would be put together byte by
/// byte.
#[inline(never)]
fn make_runs(column: &[u8; COLUMN], sources: &[u16], bytes: &mut [u8]) {
    for (byte, &source) in bytes.iter_mut().zip(sources) {
        *byte = column[usize::from(source)];
    }
}

/// The patterns of upper stones that leave `size` lower stones.
fn patterns_of(ranking: &Ranking, size: u8) -> &'static [u16] {
    match ranking.size().checked_sub(size) {
        Some(ones) if ones <= ranking.upper() => lower_patterns(ranking.upper(), ones),
        _ => &[],
    }
}

/// Calls `work` with every number of lower stones and the patterns of upper stones that leave so many.
#[inline(always)]
fn for_each_size(ranking: &Ranking, mut work: impl FnMut(u8, &'static [u16])) {
    for size in 0..=ranking.lower() {
        let patterns = patterns_of(ranking, size);
        if !patterns.is_empty() {
            work(size, patterns);
        }
    }
}
