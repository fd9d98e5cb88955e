//! What is told about a subspace, by `merels stats` and at the end of `merels solve`.

use std::cmp::Reverse;

use bytesize::ByteSize;
use merels_core::{Plies, Subspace};
use merels_db::TableInfo;
use serde::Serialize;

use crate::table::grouped;

/// Counts of a subspace, or of all of them.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// None for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subspace: Option<String>,
    pub(crate) entries: u64,
    pub(crate) positions: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) longest_win: Option<u16>,
    pub(crate) longest_loss: Option<u16>,
    pub(crate) size_bytes: u64,
    /// Of the values, in hexadecimal digits; none for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
}

impl Row {
    /// Headings of [`Row::cells`].
    pub(crate) const HEADINGS: [&str; 9] = [
        "subspace",
        "entries",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win",
        "longest loss",
        "size",
    ];

    /// The row of a subspace.
    pub(crate) fn new(info: &TableInfo) -> Self {
        let statistics = &info.statistics;
        Self {
            subspace: Some(info.subspace.to_string()),
            entries: info.entries,
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            longest_win: statistics.longest_win.map(|Plies(plies)| plies),
            longest_loss: statistics.longest_loss.map(|Plies(plies)| plies),
            size_bytes: info.size,
            digest: Some(info.digest.to_string()),
        }
    }

    /// The row of all of them together.
    pub(crate) fn total(rows: &[Self]) -> Self {
        let sum = |count: fn(&Self) -> u64| rows.iter().map(count).sum();
        Self {
            subspace: None,
            entries: sum(|row| row.entries),
            positions: sum(|row| row.positions),
            wins: sum(|row| row.wins),
            draws: sum(|row| row.draws),
            losses: sum(|row| row.losses),
            longest_win: rows.iter().filter_map(|row| row.longest_win).max(),
            longest_loss: rows.iter().filter_map(|row| row.longest_loss).max(),
            size_bytes: sum(|row| row.size_bytes),
            digest: None,
        }
    }

    /// The subspace, or that these are the totals.
    pub(crate) fn name(&self) -> &str {
        self.subspace.as_deref().unwrap_or("total")
    }

    /// The row for people, under [`Row::HEADINGS`].
    pub(crate) fn cells(&self) -> [String; 9] {
        let longest =
            |plies: Option<u16>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
        [
            self.name().to_owned(),
            grouped(self.entries),
            grouped(self.positions),
            grouped(self.wins),
            grouped(self.draws),
            grouped(self.losses),
            longest(self.longest_win),
            longest(self.longest_loss),
            ByteSize::b(self.size_bytes).display().iec().to_string(),
        ]
    }
}

/// The order of rows: stones on the board first, as subspaces are solved; the more lopsided ones
/// first.
pub(crate) fn order(subspace: Subspace) -> impl Ord {
    let (mover, other) = (subspace.mover(), subspace.other());
    let in_hand = subspace.mover_hand() + subspace.other_hand();
    (in_hand, mover + other, Reverse(mover.max(other)), Reverse(mover), subspace)
}
