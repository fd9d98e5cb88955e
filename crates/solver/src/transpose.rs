//! From rows keyed by one side to rows keyed by the other, whole groups of rows at a time.
//!
//! All keys B with the same upper points are consecutive representatives. Their rows are evaluated
//! into one buffer. For fixed stones `w` of the other side, the values over all lower parts of B are
//! then one contiguous *run* in the row keyed by the class of `w`: one byte for each subset of the
//! lower points that `w` leaves free. Where each byte of a run comes from in the buffer, and at which
//! place of the run it goes under a symmetry, depends on the lower points alone: fixed tables.
//!
//! Where the upper part of B has a stabiliser, only some of the lower parts are representatives. The
//! rows of the others are filled in from theirs, so that every run is complete; and since
//! symmetric upper parts of `w` then have the same runs, one of them is enough. Where the class of
//! `w` has a stabiliser, the run is written once under each symmetry that leads to the
//! representative.

use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::{
    Board, ClassId, Points, RowRankings, SymmetryId, binomial, bits, lower_patterns, lower_rank,
};

use crate::lanes::lanes_of_all_sizes;
use crate::memory::prefetch;
use crate::rows::{Rows, SYMMETRIC};

/// For a number of lower key points and of lower stones: the run tables.
#[derive(Default)]
struct RunTable {
    /// Bytes of a run.
    len: usize,
    /// By lower stones and lane of the key among the points that they leave free: the key's row in
    /// the buffer, and the lane of the stones in that row's blocks.
    sources: Vec<(u16, u16)>,
    /// By symmetry, then as above: the place in the run.
    places: Vec<u16>,
}

/// The run tables of a board.
pub(crate) struct RunTables {
    lower: u8,
    /// By lower key points, then by lower stones.
    tables: Vec<Vec<RunTable>>,
}

impl RunTables {
    pub(crate) fn new(board: Board) -> Self {
        let lower = board.geometry().lower_count();
        let tables = (0..=lower)
            .map(|keys| (0..=lower - keys).map(|stones| run_table(board, keys, stones)).collect())
            .collect();
        Self { lower, tables }
    }
}

fn run_table(board: Board, keys: u8, stones: u8) -> RunTable {
    let geometry = board.geometry();
    let lower = geometry.lower_count();
    let all = (1_u32 << lower) - 1;
    let key_of = |stones: u32, lane: u16| bits::deposit(u32::from(lane), all & !stones);
    let mut table =
        RunTable { len: binomial(lower - stones, keys) as usize, ..RunTable::default() };
    for &stones_mask in lower_patterns(lower, stones) {
        let stones_mask = u32::from(stones_mask);
        for &lane in lower_patterns(lower - stones, keys) {
            let key = key_of(stones_mask, lane);
            table
                .sources
                .push((lower_rank(key), lower_rank(bits::extract(stones_mask, all & !key))));
        }
    }
    for (_, symmetry) in geometry.symmetries().iter() {
        let image = |mask: u32| symmetry.apply_set(Points::from_bits(mask)).bits();
        for &stones_mask in lower_patterns(lower, stones) {
            let stones_mask = u32::from(stones_mask);
            let free = all & !image(stones_mask);
            for &lane in lower_patterns(lower - stones, keys) {
                let key = image(key_of(stones_mask, lane));
                table.places.push(lower_rank(bits::extract(key, free)));
            }
        }
    }
    table
}

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

    /// How many rows the buffer of the group has: one for every subset of lower points of this size.
    pub(crate) fn buffer_rows(&self, rows: &Rows) -> usize {
        binomial(rows.board().geometry().lower_count(), self.lower_keys) as usize
    }

    /// The row of the buffer for a key of the group.
    pub(crate) fn buffer_row(&self, key: Points) -> usize {
        usize::from(lower_rank(key.difference(self.upper).bits()))
    }
}

/// What is needed to store groups of rows.
pub(crate) struct Transposer<'a> {
    pub(crate) tables: &'a RunTables,
    /// Rows keyed by the keys of the groups.
    pub(crate) source: &'a Rows,
    /// The rankings of the stones in those rows.
    pub(crate) rankings: &'a RowRankings,
    /// Rows keyed by the stones.
    pub(crate) target: &'a Rows,
    /// The bytes of a table of `target`.
    pub(crate) values: &'a [AtomicU8],
}

/// One run on its way.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Where it starts in the target.
    target: usize,
    /// Where its sources and places start in their tables.
    sources: usize,
    places: usize,
}

/// Runs that are prefetched ahead of their use.
const AHEAD: usize = 6;

impl Transposer<'_> {
    /// Bytes of a row of a group's buffer.
    pub(crate) fn row_len(&self, group: &KeyGroup) -> usize {
        self.rankings.of(self.key(group)).count() as usize
    }

    fn key(&self, group: &KeyGroup) -> Points {
        self.source.row(group.classes.start).key
    }

    /// The symmetries that leave the upper points of the group in place, other than the identity.
    fn stabiliser(&self, group: &KeyGroup) -> Vec<SymmetryId> {
        let symmetries = self.source.board().geometry().symmetries();
        symmetries.stabiliser(group.upper).filter(|&id| id != SymmetryId::IDENTITY).collect()
    }

    /// Stores the values of a group. `buffer` holds the rows of its representatives at their
    /// [`KeyGroup::buffer_row`]; the others are filled in.
    pub(crate) fn store(&self, group: &KeyGroup, buffer: &mut [u8], runs: &mut Vec<Run>) {
        let stabiliser = self.stabiliser(group);
        if !stabiliser.is_empty() {
            self.complete(group, &stabiliser, buffer);
        }
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let classes = self.target.index().classes();
        let lower_count = self.tables.lower;
        let ranking = self.rankings.of(self.key(group));
        let row_len = ranking.count() as usize;
        let images = self.source.images(group.upper);
        let upper_points = geometry.points().bits() >> lower_count << lower_count;
        let free_upper = upper_points & !group.upper.bits();
        let by_free_lower = self.target.index().rankings().by_free_lower();

        for stones in 0..1_u32 << ranking.upper() {
            let Some(size) = ranking.lower_size(stones) else { continue };
            let upper = Points::from_bits(bits::deposit(
                stones << lower_count,
                upper_mask(free_upper, lower_count),
            ));
            if stabiliser.iter().any(|&id| symmetries.apply(id, upper) < upper) {
                continue;
            }
            let table = &self.tables.tables[group.lower_keys as usize][size as usize];
            let starts = by_free_lower[(lower_count - size) as usize]
                .as_ref()
                .map_or(&[][..], |ranking| ranking.block_starts());
            let start_of = |class: usize, key: u32, id: usize| {
                let free = (upper_points & !key) >> lower_count;
                let block = starts[bits::extract(images[id] >> lower_count, free) as usize];
                class * self.target.stride() + block as usize
            };
            // The sets with these upper stones are consecutive in the table of classes.
            let first =
                classes.ranking().block_starts()[(upper.bits() >> lower_count) as usize] as usize;
            let lower_sets = lower_patterns(lower_count, size).len();
            runs.clear();
            for (lower, &packed) in classes.packed()[first..first + lower_sets].iter().enumerate() {
                let (class, id) = ((packed >> 4) as usize, (packed & 15) as usize);
                let key = self.target.key_words()[class];
                let run = |id: usize| Run {
                    target: start_of(class, key & !SYMMETRIC, id),
                    sources: lower * table.len,
                    places: (id * lower_sets + lower) * table.len,
                };
                runs.push(run(id));
                if key & SYMMETRIC != 0 {
                    let twins = classes.stabiliser(ClassId::new(class as u32));
                    let id = SymmetryId::new(id as u8);
                    let others = twins.iter().filter(|&twin| twin != SymmetryId::IDENTITY);
                    runs.extend(others.map(|twin| run(symmetries.product(id, twin).index())));
                }
            }
            let block = ranking.block_starts()[stones as usize] as usize;
            for (i, run) in runs.iter().enumerate() {
                if let Some(ahead) = runs.get(i + AHEAD) {
                    prefetch(self.values, ahead.target);
                    prefetch(self.values, ahead.target + table.len - 1);
                }
                let target = &self.values[run.target..][..table.len];
                let sources = &table.sources[run.sources..][..table.len];
                let places = &table.places[run.places..][..table.len];
                for (&(row, lane), &place) in sources.iter().zip(places) {
                    let byte = buffer[usize::from(row) * row_len + block + usize::from(lane)];
                    // No two groups store to the same place, and nobody reads before all are done.
                    target[usize::from(place)].store(byte, Ordering::Relaxed);
                }
            }
        }
    }

    /// Fills in the rows of the lower parts that are no representatives: each is the image of one
    /// that is, under a symmetry that leaves the group's upper points in place.
    fn complete(&self, group: &KeyGroup, stabiliser: &[SymmetryId], buffer: &mut [u8]) {
        let geometry = self.source.board().geometry();
        let symmetries = geometry.symmetries();
        let lower_count = self.tables.lower;
        let all = geometry.points().bits();
        let ranking = self.rankings.of(self.key(group));
        let row_len = ranking.count() as usize;
        let starts = ranking.block_starts();
        let mut lanes = Vec::new();
        for &lower in lower_patterns(lower_count, group.lower_keys) {
            let lower = Points::from_bits(u32::from(lower));
            let images = stabiliser.iter().map(|&id| (symmetries.apply(id, lower), id));
            let Some((least, id)) = images.min() else { return };
            if least >= lower {
                continue;
            }
            let symmetry = symmetries.get(id);
            let (free, image_free) =
                (all & !group.upper.union(lower).bits(), all & !group.upper.union(least).bits());
            let image = |compressed: u32| {
                let set = Points::from_bits(bits::deposit(compressed, free));
                bits::extract(symmetry.apply_set(set).bits(), image_free)
            };
            let mut lane_starts = vec![0];
            lanes.clear();
            for size in 0..=ranking.lower() {
                lane_starts
                    .push(lane_starts[size as usize] + binomial(ranking.lower(), size) as usize);
            }
            lanes.extend(
                lanes_of_all_sizes(ranking.lower())
                    .iter()
                    .map(|&lane| lower_rank(image(u32::from(lane)))),
            );
            let (to, from) =
                (usize::from(lower_rank(lower.bits())), usize::from(lower_rank(least.bits())));
            // The representative comes first in numeric order.
            let (head, tail) = buffer.split_at_mut(to * row_len);
            let (target, source) = (&mut tail[..row_len], &head[from * row_len..][..row_len]);
            for stones in 0..1_u32 << ranking.upper() {
                let Some(size) = ranking.lower_size(stones) else { continue };
                let block = starts[stones as usize] as usize..starts[stones as usize + 1] as usize;
                let image = image(stones << ranking.lower()) >> ranking.lower();
                let image_start = starts[image as usize] as usize;
                let lanes = &lanes[lane_starts[size as usize]..lane_starts[size as usize + 1]];
                for (value, &lane) in target[block].iter_mut().zip(lanes) {
                    *value = source[image_start + usize::from(lane)];
                }
            }
        }
    }
}

/// The free upper points as a mask into which patterns shifted up by `lower` bits are deposited.
const fn upper_mask(free_upper: u32, lower: u8) -> u32 {
    free_upper | ((1 << lower) - 1)
}
