//! The standard board against lists typed by hand.

use merels_core::{Board, Geometry, Points};

/// The lines, each from one end to the other.
const LINES: [[&str; 3]; 16] = [
    // Along the rows, from the top.
    ["a7", "d7", "g7"],
    ["b6", "d6", "f6"],
    ["c5", "d5", "e5"],
    ["a4", "b4", "c4"],
    ["e4", "f4", "g4"],
    ["c3", "d3", "e3"],
    ["b2", "d2", "f2"],
    ["a1", "d1", "g1"],
    // Along the columns, from the left.
    ["a1", "a4", "a7"],
    ["b2", "b4", "b6"],
    ["c3", "c4", "c5"],
    ["d1", "d2", "d3"],
    ["d5", "d6", "d7"],
    ["e3", "e4", "e5"],
    ["f2", "f4", "f6"],
    ["g1", "g4", "g7"],
];

/// The diagonals that the board of twelve stones adds.
const DIAGONALS: [[&str; 3]; 4] =
    [["a7", "b6", "c5"], ["g7", "f6", "e5"], ["g1", "f2", "e3"], ["a1", "b2", "c3"]];

fn set(geometry: &Geometry, names: &[&str]) -> Points {
    names.iter().map(|name| geometry.point_named(name).expect("a point of the board")).collect()
}

/// Checks lines and neighbours against a list of lines. On these boards two points are neighbours
/// if and only if they follow each other on a line.
fn check(board: Board, lines: &[[&str; 3]]) {
    let geometry = board.geometry();
    let mut expected: Vec<_> = lines.iter().map(|line| set(geometry, line)).collect();
    expected.sort();
    let mut found = geometry.lines().to_vec();
    found.sort();
    assert_eq!(found, expected, "{board}");
    for point in geometry.points() {
        let name = geometry.name(point).to_string();
        let neighbours: Points = lines
            .iter()
            .flat_map(|[first, middle, last]| [(first, middle), (middle, last)])
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .filter(|(from, _)| **from == name)
            .map(|(_, to)| geometry.point_named(to).unwrap())
            .collect();
        assert_eq!(geometry.neighbours(point), neighbours, "{board} {name}");
        let mut through: Vec<_> =
            expected.iter().copied().filter(|line| line.contains(point)).collect();
        let mut found = geometry.lines_through(point).to_vec();
        through.sort();
        found.sort();
        assert_eq!(found, through, "{board} {name}");
    }
}

#[test]
fn lines_and_neighbours() {
    check(Board::Nine, &LINES);
    check(Board::Twelve, &[&LINES[..], &DIAGONALS].concat());
}

#[test]
fn mills() {
    let nine = Board::Nine.geometry();
    // Two lines that cross in d6, and two stones besides.
    let stones = set(nine, &["b6", "d6", "f6", "d5", "d7", "a1", "a4"]);
    let mills = set(nine, &["b6", "d6", "f6", "d5", "d7"]);
    assert_eq!(nine.in_mills(stones), mills);
    let at = |name| nine.mills_at(stones, nine.point_named(name).unwrap());
    assert_eq!((at("d6"), at("b6"), at("d7"), at("a1")), (2, 1, 1, 0));
}
