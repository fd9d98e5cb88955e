//! The rules against positions and move counts from the literature.

use std::collections::HashSet;

use merels_core::{Board, DoubleMill, Points, Position, Removal, Ruleset, Side, Stones, Value};

fn points(names: &str) -> Points {
    let nine = Board::Nine.geometry();
    names.split_whitespace().map(|name| nine.point_named(name).unwrap()).collect()
}

fn position(white: &str, black: &str, hands: (u8, u8), side: Side) -> Position {
    let white = Stones { board: points(white), hand: hands.0 };
    let black = Stones { board: points(black), hand: hands.1 };
    Position::new(white, black, side)
}

/// Sequences of `left` steps, where closing a mill and the removal are a step each.
fn steps(ruleset: &Ruleset, position: &Position, left: u32) -> u64 {
    let moves = ruleset.legal_moves(position);
    if left == 1 {
        let first_steps: HashSet<_> = moves.iter().map(|mv| (mv.from, mv.to)).collect();
        return first_steps.len() as u64;
    }
    let quiet = moves.iter().filter(|mv| mv.removes.is_empty());
    let removing = moves.iter().filter(|mv| !mv.removes.is_empty());
    let after_quiet: u64 = quiet.map(|mv| steps(ruleset, &mv.apply(position), left - 1)).sum();
    let after_removal: u64 = match left {
        2 => removing.count() as u64,
        _ => removing.map(|mv| steps(ruleset, &mv.apply(position), left - 2)).sum(),
    };
    after_quiet + after_removal
}

#[test]
fn move_counts_from_the_empty_board() {
    let start = Position::start(&Ruleset::STANDARD);
    for (left, count) in (1..).zip([24, 552, 12_144, 255_024, 5_100_480]) {
        assert_eq!(steps(&Ruleset::STANDARD, &start, left), count, "{left} steps");
    }
}

#[test]
fn the_blocked_side_has_lost() {
    // Figure 3 of Gasser's paper.
    let figure =
        position("d7 d6 a4 b4 e5 c3 e3 d2 g1", "a7 b6 c5 d5 c4 d3 b2 a1 d1", (0, 0), Side::Black);
    assert_eq!(figure.check(&Ruleset::STANDARD), Ok(()));
    assert_eq!(Ruleset::STANDARD.legal_moves(&figure), []);
    assert_eq!(Ruleset::STANDARD.ending(&figure), Some(Value::LOST));
    let white_to_move =
        Position::new(figure.stones(Side::White), figure.stones(Side::Black), Side::White);
    assert_eq!(Ruleset::STANDARD.ending(&white_to_move), None);
}

#[test]
fn a_pending_removal() {
    // Figure 2 of Gasser's paper: white has closed a mill on b6.
    let (white, black) = ("b6 d6 f6 f4 g1", "b4 d3 d2 d1 a1");
    assert_eq!(Board::Nine.geometry().in_mills(points(white)), points("b6 d6 f6"));
    assert_eq!(Ruleset::STANDARD.removable(points(black)), points("a1 b4"));
    let before = position("d6 f6 f4 g1", black, (1, 0), Side::White);
    let removed: Vec<_> = Ruleset::STANDARD
        .legal_moves(&before)
        .iter()
        .filter(|mv| mv.to.set() == points("b6"))
        .map(|mv| mv.removes)
        .collect();
    assert_eq!(removed.len(), 2);
    assert!(removed.contains(&points("a1")) && removed.contains(&points("b4")));
}

#[test]
fn what_each_removal_rule_lets_go() {
    let rule = |removal| Ruleset { removal, ..Ruleset::STANDARD };
    let removable = |removal, names| rule(removal).removable(points(names));
    let (mixed, only_mills) = ("a1 a4 a7 d2", "a1 a4 a7");
    assert_eq!(removable(Removal::Protected, mixed), points("d2"));
    assert_eq!(removable(Removal::Strict, mixed), points("d2"));
    assert_eq!(removable(Removal::Free, mixed), points(mixed));
    assert_eq!(removable(Removal::Protected, only_mills), points(only_mills));
    assert_eq!(removable(Removal::Strict, only_mills), Points::EMPTY);
    assert_eq!(removable(Removal::Free, only_mills), points(only_mills));
}

#[test]
fn a_mill_against_an_empty_board_removes_nothing() {
    let before = position("a1 a4", "", (7, 9), Side::White);
    let closing: Vec<_> = Ruleset::STANDARD
        .legal_moves(&before)
        .into_iter()
        .filter(|mv| mv.to.set() == points("a7"))
        .collect();
    assert_eq!(closing.len(), 1);
    assert!(closing[0].removes.is_empty());
}

#[test]
fn the_second_removal_may_open_what_the_first_broke() {
    // d7 closes two mills. The other side has one mill and another stone. First that stone goes;
    // then all stones are in the mill, so one of them may go.
    let before = position("a7 g7 d6 d5", "a1 d1 g1 f4", (1, 1), Side::White);
    let rules = Ruleset { double_mill: DoubleMill::Two, ..Ruleset::STANDARD };
    let mut removed: Vec<_> = rules
        .legal_moves(&before)
        .iter()
        .filter(|mv| mv.to.set() == points("d7"))
        .map(|mv| mv.removes)
        .collect();
    removed.sort();
    let mut expected = ["a1 f4", "d1 f4", "g1 f4"].map(points);
    expected.sort();
    assert_eq!(removed, expected);
}
