//! Games in which stones move while others are in hand: every value of the whole game equal to that of the
//! naive solver, whatever did the work.

mod common;

use std::sync::atomic::AtomicBool;

use common::equal::assert_equal;
use common::{
    Event, Log, Scratch, Silent, Solved, digests, names_of, options, rules, subspaces_of,
};
use merels_core::{Outcome, Pair, Position, Ruleset, Value};
use merels_naive::NaiveSolver;
use merels_solver::{Job, Options, Plan, Processor, Selection, SolverError, memory_of, run};
use rayon::ThreadPoolBuilder;

fn whole_game(ruleset: &Ruleset) -> Plan {
    Plan::whole_game(ruleset, &Selection::All).unwrap()
}

/// Solves a whole game by both ways and compares everything. Gives the value of the empty board.
#[track_caller]
fn compare(name: &str) -> Value {
    let ruleset = rules(name);
    assert_eq!(ruleset.placing, merels_core::Placing::Mixed, "{name}");
    let solved = Solved::new(&whole_game(&ruleset));
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
    compare("lasker,stones=3,flying=never,removal=free");
    compare("eleven,stones=3,placing=mixed");
}

#[test]
fn the_same_by_any_number_of_threads_and_form_of_the_code() {
    for name in ["lasker,stones=3", "four,placing=mixed"] {
        let plan = whole_game(&rules(name));
        let expected = Scratch::new(plan.ruleset()).solve(&plan).tables;
        for processor in Processor::available() {
            for threads in [1, 3] {
                let scratch = Scratch::new(plan.ruleset());
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let options = Options { processor, ..options() };
                let never = AtomicBool::new(false);
                let work = || run(&scratch.folder, &plan, &options, &Silent, &never).unwrap();
                let found = pool.install(work).tables;
                assert_eq!(found, expected, "{name}, {}, {threads} threads", processor.name());
            }
        }
    }
}

/// What the plan says is enough; so little that layers are worked on in batches.
#[test]
fn the_least_memory_is_enough() {
    let plan = whole_game(&rules("lasker,stones=3"));
    let expected = Scratch::new(plan.ruleset()).solve(&plan).tables;
    let threads = rayon::current_num_threads();
    let needed = plan.jobs().iter().map(|&job| memory_of(plan.ruleset(), job, threads)).max();
    let least = Options { memory: needed.unwrap(), ..options() };
    let scratch = Scratch::new(plan.ruleset());
    let never = AtomicBool::new(false);
    let found = run(&scratch.folder, &plan, &least, &Silent, &never).unwrap();
    assert_eq!(found.tables, expected);
}

#[test]
fn a_run_that_is_stopped_goes_on() {
    let plan = whole_game(&rules("six,stones=3,placing=mixed"));
    let scratch = Scratch::new(plan.ruleset());
    let log = Log::new();
    let expected = scratch.solve_logged(&plan, &log).unwrap().tables;
    let is_mixed = |event: &Event| match event {
        Event::BeginPair(Job::Pair(pair), _) => !pair.is_moving(),
        _ => false,
    };
    let first = log.events().iter().position(is_mixed).unwrap();
    for count in (first..log.events().len()).step_by(37) {
        let scratch = Scratch::new(plan.ruleset());
        let log = Log::stopping_after(count);
        let stopped = scratch.solve_logged(&plan, &log);
        assert!(matches!(stopped, Err(SolverError::Interrupted)), "{count}: {stopped:?}");
        let finished = log.ended();
        assert_eq!(scratch.names(), names_of(&finished), "{count}");
        let log = Log::new();
        assert_eq!(scratch.solve_logged(&plan, &log).unwrap().tables, expected, "{count}");
        assert_eq!(log.begun(), &plan.jobs()[finished.len()..], "{count}");
    }
}

/// One subspace with what it depends on, and a lost one.
#[test]
fn parts_of_a_game() {
    let ruleset = rules("four,placing=mixed");
    let only = "2-3+2-1".parse().unwrap();
    let part = Plan::whole_game(&ruleset, &Selection::Only(vec![only])).unwrap();
    let all = whole_game(&ruleset);
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
    // Nobody has placed two stones before the other has placed one; nothing is removed so early.
    for name in ["1-0+3-4", "2-1+1-3", "1-1+3-2", "3-2"] {
        let only = Selection::Only(vec![name.parse().unwrap()]);
        let refusal = Plan::whole_game(&ruleset, &only);
        assert!(matches!(refusal, Err(SolverError::NoSuchSubspace { .. })), "{name}");
    }
}
