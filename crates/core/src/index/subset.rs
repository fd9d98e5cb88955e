//! Numbering the subsets of one size.
//!
//! Subsets of the same size are numbered in the numeric order of their masks (colexicographic
//! order). [`Ranking`] reads a mask in two parts, a *lower* one (at most 12 bits) and an *upper*
//! one. All subsets with the same upper part are consecutive. They form a **block**, with one entry
//! for each subset of the lower points that has the remaining size. So a rank is the start of a
//! block plus the rank of the lower part among the subsets of its own size. Both come from small
//! tables.

/// The number of subsets of size `k` of `n` things, for `n` up to 24; zero if `k > n`.
///
/// # Panics
/// If `n` is above 24.
#[track_caller]
pub const fn binomial(n: u8, k: u8) -> u64 {
    assert!(n <= 24, "binomials are tabulated for boards of up to 24 points");
    if k > n { 0 } else { BINOMIALS[n as usize][k as usize] }
}

const BINOMIALS: [[u64; 25]; 25] = {
    let mut table = [[0; 25]; 25];
    let mut n = 0;
    while n < 25 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + if k < n { table[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    table
};

/// The most points that the lower part (or the upper part) of a mask can have.
pub const PART_LIMIT: u8 = 12;

const PATTERNS: usize = 1 << PART_LIMIT;

/// Rank of each pattern of lower points among the patterns with the same number of ones.
static LOWER_RANKS: [u16; PATTERNS] = {
    let mut ranks = [0; PATTERNS];
    let mut seen = [0; PART_LIMIT as usize + 1];
    let mut pattern = 0;
    while pattern < PATTERNS {
        let ones = pattern.count_ones() as usize;
        ranks[pattern] = seen[ones];
        seen[ones] += 1;
        pattern += 1;
    }
    ranks
};

/// The patterns of lower points sorted by the number of ones, then by value, and where each number
/// of ones begins.
static LOWER_PATTERNS: ([u16; PATTERNS], [usize; PART_LIMIT as usize + 2]) = {
    let mut patterns = [0; PATTERNS];
    let mut starts = [0; PART_LIMIT as usize + 2];
    let mut next = 0;
    let mut ones = 0;
    while ones <= PART_LIMIT as usize {
        starts[ones] = next;
        let mut pattern = 0;
        while pattern < PATTERNS {
            if pattern.count_ones() as usize == ones {
                patterns[next] = pattern as u16;
                next += 1;
            }
            pattern += 1;
        }
        ones += 1;
    }
    starts[ones] = next;
    (patterns, starts)
};

/// The rank of a pattern of lower points among the patterns with the same number of ones. It does
/// not depend on the number of lower points.
///
/// # Panics
/// If `pattern` has a bit at or above [`PART_LIMIT`].
#[inline]
pub fn lower_rank(pattern: u32) -> u16 {
    LOWER_RANKS[pattern as usize]
}

/// All ranks of lower patterns as a table, see [`lower_rank`].
#[inline]
pub fn lower_ranks() -> &'static [u16; 1 << PART_LIMIT] {
    &LOWER_RANKS
}

/// The patterns of `size` ones among `points` lower points, in numeric order: the lanes of a block.
///
/// # Panics
/// If `points` or `size` is above [`PART_LIMIT`].
#[inline]
pub fn lower_patterns(points: u8, size: u8) -> &'static [u16] {
    assert!(points <= PART_LIMIT && size <= PART_LIMIT);
    let start = LOWER_PATTERNS.1[size as usize];
    &LOWER_PATTERNS.0[start..start + binomial(points, size) as usize]
}

/// Numbers the subsets of `size` points out of `lower + upper` points (see the module's text).
#[derive(Clone, Debug)]
pub struct Ranking {
    lower: u8,
    upper: u8,
    size: u8,
    /// Where the block of each upper pattern starts; one more entry holds the total.
    starts: Vec<u32>,
}

impl Ranking {
    /// The ranking of subsets of `size` out of `lower` and `upper` points.
    ///
    /// # Panics
    /// If `lower` or `upper` is above [`PART_LIMIT`].
    #[track_caller]
    pub fn new(lower: u8, upper: u8, size: u8) -> Self {
        assert!(lower <= PART_LIMIT && upper <= PART_LIMIT);
        let mut starts = Vec::with_capacity((1 << upper) + 1);
        let mut next = 0;
        for pattern in 0..1_u32 << upper {
            starts.push(next);
            let left = size.checked_sub(pattern.count_ones() as u8);
            next += left.map_or(0, |left| binomial(lower, left) as u32);
        }
        starts.push(next);
        Self { lower, upper, size, starts }
    }

    /// Points in the lower part of a mask.
    pub const fn lower(&self) -> u8 {
        self.lower
    }

    /// Points in the upper part of a mask.
    pub const fn upper(&self) -> u8 {
        self.upper
    }

    /// Ones in each mask.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The number of subsets; ranks run from 0 to one below this.
    pub fn count(&self) -> u32 {
        self.starts[1 << self.upper]
    }

    /// Where the block of each upper pattern starts; the last entry is the count. A block is empty
    /// if no subset has this upper part.
    pub fn group_starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many lower points a subset with this upper part has; none if there is no such subset.
    #[inline]
    pub const fn lower_size(&self, upper_pattern: u32) -> Option<u8> {
        match self.size.checked_sub(upper_pattern.count_ones() as u8) {
            Some(left) if left <= self.lower => Some(left),
            _ => None,
        }
    }

    /// The rank of a mask of `size` ones among the lowest `lower + upper` bits.
    #[inline]
    pub fn rank(&self, mask: u32) -> u32 {
        debug_assert!(mask.count_ones() == u32::from(self.size), "subset of another size");
        let lower = mask & ((1 << self.lower) - 1);
        self.starts[(mask >> self.lower) as usize] + u32::from(lower_rank(lower))
    }

    /// The mask of this rank.
    ///
    /// # Panics
    /// If `rank` is not below [`Ranking::count`].
    pub fn unrank(&self, rank: u32) -> u32 {
        assert!(rank < self.count(), "rank out of range");
        // The last block that starts at or before the rank holds it.
        let upper = self.starts.partition_point(|&start| start <= rank) - 1;
        let size = self.size - upper.count_ones() as u8;
        let lower = lower_patterns(self.lower, size)[(rank - self.starts[upper]) as usize];
        (upper as u32) << self.lower | u32::from(lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_by_pascals_rule_and_symmetry() {
        assert_eq!(binomial(24, 12), 2_704_156);
        assert_eq!(binomial(3, 4), 0);
        for n in 1..=24 {
            for k in 1..=n {
                assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
                assert_eq!(binomial(n, k), binomial(n, n - k));
            }
        }
    }

    #[test]
    fn ranks_follow_numeric_order_for_every_split() {
        for (lower, upper, size) in
            [(12, 9, 3), (7, 8, 6), (0, 10, 4), (10, 0, 4), (4, 5, 9), (8, 8, 8)]
        {
            let ranking = Ranking::new(lower, upper, size);
            assert_eq!(u64::from(ranking.count()), binomial(lower + upper, size));
            let masks =
                (0..1_u32 << (lower + upper)).filter(|mask| mask.count_ones() == u32::from(size));
            for (rank, mask) in masks.enumerate() {
                assert_eq!(ranking.rank(mask), rank as u32);
                assert_eq!(ranking.unrank(rank as u32), mask);
            }
        }
    }

    #[test]
    fn blocks_hold_the_lanes_of_their_size() {
        let ranking = Ranking::new(7, 8, 6);
        for (upper, pair) in ranking.group_starts().windows(2).enumerate() {
            let lanes =
                ranking.lower_size(upper as u32).map_or(0, |size| lower_patterns(7, size).len());
            assert_eq!((pair[1] - pair[0]) as usize, lanes);
        }
    }
}
