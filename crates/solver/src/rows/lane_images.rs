//! The images of lanes: under the symmetries of the board, and when a point becomes free.
//!
//! Take a set of corners, the *key*, and the sets of the other side's stones on the corners that it
//! leaves free. A symmetry maps the key to another key, and the lanes of its groups to lanes of the
//! other key's groups. This depends on the corners alone: there are 3^12 pairs of disjoint sets on
//! the largest board, and a table of them for each of 16 symmetries.

use std::array::from_fn;
use std::sync::{LazyLock, OnceLock};

use merels_core::numbering::{PART_LIMIT, lower_patterns, lower_rank};
use merels_core::{Board, Points, SymmetryId};
use merels_simd::bits;

use crate::rows::lanes::lanes_of_all_sizes;

/// Bytes behind a table that a vector load may read.
const SLACK: usize = 64;

/// From this number of free points on, a group can be longer than
/// [`SHORT`](crate::rows::lanes::SHORT).
const LONG: u8 = 11;

/// Lanes as low and high bytes, by rising size without gaps (as in [`lanes_of_all_sizes`]), with
/// more bytes behind them. If all high bytes are zero, there are none.
#[derive(Clone, Copy)]
pub(crate) struct LaneTable<'a> {
    pub(crate) low: &'a [u8],
    pub(crate) high: &'a [u8],
}

impl LaneTable<'_> {
    #[inline(always)]
    pub(crate) fn at(self, i: usize) -> usize {
        let high = self.high.get(i).map_or(0, |&high| usize::from(high));
        high << 8 | usize::from(self.low[i])
    }
}

/// A [`LaneTable`] with memory of its own.
#[derive(Default)]
pub(crate) struct OwnLanes {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl OwnLanes {
    pub(crate) fn clear(&mut self) {
        self.low.clear();
        self.high.clear();
    }

    /// Adds lanes of groups over `points` points.
    pub(crate) fn extend(&mut self, points: u8, lanes: impl Iterator<Item = usize> + Clone) {
        self.low.extend(lanes.clone().map(|lane| lane as u8));
        if points >= LONG {
            self.high.extend(lanes.map(|lane| (lane >> 8) as u8));
        }
    }

    /// Makes room for vector loads at the end.
    pub(crate) fn finish(&mut self) {
        self.low.resize(self.low.len() + SLACK, 0);
        self.high.resize(self.high.len() + SLACK, 0);
    }

    pub(crate) fn table(&self) -> LaneTable<'_> {
        LaneTable { low: &self.low, high: &self.high }
    }
}

/// The images of lanes on one board.
pub(crate) struct LaneImages {
    corners: u8,
    symmetries: usize,
    /// By key: where its lanes begin, for all symmetries.
    starts: Vec<u32>,
    lanes: OwnLanes,
}

impl LaneImages {
    /// The table of a board, computed once and then shared.
    pub(crate) fn of(board: Board) -> &'static Self {
        static TABLES: [OnceLock<LaneImages>; Board::ALL.len()] =
            [const { OnceLock::new() }; Board::ALL.len()];
        TABLES[board as usize].get_or_init(|| Self::compute(board))
    }

    fn compute(board: Board) -> Self {
        let geometry = board.geometry();
        let corners = geometry.corner_count();
        let all = (1_u32 << corners) - 1;
        let mut starts = vec![0; 1 << corners];
        let mut lanes = OwnLanes::default();
        let mut images = vec![0; 1 << corners];
        let mut next = 0;
        // Small keys, whose groups are long, come first, so the high bytes end with them.
        for size in 0..=corners {
            let free_count = corners - size;
            let patterns = lanes_of_all_sizes(free_count);
            for &key in lower_patterns(corners, size) {
                let free = all & !u32::from(key);
                starts[usize::from(key)] = next;
                for (_, symmetry) in geometry.symmetries().iter() {
                    let image = |set| symmetry.apply_set(set).bits();
                    let image_free = all & !image(Points::from_bits(u32::from(key)));
                    for (i, point) in Points::from_bits(free).into_iter().enumerate() {
                        let image = bits::extract(image(point.set()), image_free);
                        let (known, new) = images[..2 << i].split_at_mut(1 << i);
                        new.iter_mut().zip(known).for_each(|(new, known)| *new = *known | image);
                    }
                    let lane = |&set: &u16| usize::from(lower_rank(images[usize::from(set)]));
                    lanes.extend(free_count, patterns.iter().map(lane));
                    next += patterns.len() as u32;
                }
            }
        }
        lanes.finish();
        Self { corners, symmetries: geometry.symmetries().len(), starts, lanes }
    }

    /// By size and lane of a set on the corners that `key` (a mask of corners) leaves free: the
    /// lane of the image under a symmetry.
    #[inline]
    pub(crate) fn get(&self, key: u32, symmetry: SymmetryId) -> LaneTable<'_> {
        let free = self.corners - key.count_ones() as u8;
        debug_assert!(symmetry.index() < self.symmetries);
        let at = self.starts[key as usize] as usize + (symmetry.index() << free);
        let high = if free >= LONG { at } else { self.lanes.high.len() };
        LaneTable { low: &self.lanes.low[at..], high: &self.lanes.high[high..] }
    }
}

/// By number of points, then by the new point's number.
type Insertions = Vec<[OwnLanes; PART_LIMIT as usize]>;

/// By size and lane of a set of `points` points: its lane after a free point is inserted at
/// `place`, which makes `points + 1` points.
pub(crate) fn insertion(points: u8, place: usize) -> LaneTable<'static> {
    static INSERTIONS: LazyLock<Insertions> = LazyLock::new(|| {
        let of = |points, place: usize| {
            let mut lanes = OwnLanes::default();
            let inserted = |&set: &u16| {
                let (below, set) = ((1_u32 << place) - 1, u32::from(set));
                usize::from(lower_rank(set & below | (set & !below) << 1))
            };
            lanes.extend(points + 1, lanes_of_all_sizes(points).iter().map(inserted));
            lanes.finish();
            lanes
        };
        (0..PART_LIMIT)
            .map(|points| {
                from_fn(|place| {
                    if place <= usize::from(points) {
                        of(points, place)
                    } else {
                        OwnLanes::default()
                    }
                })
            })
            .collect()
    });
    INSERTIONS[points as usize][place].table()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_those_of_the_sets() {
        for board in [Board::Nine, Board::Seven, Board::Three] {
            let geometry = board.geometry();
            let all = (1_u32 << geometry.corner_count()) - 1;
            let images = LaneImages::of(board);
            for key in [0, 1, 0b110, 0b1011] {
                let free = all & !key;
                for (id, symmetry) in geometry.symmetries().iter() {
                    let image = |set| symmetry.apply_set(Points::from_bits(set)).bits();
                    let table = images.get(key, id);
                    for (i, &lane) in lanes_of_all_sizes(free.count_ones() as u8).iter().enumerate()
                    {
                        let set = image(bits::deposit(u32::from(lane), free));
                        let expected = lower_rank(bits::extract(set, all & !image(key)));
                        assert_eq!(table.at(i), usize::from(expected), "{board} {key:b} {id:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn insertions_leave_the_new_point_free() {
        for (points, place) in [(0, 0), (4, 1), (7, 7), (11, 0), (11, 5)] {
            let table = insertion(points, place);
            let wider = (1_u32 << (points + 1)) - 1;
            for (i, &lane) in lanes_of_all_sizes(points).iter().enumerate() {
                let set = bits::deposit(u32::from(lane), wider & !(1 << place));
                assert_eq!(table.at(i), usize::from(lower_rank(set)));
            }
        }
    }
}
