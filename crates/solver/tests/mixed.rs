//! Games with moves while stones are in hand: every value of the whole game equals the naive
//! solver's, with any number of threads and any form of the code.

mod common;

use common::equal::assert_equal;
use common::{
    Event, Log, Scratch, Solved, assert_same_by_all_forms, digests, options, rules,
    stop_and_resume, subspaces_of, whole_game,
};
use merels_core::numbering::Pair;
use merels_core::{Outcome, Position, Value};
use merels_naive::NaiveSolver;
use merels_solver::{Job, Options, Plan, Selection, SolverError, memory_of};

/// Solves a whole game both ways and compares everything. Returns the value of the empty board.
#[track_caller]
fn compare(name: &str) -> Value {
    let ruleset = rules(name);
    assert_eq!(ruleset.placing, merels_core::Placing::Mixed, "{name}");
    let solved = Solved::new(&whole_game(name));
    let mut naive = NaiveSolver::new(ruleset);
    for &subspace in solved.tables.keys() {
        naive.solve(Pair::of(subspace));
        assert_equal(&naive, &solved, subspace);
    }
    solved.value(&Position::start(&ruleset)).unwrap()
}

#[test]
fn nine_points() {
    for change in ["", ",flying=three", ",removal=free", ",removal=strict"] {
        compare(&format!("three,placing=mixed{change}"));
    }
    compare("three,stones=4,placing=mixed");
    compare("three,stones=4,placing=mixed,flying=three");
}

#[test]
fn two_rings() {
    for removal in ["protected", "free", "strict"] {
        for flying in ["three", "never"] {
            let rules = format!("six,placing=mixed,removal={removal},flying={flying}");
            compare(&format!("{rules},stones=3"));
        }
    }
    compare("seven,stones=3,placing=mixed");
    compare("four,placing=mixed");
    compare("four,placing=mixed,flying=three,removal=strict");
}

#[test]
fn three_rings() {
    assert_eq!(compare("lasker,stones=3").outcome(), Outcome::Win);
}

#[test]
fn the_same_by_any_number_of_threads_and_form_of_the_code() {
    assert_same_by_all_forms("lasker,stones=3", &[1, 3]);
    assert_same_by_all_forms("four,placing=mixed", &[1, 3]);
}

/// The memory that the plan needs is enough. It is small enough that layers run in batches.
#[test]
fn the_least_memory_is_enough() {
    let plan = whole_game("lasker,stones=3");
    let expected = Scratch::new(plan.ruleset()).solve(&plan).tables;
    let threads = rayon::current_num_threads();
    let needed = plan.jobs().iter().map(|&job| memory_of(plan.ruleset(), job, threads)).max();
    let least = Options { memory: needed.unwrap(), ..options() };
    let scratch = Scratch::new(plan.ruleset());
    assert_eq!(scratch.solve_with(&plan, &least).unwrap().tables, expected);
}

#[test]
fn a_run_that_is_stopped_goes_on() {
    let plan = whole_game("six,stones=3,placing=mixed");
    let scratch = Scratch::new(plan.ruleset());
    let log = Log::new();
    let expected = scratch.solve_logged(&plan, &log).unwrap().tables;
    let is_mixed = |event: &Event| match event {
        Event::BeginPair(Job::Pair(pair), _) => !pair.is_moving(),
        _ => false,
    };
    let first = log.events().iter().position(is_mixed).unwrap();
    for count in (first..log.events().len()).step_by(37) {
        assert_eq!(stop_and_resume(&plan, count).0.tables, expected, "{count}");
    }
}

/// One subspace with its dependencies, and a lost subspace.
#[test]
fn parts_of_a_game() {
    let ruleset = rules("four,placing=mixed");
    let only = "2-3+2-1".parse().unwrap();
    let part = Plan::whole_game(&ruleset, &Selection::Only(vec![only])).unwrap();
    let all = Plan::whole_game(&ruleset, &Selection::All).unwrap();
    let subspaces = subspaces_of(&part);
    assert!(subspaces.contains(&"3-2+1-2".parse().unwrap()), "{subspaces:?}");
    assert!(subspaces.contains(&"3-3+1-1".parse().unwrap()), "{subspaces:?}");
    assert!(subspaces.len() < subspaces_of(&all).len());
    let scratch = Scratch::new(&ruleset);
    let of_part = digests(&scratch.solve(&part));
    let of_all = digests(&scratch.solve(&all));
    assert!(of_part.iter().all(|(subspace, digest)| of_all[subspace] == *digest));
    std::fs::remove_file(scratch.folder.path_of(only)).unwrap();
    let log = Log::new();
    assert_eq!(digests(&scratch.solve_logged(&all, &log).unwrap()), of_all);
    assert_eq!(log.begun(), [Job::of(&ruleset, only)]);
}

#[test]
fn numbers_of_stones_that_cannot_be() {
    let ruleset = rules("lasker,stones=4");
    // No side places two stones before the other places one, and no removal comes so early.
    for name in ["1-0+3-4", "2-1+1-3", "1-1+3-2", "3-2"] {
        let only = Selection::Only(vec![name.parse().unwrap()]);
        let refusal = Plan::whole_game(&ruleset, &only);
        assert!(matches!(refusal, Err(SolverError::NoSuchSubspace { .. })), "{name}");
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn three_rings() {
        compare("lasker,stones=3,flying=never,removal=free");
        compare("eleven,stones=3,placing=mixed");
    }
}
