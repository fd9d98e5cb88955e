//! How often each value occurs in a subspace.

use std::fmt;

use merels_core::numbering::{Codes, FarCodes, ValueCode};
use merels_core::{Outcome, Value};

use crate::statistics::Statistics;

/// Bytes that are looked at together when values are counted one by one.
const LINE: usize = 64;

/// The one byte that is no code.
const NO_CODE: usize = 128;

/// How many positions have each value.
#[derive(Clone, PartialEq, Eq)]
pub struct ValueHistogram {
    /// By the byte of the code; of the near code, if there are far ones.
    counts: [u64; 256],
    /// Far values by the byte of the far code, if there are any beyond near codes.
    far: Option<Box<[u64; 256]>>,
}

impl ValueHistogram {
    /// Counts one more position of this value.
    pub fn add(&mut self, code: ValueCode) {
        self.add_times(code, 1);
    }

    /// Counts `times` more positions of this value.
    pub fn add_times(&mut self, code: ValueCode, times: u64) {
        self.counts[usize::from(code.byte())] += times;
    }

    /// Counts one position for each of these codes.
    ///
    /// # Panics
    /// If a byte is no [`ValueCode`].
    #[track_caller]
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (lines, rest) = bytes.as_chunks::<LINE>();
        rest.iter().for_each(|&byte| self.counts[usize::from(byte)] += 1);
        // Four counters in turn: the same value many times over would otherwise wait for the
        // previous increment of the same counter each time.
        let mut parts = [[0_u64; 256]; 4];
        for line in lines {
            let first = line[0];
            // Equal values stand together: to look for a whole line of them costs next to nothing.
            if line.iter().fold(0, |different, &byte| different | (byte ^ first)) == 0 {
                self.counts[usize::from(first)] += LINE as u64;
                continue;
            }
            for four in line.as_chunks::<4>().0 {
                for (part, &byte) in parts.iter_mut().zip(four) {
                    part[usize::from(byte)] += 1;
                }
            }
        }
        for part in &parts {
            for (count, more) in self.counts.iter_mut().zip(part) {
                *count += more;
            }
        }
        self.assert_codes();
    }

    /// Counts one position for each of these codes, whose sums are `statistics`. Where there is one
    /// value only, that is much faster.
    ///
    /// # Panics
    /// If a byte is no [`ValueCode`].
    #[track_caller]
    pub fn add_row(&mut self, statistics: &Statistics, codes: Codes<&[u8]>) {
        if statistics.draws == statistics.positions {
            self.add_times(ValueCode::DRAW, statistics.draws);
        } else {
            self.add_bytes(codes.near);
        }
        let Some(far) = codes.far else { return };
        let counts = self.far.get_or_insert_with(|| Box::new([0; 256]));
        let is_far = |near: u8| {
            near == FarCodes::FILES.loss().byte() || near == FarCodes::FILES.win().byte()
        };
        for (_, &far) in codes.near.iter().zip(far).filter(|(near, _)| is_far(**near)) {
            counts[usize::from(far)] += 1;
        }
    }

    /// An empty histogram of a subspace with or without far codes.
    pub fn new(has_far: bool) -> Self {
        Self { counts: [0; 256], far: has_far.then(|| Box::new([0; 256])) }
    }

    /// Counts `times` more positions of this value. Returns whether it has the codes of the
    /// subspace; if not, nothing is counted.
    pub fn add_value(&mut self, value: Value, times: u64) -> bool {
        let Some((near, far)) = FarCodes::FILES.codes_of(value) else { return false };
        match &mut self.far {
            Some(counts) if FarCodes::FILES.is_far(near) => {
                counts[usize::from(far.byte())] += times;
            }
            None if ValueCode::from_value(value).is_none() => return false,
            _ => {}
        }
        self.add_times(near, times);
        true
    }

    /// Counts what `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        if self.far.is_some() || other.far.is_some() {
            let mut far = self.far_counts();
            far.iter_mut().zip(other.far_counts().iter()).for_each(|(count, more)| *count += more);
            self.far = Some(far);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Far values by far code, also where near codes say all.
    fn far_counts(&self) -> Box<[u64; 256]> {
        const CODES: FarCodes = FarCodes::FILES;
        self.far.clone().unwrap_or_else(|| {
            let mut far = Box::new([0; 256]);
            for near in [CODES.loss(), CODES.win()] {
                let byte = CODES.far_bytes()[usize::from(near.byte())];
                far[usize::from(byte)] = self.count(near);
            }
            far
        })
    }

    /// Whether there are values beyond the distances of one code.
    pub const fn has_far(&self) -> bool {
        self.far.is_some()
    }

    /// How many positions have this code; this near code, if there are values beyond.
    pub const fn count(&self, code: ValueCode) -> u64 {
        self.counts[code.byte() as usize]
    }

    /// The values that occur, with their counts, the mover's worst first.
    pub fn iter(&self) -> impl Iterator<Item = (Value, u64)> {
        let codes = || (0..=255).filter_map(ValueCode::from_byte);
        let far_values = move |outcome: Outcome| {
            self.far.iter().flat_map(move |far| {
                let all = codes().filter(move |code| code.value().outcome() == outcome);
                all.map(|code| (FarCodes::FILES.value_of_far(code), far[usize::from(code.byte())]))
            })
        };
        let of_code = move |near: ValueCode| {
            let is_split = self.far.is_some() && FarCodes::FILES.is_far(near);
            let alone = (!is_split).then(|| (near.value(), self.count(near)));
            let split = is_split.then(|| far_values(near.value().outcome()));
            alone.into_iter().chain(split.into_iter().flatten())
        };
        codes().flat_map(of_code).filter(|&(_, count)| count > 0)
    }

    /// The sums of a table's header.
    pub fn statistics(&self) -> Statistics {
        let mut sums = Statistics::default();
        for (value, count) in self.iter() {
            sums.positions += count;
            match value {
                Value::Win(plies) => {
                    sums.wins += count;
                    sums.longest_win = sums.longest_win.max(Some(plies));
                }
                Value::Draw => sums.draws += count,
                Value::Loss(plies) => {
                    sums.losses += count;
                    sums.longest_loss = sums.longest_loss.max(Some(plies));
                }
            }
        }
        sums
    }

    #[track_caller]
    fn assert_codes(&self) {
        assert_eq!(self.counts[NO_CODE], 0, "bytes that are no value codes were counted");
    }
}

impl Default for ValueHistogram {
    fn default() -> Self {
        Self { counts: [0; 256], far: None }
    }
}

impl From<[u64; 256]> for ValueHistogram {
    /// Takes over counts by code byte.
    ///
    /// # Panics
    /// If there is a count for a byte that is no [`ValueCode`].
    #[track_caller]
    fn from(counts: [u64; 256]) -> Self {
        let histogram = Self { counts, far: None };
        histogram.assert_codes();
        histogram
    }
}

impl fmt::Debug for ValueHistogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Plies;

    use super::*;

    #[test]
    fn sums_of_a_histogram() {
        let mut histogram = ValueHistogram::default();
        histogram.add_bytes(&[127, 127, 255, 250, 0, 3]);
        let mut more = ValueHistogram::default();
        more.add(ValueCode::DRAW);
        more.merge(&histogram);
        let expected = Statistics {
            positions: 7,
            wins: 2,
            draws: 3,
            losses: 2,
            longest_win: Some(Plies(11)),
            longest_loss: Some(Plies(6)),
        };
        assert_eq!(more.statistics(), expected);
        assert_eq!(expected.contradiction(7, false), None);
        assert_eq!(
            expected.to_string(),
            "7 positions: 2 won, 3 drawn, 2 lost, longest win 11, longest loss 6"
        );
    }

    #[test]
    fn far_values_are_counted_one_by_one() {
        let values = [
            Value::Loss(Plies(2)),
            Value::Loss(Plies(252)),
            Value::Loss(Plies(400)),
            Value::Draw,
            Value::Win(Plies(301)),
            Value::Win(Plies(253)),
            Value::Win(Plies(251)),
        ];
        let codes = values.map(|value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.iter().map(|(near, far)| (near.byte(), far.byte())).unzip();
        let both = Codes { near: &near[..], far: Some(&far[..]) };
        let statistics = Statistics::of_codes(both);
        let mut histogram = ValueHistogram::default();
        histogram.add_row(&statistics, both);
        assert_eq!(histogram.iter().collect::<Vec<_>>(), values.map(|value| (value, 1)));
        assert_eq!(histogram.statistics(), statistics);
        assert_eq!(statistics.longest_win, Some(Plies(301)));
        assert_eq!(statistics.longest_loss, Some(Plies(400)));
        assert_eq!(statistics.contradiction(7, true), None);
        assert!(statistics.contradiction(7, false).is_some());
        // Together with a subspace that does without far codes.
        let mut short = ValueHistogram::default();
        short.add_bytes(&[126, 129, 130]);
        let mut both = short.clone();
        both.merge(&histogram);
        histogram.merge(&short);
        assert_eq!(both, histogram);
        let counts: Vec<_> = both.iter().map(|(_, count)| count).collect();
        assert_eq!(counts, [1, 2, 1, 1, 1, 2, 2]);
        let mut again = ValueHistogram::new(true);
        assert!(both.iter().all(|(value, count)| again.add_value(value, count)));
        assert_eq!(again, both);
    }

    #[test]
    fn sums_of_bytes_are_those_of_their_histogram() {
        let codes = |seed: usize, length: usize, kinds: &[u8]| -> Vec<u8> {
            let picked = |i: usize| kinds[(i * i + i * seed + seed) % 1009 % kinds.len()];
            (0..length).map(picked).collect()
        };
        let all: Vec<u8> = (0..=255).filter(|&byte| byte != 128).collect();
        let kinds: [&[u8]; 7] =
            [&all, &[127], &[255], &[0], &[129, 127], &[126, 127, 200], &[3, 9]];
        for (seed, kinds) in kinds.into_iter().enumerate() {
            let mut merged = Statistics::default();
            let mut histogram = ValueHistogram::default();
            for length in [0, 1, 31, 32, 33, 63, 64, 500, 32 * 255, 32 * 255 + 1, 20_000] {
                let bytes = codes(seed, length, kinds);
                let mut alone = ValueHistogram::default();
                alone.add_bytes(&bytes);
                assert_eq!(Statistics::of_bytes(&bytes), alone.statistics(), "{length} {kinds:?}");
                merged.merge(&Statistics::of_bytes(&bytes));
                histogram.merge(&alone);
            }
            assert_eq!(merged, histogram.statistics());
        }
    }

    #[test]
    #[should_panic(expected = "no value codes")]
    fn what_is_undecided_is_not_counted() {
        ValueHistogram::default().add_bytes(&[127, 128]);
    }
}
