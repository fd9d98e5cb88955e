//! The part of a pair that is stored in rows keyed by one side, and the stages of a layer on it.
//!
//! Let the key's side be X and the other Y. A [`Half`] holds, over one and the same index space,
//! - the *values* of the positions in which X is to move (what is written to disk in the end),
//! - the *counters* of the positions in which Y is to move,
//! - the *removal values* after Y's mills.
//!
//! Y's moves change Y's stones only, so a layer works row by row: sources among the values and the
//! removal values, counters in the same row. What it decides are positions with Y to move, whose
//! values belong into the rows keyed by Y: the other half (the same one if the two sides have equally
//! many stones). [`Half::propagate`] collects them, [`Half::store`] stores them; the two never run
//! at once, so that nothing is read while it is written.

use std::sync::Arc;

use merels_core::{FullBoard, Index, Plies, Ruleset, ValueCode};
use rayon::prelude::*;

use crate::counters::{Movement, count_moves};
use crate::dispatch::{self, Cpu, Processor, Work, equal_bytes};
use crate::memory::{ByteTable, Pool, as_atomic};
use crate::propagate::{Arrival, Decided, Effect, Reached};
use crate::queue::{RemovalQueue, RowSorter};
use crate::removals::{AfterRemoval, RemovalValues};
use crate::rows::{LINE, Row, Rows};
use crate::scatter::{Storer, Target};
use crate::slides::{AnySlides, Jumps, MOST_UNMOVES, NineSlides, Unmoves};

/// What an entry holds while nothing is known of it. The byte is a draw's: whatever no layer
/// decides *is* drawn, so that when the layers have ended no pass over the table is needed. Until
/// then it means undecided, and no half-solved table leaves this crate.
const UNDECIDED: u8 = ValueCode::DRAW.byte();

/// Bytes of rows that one task works on: its counters and values fit a core's second-level cache.
const GROUP_BYTES: usize = 256 * 1024;

/// Bytes of decided positions that may wait to be stored.
pub(crate) const WAITING_BYTES: usize = 256 * 1024 * 1024;

/// Rows keyed by one side, see the module's text.
pub(crate) struct Half {
    rows: Rows,
    movement: Movement,
    processor: Processor,
    group_rows: usize,
    values: ByteTable,
    counters: ByteTable,
    queues: Vec<RemovalQueue>,
    /// By distance: how many removal values there are.
    removal_counts: Vec<u64>,
    /// For each cache line of `values`: whether it holds a value of the current layer, and of the
    /// layer to come.
    touched: [Vec<u8>; 2],
}

/// What one stage did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Un-moves made.
    pub(crate) edges: u64,
    /// Positions decided (some of them twins of others).
    pub(crate) decided: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.edges += other.edges;
        self.decided += other.decided;
    }
}

/// The positions decided in a group of rows.
#[derive(Default)]
pub(crate) struct GroupDecided {
    decided: Decided,
    /// The class of each row, and where its positions end.
    rows: Vec<(u32, u32)>,
}

impl Half {
    /// Undecided values, and counters still to be begun, for `key` stones of X against `size` stones of Y.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(crate) fn new(
        ruleset: &Ruleset,
        key: u8,
        size: u8,
        processor: Processor,
        pool: &Arc<Pool>,
    ) -> std::io::Result<Self> {
        let rows = Rows::new(ruleset.board, key, size);
        let mut values = pool.table(rows.table_len())?;
        values.par_chunks_mut(GROUP_BYTES).for_each(|chunk| chunk.fill(UNDECIDED));
        let counters = pool.table(rows.table_len())?;
        let lines = rows.table_len() / LINE;
        Ok(Self {
            movement: if ruleset.flies(size) { Movement::Jump } else { Movement::Slide },
            processor,
            group_rows: (GROUP_BYTES / rows.stride()).max(1),
            values,
            counters,
            queues: Vec::new(),
            removal_counts: Vec::new(),
            touched: [vec![0; lines], vec![0; lines]],
            rows,
        })
    }

    /// The shape of the rows.
    pub(crate) const fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The values, as codes.
    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }

    /// The value at an index of the subspace in which the key's side is to move.
    pub(crate) fn value_at(&self, index: Index) -> u8 {
        let row_len = self.rows.row_len() as u64;
        let (class, rank) = ((index.0 / row_len) as usize, (index.0 % row_len) as usize);
        self.values[class * self.rows.stride() + rank]
    }

    /// How many groups of rows there are.
    pub(crate) fn groups(&self) -> usize {
        self.rows.count().div_ceil(self.group_rows)
    }

    /// How many groups may be worked on before what they decide must be stored, if at most
    /// `sources` positions of the half are decided at `distance`.
    pub(crate) fn batch(&self, sources: u64, distance: Plies) -> usize {
        let removals = self.removal_counts.get(usize::from(distance.0)).copied().unwrap_or(0);
        let most = WAITING_BYTES / size_of::<u32>();
        if (sources + removals).saturating_mul(MOST_UNMOVES as u64) <= most as u64 {
            self.groups()
        } else {
            (most / (self.group_rows * self.rows.row_len())).max(1)
        }
    }

    /// Whether no removal value has a distance longer than this.
    pub(crate) fn has_no_removal_beyond(&self, distance: Plies) -> bool {
        self.removal_counts.len() <= usize::from(distance.0) + 1
    }

    /// Counts the moves of all positions and sorts the removal values; what is blocked from the
    /// start is put into `decided`, one entry for each group.
    pub(crate) fn begin(
        &mut self,
        ruleset: &Ruleset,
        after: &AfterRemoval,
        decided: &mut Vec<GroupDecided>,
    ) -> Tally {
        let Self { rows, movement, processor, group_rows, counters, queues, .. } = self;
        let groups = rows.count().div_ceil(*group_rows);
        let blocked_loses = !rows.is_full_board() || ruleset.full_board == FullBoard::Loss;
        queues.resize_with(groups, RemovalQueue::default);
        decided.resize_with(groups.max(decided.len()), GroupDecided::default);
        let tally = counters
            .par_chunks_mut(*group_rows * rows.stride())
            .zip(&mut *queues)
            .zip(decided)
            .enumerate()
            .map_init(
                || (RemovalValues::new(ruleset, rows, after), RowSorter::default()),
                |(removals, sorter), (group, ((counters, queue), decided))| {
                    let first = group * *group_rows;
                    let (movement, processor) = (*movement, *processor);
                    dispatch::run(
                        processor,
                        GroupBegin {
                            rows,
                            movement,
                            first,
                            blocked_loses,
                            counters,
                            removals,
                            sorter,
                            queue,
                            decided,
                        },
                    )
                },
            )
            .reduce(Tally::default, sum);
        for counts in self.queues.iter().map(RemovalQueue::counts) {
            let all = &mut self.removal_counts;
            all.resize(all.len().max(counts.len()), 0);
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        tally
    }

    /// Works back from the sources of one layer in `groups`; puts what it decides into `decided`,
    /// one entry for each group.
    pub(crate) fn propagate(
        &mut self,
        ruleset: &Ruleset,
        distance: Plies,
        groups: std::ops::Range<usize>,
        decided: &mut Vec<GroupDecided>,
    ) -> Tally {
        let Self {
            rows, movement, processor, group_rows, values, counters, queues, touched, ..
        } = self;
        let code = ValueCode::at_distance(distance).expect("the caller has checked the distance");
        decided.resize_with(groups.len().max(decided.len()), GroupDecided::default);
        let group_bytes = *group_rows * rows.stride();
        let lines_of_group = group_bytes / LINE;
        let last = rows.table_len();
        let bytes = groups.start * group_bytes..(groups.end * group_bytes).min(last);
        let lines = bytes.start / LINE..bytes.end / LINE;
        counters[bytes.clone()]
            .par_chunks_mut(group_bytes)
            .zip(values[bytes].par_chunks(group_bytes))
            .zip(touched[0][lines].par_chunks_mut(lines_of_group))
            .zip(&mut queues[groups.clone()])
            .zip(decided)
            .enumerate()
            .map_init(
                Reached::new,
                |reached, (i, ((((counters, values), touched), queue), decided))| {
                    let layer = GroupLayer {
                        ruleset,
                        rows,
                        movement: *movement,
                        distance,
                        code: code.byte(),
                        first: (groups.start + i) * *group_rows,
                        counters,
                        values,
                        touched,
                        queue,
                        decided,
                        reached,
                    };
                    dispatch::run(*processor, layer)
                },
            )
            .reduce(Tally::default, sum)
    }

    /// Stores `code` for what `source` has decided. `source` is the other half, or none if this half
    /// is its own.
    pub(crate) fn store(
        &mut self,
        source: Option<&Self>,
        decided: &[GroupDecided],
        code: ValueCode,
    ) {
        let Self { rows, processor, values, touched, .. } = self;
        let target =
            Target { rows, values: as_atomic(values), touched: as_atomic(&mut touched[1]) };
        let keyed = source.map_or(&*rows, |source| &source.rows);
        decided.par_iter().for_each(|group| {
            dispatch::run(
                *processor,
                GroupStore { keyed, target: &target, group, code: code.byte() },
            );
        });
    }

    /// Makes the layer to come the current one.
    pub(crate) fn next_layer(&mut self) {
        self.touched.swap(0, 1);
    }
}

const fn sum(one: Tally, other: Tally) -> Tally {
    Tally { edges: one.edges + other.edges, decided: one.decided + other.decided }
}

impl GroupDecided {
    /// Forgets what was decided, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.decided.clear();
        self.rows.clear();
    }

    /// Adds the entries of a row that have no move.
    fn push_blocked(&mut self, class: usize, row: &Row<'_>, counters: &[u8]) {
        let before = self.decided.len();
        for (rank, _) in counters.iter().enumerate().filter(|(_, counter)| **counter == 0) {
            self.decided.push(merels_core::bits::deposit(row.unranked[rank], row.free));
        }
        self.end_row(class, before);
    }

    /// Ends a row in which `before` positions were there at the start.
    fn end_row(&mut self, class: usize, before: usize) {
        if self.decided.len() > before {
            self.rows.push((class as u32, self.decided.len() as u32));
        }
    }
}

/// Counters and removal values of a group of rows.
struct GroupBegin<'a, 'b> {
    rows: &'a Rows,
    movement: Movement,
    first: usize,
    blocked_loses: bool,
    counters: &'a mut [u8],
    removals: &'a mut RemovalValues<'b>,
    sorter: &'a mut RowSorter,
    queue: &'a mut RemovalQueue,
    decided: &'a mut GroupDecided,
}

impl Work for GroupBegin<'_, '_> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        self.decided.clear();
        for (i, counters) in self.counters.chunks_mut(self.rows.stride()).enumerate() {
            let class = self.first + i;
            let row = self.rows.row(class);
            let counters = &mut counters[..self.rows.row_len()];
            count_moves(self.rows.slides(), &row, self.movement, counters);
            if self.blocked_loses {
                self.decided.push_blocked(class, &row, counters);
            }
            self.removals.for_each(cpu, &row, |rank, code| self.sorter.push(rank, code));
            self.queue.add_row(self.sorter);
        }
        self.queue.shrink();
        Tally { edges: 0, decided: self.decided.decided.len() as u64 }
    }
}

/// One layer on a group of rows.
struct GroupLayer<'a> {
    ruleset: &'a Ruleset,
    rows: &'a Rows,
    movement: Movement,
    distance: Plies,
    code: u8,
    first: usize,
    counters: &'a mut [u8],
    values: &'a [u8],
    touched: &'a mut [u8],
    queue: &'a mut RemovalQueue,
    decided: &'a mut GroupDecided,
    reached: &'a mut Reached,
}

/// One layer on a row.
struct RowLayer<'a, C, M> {
    cpu: C,
    row: Row<'a>,
    moves: M,
    effect: Effect,
    counters: &'a mut [u8],
    decided: &'a mut Decided,
    reached: &'a mut Reached,
}

impl<C: Cpu, M: Unmoves> RowLayer<'_, C, M> {
    /// Works back from the source of rank `rank`. Gives the number of un-moves that were completed.
    #[inline(always)]
    fn work_back(&mut self, rank: usize, arrival: Arrival) -> u64 {
        let completed = if self.reached.is_full() { self.finish() } else { 0 };
        let stones = self.cpu.deposit(self.row.unranked[rank], self.row.free);
        let arrived = match arrival {
            Arrival::Anywhere => stones,
            Arrival::Quiet => stones & !self.moves.in_mills(stones),
            Arrival::ClosedMill => self.moves.in_mills(stones),
        };
        let empty = self.row.free & !stones;
        self.reached.unmove(self.cpu, self.moves, stones, arrived, empty);
        completed
    }

    /// Completes the un-moves that wait.
    #[inline(always)]
    fn finish(&mut self) -> u64 {
        self.reached.apply(self.cpu, &self.row, self.counters, self.effect, self.decided)
    }
}

impl Work for GroupLayer<'_> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let slides = self.rows.slides();
        match self.movement {
            Movement::Jump => self.work_back(cpu, Jumps(slides)),
            Movement::Slide if slides.is_nine() => self.work_back(cpu, NineSlides(slides)),
            Movement::Slide => self.work_back(cpu, AnySlides(slides)),
        }
    }
}

impl GroupLayer<'_> {
    #[inline(always)]
    fn work_back<C: Cpu, M: Unmoves>(self, cpu: C, moves: M) -> Tally {
        self.decided.clear();
        let stride = self.rows.stride();
        let mut edges = 0;
        let rows = self
            .counters
            .chunks_mut(stride)
            .zip(self.values.chunks(stride))
            .zip(self.touched.chunks_mut(stride / LINE));
        for (i, ((counters, values), touched)) in rows.enumerate() {
            let has_removals = self.queue.has(i, self.distance);
            let has_values = any(touched);
            if !has_removals && !has_values {
                continue;
            }
            let class = self.first + i;
            let row = self.rows.row(class);
            let before = self.decided.decided.len();
            let decided = &mut self.decided.decided;
            let effect = Effect::of(self.distance);
            let mut layer =
                RowLayer { cpu, row, moves, effect, counters, decided, reached: self.reached };
            if has_removals {
                self.queue.take(i, self.distance, |rank| {
                    edges += layer.work_back(rank, Arrival::ClosedMill);
                });
            }
            if has_values {
                let nothing_to_remove = self.ruleset.removable(row.key).is_empty();
                let arrival = if nothing_to_remove { Arrival::Anywhere } else { Arrival::Quiet };
                for (line, (touched, values)) in
                    touched.iter_mut().zip(values.as_chunks().0).enumerate()
                {
                    if *touched == 0 {
                        continue;
                    }
                    *touched = 0;
                    let mut found = equal_bytes(values, self.code);
                    while found != 0 {
                        let rank = line * LINE + found.trailing_zeros() as usize;
                        found &= found - 1;
                        edges += layer.work_back(rank, arrival);
                    }
                }
            }
            edges += layer.finish();
            self.decided.end_row(class, before);
        }
        Tally { edges, decided: self.decided.decided.len() as u64 }
    }
}

/// Whether any byte is not zero.
#[inline(always)]
fn any(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |all, byte| all | byte) != 0
}

/// The stores of what was decided in a group of rows.
struct GroupStore<'a> {
    keyed: &'a Rows,
    target: &'a Target<'a>,
    group: &'a GroupDecided,
    code: u8,
}

impl Work for GroupStore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let decided = self.group.decided.as_slice();
        let mut storer = Storer::new(cpu, self.target, self.code);
        let mut start = 0;
        for &(class, end) in &self.group.rows {
            let images = self.keyed.images(self.keyed.row(class as usize).key);
            storer.store(&images, &decided[start..end as usize]);
            start = end as usize;
        }
        storer.finish();
    }
}
