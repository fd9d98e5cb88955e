//! Points of a board and sets of points.
//!
//! A [`Point`] is a number below [`Point::LIMIT`]; [`Geometry`](crate::Geometry) says which place
//! of a board it means. A [`Points`] is a set of points as a bit mask, bit `i` for point `i`. The
//! numeric order of these masks is the order of everything in a database: class representatives,
//! rows, and the entries of a row.

use std::fmt;

/// One point of a board, numbered from 0.
///
/// Every board numbers the corners of its rings first (the *lower* points) and everything else
/// after them (the *upper* points), so that every symmetry maps lower points to lower points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// No board has this many points or more than this many: numbers run from 0 to `LIMIT - 1`.
    pub const LIMIT: u8 = 24;

    /// The point with number `index`.
    ///
    /// # Panics
    /// If `index` is not below [`Point::LIMIT`].
    #[track_caller]
    pub const fn new(index: u8) -> Self {
        assert!(index < Self::LIMIT, "point number out of range");
        Self(index)
    }

    /// The point's number, `0..24`, as an index into tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds only this point.
    pub const fn set(self) -> Points {
        Points(1 << self.0)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A set of points: a 24-bit mask, bit `i` for point `i`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Points(u32);

impl Points {
    /// The set without points.
    pub const EMPTY: Self = Self(0);

    /// The set with the bits of `mask`.
    ///
    /// # Panics
    /// If a bit at or above [`Point::LIMIT`] is set.
    #[track_caller]
    pub const fn from_bits(mask: u32) -> Self {
        assert!(mask >> Point::LIMIT == 0, "point mask out of range");
        Self(mask)
    }

    /// The set of the points numbered `0..count`.
    ///
    /// # Panics
    /// If `count` is above [`Point::LIMIT`].
    #[track_caller]
    pub const fn first(count: u8) -> Self {
        assert!(count <= Point::LIMIT, "point count out of range");
        Self((1 << count) - 1)
    }

    /// The bit mask, bit `i` for point `i`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How many points the set holds.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether the set holds no point.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` is in the set.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 == 1
    }

    /// Whether every point of `other` is in the set.
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets share a point.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with `point` added.
    pub const fn with(self, point: Point) -> Self {
        Self(self.0 | 1 << point.0)
    }

    /// The set without `point`.
    pub const fn without(self, point: Point) -> Self {
        Self(self.0 & !(1 << point.0))
    }

    /// The points in either set.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The points in both sets.
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The points of this set that are not in `other`.
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl IntoIterator for Points {
    type Item = Point;
    type IntoIter = PointsIter;

    fn into_iter(self) -> PointsIter {
        PointsIter(self.0)
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(iter: I) -> Self {
        iter.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The points of a set in rising order.
#[derive(Clone, Debug)]
pub struct PointsIter(u32);

impl Iterator for PointsIter {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PointsIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_its_points_in_order() {
        let set: Points = [5, 1, 23].map(Point::new).into_iter().collect();
        assert_eq!(set.len(), 3);
        assert_eq!(set.into_iter().map(Point::index).collect::<Vec<_>>(), [1, 5, 23]);
        assert!(set.contains(Point::new(23)) && !set.contains(Point::new(0)));
        assert_eq!(set.without(Point::new(5)).bits(), 1 << 23 | 1 << 1);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn there_is_no_point_24() {
        Point::new(24);
    }
}
