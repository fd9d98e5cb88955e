//! Solving a pair of subspaces: counters first, then one layer for each distance.
//!
//! Layer `d` works back from everything decided at distance `d`: positions of the pair that the
//! previous layer decided, and removals and placings, whose values are known from the start. Its
//! decisions have distance `d + 1`. The layers end when one has decided nothing and no removal or
//! placing has a longer distance; all undecided positions are drawn.
//!
//! Layers store near codes up to the first far loss. If positions are left then, both sides switch
//! to far codes and the layers continue, see [`Layers::go_far`].

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use merels_core::Plies;
use merels_core::numbering::{Pair, ValueCode};

use crate::error::SolverError;
use crate::moving::conversions::Conversions;
use crate::moving::decided::{Decided, Tally};
use crate::moving::side::SideTables;
use crate::report::{JobReport, Observer, Stage, stopped};
use crate::rows::bytes::give_back_freed;
use crate::rows::setup::Setup;
use crate::rows::solved::Solved;

/// A pair while the solver works on it.
pub(crate) struct Layers<'a> {
    setup: &'a Setup<'a>,
    pair: Pair,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
    sides: Vec<SideTables>,
    decided: Vec<Decided>,
    /// Positions that the previous layer decided.
    sources: u64,
    /// The distance of the next layer.
    distance: Plies,
    /// The number of plies that the codes subtract from the true distance.
    base: Plies,
}

impl<'a> Layers<'a> {
    /// The state before the first layer. `conversions` holds, for each side, the conversions of the
    /// other side. At most about `waiting` bytes of decided positions wait to be stored.
    ///
    /// # Errors
    /// If memory runs out, or if `stop` is set.
    pub(crate) fn new(
        setup: &'a Setup<'a>,
        pair: Pair,
        conversions: &[Conversions],
        waiting: usize,
        observer: &'a dyn Observer,
        stop: &'a AtomicBool,
        report: &mut JobReport,
    ) -> Result<Self, SolverError> {
        let mut sides = pair
            .subspaces()
            .map(|subspace| SideTables::new(setup, subspace, waiting))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|source| SolverError::Memory { job: pair.into(), source })?;
        report.entries = sides.iter().map(|side| side.rows().index().entries()).sum();

        let mut decided = Vec::new();
        let mut sources = 0;
        for i in 0..sides.len() {
            let start = Instant::now();
            let tally = sides[i].begin(setup.ruleset, &conversions[i], &mut decided);
            report.times.begin += start.elapsed();
            let chunks = sides[i].chunks();
            store(&mut sides, i, &decided[..chunks], ValueCode::LOST, Plies(0), report);
            sources += tally.decided;
            stopped(stop)?;
        }
        report.stores += sources;
        observer.stage(Stage::Layers);
        let (distance, base) = (Plies(0), Plies(0));
        Ok(Self { setup, pair, observer, stop, sides, decided, sources, distance, base })
    }

    /// Runs the layers whose values near codes tell apart. Returns whether everything is decided.
    ///
    /// # Errors
    /// If `stop` is set.
    pub(crate) fn near(&mut self, report: &mut JobReport) -> Result<bool, SolverError> {
        self.run(self.setup.codes.first(), report)
    }

    /// Switches to far codes and runs the remaining layers.
    ///
    /// # Errors
    /// If memory runs out, if `stop` is set, or if a distance is too long for a far code.
    pub(crate) fn go_far(
        &mut self,
        conversions: &[Conversions],
        report: &mut JobReport,
    ) -> Result<(), SolverError> {
        let (setup, pair) = (self.setup, self.pair);
        let start = Instant::now();
        self.decided = Vec::new();
        give_back_freed();
        for (side, conversions) in self.sides.iter_mut().zip(conversions) {
            setup
                .far_conversions(conversions)
                .and_then(|conversions| side.begin_far(setup, &conversions))
                .map_err(|source| SolverError::Memory { job: pair.into(), source })?;
        }
        report.times.begin += start.elapsed();
        self.base = setup.codes.base();
        self.run(Plies::UNKNOWN, report).map(drop)
    }

    /// The values, once everything is decided.
    pub(crate) fn finish(self, report: &mut JobReport) -> Vec<Solved> {
        let start = Instant::now();
        let solved = self.sides.into_iter().map(|side| side.end(self.setup.codes)).collect();
        report.times.store += start.elapsed();
        solved
    }

    /// Runs the layers before distance `end`. Returns whether everything is decided.
    fn run(&mut self, end: Plies, report: &mut JobReport) -> Result<bool, SolverError> {
        while self.distance < end {
            self.sides.iter_mut().for_each(SideTables::next_layer);
            let coded = Plies(self.distance.0 - self.base.0);
            let code = ValueCode::at_distance(coded.next());
            let mut tally = Tally::default();
            for i in 0..self.sides.len() {
                tally += self.layer(i, coded, code, report)?;
                stopped(self.stop)?;
            }
            report.edges += tally.edges;
            report.stores += tally.decided;
            self.observer.layer(self.distance, report.stores);
            let (next, is_last) = (self.distance.next(), tally.decided == 0);
            if is_last && self.sides.iter().all(|side| side.knows_nothing_beyond(coded)) {
                report.layers = next.0;
                return Ok(true);
            }
            self.sources = tally.decided;
            self.distance = next;
        }
        Ok(false)
    }

    /// One layer on one side, in batches that bound the memory of waiting positions. `coded` is the
    /// distance in the codes, `code` the code of what the layer decides.
    ///
    /// # Errors
    /// If the layer decides a position and there is no code for it.
    fn layer(
        &mut self,
        i: usize,
        coded: Plies,
        code: Option<ValueCode>,
        report: &mut JobReport,
    ) -> Result<Tally, SolverError> {
        let Self { setup, pair, sides, decided, .. } = self;
        let mut tally = Tally::default();
        let chunks = sides[i].chunks();
        let batch = sides[i].batch(self.sources, coded);
        for first in (0..chunks).step_by(batch) {
            let range = first..(first + batch).min(chunks);
            let start = Instant::now();
            let batch_tally = sides[i].propagate(setup.ruleset, coded, range.clone(), decided);
            report.times.propagate += start.elapsed();
            if batch_tally.decided > 0 {
                let (job, longest) = ((*pair).into(), setup.codes.longest());
                let code = code.ok_or(SolverError::TooLong { job, longest })?;
                let distance = self.distance.next();
                store(sides, i, &decided[..range.len()], code, distance, report);
            }
            tally += batch_tally;
        }
        Ok(tally)
    }
}

/// Stores what side `i` has decided at `distance` into the tables keyed by the side that was to
/// move.
fn store(
    sides: &mut [SideTables],
    i: usize,
    decided: &[Decided],
    code: ValueCode,
    distance: Plies,
    report: &mut JobReport,
) {
    let start = Instant::now();
    match sides {
        [only] => only.store(None, decided, code, distance),
        [first, second] if i == 0 => second.store(Some(first), decided, code, distance),
        [first, second] => first.store(Some(second), decided, code, distance),
        _ => unreachable!("a pair has one or two sides"),
    }
    report.times.store += start.elapsed();
}
