//! Refusals before any work.

mod common;

use common::{Log, Scratch, options, plan_of, plan_up_to, rules};
use merels_core::Ruleset;
use merels_db::DbError;
use merels_solver::{Job, Options, Plan, Selection, SolverError, memory_of, run};

fn memory_needed(plan: &Plan) -> u64 {
    plan.jobs().iter().map(|&job| memory_of(plan.ruleset(), job, 4)).max().unwrap()
}

#[test]
fn a_pair_that_does_not_fit_the_memory() {
    let plan = plan_of(&Ruleset::STANDARD, "9-9");
    let scratch = Scratch::new(&Ruleset::STANDARD);
    let needed = memory_needed(&plan);
    // Small jobs would fit.
    assert!(memory_of(&Ruleset::STANDARD, plan.jobs()[0], 4) < needed / 2);
    for memory in [0, needed / 2, needed - 1] {
        let log = Log::new();
        let limited = Options { memory, ..options() };
        let error = run(&scratch.folder, &plan, &limited, &log, &log.stop).unwrap_err();
        let SolverError::Budget { job, needed, allowed } = error else { panic!("{error}") };
        assert!(plan.jobs().contains(&job));
        assert_eq!(needed, memory_of(&Ruleset::STANDARD, job, 4));
        assert!(allowed == memory && needed > memory);
        assert!(log.begun().is_empty());
        assert!(scratch.names().is_empty());
    }
}

#[test]
fn what_is_there_needs_no_memory() {
    let ruleset = rules("six,stones=4");
    let plan = plan_up_to(&ruleset, 7);
    let scratch = Scratch::new(&ruleset);
    let least = Options { memory: memory_needed(&plan), ..options() };
    let log = Log::new();
    let solved = run(&scratch.folder, &plan, &least, &log, &log.stop).unwrap();
    let nothing = Options { memory: 0, ..options() };
    let again = run(&scratch.folder, &plan, &nothing, &log, &log.stop).unwrap();
    assert_eq!(again.tables, solved.tables);
    assert!(again.solved.is_empty());
}

#[test]
fn a_folder_in_which_another_solver_runs() {
    let ruleset = rules("three");
    let plan = plan_up_to(&ruleset, 6);
    let scratch = Scratch::new(&ruleset);
    let lock = scratch.folder.lock().unwrap();
    let log = Log::new();
    let error = scratch.solve_logged(&plan, &log).unwrap_err();
    assert!(matches!(error, SolverError::Db(DbError::Locked { .. })), "{error}");
    assert!(log.events().is_empty() && scratch.names().is_empty());
    drop(lock);
    scratch.solve(&plan);
    // A run releases the lock.
    drop(scratch.folder.lock().unwrap());
}

#[test]
fn subspaces_that_the_game_does_not_have() {
    for (ruleset, name) in [
        ("standard", "2-9"),
        ("standard", "3-2"),
        ("standard", "10-3"),
        ("standard", "3-12"),
        ("standard", "5-4+1-1"),
        ("six", "7-3"),
        ("three", "4-3"),
        ("morabaraba", "12-2"),
    ] {
        let ruleset = rules(ruleset);
        let only = vec!["3-3".parse().unwrap(), name.parse().unwrap()];
        let refusal = Plan::moving(&ruleset, &Selection::Only(only)).unwrap_err();
        let SolverError::NoSuchSubspace { subspace, .. } = refusal else { panic!("{refusal}") };
        assert_eq!(subspace.to_string(), name);
        assert!(refusal.to_string().starts_with(name), "{refusal}");
    }
}

#[test]
fn plans_hold_all_that_they_depend_on_and_nothing_else() {
    let names = |plan: &Plan| plan.jobs().iter().map(ToString::to_string).collect::<Vec<_>>();
    let plan = plan_of(&Ruleset::STANDARD, "4-6");
    let expected = ["3-3", "4-3, 3-4", "5-3, 3-5", "4-4", "6-3, 3-6", "5-4, 4-5", "6-4, 4-6"];
    assert_eq!(names(&plan), expected);
    assert_eq!(plan, plan_of(&Ruleset::STANDARD, "6-4"));
    assert_eq!(names(&plan_up_to(&Ruleset::STANDARD, 8)), expected[..4]);
    assert!(plan_up_to(&Ruleset::STANDARD, 5).jobs().is_empty());
    for plan in [plan, Plan::moving(&rules("morabaraba"), &Selection::default()).unwrap()] {
        let position = |pair: Job| plan.jobs().iter().position(|&other| other == pair);
        for &pair in plan.jobs() {
            for child in pair.children(plan.ruleset()) {
                let child = position(Job::of(plan.ruleset(), child));
                assert!(child.is_some() && child < position(pair));
            }
        }
    }
}

#[test]
fn a_plan_of_nothing() {
    let plan = plan_up_to(&Ruleset::STANDARD, 5);
    let scratch = Scratch::new(&Ruleset::STANDARD);
    let summary = scratch.solve(&plan);
    assert!(summary.tables.is_empty() && summary.solved.is_empty());
}
