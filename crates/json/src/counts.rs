//! Counts of tables.

use std::iter::Sum;

use merels_core::Plies;
use merels_db::TableInfo;
use schemars::JsonSchema;
use serde::Serialize;

/// Counts of one table or of several. Outcomes are for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Counts {
    /// Stored entries; a few positions have several.
    pub entries: u64,
    /// Positions up to symmetry.
    pub positions: u64,
    /// Positions that are won.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that are lost.
    pub losses: u64,
    /// Plies of the longest win; `null` if nothing is won.
    pub longest_win: Option<u16>,
    /// Plies of the longest loss; `null` if nothing is lost.
    pub longest_loss: Option<u16>,
    /// Bytes on disk, far codes included.
    pub size_bytes: u64,
}

impl From<&TableInfo> for Counts {
    fn from(info: &TableInfo) -> Self {
        let statistics = &info.statistics;
        Self {
            entries: info.entries,
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            longest_win: statistics.longest_win.map(|Plies(plies)| plies),
            longest_loss: statistics.longest_loss.map(|Plies(plies)| plies),
            size_bytes: info.size,
        }
    }
}

impl Counts {
    fn and(self, other: Self) -> Self {
        Self {
            entries: self.entries + other.entries,
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
            size_bytes: self.size_bytes + other.size_bytes,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Self::and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_the_longest_of_all_is_kept() {
        let [one, other] = [(1, Some(3), None), (20, Some(1), Some(4))].map(|(n, win, loss)| {
            let (longest_win, longest_loss) = (win, loss);
            let (entries, positions, size_bytes) = (6 * n, 5 * n, 7 * n);
            let (wins, draws, losses) = (2 * n, n, 2 * n);
            Counts {
                entries,
                positions,
                wins,
                draws,
                losses,
                longest_win,
                longest_loss,
                size_bytes,
            }
        });
        let sum: Counts = [one, other].into_iter().sum();
        let expected = Counts {
            entries: 126,
            positions: 105,
            wins: 42,
            draws: 21,
            losses: 42,
            longest_win: Some(3),
            longest_loss: Some(4),
            size_bytes: 147,
        };
        assert_eq!(sum, expected);
        assert_eq!([].into_iter().sum::<Counts>(), Counts::default());
    }
}
