//! Solving a pair of subspaces: counters first, then layer after layer of distances.
//!
//! Layer `d` works back from everything decided at distance `d`: positions of the pair, decided in
//! the layer before, and removals and placings, whose values are known from the start. What it decides has
//! distance `d + 1`. When a layer has decided nothing and no removal or placing has a longer distance, all that
//! is undecided is drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use merels_core::{Pair, Plies, Ruleset, Subspace, ValueCode};

use crate::SolverError;
use crate::decided::{GroupDecided, Tally};
use crate::dispatch::Processor;
use crate::exits::Exits;
use crate::half::Half;
use crate::job::JobReport;
use crate::memory::Pool;

/// Who is told how far a pair is.
pub(crate) trait PairProgress {
    /// The first layer starts.
    fn layers_begin(&self);
    /// A layer is done; so many positions have been decided in all.
    fn layer(&self, distance: Plies, decided: u64);
}

/// A solved pair in memory: the halves keyed by the larger side and by the smaller side (one half
/// if they are equal).
pub(crate) struct SolvedPair {
    pub(crate) halves: Vec<Half>,
}

impl SolvedPair {
    /// The half with the values of `subspace`, which must be of the pair.
    pub(crate) fn half(&self, subspace: Subspace) -> &Half {
        let is_it = |half: &&Half| half.subspace() == subspace;
        self.halves.iter().find(is_it).expect("a subspace of the pair")
    }
}

/// Solves `pair`. `exits` holds, for each half, where moves of the other side lead that leave the pair; at
/// most about `waiting` bytes of decided positions wait to be stored.
///
/// # Errors
/// If memory runs out, if `stop` was set, or if a distance is too long for a value code.
#[expect(clippy::too_many_arguments, reason = "the parts of a run, used once")]
pub(crate) fn solve(
    ruleset: &Ruleset,
    pair: Pair,
    exits: &[Exits],
    processor: Processor,
    waiting: usize,
    pool: &Arc<Pool>,
    progress: &dyn PairProgress,
    stop: &AtomicBool,
    report: &mut JobReport,
) -> Result<SolvedPair, SolverError> {
    let mut halves = pair
        .subspaces()
        .map(|subspace| Half::new(ruleset, subspace, processor, waiting, pool))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|source| SolverError::Memory { job: pair.into(), source })?;
    report.entries = halves.iter().map(|half| half.rows().index().entries()).sum();

    let mut decided = Vec::new();
    let mut sources = 0;
    for i in 0..halves.len() {
        let start = Instant::now();
        let tally = halves[i].begin(ruleset, &exits[i], &mut decided);
        report.times.begin += start.elapsed();
        let groups = halves[i].groups();
        store(&mut halves, i, &decided[..groups], ValueCode::LOST, report);
        sources += tally.decided;
        check(stop)?;
    }
    report.stores += sources;

    progress.layers_begin();
    let mut distance = Plies(0);
    loop {
        halves.iter_mut().for_each(Half::next_layer);
        let next = ValueCode::at_distance(distance.next()).ok_or(SolverError::TooLong { pair })?;
        let mut tally = Tally::default();
        for i in 0..halves.len() {
            tally += layer(ruleset, &mut halves, i, distance, next, sources, &mut decided, report);
            check(stop)?;
        }
        report.edges += tally.edges;
        report.stores += tally.decided;
        progress.layer(distance, report.stores);
        if tally.decided == 0 && halves.iter().all(|half| half.knows_nothing_beyond(distance)) {
            break;
        }
        sources = tally.decided;
        distance = distance.next();
    }
    report.layers = distance.0 + 1;
    Ok(SolvedPair { halves })
}

/// One layer on one half, in batches that bound what waits to be stored.
#[expect(clippy::too_many_arguments, reason = "the loop's state, used here only")]
fn layer(
    ruleset: &Ruleset,
    halves: &mut [Half],
    i: usize,
    distance: Plies,
    next: ValueCode,
    sources: u64,
    decided: &mut Vec<GroupDecided>,
    report: &mut JobReport,
) -> Tally {
    let mut tally = Tally::default();
    let groups = halves[i].groups();
    let batch = halves[i].batch(sources, distance);
    for first in (0..groups).step_by(batch) {
        let range = first..(first + batch).min(groups);
        let start = Instant::now();
        let batch_tally = halves[i].propagate(ruleset, distance, range.clone(), decided);
        report.times.propagate += start.elapsed();
        if batch_tally.decided > 0 {
            store(halves, i, &decided[..range.len()], next, report);
        }
        tally += batch_tally;
    }
    tally
}

/// Stores what half `i` has decided into the half keyed by the side that was to move.
fn store(
    halves: &mut [Half],
    i: usize,
    decided: &[GroupDecided],
    code: ValueCode,
    report: &mut JobReport,
) {
    let start = Instant::now();
    match halves {
        [only] => only.store(None, decided, code),
        [first, second] if i == 0 => second.store(Some(first), decided, code),
        [first, second] => first.store(Some(second), decided, code),
        _ => unreachable!("a pair has one or two halves"),
    }
    report.times.store += start.elapsed();
}

fn check(stop: &AtomicBool) -> Result<(), SolverError> {
    if stop.load(Ordering::Relaxed) { Err(SolverError::Interrupted) } else { Ok(()) }
}
