//! The tables of a pair that are keyed by one side, and the stages of a layer on them.
//!
//! Let X be the key's side and Y the other. [`SideTables`] holds, over one index space,
//! - the *values* of the positions with X to move (the bytes that files hold in the end),
//! - the *counters* of the positions with Y to move,
//! - the *removal values* after Y's mills, and the *placing values*: for each position with Y to
//!   move, the value for X after Y's best placing, if Y has stones in hand.
//!
//! Y's moves change Y's stones only, so a layer works row by row: sources among the values, the
//! removal values and the placing values, counters in the same row. It decides positions with Y to
//! move, whose values belong to the rows keyed by Y: the tables of the other side, or the same
//! tables if the sides have equally many stones. [`SideTables::propagate`] collects these
//! positions, [`SideTables::store`] stores them. The two never run at once, so no table is read
//! while it is written.
//!
//! When the layers pass the distances of near codes, [`SideTables::begin_far`] puts the near codes
//! aside and switches to far codes; [`SideTables::end`] brings the two together.

use std::ops::Add;

use merels_core::numbering::{Codes, FarCodes, ValueCode};
use merels_core::{FullBoard, Plies, Ruleset, Subspace};
use merels_simd::{Cpu, Processor, Work};
use rayon::prelude::*;

use crate::moving::conversions::{ConversionValues, Conversions, KnownCounts, KnownValues};
use crate::moving::counters::{Movement, count_moves};
use crate::moving::decided::{Decided, LEAST_WAITING, Tally};
use crate::moving::propagate::{ChunkLayer, Scratch};
use crate::moving::scatter::{Storer, Target};
use crate::moving::sweep::sweep_share;
use crate::moving::unmoves::MOST_UNMOVES;
use crate::rows::bytes::{ByteTable, as_atomic};
use crate::rows::row::{CHUNK_BYTES, LINE, Rows};
use crate::rows::setup::Setup;
use crate::rows::solved::Solved;

/// The byte of an undecided entry. It is the byte of a draw: what no layer decides *is* drawn, so
/// no pass over the table is needed when the layers have ended. No half-solved table leaves this
/// crate.
const UNDECIDED: u8 = ValueCode::DRAW.byte();

/// The tables keyed by one side (see the module's text).
pub(crate) struct SideTables {
    rows: Rows,
    movement: Movement,
    processor: Processor,
    /// Bytes of decided positions that may wait to be stored.
    waiting: usize,
    chunk_rows: usize,
    /// The codes of the layers: near ones, then far ones.
    values: ByteTable,
    /// The near codes, while layers work on far ones.
    near: Option<ByteTable>,
    /// The longest distance of a value.
    longest: Plies,
    counters: ByteTable,
    known: Vec<KnownValues>,
    known_counts: KnownCounts,
    /// For each cache line of `values`: whether it holds a value of the current layer, and of the
    /// next one.
    touched: [Vec<u8>; 2],
}

impl SideTables {
    /// Undecided values of `subspace`, in which X is to move; [`SideTables::begin`] fills the
    /// counters.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(crate) fn new(
        setup: &Setup<'_>,
        subspace: Subspace,
        waiting: usize,
    ) -> std::io::Result<Self> {
        let &Setup { ruleset, processor, ref pool, .. } = setup;
        let rows = Rows::of(ruleset.board, subspace);
        let all_of_y = subspace.other() + subspace.other_hand();
        let mut values = pool.table(rows.table_len())?;
        values.par_chunks_mut(CHUNK_BYTES).for_each(|chunk| chunk.fill(UNDECIDED));
        let counters = pool.table(rows.table_len())?;
        let lines = rows.table_len() / LINE;
        Ok(Self {
            movement: if ruleset.flies(all_of_y) { Movement::Jump } else { Movement::Slide },
            processor,
            waiting,
            chunk_rows: (CHUNK_BYTES / rows.stride()).max(1),
            values,
            near: None,
            longest: Plies(0),
            counters,
            known: Vec::new(),
            known_counts: KnownCounts::default(),
            touched: [vec![0; lines], vec![0; lines]],
            rows,
        })
    }

    /// The shape of the rows.
    pub(crate) const fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.rows.count().div_ceil(self.chunk_rows)
    }

    /// How many chunks can run before their results must be stored, if the previous layer decided
    /// `sources` positions.
    pub(crate) fn batch(&self, sources: u64, distance: Plies) -> usize {
        let (removals, placings) = self.known_counts.at(distance);
        let most = self.waiting / size_of::<u32>();
        if (sources + removals).saturating_mul(MOST_UNMOVES as u64) + placings <= most as u64 {
            self.chunks()
        } else {
            (most / (self.chunk_rows * self.rows.row_len())).max(1)
        }
    }

    /// Whether every removal value and placing value has at most this distance.
    pub(crate) fn knows_nothing_beyond(&self, distance: Plies) -> bool {
        self.known_counts.end_at(distance)
    }

    /// Counts the moves of all positions and sorts the removal values and the placing values. Puts
    /// the positions that are blocked from the start into `decided`, one entry for each chunk.
    pub(crate) fn begin(
        &mut self,
        ruleset: &Ruleset,
        conversions: &Conversions,
        decided: &mut Vec<Decided>,
    ) -> Tally {
        if self.movement == Movement::Slide && conversions.mills.two.is_some() {
            self.movement = Movement::DoubleSlide;
        }
        let Self { rows, movement, processor, chunk_rows, counters, known, .. } = self;
        let chunks = rows.count().div_ceil(*chunk_rows);
        let blocked_loses = !rows.is_full_board() || ruleset.full_board == FullBoard::Loss;
        known.resize_with(chunks, KnownValues::default);
        decided.resize_with(chunks.max(decided.len()), Decided::default);
        let tally = counters
            .par_chunks_mut(*chunk_rows * rows.stride())
            .zip(&mut *known)
            .zip(decided)
            .enumerate()
            .map_init(
                || ConversionValues::new(ruleset, rows, conversions, Plies(0)),
                |conversion_values, (chunk, ((counters, known), decided))| {
                    let first = chunk * *chunk_rows;
                    let (movement, processor) = (*movement, *processor);
                    processor.dispatch(ChunkBegin {
                        rows,
                        movement,
                        first,
                        blocked_loses,
                        counters,
                        conversion_values,
                        known,
                        decided,
                    })
                },
            )
            .reduce(Tally::default, Tally::add);
        self.known.iter().for_each(|known| self.known_counts.add(known));
        tally
    }

    /// Switches from near codes to far codes, once everything up to the first far distance is
    /// decided. `conversions` lead to far codes.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(crate) fn begin_far(
        &mut self,
        setup: &Setup<'_>,
        conversions: &Conversions,
    ) -> std::io::Result<()> {
        let &Setup { ruleset, codes, ref pool, .. } = setup;
        let mut near = pool.table(self.values.len())?;
        let bytes = codes.far_bytes();
        let chunks = near.par_chunks_mut(CHUNK_BYTES).zip(self.values.par_chunks_mut(CHUNK_BYTES));
        chunks.for_each(|(near, values)| {
            near.copy_from_slice(values);
            values.iter_mut().for_each(|value| *value = bytes[usize::from(*value)]);
        });
        self.near = Some(near);
        // Few positions are left.
        self.waiting = LEAST_WAITING;

        let Self { rows, processor, chunk_rows, known, .. } = self;
        // Layers of near codes have taken the nearer values.
        let from = Plies(codes.first().0 - codes.base().0);
        known.par_iter_mut().enumerate().for_each_init(
            || ConversionValues::new(ruleset, rows, conversions, from),
            |conversion_values, (chunk, known)| {
                let first = chunk * *chunk_rows;
                let classes = first..(first + *chunk_rows).min(rows.count());
                *known = KnownValues::default();
                processor.dispatch(ChunkKnown { conversion_values, classes, known });
            },
        );
        self.known_counts = KnownCounts::default();
        self.known.iter().for_each(|known| self.known_counts.add(known));
        Ok(())
    }

    /// Ends the layers. Brings near and far codes together, and drops the far codes if near codes
    /// express every value.
    pub(crate) fn end(self, codes: FarCodes) -> Solved {
        let Self { rows, values, near, longest, .. } = self;
        let Some(mut near) = near else {
            return Solved { rows, codes: Codes::near(values), longest };
        };
        let (loss, win) = (codes.loss().byte(), codes.win().byte());
        let chunks = near.par_chunks_mut(CHUNK_BYTES).zip(values.par_chunks(CHUNK_BYTES));
        chunks.for_each(|(near, far)| {
            for (near, &far) in near.iter_mut().zip(far) {
                if *near == UNDECIDED && far != UNDECIDED {
                    *near = if far < UNDECIDED { loss } else { win };
                }
            }
        });
        let far = (longest >= codes.first_beyond()).then_some(values);
        Solved { rows, codes: Codes { near, far }, longest }
    }

    /// Works back from the sources of one layer in `chunks`. Puts what it decides into `decided`,
    /// one entry for each chunk.
    pub(crate) fn propagate(
        &mut self,
        ruleset: &Ruleset,
        distance: Plies,
        chunks: std::ops::Range<usize>,
        decided: &mut Vec<Decided>,
    ) -> Tally {
        let Self {
            rows, movement, processor, chunk_rows, values, counters, known, touched, ..
        } = self;
        let code = ValueCode::at_distance(distance).expect("the caller has checked the distance");
        decided.resize_with(chunks.len().max(decided.len()), Decided::default);
        let (edges, sweep_share) = (rows.edges(), sweep_share(*processor));
        let chunk_bytes = *chunk_rows * rows.stride();
        let chunk_lines = chunk_bytes / LINE;
        let last = rows.table_len();
        let bytes = chunks.start * chunk_bytes..(chunks.end * chunk_bytes).min(last);
        let lines = bytes.start / LINE..bytes.end / LINE;
        counters[bytes.clone()]
            .par_chunks_mut(chunk_bytes)
            .zip(values[bytes].par_chunks(chunk_bytes))
            .zip(touched[0][lines].par_chunks_mut(chunk_lines))
            .zip(&mut known[chunks.clone()])
            .zip(decided)
            .enumerate()
            .map_init(
                Scratch::default,
                |scratch, (i, ((((counters, values), touched), known), decided))| {
                    let layer = ChunkLayer {
                        ruleset,
                        rows,
                        movement: *movement,
                        distance,
                        code: code.byte(),
                        first: (chunks.start + i) * *chunk_rows,
                        counters,
                        values,
                        touched,
                        queue: &mut known.removals,
                        placings: known.placings.as_mut(),
                        decided,
                        scratch,
                        edges,
                        sweep_share,
                    };
                    processor.dispatch(layer)
                },
            )
            .reduce(Tally::default, Tally::add)
    }

    /// Stores `code` for the positions that `source` has decided at `distance`. `source` is the
    /// other side, or none if these tables serve both sides.
    pub(crate) fn store(
        &mut self,
        source: Option<&Self>,
        decided: &[Decided],
        code: ValueCode,
        distance: Plies,
    ) {
        self.longest = self.longest.max(distance);
        let Self { rows, processor, values, touched, .. } = self;
        let target =
            Target { rows, values: as_atomic(values), touched: as_atomic(&mut touched[1]) };
        let keyed = source.map_or(&*rows, |source| &source.rows);
        decided.par_iter().for_each(|chunk| {
            processor.dispatch(ChunkStore { keyed, target: &target, chunk, code: code.byte() });
        });
    }

    /// Makes the next layer the current one.
    pub(crate) fn next_layer(&mut self) {
        self.touched.swap(0, 1);
    }
}

/// Counters and known values of a chunk of rows.
struct ChunkBegin<'a, 'b> {
    rows: &'a Rows,
    movement: Movement,
    first: usize,
    blocked_loses: bool,
    counters: &'a mut [u8],
    conversion_values: &'a mut ConversionValues<'b>,
    known: &'a mut KnownValues,
    decided: &'a mut Decided,
}

impl Work for ChunkBegin<'_, '_> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let Self { rows, first, counters, conversion_values, decided, .. } = self;
        decided.clear();
        let classes = first..first + counters.len() / rows.stride();
        for (class, counters) in classes.clone().zip(counters.chunks_mut(rows.stride())) {
            let row = rows.row(class);
            let counters = &mut counters[..rows.row_len()];
            count_moves(cpu, rows.slides(), &row, self.movement, counters);
            if conversion_values.has_placings() {
                // Only the best placing counts: it is one way out. A stone always has room, so no
                // position is blocked.
                counters.iter_mut().for_each(|counter| *counter += 1);
            }
            if self.blocked_loses {
                decided.add_blocked(class, &row, counters);
            }
        }
        conversion_values.fill(cpu, classes, self.known);
        Tally { edges: 0, decided: decided.len() as u64 }
    }
}

/// Known values of a chunk of rows.
struct ChunkKnown<'a, 'b> {
    conversion_values: &'a mut ConversionValues<'b>,
    classes: std::ops::Range<usize>,
    known: &'a mut KnownValues,
}

impl Work for ChunkKnown<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.conversion_values.fill(cpu, self.classes, self.known);
    }
}

/// Stores the positions that were decided in a chunk of rows.
struct ChunkStore<'a> {
    keyed: &'a Rows,
    target: &'a Target<'a>,
    chunk: &'a Decided,
    code: u8,
}

impl Work for ChunkStore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut storer = Storer::new(cpu, self.target, self.code);
        for (class, stones) in self.chunk.rows() {
            let images = self.keyed.images(self.keyed.row(class).key);
            storer.store(&images, stones);
        }
        storer.finish();
    }
}
