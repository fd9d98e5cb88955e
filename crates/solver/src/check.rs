//! A check of every solved pair before anything depends on it: random positions, recomputed from
//! their successors with the plain rules.
//!
//! It shares with the solver the board, the plain rules and the index, and none of the row code. It
//! is no proof (that is what verification is for), but it costs next to nothing and has caught every
//! fault that a proof would.

use merels_core::{Index, Pair, Position, Ruleset, Subspace, SubspaceIndex, Value, ValueCode};
use rayon::prelude::*;

use crate::SolverError;
use crate::pair::SolvedPair;
use crate::removals::AfterRemoval;

/// Positions checked in each subspace.
const SAMPLES: u64 = 20_000;

/// Checks random positions of both subspaces of `pair`. The same positions every time.
///
/// # Errors
/// [`SolverError::Inconsistent`] names a position whose value is not that of its best move.
pub(crate) fn check_pair(
    ruleset: &Ruleset,
    pair: Pair,
    solved: &SolvedPair,
    after: &[AfterRemoval],
) -> Result<(), SolverError> {
    let indices: Vec<_> =
        pair.subspaces().map(|subspace| SubspaceIndex::new(ruleset.board, subspace)).collect();
    let value_of = |position: &Position| -> Option<Value> {
        if let Some(value) = ruleset.ending(position) {
            return Some(value);
        }
        let subspace = position.subspace();
        let (mover, other) = (position.mover().board, position.other().board);
        let byte = if Pair::of(subspace) == pair {
            let index = indices.iter().find(|index| index.subspace() == subspace)?;
            solved.half(subspace).value_at(index.index_of(mover, other))
        } else {
            let mut children = after.iter().filter_map(|after| match after {
                AfterRemoval::Child(child) => Some(child),
                AfterRemoval::Lost | AfterRemoval::Never => None,
            });
            let child = children.find(|child| child.index.subspace() == subspace)?;
            child.values[child.index.index_of(mover, other).0 as usize]
        };
        ValueCode::from_byte(byte).map(ValueCode::value)
    };
    indices.par_iter().try_for_each(|index| {
        let seed =
            random(u64::from(index.subspace().mover()) << 8 | u64::from(index.subspace().other()));
        (0..SAMPLES).into_par_iter().try_for_each(|i| {
            let index_of_sample = Index(random(seed.wrapping_add(i)) % index.entries());
            let (mover, other) = index.stones_at(index_of_sample);
            let subspace: Subspace = index.subspace();
            let position = Position::of_subspace(subspace, mover, other);
            let stored = value_of_entry(solved, subspace, index_of_sample);
            let recomputed = ruleset.ending(&position).or_else(|| {
                let moves = ruleset.legal_moves(&position);
                let values =
                    moves.iter().map(|mv| value_of(&mv.apply(&position)).map(Value::before));
                values.collect::<Option<Vec<_>>>()?.into_iter().max()
            });
            if recomputed.is_some() && stored == recomputed {
                Ok(())
            } else {
                Err(SolverError::Inconsistent {
                    subspace,
                    index: index_of_sample.0,
                    stored,
                    recomputed,
                })
            }
        })
    })
}

fn value_of_entry(solved: &SolvedPair, subspace: Subspace, index: Index) -> Option<Value> {
    ValueCode::from_byte(solved.half(subspace).value_at(index)).map(ValueCode::value)
}

/// SplitMix64 (Steele, Lea and Flood 2014): well-mixed numbers from a counter.
const fn random(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
