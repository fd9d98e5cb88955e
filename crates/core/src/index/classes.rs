//! Classes of sets of points up to the symmetries of the board.
//!
//! The classes of the sets of one size are numbered in the numeric order of their representatives
//! (the smallest images). [`Classes`] holds the representatives and finds, for any set, its class
//! and a symmetry that leads from the set to the representative, by one table look-up.

use std::sync::OnceLock;

use crate::board::boards::Board;
use crate::board::geometry::Geometry;
use crate::board::point::Points;
use crate::board::symmetry::SymmetryId;
use crate::index::subset::Ranking;
use crate::rules::ruleset::Ruleset;

/// Names a class of sets of one size: 0 for the one with the smallest representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    /// The class with this number.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The class's number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of symmetries: bit `i` for the element numbered `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymmetrySet(u16);

impl SymmetrySet {
    /// Only the identity.
    pub const TRIVIAL: Self = Self(1);

    /// Whether only the identity is in the set.
    pub const fn is_trivial(self) -> bool {
        self.0 == 1
    }

    /// The elements in rising order.
    pub fn iter(self) -> impl Iterator<Item = SymmetryId> {
        (0..16).filter(move |i| self.0 >> i & 1 == 1).map(SymmetryId::new)
    }
}

impl FromIterator<SymmetryId> for SymmetrySet {
    fn from_iter<I: IntoIterator<Item = SymmetryId>>(iter: I) -> Self {
        Self(iter.into_iter().fold(0, |all, id| all | 1 << id.index()))
    }
}

/// Where a set stands among the classes of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The set's class.
    pub class: ClassId,
    /// A symmetry that maps the set to the class's representative (the first that does).
    pub symmetry: SymmetryId,
}

/// The classes of the sets of one size on one board.
#[derive(Debug)]
pub struct Classes {
    ranking: Ranking,
    representatives: Vec<Points>,
    stabilisers: Vec<SymmetrySet>,
    /// By rank of the set: `class << 4 | symmetry`.
    located: Vec<u32>,
}

impl Classes {
    /// The classes of sets of `size` points on `board`. Computed once, then shared.
    ///
    /// # Panics
    /// If `size` is above [`Ruleset::MAX_STONES`].
    #[track_caller]
    pub fn of(board: Board, size: u8) -> &'static Self {
        const SIZES: usize = Ruleset::MAX_STONES as usize + 1;
        static CLASSES: [[OnceLock<Classes>; SIZES]; Board::ALL.len()] =
            [const { [const { OnceLock::new() }; SIZES] }; Board::ALL.len()];
        CLASSES[board as usize][size as usize]
            .get_or_init(|| Self::enumerate(board.geometry(), size))
    }

    fn enumerate(geometry: &Geometry, size: u8) -> Self {
        const NOT_YET: u32 = u32::MAX;
        let lower = geometry.corner_count();
        let ranking = Ranking::new(lower, geometry.point_count() - lower, size);
        let symmetries = geometry.symmetries();
        let mut located = vec![NOT_YET; ranking.count() as usize];
        let mut representatives = Vec::new();
        let mut stabilisers = Vec::new();
        for rank in 0..ranking.count() {
            if located[rank as usize] != NOT_YET {
                continue;
            }
            // In numeric order the first set of a class is its smallest.
            let representative = Points::from_bits(ranking.unrank(rank));
            let class = representatives.len() as u32;
            for id in symmetries.ids() {
                let image = symmetries.apply(id, representative);
                let slot = &mut located[ranking.rank(image.bits()) as usize];
                *slot = (*slot).min(class << 4 | symmetries.inverse(id).index() as u32);
            }
            representatives.push(representative);
            stabilisers.push(symmetries.stabiliser(representative).collect());
        }
        Self { ranking, representatives, stabilisers, located }
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there are no classes, because there are no sets of this size.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The representatives of all classes, by class.
    pub fn representatives(&self) -> &[Points] {
        &self.representatives
    }

    /// The representative of `class`.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn representative(&self, class: ClassId) -> Points {
        self.representatives[class.index()]
    }

    /// The symmetries that leave the representative of `class` where it is.
    ///
    /// # Panics
    /// If there is no such class.
    #[inline]
    pub fn stabiliser(&self, class: ClassId) -> SymmetrySet {
        self.stabilisers[class.index()]
    }

    /// The class of `set`, and a symmetry that leads to its representative.
    ///
    /// # Panics
    /// If `set` is of another size.
    #[inline]
    pub fn locate(&self, set: Points) -> Located {
        let packed = self.located[self.ranking.rank(set.bits()) as usize];
        Located { class: ClassId(packed >> 4), symmetry: SymmetryId::new((packed & 15) as u8) }
    }

    /// The ranking of all sets of this size on the whole board, by which [`Classes::packed`] is
    /// ordered.
    pub const fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The look-up table behind [`Classes::locate`], by rank of the set: `class << 4 | symmetry`.
    /// For inner loops that overlap many look-ups.
    pub fn packed(&self) -> &[u32] {
        &self.located
    }
}

/// The number of classes of pairs of disjoint sets of `first` and `second` points, by Burnside's
/// lemma: the mean number of pairs that a symmetry leaves where they are.
///
/// With `second` = 0 it is the number of classes of single sets.
pub fn burnside_count(geometry: &Geometry, first: u8, second: u8) -> u64 {
    let (first, second) = (first as usize, second as usize);
    let mut sum = 0;
    for (_, symmetry) in geometry.symmetries().iter() {
        // Each cycle of the permutation belongs as a whole to the first set, the second, or
        // neither.
        let mut ways = vec![vec![0_u64; second + 1]; first + 1];
        ways[0][0] = 1;
        let mut seen = Points::EMPTY;
        for start in geometry.points() {
            let mut length = 0;
            let mut point = start;
            while !seen.contains(point) {
                seen = seen.with(point);
                point = symmetry.apply(point);
                length += 1;
            }
            if length == 0 {
                continue;
            }
            for i in (0..=first).rev() {
                for j in (0..=second).rev() {
                    let from_first = if i >= length { ways[i - length][j] } else { 0 };
                    let from_second = if j >= length { ways[i][j - length] } else { 0 };
                    ways[i][j] += from_first + from_second;
                }
            }
        }
        sum += ways[first][second];
    }
    sum / geometry.symmetries().len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_classes_as_published_and_as_burnside_counts() {
        let published =
            [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880, 124_124, 157_668, 170_854];
        for (size, count) in published.into_iter().enumerate() {
            let size = size as u8;
            assert_eq!(Classes::of(Board::Nine, size).len() as u64, count, "size {size}");
            assert_eq!(burnside_count(Board::Nine.geometry(), size, 0), count, "size {size}");
        }
        for board in [Board::Twelve, Board::Six, Board::Seven, Board::Three] {
            for size in 0..=board.geometry().point_count() / 2 {
                let classes = Classes::of(board, size).len() as u64;
                assert_eq!(
                    classes,
                    burnside_count(board.geometry(), size, 0),
                    "{board}, size {size}"
                );
            }
        }
    }

    #[test]
    fn every_set_is_led_to_its_smallest_image() {
        for board in Board::ALL {
            let symmetries = board.geometry().symmetries();
            let classes = Classes::of(board, 4);
            for rank in 0..classes.ranking().count() {
                let set = Points::from_bits(classes.ranking().unrank(rank));
                let Located { class, symmetry } = classes.locate(set);
                assert_eq!(symmetries.canonical(set), (classes.representative(class), symmetry));
            }
        }
    }

    #[test]
    fn a_stabiliser_leaves_its_set_in_place() {
        let symmetries = Board::Nine.geometry().symmetries();
        let classes = Classes::of(Board::Nine, 5);
        let mut orbits = 0;
        for (class, &representative) in classes.representatives().iter().enumerate() {
            let stabiliser = classes.stabiliser(ClassId::new(class as u32));
            assert!(
                stabiliser.iter().all(|id| symmetries.apply(id, representative) == representative)
            );
            orbits += symmetries.len() / stabiliser.iter().count();
        }
        assert_eq!(orbits as u64, crate::index::subset::binomial(24, 5));
    }
}
