//! The boards, derived from a few lines of geometry.
//!
//! A mill board is a nest of square rings around a centre. Every point has a place on a square
//! grid, columns `a`, `b`, ... from the left and rows `1`, `2`, ... from the bottom. All else
//! (names, neighbours, lines, symmetries) follows from the places and from which straight lines
//! are drawn.
//!
//! ```text
//!     a   b   c   d   e   f   g            numbers on the board `nine`
//!  7  *-----------*-----------*       0----------12-----------1
//!     |           |           |       |           |           |
//!  6  |   *-------*-------*   |       |   4------16-------5   |
//!     |   |       |       |   |       |   |       |       |   |
//!  5  |   |   *---*---*   |   |       |   |   8--20---9   |   |
//!     |   |   |       |   |   |       |   |   |       |   |   |
//!  4  *---*---*       *---*---*      15--19--23      21--17--13
//!     |   |   |       |   |   |       |   |   |       |   |   |
//!  3  |   |   *---*---*   |   |       |   |  11--22--10   |   |
//!     |   |       |       |   |       |   |       |       |   |
//!  2  |   *-------*-------*   |       |   7------18-------6   |
//!     |           |           |       |           |           |
//!  1  *-----------*-----------*       3----------14-----------2
//! ```
//!
//! **Numbering.** The corners come first, ring by ring from the outside, each ring clockwise from
//! the top left; then the side midpoints, ring by ring, clockwise from the top; then the centre
//! where there is one. Every symmetry maps corners to corners and the rest to the rest. On boards
//! without diagonals no two corners are neighbours. Both facts carry the block form of rows.

use std::fmt;
use std::sync::OnceLock;

use arrayvec::ArrayVec;

use crate::board::boards::{Board, Specification};
use crate::board::point::{Point, Points};
use crate::board::symmetry::Symmetries;

/// Where a point lies on the grid: column and row, both from 0 at the bottom left (`a1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// Column, 0 for `a`.
    pub column: u8,
    /// Row, 0 for `1`.
    pub row: u8,
}

type LinesThrough = ArrayVec<Points, { Geometry::MOST_LINES_THROUGH }>;

/// A board's points, lines and symmetries.
#[derive(Debug)]
pub struct Geometry {
    board: Board,
    coordinates: ArrayVec<Coordinates, { Point::LIMIT as usize }>,
    lower: u8,
    neighbours: [Points; Point::LIMIT as usize],
    lines: Vec<Points>,
    lines_through: [LinesThrough; Point::LIMIT as usize],
    fewest_in_two_mills: u8,
    symmetries: Symmetries,
}

impl Board {
    /// The board's points, lines and symmetries. Computed once, then shared.
    pub fn geometry(self) -> &'static Geometry {
        static GEOMETRIES: [OnceLock<Geometry>; Board::ALL.len()] =
            [const { OnceLock::new() }; Board::ALL.len()];
        GEOMETRIES[self as usize].get_or_init(|| Geometry::derive(self))
    }
}

impl Geometry {
    /// The most lines through a point, on any board: through the centre of the board `seven`, three
    /// along each line of the cross.
    pub const MOST_LINES_THROUGH: usize = 6;

    fn derive(board: Board) -> Self {
        let &Specification { rings, diagonals, centre, .. } = board.specification();
        let rings = rings as i8;
        // (x, y) from the centre, in the order of the numbering.
        const CORNERS: [(i8, i8); 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];
        const MIDPOINTS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let ring =
            |directions: [(i8, i8); 4], size: i8| directions.map(|(x, y)| (x * size, y * size));
        let outside_in = || (1..=rings).rev();
        let mut offsets: Vec<(i8, i8)> = Vec::new();
        offsets.extend(outside_in().flat_map(|size| ring(CORNERS, size)));
        let lower = offsets.len() as u8;
        offsets.extend(outside_in().flat_map(|size| ring(MIDPOINTS, size)));
        if centre {
            offsets.push((0, 0));
        }

        // The drawn straight lines, each as the points on it in order.
        let mut drawn: Vec<Vec<(i8, i8)>> = Vec::new();
        for size in 1..=rings {
            for side in 0..4 {
                let (from, to) = (ring(CORNERS, size)[side], ring(CORNERS, size)[(side + 1) % 4]);
                drawn.push(vec![from, ((from.0 + to.0) / 2, (from.1 + to.1) / 2), to]);
            }
        }
        let mut rays = MIDPOINTS.to_vec();
        if diagonals {
            rays.extend(CORNERS);
        }
        if centre {
            // Opposite rays are one line through the centre.
            rays.retain(|&(x, y)| (x, y) > (0, 0));
            drawn.extend(
                rays.iter()
                    .map(|&(x, y)| (-rings..=rings).map(|size| (x * size, y * size)).collect()),
            );
        } else {
            drawn.extend(
                rays.iter().map(|&(x, y)| (1..=rings).map(|size| (x * size, y * size)).collect()),
            );
        }

        let number = |offset: &(i8, i8)| {
            let index = offsets.iter().position(|other| other == offset);
            Point::new(index.expect("lines are drawn between points") as u8)
        };
        let mut neighbours = [Points::EMPTY; Point::LIMIT as usize];
        for pair in drawn.iter().flat_map(|line| line.windows(2)) {
            let (a, b) = (number(&pair[0]), number(&pair[1]));
            neighbours[a.index()] = neighbours[a.index()].with(b);
            neighbours[b.index()] = neighbours[b.index()].with(a);
        }
        // A mill takes three points in a row. The short rays of the board `six` are too short for
        // one; each line of the cross of the board `seven` has three.
        let mut lines: Vec<Points> = drawn
            .iter()
            .flat_map(|line| line.windows(3))
            .map(|line| line.iter().map(number).collect())
            .collect();
        lines.sort();
        let mut lines_through: [LinesThrough; Point::LIMIT as usize] = Default::default();
        for &line in &lines {
            for point in line {
                lines_through[point.index()].push(line);
            }
        }
        let crossing = lines.iter().flat_map(|&one| {
            let others = lines.iter().filter(move |&&other| other != one && other.intersects(one));
            others.map(move |other| other.union(one).len())
        });
        let fewest_in_two_mills = crossing.min().unwrap_or(u8::MAX);
        let coordinates = offsets
            .iter()
            .map(|&(x, y)| Coordinates { column: (x + rings) as u8, row: (y + rings) as u8 })
            .collect::<ArrayVec<_, 24>>();
        let symmetries = Symmetries::of_graph(coordinates.len() as u8, lower, &neighbours, &lines);
        Self {
            board,
            coordinates,
            lower,
            neighbours,
            lines,
            lines_through,
            fewest_in_two_mills,
            symmetries,
        }
    }

    /// Which board this is.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// How many points the board has.
    pub fn point_count(&self) -> u8 {
        self.coordinates.len() as u8
    }

    /// How many of them are lower points (corners): those numbered below this.
    pub const fn corner_count(&self) -> u8 {
        self.lower
    }

    /// All points of the board.
    pub fn points(&self) -> Points {
        Points::first(self.point_count())
    }

    /// The points next to `point` along a drawn line.
    pub const fn neighbours(&self, point: Point) -> Points {
        self.neighbours[point.index()]
    }

    /// Every line: three points that form a mill when one side holds them.
    pub fn lines(&self) -> &[Points] {
        &self.lines
    }

    /// The lines on which `point` lies.
    pub fn lines_through(&self, point: Point) -> &[Points] {
        &self.lines_through[point.index()]
    }

    /// The symmetries of the board.
    pub const fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The half of point 0, if the points fall into two halves such that neighbours are never in
    /// the same half. None if they do not.
    ///
    /// A symmetry maps each half to itself or to the other.
    pub fn half(&self) -> Option<Points> {
        let (mut half, mut rest) = (Point::new(0).set(), Points::EMPTY);
        let around = |set: Points| {
            set.into_iter().fold(Points::EMPTY, |all, point| all.union(self.neighbours(point)))
        };
        loop {
            let (wider, wider_rest) = (half.union(around(rest)), rest.union(around(half)));
            if wider.intersects(wider_rest) {
                return None;
            }
            if (wider, wider_rest) == (half, rest) {
                return Some(half);
            }
            (half, rest) = (wider, wider_rest);
        }
    }

    /// The fewest stones that form two mills with a common point: five if two lines share at most
    /// one point, four if they can share two, as on the cross of the board `seven`.
    pub const fn fewest_in_two_mills(&self) -> u8 {
        self.fewest_in_two_mills
    }

    /// Whether a stone can close two mills at once by a slide: whether it can slide to a point from
    /// outside two lines through that point.
    pub fn slides_close_two_mills(&self) -> bool {
        let lines_beside = |from: Point, to: Point| {
            self.lines_through(to).iter().filter(|line| !line.contains(from)).count()
        };
        let closes_two = |to| {
            let mut from = self.neighbours(to).into_iter();
            from.any(|from| lines_beside(from, to) >= 2)
        };
        self.points().into_iter().any(closes_two)
    }

    /// How many lines through `point` are complete in `stones`.
    pub fn mills_at(&self, stones: Points, point: Point) -> usize {
        self.lines_through(point).iter().filter(|&&line| stones.contains_all(line)).count()
    }

    /// The stones that stand in a mill.
    pub fn in_mills(&self, stones: Points) -> Points {
        self.lines
            .iter()
            .filter(|&&line| stones.contains_all(line))
            .fold(Points::EMPTY, |all, &line| all.union(line))
    }

    /// Where `point` lies on the grid.
    ///
    /// # Panics
    /// If the board has no such point.
    #[track_caller]
    pub fn coordinates(&self, point: Point) -> Coordinates {
        self.coordinates[point.index()]
    }

    /// The point at these coordinates, if there is one.
    pub fn point_at(&self, at: Coordinates) -> Option<Point> {
        let index = self.coordinates.iter().position(|&other| other == at)?;
        Some(Point::new(index as u8))
    }

    /// The number of columns (and of rows) of the grid.
    pub const fn grid(&self) -> u8 {
        2 * self.board.specification().rings + 1
    }

    /// The name of `point`: column letter and row number, as `d2`.
    ///
    /// # Panics
    /// If the board has no such point.
    #[track_caller]
    pub fn name(&self, point: Point) -> PointName {
        PointName(self.coordinates(point))
    }

    /// The point of this name, in upper or lower case; none if the board has no such point.
    pub fn point_named(&self, name: &str) -> Option<Point> {
        let &[column, row] = name.as_bytes() else { return None };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        let row = row.checked_sub(b'1')?;
        self.point_at(Coordinates { column, row })
    }
}

/// A point's name, ready to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointName(Coordinates);

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0.column), self.0.row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_the_boards() {
        // points, lower points, lines, edges, symmetries
        let expected = [
            (24, 12, 16, 32, 16),
            (24, 12, 20, 40, 16),
            (16, 8, 8, 20, 16),
            (17, 8, 14, 24, 8),
            (9, 4, 8, 16, 8),
        ];
        for (board, shape) in Board::ALL.into_iter().zip(expected) {
            let geometry = board.geometry();
            let edges: u8 =
                geometry.points().into_iter().map(|p| geometry.neighbours(p).len()).sum();
            let found = (
                geometry.point_count(),
                geometry.corner_count(),
                geometry.lines().len(),
                edges / 2,
                geometry.symmetries().len(),
            );
            assert_eq!(found, shape, "{board}");
            assert!(geometry.lines().iter().all(|line| line.len() == 3), "{board}");
            let most = geometry.points().into_iter().map(|p| geometry.lines_through(p).len()).max();
            let expected = match board {
                Board::Nine | Board::Six => 2,
                Board::Twelve => 3,
                Board::Seven => 6,
                Board::Three => 4,
            };
            assert!(most <= Some(Geometry::MOST_LINES_THROUGH), "{board}");
            assert_eq!(most, Some(expected), "{board}");
        }
    }

    #[test]
    fn mills_of_the_cross_are_three_in_a_row() {
        let seven = Board::Seven.geometry();
        let point = |name| seven.point_named(name).unwrap();
        let set = |names: &str| -> Points {
            names.split(' ').map(|name| seven.point_named(name).unwrap()).collect()
        };
        for mill in ["c1 c2 c3", "c2 c3 c4", "c3 c4 c5", "a3 b3 c3", "b3 c3 d3", "c3 d3 e3"] {
            assert!(seven.lines().contains(&set(mill)), "{mill}");
        }
        for gap in ["c1 c2 c4", "c1 c3 c5", "b3 c3 c4"] {
            assert!(!seven.lines().contains(&set(gap)), "{gap}");
        }
        // Four in a row are two mills; a full cross has six at its centre.
        assert_eq!(seven.mills_at(set("c1 c2 c3 c4"), point("c3")), 2);
        assert_eq!(seven.mills_at(set("c1 c2 c3 c4 c5 a3 b3 d3 e3"), point("c3")), 6);
        assert_eq!(seven.neighbours(point("c3")), set("c2 b3 d3 c4"));
    }

    #[test]
    fn stones_that_two_mills_take() {
        for board in Board::ALL {
            let fewest = if board == Board::Seven { 4 } else { 5 };
            assert_eq!(board.geometry().fewest_in_two_mills(), fewest, "{board}");
        }
    }

    #[test]
    fn names_and_neighbours_of_the_standard_board() {
        let nine = Board::Nine.geometry();
        let names = |set: Points| {
            let mut names: Vec<_> = set.into_iter().map(|p| nine.name(p).to_string()).collect();
            names.sort();
            names.join(" ")
        };
        let point = |name| nine.point_named(name).unwrap();
        assert_eq!(point("a7"), Point::new(0));
        assert_eq!(point("G4"), Point::new(13));
        assert_eq!(nine.point_named("d4"), None);
        assert_eq!(nine.point_named("h1"), None);
        assert_eq!(names(nine.neighbours(point("d6"))), "b6 d5 d7 f6");
        assert_eq!(names(nine.neighbours(point("c3"))), "c4 d3");
        let lines: Vec<_> =
            nine.lines_through(point("b4")).iter().map(|&line| names(line)).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.contains(&"a4 b4 c4".into()) && lines.contains(&"b2 b4 b6".into()));
        for p in nine.points() {
            assert_eq!(nine.point_named(&nine.name(p).to_string()), Some(p));
        }
    }

    #[test]
    fn on_some_boards_a_slide_may_close_two_mills() {
        let closes = |board: Board| board.geometry().slides_close_two_mills();
        let closing: Vec<_> = Board::ALL.into_iter().filter(|&board| closes(board)).collect();
        assert_eq!(closing, [Board::Twelve, Board::Seven, Board::Three]);
    }

    #[test]
    fn moves_lead_from_one_half_to_the_other() {
        for board in Board::ALL {
            let geometry = board.geometry();
            let Some(half) = geometry.half() else {
                assert_eq!(board, Board::Three, "its diagonals make triangles");
                continue;
            };
            let rest = geometry.points().difference(half);
            let centre = u8::from(board == Board::Seven);
            assert_eq!(half.len() + centre, rest.len(), "{board}");
            for point in geometry.points() {
                let own = if half.contains(point) { half } else { rest };
                assert!(!geometry.neighbours(point).intersects(own), "{board}");
            }
            for (_, symmetry) in geometry.symmetries().iter() {
                assert!([half, rest].contains(&symmetry.apply_set(half)), "{board}");
            }
        }
    }

    #[test]
    fn corners_are_neighbours_only_where_diagonals_are_drawn() {
        for board in [Board::Nine, Board::Six, Board::Seven, Board::Three] {
            let geometry = board.geometry();
            let corners = Points::first(geometry.corner_count());
            assert!(
                corners.into_iter().all(|p| !geometry.neighbours(p).intersects(corners)),
                "{board}"
            );
        }
        let twelve = Board::Twelve.geometry();
        assert!(twelve.neighbours(Point::new(0)).contains(Point::new(4)));
    }
}
