//! Other boards and rules: the solver with and without symmetry, and against itself one ply deep.

use merels_core::numbering::{Pair, binomial};
use merels_core::{Board, Outcome, Points, Position, Ruleset, Subspace, Value};
use merels_naive::{Mismatch, NaiveSolver, States, canonical, check_position};
use proptest::prelude::*;

fn solved(ruleset: &str, stones_on_board: u8, states: States) -> NaiveSolver {
    let mut solver = NaiveSolver::with_states(ruleset.parse().unwrap(), states);
    solver.solve_up_to(stones_on_board);
    solver
}

fn subspaces(ruleset: &Ruleset, stones_on_board: u8) -> impl Iterator<Item = Subspace> {
    let all = Subspace::all_moving(ruleset);
    all.into_iter().filter(move |subspace| subspace.on_board() <= stones_on_board)
}

#[test]
fn symmetry_changes_no_value() {
    for (rules, stones) in [("three", 6), ("three,stones=4,flying=three", 8), ("six", 7)] {
        let canonical = solved(rules, stones, States::Canonical);
        let raw = solved(rules, stones, States::Raw);
        let ruleset = raw.ruleset();
        let points = ruleset.board.geometry().point_count();
        for subspace in subspaces(ruleset, stones) {
            let (a, b) = (subspace.mover(), subspace.other());
            let statistics = raw.statistics(subspace);
            assert_eq!(statistics.positions, binomial(points, a) * binomial(points - a, b));
            for (mover, other, value) in raw.positions(subspace) {
                let position = Position::of_subspace(subspace, mover, other);
                assert_eq!(canonical.value(&position), Some(value), "{rules} {position:?}");
            }
        }
    }
}

#[test]
fn values_follow_from_successors() {
    follow_from_successors(&[
        ("three", 6),
        ("three,removal=free", 6),
        ("three,stones=4,flying=three", 8),
        ("three,stones=4,removal=strict", 8),
        ("six", 9),
        ("six,removal=free", 7),
        ("strict-removal", 6),
    ]);
}

fn follow_from_successors(rulesets: &[(&str, u8)]) {
    for &(rules, stones) in rulesets {
        let solver = solved(rules, stones, States::Canonical);
        for subspace in subspaces(solver.ruleset(), stones) {
            for (mover, other, _) in solver.positions(subspace).step_by(7) {
                let position = Position::of_subspace(subspace, mover, other);
                let lookup = |position: &Position| solver.value(position);
                assert_eq!(check_position(solver.ruleset(), &position, lookup), Ok(()), "{rules}");
            }
        }
    }
}

/// Wins, draws and losses of a subspace.
fn outcomes(rules: &str, name: &str) -> (u64, u64, u64) {
    let subspace: Subspace = name.parse().unwrap();
    let mut solver = NaiveSolver::new(rules.parse().unwrap());
    solver.solve(Pair::of(subspace));
    let found = solver.statistics(subspace);
    (found.wins, found.draws, found.losses)
}

#[test]
fn each_rule_of_the_moving_phase_matters() {
    assert_ne!(outcomes("six,flying=three", "3-3"), outcomes("six", "3-3"));
    assert_ne!(outcomes("six,removal=strict", "3-3"), outcomes("six", "3-3"));
    assert_ne!(outcomes("six,removal=free", "4-3"), outcomes("six", "4-3"));
}

#[test]
fn a_pair_alone_has_the_values_it_has_in_the_game() {
    let all = solved("six", 9, States::Canonical);
    let mut alone = NaiveSolver::new(*all.ruleset());
    let subspace: Subspace = "5-4".parse().unwrap();
    alone.solve(Pair::of(subspace));
    assert_eq!(alone.statistics(subspace), all.statistics(subspace));
    assert_eq!(alone.statistics(subspace.swapped()), all.statistics(subspace.swapped()));
}

#[test]
fn what_is_not_solved_has_no_value() {
    let solver = solved("six", 6, States::Canonical);
    let sets = (Points::from_bits(0b0000_1111), Points::from_bits(0b0111_0000));
    let unsolved = Position::of_subspace(Subspace::moving(4, 3), sets.0, sets.1);
    assert_eq!(solver.value(&unsolved), None);
    let error = check_position(solver.ruleset(), &unsolved, |position| solver.value(position));
    assert_eq!(error, Err(Mismatch::Missing { position: unsolved }));
    let placing = Position::start(solver.ruleset());
    assert_eq!(solver.value(&placing), None);
    let two = Position::of_subspace(Subspace::moving(2, 3), Points::from_bits(3), sets.1);
    assert_eq!(solver.value(&two), Some(Value::LOST));
}

#[test]
fn a_wrong_value_is_found_at_its_place_and_before_it() {
    let solver = solved("three", 6, States::Canonical);
    let subspace = Subspace::moving(3, 3);
    let position_of =
        |(mover, other, _): (Points, Points, Value)| Position::of_subspace(subspace, mover, other);
    let all: Vec<_> = solver.positions(subspace).collect();
    let mut found_by_others = 0;
    for &(mover, other, value) in &all {
        if value.outcome() != Outcome::Loss {
            continue;
        }
        let lookup = |position: &Position| {
            let sets = canonical(Board::Three, position.mover().board, position.other().board);
            if sets == (mover, other) { Some(Value::Draw) } else { solver.value(position) }
        };
        let check = |position| check_position(solver.ruleset(), &position, lookup);
        let position = Position::of_subspace(subspace, mover, other);
        let error = Mismatch::Wrong { position, found: Value::Draw, expected: value };
        assert_eq!(check(position), Err(error));
        let mistaken = all.iter().filter(|&&entry| check(position_of(entry)).is_err()).count();
        found_by_others += mistaken - 1;
    }
    assert!(found_by_others > 0, "some position is won only by moving to the wrong one");
}

proptest! {
    #[test]
    fn all_images_have_the_same_canonical_form(
        board in prop::sample::select(Board::ALL.to_vec()),
        split in prop::collection::vec(0..3_u8, 24),
    ) {
        let geometry = board.geometry();
        let holders = || geometry.points().into_iter().zip(&split);
        let set = |holder| holders().filter(|(_, h)| **h == holder).map(|(p, _)| p).collect();
        let (mover, other): (Points, Points) = (set(1), set(2));
        let smallest = canonical(board, mover, other);
        prop_assert_eq!(canonical(board, smallest.0, smallest.1), smallest);
        for (_, symmetry) in geometry.symmetries().iter() {
            let (mover, other) = (symmetry.apply_set(mover), symmetry.apply_set(other));
            prop_assert!(smallest <= (mover, other));
            prop_assert_eq!(canonical(board, mover, other), smallest);
        }
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn values_follow_from_successors() {
        follow_from_successors(&[
            ("six", 12),
            ("six,flying=three", 9),
            ("six,removal=free", 9),
            ("six,removal=strict,double-mill=two", 9),
            ("no-flying", 6),
            ("free-removal", 6),
            ("morabaraba", 6),
        ]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn each_rule_of_the_moving_phase_matters() {
        // Every neighbour of a point is on one of its two lines, so no slide closes two mills here.
        assert_eq!(outcomes("six,double-mill=two", "5-5"), outcomes("six", "5-5"));
        // No move leads to a full board.
        let full = "six,stones=8,full-board=draw";
        assert_eq!(outcomes(full, "5-4"), outcomes("six", "5-4"));
        // Four in a row are two mills, and a stone that arrives in the middle closes both.
        assert_ne!(outcomes("seven,double-mill=two", "4-5"), outcomes("seven", "4-5"));
    }
}
