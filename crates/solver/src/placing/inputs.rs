//! The inputs of a subspace with stones in hand: what its placings lead to, and how its rows are
//! split.

use std::sync::Arc;

use merels_core::numbering::{RowRankings, lower_patterns};
use merels_core::{Plies, Ruleset, Subspace};

use crate::removing::double::AfterMills;
use crate::rows::lanes::LISTED;
use crate::rows::row::Rows;
use crate::rows::solved::Child;

/// Low points of a split: the most whose groups fit two vectors.
pub(crate) const LOW: u8 = LISTED;

/// A subspace with stones in hand, and the results of its placings.
pub(crate) struct PlacingInputs {
    pub(crate) subspace: Subspace,
    /// Rows keyed by the other side, with the mover's stones after the placing.
    pub(crate) rows: Rows,
    /// The rankings of the mover's stones in those rows before the placing.
    pub(crate) rankings: RowRankings,
    /// How the entries are split into groups and lanes.
    pub(crate) split: Split,
    /// The subspace after the placing.
    pub(crate) placed: Arc<Child>,
    /// The results of mills.
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

    /// The subspaces that placings lead to.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Child> {
        self.after.children().chain([&*self.placed])
    }

    /// An upper bound of the distances of the subspace.
    pub(crate) fn longest(&self) -> Plies {
        self.children().map(|child| child.longest).max().unwrap_or_default().next()
    }
}

/// A split of a row's free points into low and high points, which make lanes and groups.
pub(crate) struct Split {
    pub(crate) low: u8,
    pub(crate) high: u8,
    /// Stones before the placing.
    pub(crate) size: u8,
    /// By number of stones on high points: their patterns, and where their groups start before the
    /// placing.
    pub(crate) groups: Vec<Vec<(u32, u32)>>,
    /// By pattern of stones on high points: where their groups start after the placing.
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
