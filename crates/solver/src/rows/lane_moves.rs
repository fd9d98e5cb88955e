//! How the lanes of a group, as bits of words, move when a corner gains or loses its stone.
//!
//! A group holds the subsets of some corners, all of one size, in numeric order; lane `i` is bit
//! `i % 64` of word `i / 64`. Adding a point keeps the order: of two subsets without it, the lesser
//! remains the lesser. So the lanes without the point are, one after the other, the lanes with it
//! among the subsets of the next size. A word of lanes moves by an extraction of bits under one
//! constant mask and a deposit under another, and back by exchanging the two.

use std::sync::LazyLock;

use merels_core::numbering::{LaneWords, PART_LIMIT, lower_patterns};

const PARTS: usize = PART_LIMIT as usize;

const WORD: usize = LaneWords::WORD;

/// Some lanes of a word that do not hold a point, and the same lanes with the point added: the bits
/// under `without` of word `from` correspond, in their order, to those under `with` of word `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneMove {
    pub(crate) from: u32,
    pub(crate) without: u64,
    pub(crate) to: u32,
    pub(crate) with: u64,
}

/// The lane moves of the groups over a number of corners with one number of stones: by corner, how
/// it gains a stone.
pub(crate) struct LaneMoves(Vec<Vec<LaneMove>>);

/// The moves of all boards, by number of corners and of their stones.
static ALL_SIZES: LazyLock<[Vec<LaneMoves>; PARTS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|points| {
        let points = points as u8;
        let of_size = |size| {
            let adding = |point| if size < points { adding(points, size, point) } else { vec![] };
            LaneMoves((0..points).map(adding).collect())
        };
        (0..=points).map(of_size).collect()
    })
});

impl LaneMoves {
    /// By number of corner stones: the moves of the groups over `points` corners.
    pub(crate) fn of_all_sizes(points: u8) -> &'static [Self] {
        &ALL_SIZES[points as usize]
    }

    /// How the lanes without `point` become those with it of the next size.
    #[inline(always)]
    pub(crate) fn adding(&self, point: usize) -> &[LaneMove] {
        &self.0[point]
    }
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

/// The patterns of midpoints that leave out one point, by their number of ones.
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
        let count = merels_core::numbering::binomial(points as u8 - 1, ones as u8) as usize;
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
            for (size, moves) in LaneMoves::of_all_sizes(points).iter().enumerate() {
                let lanes = lower_patterns(points, size as u8);
                for point in 0..points as usize {
                    let mut moved = vec![false; lanes.len()];
                    for way in moves.adding(point) {
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
