//! What to solve, in which order, and what it will take.

use merels_core::{DoubleMill, Pair, Ruleset, Subspace, SubspaceIndex, binomial};

use crate::SolverError;
use crate::half::WAITING_BYTES;
use crate::rows::LINE;

/// Which subspaces are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only subspaces with at most this many stones on the board.
    pub up_to: Option<u8>,
    /// Only these, and what they depend on; empty for no such limit.
    pub only: Vec<Subspace>,
}

/// The pairs to be solved, children first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    ruleset: Ruleset,
    pairs: Vec<Pair>,
}

impl Plan {
    /// The pairs of the moving phase that `selection` wants, with all that they depend on.
    ///
    /// # Errors
    /// [`SolverError::Unsupported`], [`SolverError::NoSuchSubspace`].
    pub fn moving(ruleset: &Ruleset, selection: &Selection) -> Result<Self, SolverError> {
        if ruleset.double_mill == DoubleMill::Two {
            let reason = "two removals for a double mill are not supported yet";
            return Err(SolverError::Unsupported { ruleset: *ruleset, reason });
        }
        let all = Pair::all_moving(ruleset);
        for &subspace in &selection.only {
            if !subspace.is_moving() || !all.contains(&Pair::of(subspace)) {
                return Err(SolverError::NoSuchSubspace { subspace, ruleset: *ruleset });
            }
        }
        let mut wanted: Vec<Pair> = if selection.only.is_empty() {
            all.clone()
        } else {
            selection.only.iter().copied().map(Pair::of).collect()
        };
        wanted.retain(|pair| {
            selection.up_to.is_none_or(|most| pair.larger() + pair.smaller() <= most)
        });
        let mut next = 0;
        while let Some(pair) = wanted.get(next).copied() {
            let children: Vec<_> = pair.children().map(Pair::of).collect();
            wanted.extend(
                children.into_iter().filter(|child| !wanted.contains(child)).collect::<Vec<_>>(),
            );
            next += 1;
        }
        let pairs = all.into_iter().filter(|pair| wanted.contains(pair)).collect();
        Ok(Self { ruleset: *ruleset, pairs })
    }

    /// The rules.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The pairs in the order of solving.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
}

/// Entries of all subspaces of a pair.
pub fn entries_of(ruleset: &Ruleset, pair: Pair) -> u64 {
    pair.subspaces().map(|subspace| entries(ruleset, subspace)).sum()
}

/// Entries of a subspace.
pub(crate) fn entries(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    SubspaceIndex::new(ruleset.board, subspace).entries()
}

/// Bytes of the largest table that solving `pair` needs.
pub(crate) fn largest_table(ruleset: &Ruleset, pair: Pair) -> usize {
    let padded = |subspace: Subspace| {
        let index = SubspaceIndex::new(ruleset.board, subspace);
        index.rows() * (index.row_len() as usize).next_multiple_of(LINE)
    };
    pair.subspaces().chain(pair.children()).map(padded).max().unwrap_or(0)
}

/// Bytes of memory that solving `pair` takes at most: values and counters of its subspaces, removal
/// values (two bytes for each arrangement with a mill), the children, and what waits to be stored.
pub fn memory_of(ruleset: &Ruleset, pair: Pair) -> u64 {
    /// Tables of classes and ranks, compression buffers, the program itself.
    const FIXED: u64 = 200 << 20;
    /// Words before each distance's removal values in a row, and how many distances are usual.
    const HEADS: u64 = 3 * 2 * 60;
    let geometry = ruleset.board.geometry();
    let points = u64::from(geometry.point_count());
    let halves: u64 = pair
        .subspaces()
        .map(|subspace| {
            let index = SubspaceIndex::new(ruleset.board, subspace);
            let rows = index.rows() as u64;
            let table = rows * u64::from(index.row_len()).next_multiple_of(LINE as u64);
            // At most this share of arrangements holds a mill: lines times the chance of each.
            let stones = subspace.other();
            let with_mill = geometry.lines().len() as u64 * binomial(points as u8 - 3, stones - 3);
            let removals = 2 * table * with_mill.min(binomial(points as u8, stones))
                / binomial(points as u8, stones);
            let touched = 2 * table / LINE as u64;
            2 * table + touched + removals + rows * HEADS
        })
        .sum();
    let children: u64 = pair.children().map(|child| entries(ruleset, child)).sum();
    let waiting = (2 * WAITING_BYTES as u64).min(8 * entries_of(ruleset, pair));
    halves + children + waiting + FIXED
}

/// Bytes on disk that the subspaces of `pair` take, by a cautious estimate: 4.5 bits an entry, where
/// the largest subspaces take 4.1.
pub fn disk_of(ruleset: &Ruleset, pair: Pair) -> u64 {
    entries_of(ruleset, pair) * 9 / 16 + (1 << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_planned_before_parents() {
        let only = vec!["5-4".parse().unwrap()];
        let plan = Plan::moving(&Ruleset::STANDARD, &Selection { up_to: None, only }).unwrap();
        let names: Vec<_> = plan.pairs().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["3-3", "4-3, 3-4", "5-3, 3-5", "4-4", "5-4, 4-5"]);
        let small = Selection { up_to: Some(7), only: Vec::new() };
        assert_eq!(Plan::moving(&Ruleset::STANDARD, &small).unwrap().pairs().len(), 2);
        let all = Plan::moving(&Ruleset::STANDARD, &Selection::default()).unwrap();
        assert_eq!(all.pairs().len(), 28);
    }

    #[test]
    fn what_the_game_does_not_have_is_refused() {
        for name in ["2-9", "10-3", "3-2", "5-4+1-1"] {
            let selection = Selection { up_to: None, only: vec![name.parse().unwrap()] };
            let refusal = Plan::moving(&Ruleset::STANDARD, &selection);
            assert!(matches!(refusal, Err(SolverError::NoSuchSubspace { .. })), "{name}");
        }
    }

    #[test]
    fn the_standard_game_fits_its_memory() {
        for pair in Pair::all_moving(&Ruleset::STANDARD) {
            assert!(memory_of(&Ruleset::STANDARD, pair) < 6 << 30, "{pair}");
        }
    }
}
