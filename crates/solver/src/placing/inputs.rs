//! One placing: a subspace with stones in hand, what it leads to, and how its rows are split.

use std::sync::Arc;

use merels_core::{Plies, RowRankings, Ruleset, Subspace, lower_patterns};

use crate::removing::double::AfterMills;
use crate::rows::lanes::LISTED;
use crate::rows::row::Rows;
use crate::rows::solved::Child;

/// Lower points of a split: the most whose groups fit two vectors.
pub(crate) const LOW: u8 = LISTED;

/// A subspace with stones in hand, and what its moves lead to.
pub(crate) struct PlacingInputs {
    /// The subspace.
    pub(crate) subspace: Subspace,
    /// Rows keyed by the other side that hold the mover's stones with one more of them.
    pub(crate) rows: Rows,
    /// The rankings of the mover's stones in those rows before the placing.
    pub(crate) rankings: RowRankings,
    /// How their entries are worked on.
    pub(crate) split: Split,
    /// The subspace after the placing.
    pub(crate) placed: Arc<Child>,
    /// What mills lead to.
    pub(crate) after: AfterMills,
}

impl PlacingInputs {
    pub(crate) fn new(
        ruleset: &Ruleset,
        subspace: Subspace,
        placed: Arc<Child>,
        after: AfterMills,
    ) -> Self {
        let (mover, other) = (subspace.mover(), subspace.other());
        let rows = Rows::new(ruleset.board, other, mover + 1);
        let rankings = RowRankings::new(ruleset.board, other, mover);
        let split = Split::new(ruleset.board.geometry().point_count() - other, mover);
        Self { subspace, rows, rankings, split, placed, after }
    }

    /// No value of the subspace has a longer distance.
    pub(crate) fn longest(&self) -> Plies {
        let children = self.after.children().chain([&*self.placed]);
        children.map(|child| child.longest).max().unwrap_or_default().next()
    }
}

/// How the free points of the rows are split.
pub(crate) struct Split {
    pub(crate) low: u8,
    pub(crate) high: u8,
    /// Stones before the placing.
    pub(crate) size: u8,
    /// By number of high stones: the patterns, and where their groups start before the placing.
    pub(crate) groups: Vec<Vec<(u32, u32)>>,
    /// By pattern of high stones: where their groups start after the placing.
    pub(crate) placed: Vec<u32>,
    /// Entries of a row after the placing.
    pub(crate) placed_len: usize,
}

impl Split {
    /// For rows that leave `free` points, of which `size` are taken before the placing.
    pub(crate) fn new(free: u8, size: u8) -> Self {
        let low = free.min(LOW);
        let high = free - low;
        let len_of = |pattern: u32, size: u8| -> u32 {
            let ones = size.checked_sub(pattern.count_ones() as u8);
            ones.filter(|&ones| ones <= low)
                .map_or(0, |ones| lower_patterns(low, ones).len() as u32)
        };
        let mut groups = vec![Vec::new(); high as usize + 1];
        let mut placed = Vec::with_capacity(1 << high);
        let (mut start, mut placed_start) = (0, 0);
        for pattern in 0..1_u32 << high {
            let len = len_of(pattern, size);
            if len > 0 {
                groups[pattern.count_ones() as usize].push((pattern, start));
            }
            placed.push(placed_start);
            start += len;
            placed_start += len_of(pattern, size + 1);
        }
        Self { low, high, size, groups, placed, placed_len: placed_start as usize }
    }
}
