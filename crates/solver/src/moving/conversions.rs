//! Moves that leave the pair, and the values that they give before the layers begin.
//!
//! In rows keyed by one side (X), the other side (Y) moves. Y leaves the pair by a conversion: it
//! removes stones, or it places one. Both lead to solved subspaces, so the values of a whole row
//! are known at once: *removal values* of the arrangements after a move that closed mills, and
//! *placing values* of the arrangements before a placing, which are the values after the best one.

use merels_core::{Plies, Ruleset};
use merels_simd::Cpu;

use crate::moving::queue::{RowSorter, ValueQueue};
use crate::placing::inputs::PlacingInputs;
use crate::placing::row_placer::RowPlacer;
use crate::removing::double::AfterMills;
use crate::removing::removals::RemovalValues;
use crate::rows::bytes::SLACK;
use crate::rows::row::Rows;
use crate::rows::solved::Child;

/// The conversions of Y.
pub(crate) struct Conversions {
    /// Moves on the board that close mills.
    pub(crate) mills: AfterMills,
    /// Placings; none if Y has no stone in hand.
    pub(crate) placing: Option<PlacingInputs>,
}

impl Conversions {
    /// The subspaces that conversions lead to.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Child> {
        self.mills.children().chain(self.placing.iter().flat_map(PlacingInputs::children))
    }
}

/// The known values of a chunk of rows, by distance.
#[derive(Default)]
pub(crate) struct KnownValues {
    /// Values after removals.
    pub(crate) removals: ValueQueue,
    /// Values after placings, if Y has stones in hand.
    pub(crate) placings: Option<ValueQueue>,
}

/// The number of known values by distance.
#[derive(Default)]
pub(crate) struct KnownCounts {
    removals: Vec<u64>,
    placings: Vec<u64>,
}

impl KnownCounts {
    /// Adds the values of a chunk of rows.
    pub(crate) fn add(&mut self, known: &KnownValues) {
        let add = |all: &mut Vec<u64>, counts: &[u64]| {
            all.resize(all.len().max(counts.len()), 0);
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        };
        add(&mut self.removals, known.removals.counts());
        known.placings.iter().for_each(|placings| add(&mut self.placings, placings.counts()));
    }

    /// The numbers after removals and after placings at one distance.
    pub(crate) fn at(&self, distance: Plies) -> (u64, u64) {
        let at = |counts: &[u64]| counts.get(usize::from(distance.0)).copied().unwrap_or(0);
        (at(&self.removals), at(&self.placings))
    }

    /// Whether no value has a longer distance.
    pub(crate) fn end_at(&self, distance: Plies) -> bool {
        self.removals.len().max(self.placings.len()) <= usize::from(distance.0) + 1
    }
}

/// Computes known values. Holds scratch memory, used again for every row.
pub(crate) struct ConversionValues<'a> {
    rows: &'a Rows,
    removals: RemovalValues<'a>,
    /// After two removals, if a move can close two mills that remove two stones.
    double_removals: Option<RemovalValues<'a>>,
    placings: Option<PlacingValues<'a>>,
    sorter: RowSorter,
}

impl<'a> ConversionValues<'a> {
    /// Leaves out values of distances shorter than `from`.
    pub(crate) fn new(
        ruleset: &'a Ruleset,
        rows: &'a Rows,
        conversions: &'a Conversions,
        from: Plies,
    ) -> Self {
        let Conversions { mills, placing } = conversions;
        let two = mills.two.as_ref();
        Self {
            rows,
            removals: RemovalValues::of_one(ruleset, rows, &mills.one),
            double_removals: two.map(|two| RemovalValues::of_two(ruleset, rows, &two.first)),
            placings: placing.as_ref().map(|inputs| PlacingValues::new(ruleset, rows, inputs)),
            sorter: RowSorter::from_distance(from),
        }
    }

    /// Whether Y may place a stone.
    pub(crate) const fn has_placings(&self) -> bool {
        self.placings.is_some()
    }

    /// Puts the values of a chunk of rows into the empty `known`.
    #[inline(always)]
    pub(crate) fn fill<C: Cpu>(
        &mut self,
        cpu: C,
        classes: std::ops::Range<usize>,
        known: &mut KnownValues,
    ) {
        let Self { rows, removals, double_removals, placings, sorter } = self;
        for class in classes.clone() {
            let row = rows.row(class);
            removals.for_each(cpu, &row, |rank, code| sorter.push(rank, code));
            if let Some(removals) = double_removals {
                // Queued behind the values after one removal, see `DoubleSlides`.
                let behind = rows.row_len();
                removals.for_each(cpu, &row, |rank, code| sorter.push(behind + rank, code));
            }
            known.removals.add_row(sorter);
        }
        known.removals.finish(sorter);
        if let Some(placings) = placings {
            let queue = known.placings.insert(ValueQueue::default());
            for class in classes {
                let values = placings.of_row(cpu, class).iter().enumerate();
                values.for_each(|(rank, &code)| sorter.push(rank, code));
                queue.add_row(sorter);
            }
            queue.finish(sorter);
        }
    }
}

/// Computes X's values after the best placing of Y.
struct PlacingValues<'a> {
    placer: RowPlacer<'a>,
    row_len: usize,
    /// The values, with [`SLACK`] bytes behind them.
    values: Vec<u8>,
}

impl<'a> PlacingValues<'a> {
    fn new(ruleset: &'a Ruleset, rows: &Rows, inputs: &'a PlacingInputs) -> Self {
        let row_len = rows.row_len();
        Self { placer: RowPlacer::new(ruleset, inputs), row_len, values: vec![0; row_len + SLACK] }
    }

    /// The values of all entries of the row of `class`, as codes.
    #[inline(always)]
    fn of_row<C: Cpu>(&mut self, cpu: C, class: usize) -> &[u8] {
        self.placer.fill_after(cpu, class, &mut self.values);
        &self.values[..self.row_len]
    }
}
