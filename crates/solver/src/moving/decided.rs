//! The decisions of a stage: lists of positions that wait to be stored.

use std::ops::{Add, AddAssign};

use merels_core::Plies;

use crate::rows::row::Row;

/// The least number of bytes for decided positions that wait to be stored, and the most that helps.
pub(crate) const LEAST_WAITING: usize = 4 * 1024 * 1024;
pub(crate) const MOST_WAITING: usize = 256 * 1024 * 1024;

/// The work of one stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Un-moves made.
    pub(crate) edges: u64,
    /// Positions decided, some of them twins of others.
    pub(crate) decided: u64,
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { edges: self.edges + other.edges, decided: self.decided + other.decided }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The effect of a decided source on the positions before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The source is lost for the side to move there: the positions before it are won.
    Win,
    /// The source is won: the positions before it have one fewer way out.
    OneWayLess,
}

impl Effect {
    /// The effect of sources decided at `distance`.
    pub(crate) const fn of(distance: Plies) -> Self {
        if distance.0.is_multiple_of(2) { Self::Win } else { Self::OneWayLess }
    }
}

impl Effect {
    /// Applies the effect to a counter. Returns whether it decides the entry.
    #[inline(always)]
    pub(crate) const fn decides(self, counter: &mut u8) -> bool {
        let before = *counter;
        match self {
            Self::Win => {
                *counter = 0;
                before != 0
            }
            Self::OneWayLess => {
                *counter = before.saturating_sub(1);
                before == 1
            }
        }
    }
}

/// The positions decided in a chunk of rows: the stones of the side to move, row by row.
#[derive(Default)]
pub(crate) struct Decided {
    /// Memory for masks; the first `len` are decided.
    stones: Vec<u32>,
    len: usize,
    /// The class of each row's key, and where its positions end. A class may come twice.
    rows: Vec<(u32, u32)>,
}

impl Decided {
    /// Forgets the positions and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.rows.clear();
    }

    /// The number of positions.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The class of each row's key, and the positions decided in the row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut start = 0;
        self.rows.iter().map(move |&(class, end)| {
            let stones = &self.stones[start..end as usize];
            start = end as usize;
            (class as usize, stones)
        })
    }

    /// Adds positions of one row: `write` puts them at the start of a slice of length `most` and
    /// returns their number.
    #[inline(always)]
    pub(crate) fn add_row(
        &mut self,
        class: usize,
        most: usize,
        write: impl FnOnce(&mut [u32]) -> usize,
    ) {
        if self.stones.len() < self.len + most {
            self.stones.resize((self.len + most) * 2, 0);
        }
        let count = write(&mut self.stones[self.len..self.len + most]);
        if count > 0 {
            self.len += count;
            self.rows.push((class as u32, self.len as u32));
        }
    }

    /// Adds positions of one row.
    pub(crate) fn add_all(&mut self, class: usize, positions: &[u32]) {
        self.add_row(class, positions.len(), |decided| {
            decided.copy_from_slice(positions);
            positions.len()
        });
    }

    /// Adds the entries of a row that have no move.
    pub(crate) fn add_blocked(&mut self, class: usize, row: &Row<'_>, counters: &[u8]) {
        let blocked = || counters.iter().enumerate().filter(|(_, counter)| **counter == 0);
        let count = blocked().count();
        if count == 0 {
            return;
        }
        self.add_row(class, count, |stones| {
            for (slot, (rank, _)) in stones.iter_mut().zip(blocked()) {
                *slot = merels_simd::bits::deposit(row.unranked[rank], row.free);
            }
            count
        });
    }
}
