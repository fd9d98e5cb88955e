//! The entries of a subspace one after the other, without unranking each.
//!
//! Within a row the mover's stones stay. The other side's stones go through the subsets of the free
//! points in numeric order; each follows from the one before it. The first entry of a stretch comes
//! from [`SubspaceIndex::stones_at`]; the last is compared with [`SubspaceIndex::index_of`].

use std::ops::Range;

use merels_core::Points;
use merels_core::numbering::{ClassId, Index, SubspaceIndex};
use merels_simd::Cpu;
use merels_simd::bits::extract;

/// Consecutive entries of one row.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The row's class of the mover's stones.
    pub(crate) class: ClassId,
    /// The mover's stones.
    pub(crate) mover: Points,
    /// The number of entries.
    pub(crate) len: usize,
    /// The points that the mover's stones leave free.
    free: u32,
    /// The other side's stones of the next entry, among the free points.
    packed: u32,
}

impl Run {
    /// The other side's stones of the next entry.
    #[inline(always)]
    pub(crate) fn next_other<C: Cpu>(&mut self, cpu: C) -> u32 {
        let other = cpu.deposit(self.packed, self.free);
        self.packed = next_of_size(self.packed);
        other
    }
}

/// The next larger number with as many ones; for 0, 0.
#[inline(always)]
const fn next_of_size(mask: u32) -> u32 {
    if mask == 0 {
        return 0;
    }
    // The lowest group of ones: its top moves one place up, the others to the bottom.
    let carried = mask + (mask & mask.wrapping_neg());
    carried | (carried ^ mask) >> (mask.trailing_zeros() + 2)
}

/// The runs that make up the entries of `range`, in order.
///
/// # Panics
/// If the entries do not lead back to their indices.
pub(crate) fn runs(index: &SubspaceIndex, range: Range<u64>) -> impl Iterator<Item = Run> {
    let row_len = u64::from(index.row_len());
    let mut first = range.start;
    std::iter::from_fn(move || {
        if first >= range.end {
            return None;
        }
        let class = ClassId::new((first / row_len) as u32);
        let end = range.end.min((first / row_len + 1) * row_len);
        let (mover, other) = index.stones_at(Index(first));
        let (_, last) = index.stones_at(Index(end - 1));
        assert_eq!(mover, index.classes().representative(class), "the row of entry {first}");
        assert_eq!(index.index_of(mover, last), Index(end - 1), "the way back from an entry");
        let free = index.board().geometry().points().difference(mover).bits();
        let len = (end - first) as usize;
        first = end;
        Some(Run { class, mover, len, free, packed: extract(other.bits(), free) })
    })
}

#[cfg(test)]
mod tests {
    use merels_core::{Board, Subspace};
    use merels_simd::Portable;

    use super::*;

    #[test]
    fn runs_go_through_all_entries_in_order() {
        let cases = [
            (Board::Nine, Subspace::moving(3, 3)),
            (Board::Nine, Subspace::placing(1, 0, 8, 8)),
            (Board::Nine, Subspace::placing(0, 2, 8, 7)),
            (Board::Nine, Subspace::moving(2, 9)),
            (Board::Three, Subspace::moving(4, 5)),
            (Board::Six, Subspace::moving(4, 5)),
        ];
        for (board, subspace) in cases {
            let index = SubspaceIndex::new(board, subspace);
            for start in [0, 1, index.entries() / 2] {
                let mut next = start;
                for mut run in runs(&index, start..index.entries()) {
                    for _ in 0..run.len {
                        let other = Points::from_bits(run.next_other(Portable));
                        assert_eq!((run.mover, other), index.stones_at(Index(next)), "{subspace}");
                        next += 1;
                    }
                }
                assert_eq!(next, index.entries());
            }
        }
    }
}
