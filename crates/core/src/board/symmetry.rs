//! The symmetries of a board and the canonical form of a set of points.
//!
//! A [`Symmetry`] is a permutation of the points that maps neighbours to neighbours and lines to
//! lines. It *acts* on points from the left: `apply(p)` is the image of `p`. A search in the
//! board's graph finds the group, so the code has no typed table. The group of a board of two or
//! three rings has 16 elements (the square's 8, times swapping the outermost and the innermost
//! ring), that of a board with a centre has 8.
//!
//! The representative of a class of sets (or of pairs of sets) is its numerically smallest image.

use std::fmt;

use arrayvec::ArrayVec;

use crate::board::point::{Point, Points};

const LIMIT: usize = Point::LIMIT as usize;

/// Number of patterns of six points, the unit in which a mask is mapped.
const PATTERNS: usize = 64;

/// Names one element of a board's group: an index into [`Symmetries`], 0 the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymmetryId(u8);

impl SymmetryId {
    /// The symmetry that moves nothing.
    pub const IDENTITY: Self = Self(0);

    /// The element with this number. A group that uses it must have more elements than that.
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The element's number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One symmetry of a board, ready to apply to points and to sets.
#[derive(Clone, PartialEq, Eq)]
pub struct Symmetry {
    images: ArrayVec<Point, LIMIT>,
    /// Images of each pattern of six points, for points 0-5, 6-11, 12-17, 18-23.
    patterns: [[Points; PATTERNS]; 4],
}

impl Symmetry {
    fn new(images: ArrayVec<Point, LIMIT>) -> Self {
        let mut patterns = [[Points::EMPTY; PATTERNS]; 4];
        for (part, table) in patterns.iter_mut().enumerate() {
            for (pattern, image) in table.iter_mut().enumerate() {
                *image = (0..6)
                    .filter(|bit| pattern >> bit & 1 == 1)
                    .filter_map(|bit| images.get(part * 6 + bit))
                    .copied()
                    .collect();
            }
        }
        Self { images, patterns }
    }

    /// Where `point` goes.
    ///
    /// # Panics
    /// If the board has no such point.
    pub fn apply(&self, point: Point) -> Point {
        self.images[point.index()]
    }

    /// Where the points of `set` go.
    pub fn apply_set(&self, set: Points) -> Points {
        let bits = set.bits() as usize;
        let part = |i: usize| self.patterns[i][bits >> (6 * i) & 63];
        part(0).union(part(1)).union(part(2).union(part(3)))
    }
}

impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.images).finish()
    }
}

/// The group of all symmetries of a board.
#[derive(Debug)]
pub struct Symmetries {
    elements: Vec<Symmetry>,
    inverses: Vec<SymmetryId>,
    products: Vec<Vec<SymmetryId>>,
}

impl Symmetries {
    /// Finds all permutations of `count` points that keep the lower points (those numbered below
    /// `lower`), the neighbours and the lines.
    pub(crate) fn of_graph(
        count: u8,
        lower: u8,
        neighbours: &[Points; LIMIT],
        lines: &[Points],
    ) -> Self {
        let graph = Graph { order: connected_order(count, neighbours), lower, neighbours, lines };
        let mut found = Vec::new();
        extend(&mut [None; LIMIT], 0, &graph, &mut found);
        // Sorted by their images, so that the identity comes first.
        found.sort();
        let elements: Vec<_> = found.into_iter().map(Symmetry::new).collect();
        let find = |images: &[Point]| {
            let found = elements.iter().position(|element| *element.images == *images);
            SymmetryId(found.expect("a group is closed") as u8)
        };
        let product = |first: &Symmetry, second: &Symmetry| {
            find(&first.images.iter().map(|&p| second.apply(p)).collect::<ArrayVec<_, LIMIT>>())
        };
        let products: Vec<Vec<_>> = elements
            .iter()
            .map(|first| elements.iter().map(|second| product(first, second)).collect())
            .collect();
        let inverse = |row: &Vec<SymmetryId>| {
            let inverse = row.iter().position(|&product| product == SymmetryId::IDENTITY);
            SymmetryId(inverse.expect("a group has inverses") as u8)
        };
        let inverses = products.iter().map(inverse).collect();
        Self { elements, inverses, products }
    }

    /// The order of the group.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Always false: a group holds the identity.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element with this name.
    ///
    /// # Panics
    /// If the group has no such element.
    pub fn get(&self, id: SymmetryId) -> &Symmetry {
        &self.elements[id.index()]
    }

    /// The names of all elements, the identity first.
    pub fn ids(&self) -> impl Iterator<Item = SymmetryId> + use<> {
        (0..self.elements.len() as u8).map(SymmetryId)
    }

    /// All elements with their names, the identity first.
    pub fn iter(&self) -> impl Iterator<Item = (SymmetryId, &Symmetry)> {
        self.ids().zip(&self.elements)
    }

    /// The element that undoes `id`.
    pub fn inverse(&self, id: SymmetryId) -> SymmetryId {
        self.inverses[id.index()]
    }

    /// The element that acts as `first`, then as `second`.
    pub fn product(&self, first: SymmetryId, second: SymmetryId) -> SymmetryId {
        self.products[first.index()][second.index()]
    }

    /// The image of `set` under the element `id`.
    pub fn apply(&self, id: SymmetryId, set: Points) -> Points {
        self.elements[id.index()].apply_set(set)
    }

    /// The representative of the class of `set` (its smallest image), and the first symmetry that
    /// leads there.
    pub fn canonical(&self, set: Points) -> (Points, SymmetryId) {
        let images = self.iter().map(|(id, element)| (element.apply_set(set), id));
        images.min().unwrap_or((set, SymmetryId::IDENTITY))
    }

    /// The symmetries that leave `set` where it is.
    pub fn stabiliser(&self, set: Points) -> impl Iterator<Item = SymmetryId> {
        self.iter().filter(move |(_, element)| element.apply_set(set) == set).map(|(id, _)| id)
    }
}

struct Graph<'a> {
    /// Each point but the first is a neighbour of an earlier one, so a wrong image shows at once.
    order: Vec<Point>,
    lower: u8,
    neighbours: &'a [Points; LIMIT],
    lines: &'a [Points],
}

fn connected_order(count: u8, neighbours: &[Points; LIMIT]) -> Vec<Point> {
    let mut order = vec![Point::new(0)];
    let mut next = 0;
    while let Some(&point) = order.get(next) {
        let new = neighbours[point.index()].into_iter().filter(|p| !order.contains(p));
        let new: Vec<_> = new.collect();
        order.extend(new);
        next += 1;
    }
    assert_eq!(order.len(), count as usize, "a board is connected");
    order
}

/// Tries every image of the point at `depth` that agrees with the points mapped so far.
fn extend(
    images: &mut [Option<Point>; LIMIT],
    depth: usize,
    graph: &Graph<'_>,
    found: &mut Vec<ArrayVec<Point, LIMIT>>,
) {
    let Some(&next) = graph.order.get(depth) else {
        let images: ArrayVec<_, LIMIT> = images.iter().flatten().copied().collect();
        let image = |line: Points| line.into_iter().map(|p| images[p.index()]).collect::<Points>();
        if graph.lines.iter().all(|&line| graph.lines.contains(&image(line))) {
            found.push(images);
        }
        return;
    };
    let is_lower = |point: Point| point.index() < graph.lower as usize;
    for candidate in graph.order.iter().copied() {
        let agrees = |&mapped: &Point| {
            let image = images[mapped.index()].expect("earlier in the order");
            image != candidate
                && graph.neighbours[next.index()].contains(mapped)
                    == graph.neighbours[candidate.index()].contains(image)
        };
        if is_lower(next) == is_lower(candidate) && graph.order[..depth].iter().all(agrees) {
            images[next.index()] = Some(candidate);
            extend(images, depth + 1, graph, found);
            images[next.index()] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::boards::Board;

    use super::*;

    #[test]
    fn the_group_is_closed_and_inverses_undo() {
        for board in Board::ALL {
            let geometry = board.geometry();
            let group = geometry.symmetries();
            assert!(
                geometry
                    .points()
                    .into_iter()
                    .all(|p| group.get(SymmetryId::IDENTITY).apply(p) == p)
            );
            for a in group.ids() {
                for b in group.ids() {
                    for p in geometry.points() {
                        let one_by_one = group.get(b).apply(group.get(a).apply(p));
                        assert_eq!(
                            group.get(group.product(a, b)).apply(p),
                            one_by_one,
                            "{board} {a:?} {b:?}"
                        );
                    }
                }
                let inverse = group.inverse(a);
                for p in geometry.points() {
                    assert_eq!(group.get(inverse).apply(group.get(a).apply(p)), p);
                }
            }
        }
    }

    #[test]
    fn sets_move_as_their_points_do() {
        let geometry = Board::Nine.geometry();
        let mut set = Points::from_bits(0x00a5_17c3);
        for (_, element) in geometry.symmetries().iter() {
            let slow: Points = set.into_iter().map(|p| element.apply(p)).collect();
            assert_eq!(element.apply_set(set), slow);
            set = Points::from_bits((set.bits() * 5 + 77) & 0x00ff_ffff);
        }
    }

    #[test]
    fn one_point_has_four_classes_on_the_standard_board() {
        let geometry = Board::Nine.geometry();
        let mut classes: Vec<_> = geometry
            .points()
            .into_iter()
            .map(|p| geometry.symmetries().canonical(p.set()).0)
            .collect();
        classes.sort();
        classes.dedup();
        assert_eq!(classes.len(), 4);
    }
}
