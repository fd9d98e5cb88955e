//! Every value and every distance equals that of a solver that shares only the board and the rules
//! with this one: the standard game with up to four stones a side, and other games.

mod common;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use common::equal::{assert_equal, counted_once};
use common::{Solved, plan_of, plan_up_to, rules};
use merels_core::numbering::{Index, Pair};
use merels_core::{Plies, Ruleset, Subspace, Value};
use merels_naive::NaiveSolver;

static STANDARD: LazyLock<Solved> =
    LazyLock::new(|| Solved::new(&plan_up_to(&Ruleset::STANDARD, 8)));

/// Solves a game both ways, up to a number of stones on the board, and compares everything.
#[track_caller]
fn compare(ruleset: &str, stones_on_board: u8) -> Solved {
    let ruleset = rules(ruleset);
    let mut naive = NaiveSolver::new(ruleset);
    naive.solve_up_to(stones_on_board);
    let solved = Solved::new(&plan_up_to(&ruleset, stones_on_board));
    assert!(!solved.tables.is_empty());
    for &subspace in solved.tables.keys() {
        assert_equal(&naive, &solved, subspace);
    }
    solved
}

/// Compares subspaces of the standard game.
#[track_caller]
fn compare_standard(pair: Pair, names: &[&str]) {
    let mut naive = NaiveSolver::new(Ruleset::STANDARD);
    naive.solve(pair);
    for name in names {
        assert_equal(&naive, &STANDARD, name.parse().unwrap());
    }
}

#[test]
fn the_standard_game_with_three_stones_a_side() {
    compare_standard(Pair::of(Subspace::moving(3, 3)), &["3-3"]);
}

#[test]
fn published_outcomes() {
    // Wins, draws, losses, longest win, longest loss.
    let published = [
        ("3-3", (140_621, 269, 28_736), Some(25), Some(26)),
        ("3-4", (102_281, 658_117, 0), Some(33), None),
        ("4-3", (75_397, 681_906, 3_095), Some(1), Some(32)),
        ("4-4", (159, 3_225_409, 29), Some(9), Some(8)),
    ];
    for (name, outcomes, longest_win, longest_loss) in published {
        let found = &STANDARD.tables[&name.parse().unwrap()].statistics;
        assert_eq!((found.wins, found.draws, found.losses), outcomes, "{name}");
        assert_eq!(found.longest_win, longest_win.map(Plies), "{name}");
        assert_eq!(found.longest_loss, longest_loss.map(Plies), "{name}");
    }
}

#[test]
fn published_distances_with_three_stones_each() {
    let wins = [66_472, 33_775, 16_651, 6_619, 4_770, 2_561, 3_808, 2_506, 1_185, 776, 1_125, 346];
    let losses = [3_125, 4_700, 3_998, 2_496, 2_099, 2_160, 2_261, 2_387, 2_116, 2_122, 1_079, 123];
    let wins = (1..).step_by(2).map(Plies).zip(wins.into_iter().chain([27]));
    let losses = (2..).step_by(2).map(Plies).zip(losses.into_iter().chain([70]));
    let published: BTreeMap<_, _> = wins.chain(losses).collect();
    assert_eq!(counted_once(&STANDARD.tables[&Subspace::moving(3, 3)]).distances, published);
}

#[test]
fn a_game_without_jumps() {
    compare("no-flying", 6);
}

#[test]
fn stones_in_mills_may_be_removed() {
    compare("free-removal", 6);
}

#[test]
fn stones_in_mills_are_never_removed() {
    compare("strict-removal", 6);
}

#[test]
fn a_board_with_diagonals() {
    compare("morabaraba", 6);
}

/// Slides close two mills and remove two stones.
#[test]
fn two_removals() {
    compare("seven,stones=4,double-mill=two", 8);
}

/// Whole games on two rings, to the last stone.
#[test]
fn six_stones_on_two_rings() {
    let solved = compare("six", 12);
    assert_eq!(solved.tables.len(), 16);
}

/// Four in a row are two mills, and a line through the centre has three points.
#[test]
fn two_rings_with_a_cross() {
    compare("seven,stones=4", 8);
}

#[test]
fn removals_on_two_rings() {
    for removal in ["free", "strict"] {
        compare(&format!("six,stones=4,flying=three,removal={removal}"), 8);
    }
}

#[test]
fn nine_points() {
    for ruleset in [
        "three",
        "three,flying=three",
        "three,removal=free",
        "three,removal=strict",
        "three,stones=4",
        "three,stones=4,flying=three",
        "three,stones=4,removal=free",
        "three,stones=4,removal=strict,flying=three",
    ] {
        compare(ruleset, 8);
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn the_standard_game_up_to_four_stones_a_side() {
        compare_standard(Pair::of(Subspace::moving(4, 4)), &["4-3", "3-4", "4-4"]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn games_without_jumps() {
        compare("no-flying", 7);
        compare("free-removal,flying=never", 7);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn two_removals() {
        compare("seven,stones=5,double-mill=two", 9);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn two_rings_with_a_cross() {
        compare("seven,stones=5", 9);
        compare("seven,flying=never", 8);
        for removal in ["free", "strict"] {
            compare(&format!("seven,removal={removal}"), 8);
        }
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn five_stones_on_two_rings() {
        compare("six,stones=5,flying=three", 10);
        for removal in ["free", "strict"] {
            compare(&format!("six,stones=5,removal={removal}"), 10);
        }
    }

    /// With eight stones a side, sixteen points can be full. No move leads to a full board, so the
    /// rule for it concerns 8-8 only.
    #[test]
    #[ignore = "long: just test-long"]
    fn a_full_board_is_lost_or_drawn() {
        let full = Subspace::moving(8, 8);
        let [lost, drawn] =
            ["loss", "draw"].map(|word| rules(&format!("six,stones=8,full-board={word}")));
        let mut naive = NaiveSolver::new(drawn);
        naive.solve(Pair::of(full));
        let [lost, drawn] = [lost, drawn].map(|ruleset| Solved::new(&plan_of(&ruleset, "8-8")));
        assert_eq!(drawn.tables.len(), 36);
        for (&subspace, table) in &drawn.tables {
            assert_equal(&naive, &drawn, subspace);
            let other_rule = &lost.tables[&subspace];
            for index in (0..table.index.entries()).map(Index) {
                let expected = if subspace == full { Value::LOST } else { table.value_at(index) };
                assert_eq!(other_rule.value_at(index), expected, "{subspace} {index:?}");
            }
        }
        let found = &drawn.tables[&full].statistics;
        assert_eq!(found.draws, found.positions);
    }
}
