//! Two stones for two mills: the value of a move that closes two mills at once.
//!
//! Take a row keyed by the side that waits (B), and an arrangement `w` of the other side's stones
//! after a move that closed two mills. Two of B's stones go, one after the other. The best second
//! removal depends on the rest of B and on `w`: it is a removal value in the row keyed by `B` minus
//! one stone. This module computes these first, for all rows of the subspace after one removal,
//! into a table of the same shape as its values. With that table as values, the value after two
//! removals is an ordinary removal value.

use std::io;
use std::sync::Arc;

use merels_core::numbering::SubspaceIndex;
use merels_simd::{Cpu, Work};
use rayon::prelude::*;

use crate::job::AfterRemoval;
use crate::removing::removals::RemovalValues;
use crate::rows::row::{CHUNK_BYTES, Rows};
use crate::rows::setup::Setup;
use crate::rows::solved::Child;

/// The results of a move that closes mills.
pub(crate) struct AfterMills {
    /// The removal of one stone.
    pub(crate) one: AfterRemoval<Arc<Child>>,
    /// The removal of two stones; none if no move removes two. Then `one` holds for two mills, too.
    pub(crate) two: Option<AfterTwo>,
}

/// The results of removing two stones.
pub(crate) struct AfterTwo {
    /// The second removal, after the first.
    pub(crate) second: AfterRemoval<Arc<Child>>,
    /// The subspace after the first removal; its values are those after the best second one.
    pub(crate) first: AfterRemoval<Arc<Child>>,
}

impl AfterMills {
    /// Computes the values after two removals from the results of the first and of the second.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(crate) fn new(
        setup: &Setup<'_>,
        one: AfterRemoval<Arc<Child>>,
        second: AfterRemoval<Arc<Child>>,
    ) -> io::Result<Self> {
        let two = match (&one, second) {
            (_, AfterRemoval::Never) | (AfterRemoval::Never | AfterRemoval::Lost, _) => None,
            (AfterRemoval::To(child), second) => {
                let child = after_best_removal(setup, child, &second)?;
                Some(AfterTwo { second, first: AfterRemoval::To(Arc::new(child)) })
            }
        };
        Ok(Self { one, two })
    }

    /// The subspaces that removals lead to.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Child> {
        let second = self.two.as_ref().and_then(|two| two.second.as_ref().child());
        self.one.as_ref().child().into_iter().chain(second).map(|child| &**child)
    }
}

/// For every position of `child`, seen by the side that has lost one stone and loses another: the
/// value after the best second removal. If no second stone can go, the value stays. Then none can
/// go whichever stone was the first: the rules protect stones in mills only, so at most the first
/// one was outside of mills.
fn after_best_removal(
    setup: &Setup<'_>,
    child: &Child,
    second: &AfterRemoval<Arc<Child>>,
) -> io::Result<Child> {
    let &Setup { ruleset, processor, ref pool, .. } = setup;
    let (board, subspace) = (child.index.board(), child.index.subspace());
    let rows = Rows::new(board, subspace.mover(), subspace.other());
    let stride = rows.row_len();
    let mut values = pool.table(rows.count() * stride)?;
    let chunk_rows = (CHUNK_BYTES / stride).max(1);
    values.par_chunks_mut(chunk_rows * stride).enumerate().for_each_init(
        || RemovalValues::of_one(ruleset, &rows, second),
        |removals, (chunk, values)| {
            let (rows, first) = (&rows, chunk * chunk_rows);
            processor.dispatch(SecondRemovals { rows, first, child, removals, values });
        },
    );
    Ok(Child::new(SubspaceIndex::new(board, subspace), values, stride))
}

/// The values after the best second removal in a chunk of rows.
struct SecondRemovals<'a, 'b> {
    rows: &'a Rows,
    first: usize,
    child: &'a Child,
    removals: &'a mut RemovalValues<'b>,
    values: &'a mut [u8],
}

impl Work for SecondRemovals<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let len = self.rows.row_len();
        for (i, values) in self.values.chunks_mut(len).enumerate() {
            let class = self.first + i;
            let removed = self.removals.values(cpu, &self.rows.row(class));
            let best = removed.unwrap_or_else(|| self.child.padded_row(class));
            values.copy_from_slice(&best[..len]);
        }
    }
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::FarCodes;
    use merels_core::{Board, DoubleMill, Points, Removal, Ruleset};
    use merels_simd::{Portable, Processor, bits};

    use super::*;
    use crate::removing::removals::tests::made_up_child;
    use crate::rows::bytes::Pool;

    /// Compares the values of the arrangements with two crossing mills, in every `step`th row, with
    /// two removals by the plain rules.
    fn check(ruleset: &Ruleset, key: u8, size: u8, second_lost: bool, step: usize) {
        let board = ruleset.board;
        let geometry = board.geometry();
        let rows = Rows::new(board, key, size);
        let child = |lost| AfterRemoval::To(Arc::new(made_up_child(board, key - lost, size)));
        let second = if second_lost { AfterRemoval::Lost } else { child(2) };
        let pool = Pool::new(0);
        for processor in Processor::available() {
            let second = second.clone();
            let (codes, pool) = (FarCodes::FILES, Arc::clone(&pool));
            let setup = Setup { ruleset, codes, processor, pool };
            let after = AfterMills::new(&setup, child(1), second).unwrap();
            let two = after.two.as_ref().expect("two stones may go");
            let mut removals = RemovalValues::of_two(ruleset, &rows, &two.first);
            let value = |left: Points, stones: Points| {
                if second_lost && left.len() == key - 2 {
                    return merels_core::numbering::ValueCode::LOST.byte();
                }
                let of_left = |child: &&Child| child.index.subspace().mover() == left.len();
                let child = after.children().find(of_left).expect("a child for each removal");
                child.code(child.index.index_of(left, stones))
            };
            let mut all = 0;
            for class in (0..rows.count()).step_by(step) {
                let row = rows.row(class);
                let mut found = Vec::new();
                removals.for_each(Portable, &row, |rank, value| found.push((rank, value)));
                let choices = two_removals(ruleset, row.key);
                let slow: Vec<_> = (0..rows.row_len())
                    .filter_map(|rank| {
                        let stones = Points::from_bits(bits::deposit(row.unranked[rank], row.free));
                        let has_two =
                            stones.into_iter().any(|point| geometry.mills_at(stones, point) >= 2);
                        let left = choices.iter().map(|&taken| row.key.difference(taken));
                        let best = left.map(|left| value(left, stones)).min();
                        best.filter(|_| has_two).map(|best| (rank, best))
                    })
                    .collect();
                all += slow.len();
                assert_eq!(found, slow, "{ruleset}, {key}-{size}, class {class}");
            }
            assert!(all > 0, "{ruleset}, {key}-{size}");
        }
    }

    /// The sets of two stones that can go one after the other; sets of one stone if no second can
    /// go.
    fn two_removals(ruleset: &Ruleset, stones: Points) -> Vec<Points> {
        let ones: Vec<_> = ruleset.removable(stones).into_iter().map(|point| point.set()).collect();
        let with_second = |&taken: &Points| {
            let seconds = ruleset.removable(stones.difference(taken)).into_iter();
            seconds.map(|point| taken.with(point)).collect::<Vec<_>>()
        };
        let twos: Vec<_> = ones.iter().flat_map(with_second).collect();
        if twos.is_empty() { ones } else { twos }
    }

    #[test]
    fn two_removals_equal_single_ones_one_after_the_other() {
        check_all(&[
            (Board::Six, 5, 5, false, 21),
            (Board::Six, 4, 5, true, 7),
            (Board::Seven, 4, 4, true, 3),
        ]);
    }

    /// Checks each removal rule on a board, with the stones of a key and of the other side, whether
    /// the second removal ends the game, and the step between rows.
    fn check_all(cases: &[(Board, u8, u8, bool, usize)]) {
        for &(board, key, size, second_lost, step) in cases {
            for removal in [Removal::Protected, Removal::Strict, Removal::Free] {
                let double_mill = DoubleMill::Two;
                let ruleset = Ruleset { board, removal, double_mill, ..Ruleset::STANDARD };
                check(&ruleset, key, size, second_lost, step);
            }
        }
    }

    /// The rest of the boards, which take long.
    mod long {
        use super::*;

        #[test]
        #[ignore = "long: just test-long"]
        fn two_removals_equal_single_ones_one_after_the_other() {
            check_all(&[
                (Board::Six, 5, 5, false, 7),
                (Board::Twelve, 3, 5, true, 5),
                (Board::Seven, 5, 4, false, 7),
                (Board::Twelve, 4, 5, false, 50),
            ]);
        }
    }
}
