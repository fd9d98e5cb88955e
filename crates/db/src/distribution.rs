//! How the values of a subspace are distributed: what a table says at its end.
//!
//! The header has room for sums only. Behind the last block follow the number of positions of every value,
//! and where to find a position of the longest win and one of the longest loss. An edition that keeps no
//! values keeps these.

use merels_core::Value;
use merels_core::numbering::{Codes, FarCodes, ValueCode};

use crate::histogram::ValueHistogram;
use crate::statistics::Statistics;

/// How many positions have each value, and entries of the longest win and the longest loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// Over positions up to symmetry, as [`Statistics`] are.
    pub histogram: ValueHistogram,
    /// An entry of the longest win; none if there is no win.
    pub longest_win: Option<u64>,
    /// An entry of the longest loss; none if there is no loss.
    pub longest_loss: Option<u64>,
}

impl Distribution {
    /// The distribution of these codes, each of which stands for one position.
    ///
    /// # Panics
    /// If a byte is no [`ValueCode`].
    pub fn of(codes: Codes<&[u8]>) -> Self {
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        let statistics = Statistics::of_codes(codes);
        histogram.add_row(&statistics, codes);
        longest.add(&statistics, 0, codes);
        longest.with(histogram)
    }

    /// The sums of a table's header.
    pub fn statistics(&self) -> Statistics {
        self.histogram.statistics()
    }

    /// How many values occur.
    pub(crate) fn values(&self) -> u16 {
        self.histogram.iter().count() as u16
    }

    /// Why it does not go with a header, if it does not.
    pub(crate) fn contradiction(
        &self,
        statistics: &Statistics,
        entries: u64,
    ) -> Option<&'static str> {
        let mut total: Option<u64> = Some(0);
        for (_, count) in self.histogram.iter() {
            total = total.and_then(|total| total.checked_add(count));
        }
        if total != Some(statistics.positions) || self.statistics() != *statistics {
            Some("the counts of its values do not add up to those of the header")
        } else if self.longest_win.is_some() != statistics.longest_win.is_some()
            || self.longest_loss.is_some() != statistics.longest_loss.is_some()
        {
            Some("a longest win or loss has no entry, or an entry is given where there is none")
        } else if [self.longest_win, self.longest_loss].into_iter().flatten().any(|e| e >= entries)
        {
            Some("the longest win or loss lies beyond the entries")
        } else {
            None
        }
    }
}

/// Finds the entries of the longest win and the longest loss while rows are counted, in any order: of
/// several that are as long, the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    win: Option<(u16, u64)>,
    loss: Option<(u16, u64)>,
}

impl Longest {
    /// Takes the entries from `first` on into account, with these codes, whose sums are
    /// `statistics`.
    pub fn add(&mut self, statistics: &Statistics, first: u64, codes: Codes<&[u8]>) {
        self.add_found(statistics, first, |value| {
            let Some(far) = codes.far else {
                let code = ValueCode::from_value(value)?.byte();
                return codes.near.iter().position(|&byte| byte == code);
            };
            let (near_code, far_code) = FarCodes::FILES.codes_of(value)?;
            let mut both = codes.near.iter().zip(far);
            both.position(|both| both == (&near_code.byte(), &far_code.byte()))
        });
    }

    /// Looks with `find` for the longest values, where they are longer than those before.
    fn add_found(
        &mut self,
        statistics: &Statistics,
        first: u64,
        find: impl Fn(Value) -> Option<usize>,
    ) {
        let values =
            [statistics.longest_win.map(Value::Win), statistics.longest_loss.map(Value::Loss)];
        for (best, value) in [&mut self.win, &mut self.loss].into_iter().zip(values) {
            let Some((value, plies)) = value.and_then(|value| Some((value, value.distance()?)))
            else {
                continue;
            };
            if best.is_some_and(|(longest, entry)| {
                longest > plies.0 || longest == plies.0 && entry < first
            }) {
                continue;
            }
            if let Some(place) = find(value) {
                *best = Some((plies.0, first + place as u64));
            }
        }
    }

    /// Takes over what `other` has found.
    pub fn merge(&mut self, other: &Self) {
        let longer = |one: Option<(u16, u64)>, other: Option<(u16, u64)>| match (one, other) {
            (Some(one), Some(other)) => {
                let is_longer = one.0 > other.0 || one.0 == other.0 && one.1 < other.1;
                Some(if is_longer { one } else { other })
            }
            (one, other) => one.or(other),
        };
        self.win = longer(self.win, other.win);
        self.loss = longer(self.loss, other.loss);
    }

    /// Together with the counts.
    pub fn with(self, histogram: ValueHistogram) -> Distribution {
        let entry = |found: Option<(u16, u64)>| found.map(|(_, entry)| entry);
        Distribution { histogram, longest_win: entry(self.win), longest_loss: entry(self.loss) }
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Plies;

    use super::*;

    fn counted(bytes: &[u8]) -> Distribution {
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        for (number, row) in bytes.chunks(3).enumerate().rev() {
            histogram.add_bytes(row);
            longest.add(&Statistics::of_bytes(row), 3 * number as u64, Codes::near(row));
        }
        longest.with(histogram)
    }

    #[test]
    fn the_first_of_the_longest_is_found_in_any_order() {
        let found = counted(&[127, 255, 250, 3, 0, 250, 3, 3, 255]);
        assert_eq!((found.longest_win, found.longest_loss), (Some(2), Some(3)));
        assert_eq!(found.statistics().longest_win, Some(Plies(11)));
        let (mut one, mut two) = (Longest::default(), Longest::default());
        one.add(&Statistics::of_bytes(&[250, 3]), 7, Codes::near(&[250, 3]));
        two.add(&Statistics::of_bytes(&[250, 4]), 5, Codes::near(&[250, 4]));
        one.merge(&two);
        let both = one.with(ValueHistogram::default());
        assert_eq!((both.longest_win, both.longest_loss), (Some(5), Some(6)));
        let draws = counted(&[127, 127]);
        assert_eq!((draws.longest_win, draws.longest_loss), (None, None));
    }
}
