//! Lanes: the entries of a group of a [`Ranking`](crate::numbering::Ranking), one for each subset
//! of low points of one size, 64 to a word.
//!
//! All groups with `k` low points have the same lanes, whatever their other points are. So a
//! condition on low points alone is a fixed set of lanes. Such sets are bits of words, so they
//! combine 64 entries at a time. In numeric order the subsets of the first `n` low points come
//! before all others, so one table for [`PART_LIMIT`] points serves every number of points.

use std::sync::LazyLock;

use crate::index::subset::{PART_LIMIT, lower_patterns};

const PARTS: usize = PART_LIMIT as usize;

/// For every size of subsets and every low point: the lanes whose subset holds the point.
#[derive(Debug)]
pub struct LaneWords {
    holding: Vec<[Vec<u64>; PARTS]>,
}

impl LaneWords {
    /// Bits in a word.
    pub const WORD: usize = u64::BITS as usize;

    /// The table for all boards. Computed once, then shared.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<LaneWords> = LazyLock::new(LaneWords::compute);
        &SHARED
    }

    fn compute() -> Self {
        let holding = |size, point: usize| {
            let word = |lanes: &[u16]| {
                let bits = lanes.iter().enumerate();
                bits.fold(0, |word, (i, &lane)| word | u64::from(lane >> point & 1) << i)
            };
            lower_patterns(PART_LIMIT, size).chunks(Self::WORD).map(word).collect()
        };
        let of_size = |size| std::array::from_fn(|point| holding(size, point));
        Self { holding: (0..=PART_LIMIT).map(of_size).collect() }
    }

    /// Those of the lanes of the subsets of `size`, from `64 * part` on, that hold all of `points`.
    /// Bits beyond the last lane mean nothing.
    ///
    /// # Panics
    /// If `size` or a bit of `points` is above [`PART_LIMIT`], or if there is no such part.
    #[inline(always)]
    pub fn holding(&self, size: u8, part: usize, points: u32) -> u64 {
        let mut left = points;
        let mut word = u64::MAX;
        while left != 0 {
            word &= self.holding[size as usize][left.trailing_zeros() as usize][part];
            left &= left - 1;
        }
        word
    }

    /// Like [`LaneWords::holding`], for the lanes that hold at least one of `points`.
    ///
    /// # Panics
    /// As [`LaneWords::holding`].
    #[inline(always)]
    pub fn touching(&self, size: u8, part: usize, points: u32) -> u64 {
        let mut left = points;
        let mut word = 0;
        while left != 0 {
            word |= self.holding[size as usize][left.trailing_zeros() as usize][part];
            left &= left - 1;
        }
        word
    }

    /// Like [`LaneWords::holding`], for the lanes that hold an odd number of `points`.
    ///
    /// # Panics
    /// As [`LaneWords::holding`].
    #[inline(always)]
    pub fn odd(&self, size: u8, part: usize, points: u32) -> u64 {
        let mut left = points;
        let mut word = 0;
        while left != 0 {
            word ^= self.holding[size as usize][left.trailing_zeros() as usize][part];
            left &= left - 1;
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_the_patterns_say() {
        let words = LaneWords::shared();
        for size in 0..=PART_LIMIT {
            for (lane, &pattern) in lower_patterns(PART_LIMIT, size).iter().enumerate() {
                let (part, bit) = (lane / LaneWords::WORD, lane % LaneWords::WORD);
                let pattern = u32::from(pattern);
                for points in [0, 1, 1 << 11, 0b11, 0b1010_0000_0001, 0xfff] {
                    let shared = pattern & points;
                    let said = |word: u64| word >> bit & 1 == 1;
                    assert_eq!(said(words.holding(size, part, points)), shared == points);
                    assert_eq!(said(words.touching(size, part, points)), shared != 0);
                    assert_eq!(said(words.odd(size, part, points)), shared.count_ones() % 2 == 1);
                }
            }
        }
    }
}
