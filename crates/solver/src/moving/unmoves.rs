//! Moves taken back, for whole sets of stones at once.

use merels_core::{Point, Points};
use merels_simd::Cpu;

use crate::rows::slides::{
    Slides, diagonal_edge, diagonals, nine_in_mills, nine_slides, twelve_in_mills,
};

/// Which stones of a source may have arrived last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Any stone: in this row a mill removes nothing.
    Anywhere,
    /// Stones outside of mills: the move removed nothing.
    Quiet,
    /// Stones in mills: the value is that after the removal. If two mills remove two stones, stones
    /// in exactly one mill.
    ClosedMill,
    /// Stones in two mills: the value is that after two removals.
    ClosedTwo,
}

/// How stones move back: one of the forms below, chosen once for each chunk of rows.
pub(crate) trait Unmoves: Copy {
    /// The stones that stand in a mill.
    fn in_mills(self, stones: u32) -> u32;

    /// The stones that may have arrived last.
    #[inline(always)]
    fn arrived(self, stones: u32, arrival: Arrival) -> u32 {
        match arrival {
            Arrival::Anywhere => stones,
            Arrival::Quiet => stones & !self.in_mills(stones),
            Arrival::ClosedMill | Arrival::ClosedTwo => self.in_mills(stones),
        }
    }

    /// The rank of the source whose removal value has the number `queued` in the queue, and the
    /// stones that arrived.
    #[inline(always)]
    fn removal(self, queued: usize, _row_len: usize) -> (usize, Arrival) {
        (queued, Arrival::ClosedMill)
    }

    /// Writes the sets from which `stones` may have come to the start of `reached`, and returns
    /// their number: one stone of `arrived` moved last, from one of the `empty` points.
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize;
}

/// The most un-moves of a set of stones: each slide uses one of at most 40 edges of the board, and
/// three stones jump to at most 18 points each.
pub(crate) const MOST_UNMOVES: usize = 64;

/// Slides on [`Board::Nine`].
#[derive(Clone, Copy)]
pub(crate) struct NineSlides<'a>(pub(crate) &'a Slides);

impl Unmoves for NineSlides<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        nine_in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        cpu.xor_each(stones, nine_slides(arrived, empty), &self.0.edges, reached)
    }
}

/// Slides on [`Board::Twelve`].
#[derive(Clone, Copy)]
pub(crate) struct TwelveSlides<'a>(pub(crate) &'a Slides);

impl Unmoves for TwelveSlides<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        twelve_in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        let mut count = NineSlides(self.0).unmoves(cpu, stones, arrived, empty, reached);
        let mut left = diagonals(arrived, empty);
        while left != 0 {
            reached[count] = stones ^ diagonal_edge(left.trailing_zeros());
            count += 1;
            left &= left - 1;
        }
        count
    }
}

/// Slides on any board.
#[derive(Clone, Copy)]
pub(crate) struct AnySlides<'a>(pub(crate) &'a Slides);

impl Unmoves for AnySlides<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        self.0.in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        _: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        let left = |to: Point| self.0.neighbours[to.index()] & empty;
        write_unmoves(stones, arrived, left, reached)
    }
}

/// Slides where two mills closed at once remove two stones: on the boards twelve and seven.
///
/// An arrangement with two mills that cross is queued twice: its value after one removal by its
/// rank, its value after two removals by its rank plus the length of the row.
#[derive(Clone, Copy)]
pub(crate) struct DoubleSlides<'a, M> {
    pub(crate) slides: &'a Slides,
    /// How stones move.
    pub(crate) moves: M,
}

impl<M: Unmoves> Unmoves for DoubleSlides<'_, M> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        self.moves.in_mills(stones)
    }

    #[inline(always)]
    fn arrived(self, stones: u32, arrival: Arrival) -> u32 {
        match arrival {
            Arrival::Anywhere | Arrival::Quiet => self.moves.arrived(stones, arrival),
            Arrival::ClosedMill => self.in_mills(stones) & !self.slides.in_two_mills(stones),
            Arrival::ClosedTwo => self.slides.in_two_mills(stones),
        }
    }

    #[inline(always)]
    fn removal(self, queued: usize, row_len: usize) -> (usize, Arrival) {
        match queued.checked_sub(row_len) {
            Some(rank) => (rank, Arrival::ClosedTwo),
            None => (queued, Arrival::ClosedMill),
        }
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        self.moves.unmoves(cpu, stones, arrived, empty, reached)
    }
}

/// Jumps on any board.
#[derive(Clone, Copy)]
pub(crate) struct Jumps<'a>(pub(crate) &'a Slides);

impl Unmoves for Jumps<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        self.0.in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        _: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        write_unmoves(stones, arrived, |_| empty, reached)
    }
}

/// Writes `stones` with a stone of `arrived` moved back to a point of `left`, for each pair of
/// them. Returns their number.
#[inline(always)]
fn write_unmoves(
    stones: u32,
    arrived: u32,
    left: impl Fn(Point) -> u32,
    reached: &mut [u32; MOST_UNMOVES],
) -> usize {
    let mut count = 0;
    for to in Points::from_bits(arrived) {
        for from in Points::from_bits(left(to)) {
            reached[count] = stones ^ (to.set().bits() | from.set().bits());
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use merels_core::Board;
    use merels_simd::Portable;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_of_edges_agree_with_the_geometry(stones in 0_u32..1 << 24, empty in 0_u32..1 << 24) {
            let empty = empty & !stones;
            for board in [Board::Nine, Board::Twelve] {
                let slides = Slides::of(board);
                let (mut slow, mut fast) = ([0; MOST_UNMOVES], [0; MOST_UNMOVES]);
                let all = AnySlides(&slides).unmoves(Portable, stones, stones, empty, &mut slow);
                let count = if board == Board::Nine {
                    NineSlides(&slides).unmoves(Portable, stones, stones, empty, &mut fast)
                } else {
                    TwelveSlides(&slides).unmoves(Portable, stones, stones, empty, &mut fast)
                };
                let (slow, fast) = (&mut slow[..all], &mut fast[..count]);
                slow.sort_unstable();
                fast.sort_unstable();
                prop_assert_eq!(fast, slow);
                prop_assert_eq!(slides.count(stones, empty) as usize, all);
            }
        }
    }
}
