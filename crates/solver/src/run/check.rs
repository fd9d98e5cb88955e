//! A check of every solved job before anything depends on it: random positions, recomputed by the
//! plain rules from the values after their moves.
//!
//! It shares the board, the plain rules and the index with the solver, but none of the row code. It
//! proves nothing; that is the task of verification. But it takes almost no time, and it has caught
//! every fault that a proof would have caught.

use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Position, Ruleset, Value};
use rayon::prelude::*;

use crate::error::SolverError;
use crate::job::Job;
use crate::rows::setup::Setup;
use crate::rows::solved::{Child, Solved};

/// The most positions to check in each subspace of a pair; of small subspaces one entry in
/// [`SPREAD`].
const SAMPLES: u64 = 20_000;

/// The same for subspaces of placings, which are nine times as many and have no layers that could
/// go wrong.
const PLACING_SAMPLES: u64 = 5_000;

const SPREAD: u64 = 50;

/// Checks random positions of the subspaces of a job, the same ones every time; `children` are the
/// subspaces that it was solved from.
///
/// # Errors
/// [`SolverError::Inconsistent`] names a position whose value differs from that of its best move.
pub(crate) fn check(
    setup: &Setup<'_>,
    job: Job,
    solved: &[Solved],
    children: &[&Child],
) -> Result<(), SolverError> {
    let &Setup { ruleset, codes, .. } = setup;
    let value_of = |position: &Position| {
        let subspace = position.subspace();
        let (mover, other) = (position.mover().board, position.other().board);
        if let Some(own) = solved.iter().find(|own| own.subspace() == subspace) {
            return own.value_at(own.rows.index().index_of(mover, other), codes);
        }
        let child = children.iter().find(|child| child.index.subspace() == subspace)?;
        child.value(child.index.index_of(mover, other), codes)
    };
    let samples = if matches!(job, Job::Pair(_)) { SAMPLES } else { PLACING_SAMPLES };
    solved.iter().try_for_each(|solved| {
        let stored = |index| solved.value_at(index, codes);
        check_subspace(ruleset, samples, solved.rows.index(), stored, value_of)
    })
}

fn check_subspace(
    ruleset: &Ruleset,
    samples: u64,
    order: &SubspaceIndex,
    stored: impl Fn(Index) -> Option<Value> + Sync,
    value_of: impl Fn(&Position) -> Option<Value> + Sync,
) -> Result<(), SolverError> {
    let subspace = order.subspace();
    let seed = [subspace.mover(), subspace.other(), subspace.mover_hand(), subspace.other_hand()];
    let seed = random(u64::from(u32::from_le_bytes(seed)));
    (0..samples.min(order.entries().div_ceil(SPREAD))).into_par_iter().try_for_each(|i| {
        let index = Index(random(seed.wrapping_add(i)) % order.entries());
        let (mover, other) = order.stones_at(index);
        let position = Position::of_subspace(subspace, mover, other);
        let stored = stored(index);
        let recomputed = ruleset.ending(&position).or_else(|| {
            let after = |next: &Position| match ruleset.ending(next) {
                Some(value) => Some(value),
                None => value_of(next),
            };
            let moves = ruleset.legal_moves(&position);
            let values = moves.iter().map(|mv| after(&mv.apply(&position)).map(Value::before));
            values.collect::<Option<Vec<_>>>()?.into_iter().max()
        });
        if recomputed.is_some() && stored == recomputed {
            Ok(())
        } else {
            Err(SolverError::Inconsistent { subspace, index: index.0, stored, recomputed })
        }
    })
}

/// SplitMix64 (Steele, Lea and Flood 2014): well-mixed numbers from a counter.
const fn random(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
