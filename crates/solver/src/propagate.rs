//! One layer within one row: from decided positions back to those that lead to them.
//!
//! In a row keyed by X, a *source* is an arrangement of the other side's (Y's) stones after Y's
//! move: either X is to move and its value is decided at the layer's distance, or the arrangement
//! holds a mill and the removal that follows is. Its un-moves lead to entries of the counter row, in
//! which Y is to move. A lost source decides them as won; a won source takes one off their
//! counters, and at zero they are lost. Which un-moves belong to which kind of source is a matter of
//! where the stone arrived: a stone that stands in a mill closed it by arriving.
//!
//! A counter of zero means decided.

use merels_core::Plies;
use merels_core::bits::BitTricks;

use crate::counters::Movement;
use crate::rows::Row;
use crate::slides::{Slides, nine_slides};

/// What a decided source does to the positions before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The source is lost for the side to move there: the positions before it are won.
    Win,
    /// The source is won: the positions before it have one way out less.
    OneWayLess,
}

impl Effect {
    /// The effect of sources decided at `distance`.
    pub(crate) const fn of(distance: Plies) -> Self {
        if distance.0.is_multiple_of(2) { Self::Win } else { Self::OneWayLess }
    }
}

/// Which stones of a source may have arrived last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Any: in this row a mill removes nothing.
    Anywhere,
    /// Those outside of mills: the move removed nothing.
    Quiet,
    /// Those in mills: the value is that after the removal.
    ClosedMill,
}

/// A row of counters under a layer.
pub(crate) struct CounterRow<'a, B> {
    pub(crate) row: Row<'a>,
    pub(crate) slides: &'a Slides,
    pub(crate) movement: Movement,
    pub(crate) bits: B,
    pub(crate) counters: &'a mut [u8],
}

/// Positions that a layer has decided in a row: the stones of the side to move, as masks.
#[derive(Default)]
pub(crate) struct Decided {
    stones: Vec<u32>,
    len: usize,
}

/// The most un-moves that a source can have: each slide uses an edge of the board (40 at most), and
/// three stones jump to at most 18 points each.
pub(crate) const MOST_UNMOVES: usize = 64;

impl Decided {
    /// The masks found so far.
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.stones[..self.len]
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Forgets them, keeping the memory.
    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds one.
    pub(crate) fn push(&mut self, stones: u32) {
        self.reserve();
        self.stones[self.len] = stones;
        self.len += 1;
    }

    #[inline(always)]
    fn reserve(&mut self) {
        if self.stones.len() < self.len + MOST_UNMOVES {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (self.len + MOST_UNMOVES) * 2;
        self.stones.resize(len, 0);
    }
}

impl<B: BitTricks> CounterRow<'_, B> {
    /// Works back from the source of rank `rank`; appends what it decides to `decided`. Returns the
    /// number of un-moves.
    #[inline(always)]
    pub(crate) fn unmove(
        &mut self,
        rank: usize,
        effect: Effect,
        arrival: Arrival,
        decided: &mut Decided,
    ) -> u32 {
        let stones = self.bits.deposit(self.row.unranked[rank], self.row.free);
        let arrived = match arrival {
            Arrival::Anywhere => stones,
            Arrival::Quiet => stones & !self.slides.in_mills(stones),
            Arrival::ClosedMill => self.slides.in_mills(stones),
        };
        let empty = self.row.free & !stones;
        decided.reserve();
        if self.movement == Movement::Jump {
            let slides = self.slides;
            let mut count = 0;
            slides.for_each_jump(arrived, empty, |pair| {
                count += 1;
                self.reach(stones ^ pair, effect, decided);
            });
            count
        } else if self.slides.is_nine() {
            let mut edges = nine_slides(arrived, empty);
            let count = edges.count_ones();
            while edges != 0 {
                let pair = self.slides.nine_edges()[edges.trailing_zeros() as usize];
                edges &= edges - 1;
                self.reach(stones ^ pair, effect, decided);
            }
            count
        } else {
            let slides = self.slides;
            let mut count = 0;
            slides.for_each(arrived, empty, |pair| {
                count += 1;
                self.reach(stones ^ pair, effect, decided);
            });
            count
        }
    }

    /// The position with these stones leads to a source. Free of branches: whether it is decided by
    /// that is as good as random.
    #[inline(always)]
    fn reach(&mut self, stones: u32, effect: Effect, decided: &mut Decided) {
        let index = self.row.rank(self.bits.extract(stones, self.row.free));
        let counter = &mut self.counters[index];
        let now = match effect {
            Effect::Win => 0,
            Effect::OneWayLess => counter.saturating_sub(1),
        };
        decided.stones[decided.len] = stones;
        decided.len += usize::from(*counter != 0 && now == 0);
        *counter = now;
    }
}
