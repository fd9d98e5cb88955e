//! Whole games, from the last stones back to the empty board: every value of the placing phase
//! equals that of the slowest method, with any number of threads and any form of the code.

mod common;

use std::collections::{BTreeMap, HashMap};

use common::equal::{assert_entries, assert_header};
use common::{
    Event, Log, Scratch, Solved, assert_same_by_all_forms, digests, plan_of, rules,
    stop_and_resume, subspaces_of, whole_game,
};
use merels_core::{Board, Outcome, Plies, Points, Position, Ruleset, Subspace, Value};
use merels_naive::{NaiveSolver, Statistics, canonical, expand};
use merels_solver::{Job, Plan, Selection};
use rayon::prelude::*;

/// The values of a game's placing phase by the definition of a value: subspace by subspace from the
/// last stone back, every legal move of every position. It shares the board, its symmetries and the
/// rules with the solver.
struct NaivePlacing<M> {
    ruleset: Ruleset,
    /// The values of the moving phase.
    moving: M,
    /// By subspace, the values of its positions up to symmetry.
    values: HashMap<Subspace, HashMap<(Points, Points), Value>>,
}

impl<M: Fn(&Position) -> Value + Sync> NaivePlacing<M> {
    fn solve(ruleset: Ruleset, moving: M) -> Self {
        let mut naive = Self { ruleset, moving, values: HashMap::new() };
        for subspace in Subspace::placing_layers(&ruleset).into_iter().rev().flatten() {
            let positions: Vec<_> = positions(ruleset.board, subspace).collect();
            let value = |sets: (Points, Points)| {
                let position = Position::of_subspace(subspace, sets.0, sets.1);
                let moves = expand(&ruleset, &position).into_iter();
                let best = moves.map(|(_, next)| naive.value(&next).before()).max();
                (sets, best.expect("a stone in hand can be placed"))
            };
            let values = positions.into_par_iter().map(value).collect();
            naive.values.insert(subspace, values);
        }
        naive
    }

    fn value(&self, position: &Position) -> Value {
        let (mover, other) = (position.mover(), position.other());
        if mover.total() < Ruleset::MIN_STONES {
            return Value::LOST;
        }
        if position.subspace().is_moving() {
            return (self.moving)(position);
        }
        let sets = canonical(self.ruleset.board, mover.board, other.board);
        self.values[&position.subspace()][&sets]
    }
}

/// The positions of a subspace up to symmetry.
fn positions(board: Board, subspace: Subspace) -> impl Iterator<Item = (Points, Points)> {
    let sets_of = move |size: u8| -> Vec<Points> {
        let masks = 0..1_u32 << board.geometry().point_count();
        masks.map(Points::from_bits).filter(|set| set.len() == size).collect()
    };
    let symmetries = board.geometry().symmetries();
    let least = move |set: Points| symmetries.canonical(set).0 == set;
    let movers: Vec<_> = sets_of(subspace.mover()).into_iter().filter(|&set| least(set)).collect();
    let others = sets_of(subspace.other());
    movers.into_iter().flat_map(move |mover| {
        let stays: Vec<_> = symmetries.stabiliser(mover).collect();
        let others = others.iter().copied().filter(|other| !other.intersects(mover));
        let first = |other: &Points| stays.iter().all(|&id| symmetries.apply(id, *other) >= *other);
        others.filter(first).map(|other| (mover, other)).collect::<Vec<_>>()
    })
}

/// Compares every entry of every subspace with stones in hand, and the counts of its header.
#[track_caller]
fn assert_equal<M: Fn(&Position) -> Value + Sync>(naive: &NaivePlacing<M>, solved: &Solved) {
    for (&subspace, values) in &naive.values {
        let what = format!("{} {subspace}", naive.ruleset);
        let table = &solved.tables[&subspace];
        assert_entries(&what, table, |position| Some(naive.value(position)));
        let expected: Statistics = values.values().copied().collect();
        assert_eq!(table.index.positions(), expected.positions, "{what}");
        assert_header(&what, table, &expected);
    }
    let placing = solved.tables.keys().filter(|subspace| !subspace.is_moving()).count();
    assert_eq!(placing, naive.values.len(), "{}", naive.ruleset);
}

/// Solves a whole game both ways and compares the placing phase. Returns the value of the empty
/// board.
#[track_caller]
fn compare(name: &str) -> Value {
    let ruleset = rules(name);
    let solved = Solved::new(&whole_game(name));
    let mut moving = NaiveSolver::new(ruleset);
    moving.solve_up_to(2 * ruleset.stones);
    let value = |position: &Position| moving.value(position).expect("the moving phase is solved");
    assert_equal(&NaivePlacing::solve(ruleset, value), &solved);
    solved.value(&Position::start(&ruleset)).unwrap()
}

/// The value of a position by the definition alone; `seen` collects the values on the way.
fn explore(
    ruleset: &Ruleset,
    moving: &NaiveSolver,
    seen: &mut HashMap<Position, Value>,
    position: &Position,
) -> Value {
    if let Some(value) = seen.get(position) {
        return *value;
    }
    let value = if position.mover().total() < Ruleset::MIN_STONES {
        Value::LOST
    } else if position.subspace().is_moving() {
        moving.value(position).unwrap()
    } else {
        let moves = expand(ruleset, position);
        moves.iter().map(|(_, next)| explore(ruleset, moving, seen, next).before()).max().unwrap()
    };
    seen.insert(*position, value);
    value
}

/// The method uses neither symmetry nor subspaces: it solves the positions that play reaches, and
/// finds them in the tables.
#[test]
fn all_that_play_comes_to() {
    for name in ["three", "three,stones=4,flying=three"] {
        let ruleset = rules(name);
        let solved = Solved::new(&whole_game(name));
        let mut moving = NaiveSolver::new(ruleset);
        moving.solve_up_to(8);
        let mut seen = HashMap::new();
        explore(&ruleset, &moving, &mut seen, &Position::start(&ruleset));
        let mut subspaces = BTreeMap::new();
        for (position, &value) in &seen {
            if position.mover().total() < Ruleset::MIN_STONES {
                continue;
            }
            assert_eq!(solved.value(position), Some(value), "{name}: {position:?}");
            *subspaces.entry(position.subspace()).or_insert(0) += 1;
        }
        assert!(subspaces.len() > 6, "{name}: {subspaces:?}");
    }
}

#[test]
fn three_stones_on_nine_points() {
    assert_eq!(compare("three"), Value::Win(Plies(9)));
    for change in ["flying=three", "removal=free", "stones=4", "stones=4,removal=strict"] {
        compare(&format!("three,{change}"));
    }
}

/// Published: four, five and six men on two rings are drawn.
#[test]
fn two_rings() {
    assert_eq!(compare("four"), Value::Draw);
    for change in ["removal=free", "removal=strict", "flying=three"] {
        compare(&format!("four,{change}"));
    }
}

/// Seven stones are too many for the naive solver. Four close every kind of mill, including both
/// mills of four in a row.
#[test]
fn two_rings_with_a_cross() {
    compare("seven,stones=4");
}

/// A placing on a corner closes two mills. Each removal rule makes another game.
#[test]
fn two_removals_on_two_rings() {
    compare("five,removal=strict,double-mill=two");
    let mut digests_of_games = Vec::new();
    for change in ["removal=protected", "removal=free", "removal=strict"] {
        let game = format!("five,{change},double-mill=two");
        let solved = |game: &str| digests(&Scratch::new(&rules(game)).solve(&whole_game(game)));
        let (two, one) = (solved(&game), solved(&format!("five,{change}")));
        assert!(one.iter().any(|(subspace, digest)| two[subspace] != *digest), "{game}");
        // No slide closes two mills here.
        let moving = |(subspace, _): &(&Subspace, _)| subspace.is_moving();
        assert!(one.iter().filter(moving).eq(two.iter().filter(moving)), "{game}");
        digests_of_games.push(two);
    }
    digests_of_games.dedup();
    assert_eq!(digests_of_games.len(), 3);
}

/// If four in a row are two mills, a slide into the row closes both.
#[test]
fn two_removals_on_two_rings_with_a_cross() {
    compare("seven,stones=4,double-mill=two,flying=never");
}

#[test]
fn three_stones_on_the_standard_board() {
    assert_eq!(compare("standard,stones=3").outcome(), Outcome::Win);
}

#[test]
fn the_same_by_any_number_of_threads_and_form_of_the_code() {
    assert_same_by_all_forms("standard,stones=3", &[1, 2, 3]);
    assert_same_by_all_forms("five", &[4]);
    assert_same_by_all_forms("five,double-mill=two", &[2]);
}

#[test]
fn a_game_stopped_in_its_placing_phase() {
    let plan = whole_game("four");
    let scratch = Scratch::new(plan.ruleset());
    let log = Log::new();
    let expected = scratch.solve_logged(&plan, &log).unwrap();
    let expected_files = scratch.contents();
    let events = log.events();
    let is_placing = |event: &Event| matches!(event, Event::BeginPair(Job::Placing(_), _));
    let first = events.iter().position(is_placing).unwrap();
    // Every fifth event: each of the eight kinds of a job has its turn.
    for count in (first + 1..=events.len()).step_by(5) {
        let (summary, scratch) = stop_and_resume(&plan, count);
        assert_eq!(summary.tables, expected.tables, "{count}");
        assert!(scratch.contents() == expected_files, "{count}: other files");
    }
}

#[test]
fn a_lost_subspace_is_made_again_alone() {
    let plan = whole_game("three");
    let scratch = Scratch::new(plan.ruleset());
    let expected = digests(&scratch.solve(&plan));
    for subspace in subspaces_of(&plan) {
        std::fs::remove_file(scratch.folder.path_of(subspace)).unwrap();
        let log = Log::new();
        assert_eq!(digests(&scratch.solve_logged(&plan, &log).unwrap()), expected);
        assert_eq!(log.begun(), [Job::of(plan.ruleset(), subspace)]);
    }
}

/// The plan of a subspace holds only what it depends on.
#[test]
fn a_part_of_the_placing_phase() {
    let ruleset = rules("five");
    let only = "4-4+1-1".parse().unwrap();
    let plan = Plan::whole_game(&ruleset, &Selection::Only(vec![only])).unwrap();
    let subspaces = subspaces_of(&plan);
    assert!(subspaces.contains(&"4-5+1-0".parse().unwrap()), "{subspaces:?}");
    assert!(!subspaces.contains(&"3-3+2-2".parse().unwrap()), "{subspaces:?}");
    let solved = Scratch::new(&ruleset).solve(&plan);
    let all = Scratch::new(&ruleset).solve(&whole_game("five"));
    let all = digests(&all);
    for (subspace, digest) in digests(&solved) {
        assert_eq!(all[&subspace], digest, "{subspace}");
    }
    // The moving phase solved by itself is the same.
    let moving = Scratch::new(&ruleset).solve(&plan_of(&ruleset, "5-5"));
    for (subspace, digest) in digests(&moving) {
        assert_eq!(all[&subspace], digest, "{subspace}");
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn two_rings() {
        for name in ["five", "six"] {
            assert_eq!(compare(name), Value::Draw, "{name}");
        }
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn two_rings_with_a_cross() {
        for change in ["flying=never", "removal=free", "removal=strict"] {
            compare(&format!("seven,stones=4,{change}"));
        }
        for change in ["removal=free", "removal=strict"] {
            compare(&format!("seven,stones=4,double-mill=two,{change}"));
        }
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn two_removals_on_two_rings() {
        for change in ["removal=protected", "removal=free"] {
            compare(&format!("five,{change},double-mill=two"));
        }
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn three_stones_on_three_rings_with_diagonals() {
        compare("eleven,stones=3");
    }

    /// A stone in hand can keep a side from losing, and from jumping. The values of the moving
    /// phase, which another test compares with the naive solver, come from the tables.
    #[test]
    #[ignore = "long: just test-long"]
    fn four_stones_on_the_standard_board() {
        let name = "standard,stones=4";
        let ruleset = rules(name);
        let solved = Solved::new(&whole_game(name));
        let moving = |position: &Position| solved.value(position).unwrap();
        assert_equal(&NaivePlacing::solve(ruleset, moving), &solved);
    }
}
