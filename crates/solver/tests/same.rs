//! The same files, byte by byte: with any number of threads, any form of the code, and the least
//! memory.

mod common;

use std::collections::BTreeMap;

use common::{options, plan_up_to, rules, solve_on, subspaces_of};
use merels_core::Ruleset;
use merels_core::numbering::SubspaceIndex;
use merels_solver::{Options, Plan, Processor, Summary, memory_of};

type Files = BTreeMap<String, Vec<u8>>;

/// Solves `plan` in a pool of its own.
fn solve(plan: &Plan, options: &Options, threads: usize) -> (Summary, Files) {
    let (summary, scratch) = solve_on(threads, plan, options);
    (summary, scratch.contents())
}

#[track_caller]
fn assert_same(found: &(Summary, Files), expected: &(Summary, Files), what: &str) {
    assert_eq!(found.0.tables, expected.0.tables, "{what}");
    assert!(found.1 == expected.1, "{what}: same digests, other files");
}

/// The least memory that every run of `plan` accepts.
fn least_memory(plan: &Plan) -> u64 {
    plan.jobs().iter().map(|&job| memory_of(plan.ruleset(), job, 4)).max().unwrap()
}

/// Runs that differ only in options that must not matter: threads, form of the code, memory.
#[test]
fn eight_stones_on_the_standard_board() {
    stones_on_the_standard_board(8);
}

#[track_caller]
fn stones_on_the_standard_board(count: u8) {
    let plan = plan_up_to(&Ruleset::STANDARD, count);
    let expected = solve(&plan, &options(), 1);
    assert_eq!(expected.0.tables.len(), subspaces_of(&plan).len());
    for info in &expected.0.tables {
        let index = SubspaceIndex::new(Ruleset::STANDARD.board, info.subspace);
        assert_eq!(info.statistics.positions, index.positions(), "{}", info.subspace);
        assert_eq!(info.entries, index.entries(), "{}", info.subspace);
    }
    // The best form has run, so the others come next; at least two runs in any case.
    let mut others = Processor::available();
    others.rotate_right(1);
    let others: Vec<_> = others.into_iter().cycle().skip(1).take(2).collect();
    let memories = [options().memory, least_memory(&plan)];
    for ((processor, threads), memory) in others.into_iter().zip([4, 2]).zip(memories) {
        let found = solve(&plan, &Options { memory, processor, ..options() }, threads);
        let what = format!("{}, {threads} threads, {memory} bytes", processor.name());
        assert_same(&found, &expected, &what);
    }
}

#[test]
fn every_form_with_every_number_of_threads() {
    for (ruleset, stones) in [("three,flying=three", 6), ("six", 8), ("no-flying", 6)] {
        let ruleset = rules(ruleset);
        let plan = plan_up_to(&ruleset, stones);
        let expected = solve(&plan, &options(), 1);
        for processor in Processor::available() {
            for threads in [1, 2, 3, 4] {
                let memory = if threads == 2 { least_memory(&plan) } else { options().memory };
                let found = solve(&plan, &Options { processor, memory, ..options() }, threads);
                let what = format!("{ruleset}, {}, {threads} threads", processor.name());
                assert_same(&found, &expected, &what);
            }
        }
    }
}

/// The level changes the files, but not their values.
#[test]
fn any_level_of_compression() {
    let plan = plan_up_to(&Ruleset::STANDARD, 6);
    let one = solve(&plan, &options(), 2);
    let other = solve(&plan, &Options { level: 9, ..options() }, 2);
    assert!(one.1 != other.1);
    assert_eq!(one.0.tables[0].digest, other.0.tables[0].digest);
    assert_eq!(one.0.tables[0].statistics, other.0.tables[0].statistics);
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn nine_stones_on_the_standard_board() {
        stones_on_the_standard_board(9);
    }
}
