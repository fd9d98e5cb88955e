//! The lanes of a block as bits of words, and how they move when a lower point gains or loses its
//! stone.
//!
//! A block holds the subsets of some lower points, all of one size, in numeric order; lane `i` is
//! bit `i % 64` of word `i / 64`. Adding a point keeps the order: of two subsets without it, the
//! lesser remains the lesser. So the lanes without the point are, one after the other, the lanes
//! with it among the subsets of the next size, and a word of lanes moves by extracting bits under
//! one constant mask and depositing them under another; and back by exchanging the two.

use std::sync::LazyLock;

use merels_core::{PART_LIMIT, lower_patterns};

const PARTS: usize = PART_LIMIT as usize;

/// Lanes of a word.
pub(crate) const WORD: usize = u64::BITS as usize;

/// Some lanes of a word that do not hold a point, and the same lanes with the point added: the bits
/// under `without` of word `from` correspond, in their order, to those under `with` of word `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneMove {
    pub(crate) from: u32,
    pub(crate) without: u64,
    pub(crate) to: u32,
    pub(crate) with: u64,
}

/// The lanes of the blocks of one shape: the subsets of one size of a number of lower points.
pub(crate) struct LaneWords {
    /// By point: its lanes, word by word.
    holding: Vec<Vec<u64>>,
    /// By point: how it is added.
    adding: Vec<Vec<LaneMove>>,
    words: usize,
}

/// The shapes of all boards, by number of lower points and size.
static ALL_SIZES: LazyLock<[Vec<LaneWords>; PARTS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|points| {
        let points = points as u8;
        (0..=points).map(|size| LaneWords::new(points, size)).collect()
    })
});

impl LaneWords {
    /// By size: the lanes of the blocks over `points` lower points.
    pub(crate) fn of_all_sizes(points: u8) -> &'static [Self] {
        &ALL_SIZES[points as usize]
    }

    fn new(points: u8, size: u8) -> Self {
        let words = lower_patterns(points, size).len().div_ceil(WORD);
        let holding = (0..points).map(|point| holding(points, size, point)).collect();
        let adding = |point| if size < points { adding(points, size, point) } else { Vec::new() };
        Self { holding, adding: (0..points).map(adding).collect(), words }
    }

    /// How many words the lanes of a block fill.
    #[inline(always)]
    pub(crate) const fn words(&self) -> usize {
        self.words
    }

    /// The lanes of a word that hold `point`.
    #[inline(always)]
    pub(crate) fn holding(&self, point: usize, word: usize) -> u64 {
        self.holding[point][word]
    }

    /// How the lanes without `point` become those with it of the next size.
    #[inline(always)]
    pub(crate) fn adding(&self, point: usize) -> &[LaneMove] {
        &self.adding[point]
    }
}

/// The lanes that hold `point`, word by word.
fn holding(points: u8, size: u8, point: u8) -> Vec<u64> {
    let word = |lanes: &[u16]| {
        let bits = lanes.iter().enumerate().map(|(i, lane)| u64::from(lane >> point & 1) << i);
        bits.fold(0, |all, bit| all | bit)
    };
    lower_patterns(points, size).chunks(WORD).map(word).collect()
}

/// How the lanes of `size` without `point` become lanes of the next size.
fn adding(points: u8, size: u8, point: u8) -> Vec<LaneMove> {
    let places = |size, held: bool| {
        let lanes = lower_patterns(points, size).iter().enumerate();
        let lanes = lanes.filter(move |(_, lane)| (**lane >> point & 1 == 1) == held);
        lanes.map(|(lane, _)| ((lane / WORD) as u32, 1_u64 << (lane % WORD)))
    };
    let mut moves: Vec<LaneMove> = Vec::new();
    for ((from, without), (to, with)) in places(size, false).zip(places(size + 1, true)) {
        match moves.last_mut() {
            Some(last) if (last.from, last.to) == (from, to) => {
                last.without |= without;
                last.with |= with;
            }
            _ => moves.push(LaneMove { from, without, to, with }),
        }
    }
    moves
}

/// The patterns of upper points that leave out one point, by their number of ones.
pub(crate) struct PatternsWithout {
    patterns: Vec<[Vec<u16>; PARTS]>,
}

/// The patterns for all boards.
pub(crate) static PATTERNS_WITHOUT: LazyLock<PatternsWithout> = LazyLock::new(|| {
    let of_point = |point: usize| {
        let insert = |&pattern: &u16| {
            let below = (1 << point) - 1;
            pattern & below | (pattern & !below) << 1
        };
        std::array::from_fn(|ones| {
            lower_patterns(PART_LIMIT - 1, ones as u8).iter().map(insert).collect()
        })
    };
    PatternsWithout { patterns: (0..PARTS).map(of_point).collect() }
});

impl PatternsWithout {
    /// The patterns with `ones` of `points` points, but without `point`.
    #[inline(always)]
    pub(crate) fn get(&self, points: usize, point: usize, ones: usize) -> &[u16] {
        let count = merels_core::binomial(points as u8 - 1, ones as u8) as usize;
        &self.patterns[point][ones][..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ones(word: u64) -> Vec<usize> {
        (0..WORD).filter(|bit| word >> bit & 1 == 1).collect()
    }

    #[test]
    fn lanes_move_to_the_subset_with_one_point_more() {
        for points in 0..=PART_LIMIT {
            for (size, words) in LaneWords::of_all_sizes(points).iter().enumerate() {
                let lanes = lower_patterns(points, size as u8);
                assert_eq!(words.words(), lanes.len().div_ceil(WORD));
                for point in 0..points as usize {
                    let mut moved = vec![false; lanes.len()];
                    for way in words.adding(point) {
                        let (from, to) = (ones(way.without), ones(way.with));
                        assert_eq!(from.len(), to.len());
                        for (from, to) in from.into_iter().zip(to) {
                            let from = way.from as usize * WORD + from;
                            let added = lanes[from] | 1 << point;
                            assert_ne!(added, lanes[from]);
                            let more = lower_patterns(points, size as u8 + 1);
                            assert_eq!(more[way.to as usize * WORD + to], added);
                            assert!(!std::mem::replace(&mut moved[from], true));
                        }
                    }
                    for (lane, &pattern) in lanes.iter().enumerate() {
                        let held = pattern >> point & 1 == 1;
                        assert_eq!(moved[lane], !held);
                        let bit = words.holding(point, lane / WORD) >> (lane % WORD) & 1;
                        assert_eq!(bit == 1, held);
                    }
                }
            }
        }
    }

    #[test]
    fn patterns_without_a_point() {
        for points in 1..=PARTS {
            for point in 0..points {
                for ones in 0..points {
                    let expected: Vec<_> = (0..1_u16 << points)
                        .filter(|p| p >> point & 1 == 0 && p.count_ones() as usize == ones)
                        .collect();
                    assert_eq!(PATTERNS_WITHOUT.get(points, point, ones), expected);
                }
            }
        }
    }
}
