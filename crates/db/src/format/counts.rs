//! The counts of values at the end of a table.

use std::path::Path;

use merels_core::{Outcome, Plies, Value};

use crate::distribution::Distribution;
use crate::error::DbError;
use crate::format::layout::CRC_SIZE;
use crate::histogram::ValueHistogram;

/// In place of an entry: there is none.
const NO_ENTRY: u64 = u64::MAX;

/// Bytes of the two entries in front.
const ENTRIES_SIZE: usize = 16;
/// Bytes for each value: outcome, distance in two bytes, number of positions.
const COUNT_SIZE: usize = 11;

impl Distribution {
    /// Bytes that this many values take at the end of a file.
    pub(crate) const fn size_of(values: u16) -> usize {
        ENTRIES_SIZE + values as usize * COUNT_SIZE + CRC_SIZE
    }

    /// The last bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::size_of(self.values()));
        for entry in [self.longest_win, self.longest_loss] {
            bytes.extend(entry.unwrap_or(NO_ENTRY).to_le_bytes());
        }
        for (value, count) in self.histogram.iter() {
            bytes.push(match value.outcome() {
                Outcome::Loss => 0,
                Outcome::Draw => 1,
                Outcome::Win => 2,
            });
            bytes.extend(value.distance().unwrap_or_default().0.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// What the last bytes of a file say. `has_far`: whether the header has digests of far codes.
    pub(crate) fn from_bytes(path: &Path, bytes: &[u8], has_far: bool) -> Result<Self, DbError> {
        let damaged = |reason: &str| DbError::damaged(path, reason);
        let short = || damaged("the counts of its values are cut off");
        let (body, crc) = bytes.split_last_chunk::<CRC_SIZE>().ok_or_else(short)?;
        if u32::from_le_bytes(*crc) != crc32fast::hash(body) {
            return Err(damaged("the checksum of the counts of its values is wrong"));
        }
        let (entries, counts) = body.split_at_checked(ENTRIES_SIZE).ok_or_else(short)?;
        let entry = |place: usize| {
            let (entries, _) = entries.as_chunks::<8>();
            entries.get(place).map(|&bytes| u64::from_le_bytes(bytes)).filter(|&e| e != NO_ENTRY)
        };
        let (counts, rest) = counts.as_chunks::<COUNT_SIZE>();
        if !rest.is_empty() {
            return Err(short());
        }
        let mut histogram = ValueHistogram::new(has_far);
        let mut last = None;
        for &[outcome, low, high, ref count @ ..] in counts {
            let plies = Plies(u16::from_le_bytes([low, high]));
            let value = match (outcome, plies) {
                (0, plies) => Some(Value::Loss(plies)),
                (1, Plies(0)) => Some(Value::Draw),
                (2, plies) => Some(Value::Win(plies)),
                _ => None,
            };
            // One way to write it: rising values, none without positions.
            let count = u64::from_le_bytes(*count);
            let known = value.filter(|_| count > 0 && last < value);
            if !known.is_some_and(|value| histogram.add_value(value, count)) {
                return Err(damaged("the counts of its values are in disorder"));
            }
            last = value;
        }
        Ok(Self { histogram, longest_win: entry(0), longest_loss: entry(1) })
    }
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::{Codes, FarCodes};

    use super::*;
    use crate::distribution::Longest;
    use crate::statistics::Statistics;

    fn counted(bytes: &[u8]) -> Distribution {
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        histogram.add_bytes(bytes);
        longest.add(&Statistics::of_bytes(bytes), 0, Codes::near(bytes));
        longest.with(histogram)
    }

    #[test]
    fn bytes_are_read_as_they_were_written_or_refused() {
        let path = Path::new("x");
        let counted = counted(&[127, 255, 250, 3, 0, 250]);
        let bytes = counted.to_bytes();
        assert_eq!(bytes.len(), Distribution::size_of(counted.values()));
        assert_eq!(Distribution::from_bytes(path, &bytes, false).unwrap(), counted);
        assert_eq!(counted.contradiction(&counted.statistics(), 6), None);
        assert!(counted.contradiction(&counted.statistics(), 2).is_some());
        assert!(counted.contradiction(&Statistics::default(), 6).is_some());
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(Distribution::from_bytes(path, &damaged, false).is_err(), "byte {place}");
            let cut = Distribution::from_bytes(path, &bytes[..place], false);
            assert!(cut.is_err(), "{place} bytes");
        }
        // Sealed, but two counts of one value.
        let mut twice = bytes[..bytes.len() - CRC_SIZE].to_vec();
        twice.extend(bytes[16..27].to_vec());
        twice.extend(crc32fast::hash(&twice).to_le_bytes());
        assert!(Distribution::from_bytes(path, &twice, false).is_err());
    }

    #[test]
    fn values_beyond_one_code_are_read_as_they_were_written_or_refused() {
        let path = Path::new("x");
        let values =
            [Value::Loss(Plies(254)), Value::Draw, Value::Win(Plies(401)), Value::Win(Plies(1))];
        let codes = values.map(|value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.iter().map(|(near, far)| (near.byte(), far.byte())).unzip();
        let both = Codes { near: &near[..], far: Some(&far[..]) };
        let statistics = Statistics::of_codes(both);
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        histogram.add_row(&statistics, both);
        longest.add(&statistics, 7, both);
        let counted = longest.with(histogram);
        assert_eq!((counted.longest_win, counted.longest_loss), (Some(9), Some(7)));
        let bytes = counted.to_bytes();
        assert_eq!(bytes.len(), Distribution::size_of(4));
        assert_eq!(Distribution::from_bytes(path, &bytes, true).unwrap(), counted);
        assert!(Distribution::from_bytes(path, &bytes, false).is_err());
        for place in 0..bytes.len() {
            let cut = Distribution::from_bytes(path, &bytes[..place], true);
            assert!(cut.is_err(), "{place} bytes");
        }
        // Sealed, but in another order.
        let mut twice = bytes[..bytes.len() - CRC_SIZE].to_vec();
        twice.extend(bytes[16..27].to_vec());
        twice.extend(crc32fast::hash(&twice).to_le_bytes());
        assert!(Distribution::from_bytes(path, &twice, true).is_err());
    }
}
