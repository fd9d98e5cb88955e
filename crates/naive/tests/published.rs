//! The standard game with up to four stones a side against published figures.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use merels_core::numbering::{Pair, burnside_count};
use merels_core::{Board, Plies, Points, Position, Ruleset, Side, Stones, Subspace, Value};
use merels_naive::{NaiveSolver, Statistics, check_position};

/// Up to seven stones on the board.
static SOLVED: LazyLock<NaiveSolver> = LazyLock::new(|| {
    let mut solver = NaiveSolver::new(Ruleset::STANDARD);
    solver.solve(Pair::of(Subspace::moving(4, 3)));
    solver
});

/// Up to four stones a side.
static FOUR_STONES: LazyLock<NaiveSolver> = LazyLock::new(|| {
    let mut solver = NaiveSolver::new(Ruleset::STANDARD);
    solver.solve(Pair::of(Subspace::moving(4, 4)));
    solver
});

/// Distances of the wins, then of the losses of 3-3, with their counts.
const THREE_THREE: [(u16, u64); 26] = [
    (1, 66_472),
    (3, 33_775),
    (5, 16_651),
    (7, 6_619),
    (9, 4_770),
    (11, 2_561),
    (13, 3_808),
    (15, 2_506),
    (17, 1_185),
    (19, 776),
    (21, 1_125),
    (23, 346),
    (25, 27),
    (2, 3_125),
    (4, 4_700),
    (6, 3_998),
    (8, 2_496),
    (10, 2_099),
    (12, 2_160),
    (14, 2_261),
    (16, 2_387),
    (18, 2_116),
    (20, 2_122),
    (22, 1_079),
    (24, 123),
    (26, 70),
];

fn points(names: &str) -> Points {
    let nine = Board::Nine.geometry();
    names.split_whitespace().map(|name| nine.point_named(name).unwrap()).collect()
}

fn position(white: &str, black: &str, side: Side) -> Position {
    let stones = |names| Stones { board: points(names), hand: 0 };
    Position::new(stones(white), stones(black), side)
}

/// Stones of the mover and of the other side; wins, draws and losses; longest win, longest loss.
type Outcomes = ((u8, u8), (u64, u64, u64), Option<u16>, Option<u16>);

#[test]
fn outcomes() {
    assert_outcomes(
        &SOLVED,
        &[
            ((3, 3), (140_621, 269, 28_736), Some(25), Some(26)),
            ((3, 4), (102_281, 658_117, 0), Some(33), None),
            ((4, 3), (75_397, 681_906, 3_095), Some(1), Some(32)),
        ],
    );
}

fn assert_outcomes(solved: &NaiveSolver, published: &[Outcomes]) {
    for &((mover, other), outcomes, longest_win, longest_loss) in published {
        let found = solved.statistics(Subspace::moving(mover, other));
        assert_eq!(
            found.positions,
            burnside_count(Board::Nine.geometry(), mover, other),
            "{mover}-{other}"
        );
        assert_eq!((found.wins, found.draws, found.losses), outcomes, "{mover}-{other}");
        assert_eq!(found.longest_win(), longest_win.map(Plies), "{mover}-{other}");
        assert_eq!(found.longest_loss(), longest_loss.map(Plies), "{mover}-{other}");
    }
}

#[test]
fn distances_with_three_stones_each() {
    let found = SOLVED.statistics(Subspace::moving(3, 3));
    let published: BTreeMap<_, _> = THREE_THREE.map(|(d, count)| (Plies(d), count)).into();
    assert_eq!(found.distances, published);
}

#[test]
fn three_stones_each_without_symmetry() {
    let symmetries = Board::Nine.geometry().symmetries();
    let mut found = Statistics::default();
    for (mover, other, value) in SOLVED.positions(Subspace::moving(3, 3)) {
        let mut images: Vec<_> =
            symmetries.iter().map(|(_, s)| (s.apply_set(mover), s.apply_set(other))).collect();
        images.sort();
        images.dedup();
        found.add(value, images.len() as u64);
    }
    assert_eq!(found.positions, 2_691_920);
    assert_eq!((found.wins, found.draws, found.losses), (2_232_160, 4_112, 455_648));
}

#[test]
fn single_positions() {
    let loss = |plies| Value::Loss(Plies(plies));
    let win = |plies| Value::Win(Plies(plies));
    let cases = [
        // Figure 9 of Gasser's paper.
        (position("d7 g7 g1", "a4 g4 d5", Side::Black), loss(26)),
        (position("a4 a7 g7", "d7 d1 a1", Side::White), win(25)),
        (position("g7 g4 b6 c4", "d7 g1 d6", Side::White), loss(32)),
        // d7-a1 closes a mill; every stone of the other side stands in one, so any may go.
        (position("a4 a7 d7", "g7 g4 g1", Side::White), win(1)),
        (position("a4 d7 g1", "g7 d1 b4 c5", Side::White), Value::Draw),
    ];
    assert_values(&SOLVED, &cases);
}

fn assert_values(solved: &NaiveSolver, cases: &[(Position, Value)]) {
    for &(position, value) in cases {
        assert_eq!(solved.value(&position), Some(value), "{position:?}");
        let swapped = |side: Side| position.stones(side.opponent());
        let mirrored =
            Position::new(swapped(Side::White), swapped(Side::Black), position.side().opponent());
        assert_eq!(solved.value(&mirrored), Some(value), "colours exchanged: {position:?}");
    }
}

#[test]
fn values_follow_from_successors() {
    follow_from_successors(&SOLVED, &["3-3", "4-3", "3-4"]);
}

fn follow_from_successors(solved: &NaiveSolver, subspaces: &[&str]) {
    for subspace in subspaces {
        let subspace = subspace.parse().unwrap();
        for (mover, other, value) in solved.positions(subspace).step_by(97) {
            let position = Position::of_subspace(subspace, mover, other);
            assert_eq!(solved.value(&position), Some(value));
            check_position(&Ruleset::STANDARD, &position, |position| solved.value(position))
                .unwrap();
        }
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn four_stones_each() {
        assert_outcomes(&FOUR_STONES, &[((4, 4), (159, 3_225_409, 29), Some(9), Some(8))]);
        follow_from_successors(&FOUR_STONES, &["4-4"]);
        let cases = [
            // Blocked, and won by blocking.
            (position("a4 a7 d7 g7", "g4 a1 b4 d6", Side::White), Value::Loss(Plies(0))),
            (position("d7 g4 g1 b4", "a4 a7 g7 a1", Side::White), Value::Win(Plies(1))),
        ];
        assert_values(&FOUR_STONES, &cases);
    }
}
