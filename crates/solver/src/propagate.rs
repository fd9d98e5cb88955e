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

use crate::counters::Movement;
use crate::dispatch::Cpu;
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

/// The most un-moves that a source can have: each slide uses an edge of the board (40 at most), and
/// three stones jump to at most 18 points each.
pub(crate) const MOST_UNMOVES: usize = 64;

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
    #[inline(always)]
    pub(crate) fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        slides: &Slides,
        movement: Movement,
        stones: u32,
        arrived: u32,
        empty: u32,
    ) {
        let Some(window) = self.stones[self.len..].first_chunk_mut::<MOST_UNMOVES>() else {
            unreachable!("the caller empties it when it is full");
        };
        let mut count = 0;
        let mut each = |pair: u32| {
            window[count] = stones ^ pair;
            count += 1;
        };
        if movement == Movement::Jump {
            slides.for_each_jump(arrived, empty, each);
        } else if slides.is_nine() {
            count =
                cpu.apply_edges(stones, nine_slides(arrived, empty), slides.nine_edges(), window);
        } else {
            slides.for_each(arrived, empty, &mut each);
        }
        self.len += count;
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
            Effect::Win => apply::<true, C>(cpu, row, reached, counters, room),
            Effect::OneWayLess => apply::<false, C>(cpu, row, reached, counters, room),
        };
        std::mem::take(&mut self.len) as u64
    }
}

/// Free of branches: whether a position is decided is as good as random. Writes the decided ones to
/// the start of `decided` and gives their number.
#[inline(always)]
fn apply<const WIN: bool, C: Cpu>(
    cpu: C,
    row: &Row<'_>,
    reached: &[u32],
    counters: &mut [u8],
    decided: &mut [u32],
) -> usize {
    let lower_ranks = lower_ranks();
    let lower_mask = (1_u32 << row.lower) - 1;
    let mut count = 0;
    for &stones in reached {
        let compressed = cpu.extract(stones, row.free);
        let start = row.starts[(compressed >> row.lower) as usize] as usize;
        let index = start + usize::from(lower_ranks[(compressed & lower_mask & 0xfff) as usize]);
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
