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

use merels_core::{Plies, lower_ranks};

use crate::dispatch::{Cpu, Work};
use crate::rows::Row;
use crate::slides::{MOST_UNMOVES, Unmoves};

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

/// Positions that a layer has decided in a row: the stones of the side to move, as masks.
#[derive(Default)]
pub(crate) struct Decided {
    stones: Vec<u32>,
    len: usize,
}

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
        self.room(1)[0] = stones;
        self.len += 1;
    }

    /// Room for `count` more behind those that are there.
    fn room(&mut self, count: usize) -> &mut [u32] {
        if self.stones.len() < self.len + count {
            self.stones.resize((self.len + count) * 2, 0);
        }
        &mut self.stones[self.len..self.len + count]
    }
}

/// Positions that are reached by un-moves and wait to be looked up in the counters.
///
/// Sources have few un-moves each, and how many is as good as random. Collecting them first makes
/// the look-ups one long loop without a branch that the processor could guess wrong.
pub(crate) struct Reached {
    stones: Box<[u32; Self::CAPACITY]>,
    len: usize,
}

impl Reached {
    const CAPACITY: usize = 4096;

    /// Nothing reached.
    pub(crate) fn new() -> Self {
        Self { stones: Box::new([0; Self::CAPACITY]), len: 0 }
    }

    /// Whether the un-moves of one more source may not fit.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        self.len > Self::CAPACITY - MOST_UNMOVES
    }

    /// Adds the positions from which `stones` may have come: `arrived` are those that may have moved
    /// last, `empty` the points they may have left.
    ///
    /// # Panics
    /// If this [is full](Self::is_full).
    #[inline(always)]
    pub(crate) fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        moves: impl Unmoves,
        stones: u32,
        arrived: u32,
        empty: u32,
    ) {
        let window = self.stones[self.len..].first_chunk_mut().expect("room for one more source");
        self.len += moves.unmoves(cpu, stones, arrived, empty, window);
    }

    /// Applies `effect` to the counters of what was reached, and empties this. Adds what is decided
    /// by it to `decided`. Gives the number of un-moves.
    #[inline(always)]
    pub(crate) fn apply<C: Cpu>(
        &mut self,
        cpu: C,
        row: &Row<'_>,
        counters: &mut [u8],
        effect: Effect,
        decided: &mut Decided,
    ) -> u64 {
        let reached = &self.stones[..self.len];
        let room = decided.room(self.len);
        decided.len += match effect {
            Effect::Win => cpu.call(Apply::<true> { row: *row, reached, counters, decided: room }),
            Effect::OneWayLess => {
                cpu.call(Apply::<false> { row: *row, reached, counters, decided: room })
            }
        };
        std::mem::take(&mut self.len) as u64
    }
}

/// The look-ups of what was reached: `WIN` for [`Effect::Win`], else [`Effect::OneWayLess`].
///
/// Free of branches: whether a position is decided is as good as random. Writes the decided ones to
/// the start of `decided` and gives their number.
struct Apply<'a, const WIN: bool> {
    row: Row<'a>,
    reached: &'a [u32],
    counters: &'a mut [u8],
    decided: &'a mut [u32],
}

impl<const WIN: bool> Work for Apply<'_, WIN> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> usize {
        let Self { row, reached, counters, decided } = self;
        let lower_ranks = lower_ranks();
        let lower_mask = (1_u32 << row.lower) - 1;
        let mut count = 0;
        for &stones in reached {
            let compressed = cpu.extract(stones, row.free);
            let start = row.starts[(compressed >> row.lower) as usize] as usize;
            let index =
                start + usize::from(lower_ranks[(compressed & lower_mask & 0xfff) as usize]);
            let counter = &mut counters[index];
            decided[count] = stones;
            if WIN {
                count += usize::from(*counter != 0);
                *counter = 0;
            } else {
                count += usize::from(*counter == 1);
                *counter = counter.saturating_sub(1);
            }
        }
        count
    }
}
