//! Runs in folders of small editions: the same values as in a full one, whatever interrupts them and
//! whatever is lost in between, and no work table left over.

mod common;

use std::fs;

use common::{Log, Scratch, digests, plan_of, rules, subspaces_of};
use merels_db::{Edition, Stored};
use merels_solver::{Plan, Selection, SolverError};

fn whole_game(name: &str) -> Plan {
    Plan::whole_game(&rules(name), &Selection::All).unwrap()
}

#[test]
fn a_run_stopped_again_and_again_makes_the_same_tables() {
    a_run_stopped_again_and_again("six,stones=4", &[5, 23, 61, 200]);
    // Where two stones may go at once, too.
    a_run_stopped_again_and_again("five,double-mill=two", &[200]);
    // And where stones move while others are in hand.
    a_run_stopped_again_and_again("six,stones=3,placing=mixed", &[5, 23, 61, 200]);
}

fn a_run_stopped_again_and_again(ruleset: &str, stops: &[usize]) {
    let plan = &whole_game(ruleset);
    let expected = {
        let scratch = Scratch::new(plan.ruleset());
        digests(&scratch.solve(plan))
    };
    for edition in [Edition::Compact, Edition::Outcome] {
        for &events in stops {
            let scratch = Scratch::of_edition(plan.ruleset(), edition);
            let summary = loop {
                let log = Log::stopping_after(events);
                match scratch.solve_logged(plan, &log) {
                    Ok(summary) => break summary,
                    Err(SolverError::Interrupted) => {
                        // So short runs do not get through the longest job.
                        if log.ended().is_empty() && events < 61 {
                            break scratch.solve(plan);
                        }
                    }
                    Err(error) => panic!("{edition}, stopped after {events}: {error}"),
                }
            };
            assert_eq!(digests(&summary), expected, "{edition}, {events}");
            assert_eq!(scratch.folder.work_tables_present().unwrap(), []);
            for subspace in subspaces_of(plan) {
                let table = scratch.folder.open_any_table(subspace).unwrap();
                table.check_digest().unwrap();
                let stored = edition.stored(plan.ruleset(), subspace);
                assert_eq!(table.blocks() == 0, stored == Stored::Nothing, "{subspace}");
            }
        }
    }
}

#[test]
fn what_was_lost_is_made_again() {
    let plan = plan_of(&rules("standard,stones=5"), "5-3");
    let scratch = Scratch::of_edition(plan.ruleset(), Edition::Compact);
    let before = digests(&scratch.solve(&plan));
    // More is wanted than the first run has kept work tables for.
    for subspace in scratch.folder.work_tables_present().unwrap() {
        fs::remove_file(scratch.folder.work_path_of(subspace)).unwrap();
    }
    fs::remove_file(scratch.folder.path_of("4-3".parse().unwrap())).unwrap();
    let more = plan_of(plan.ruleset(), "5-4");
    let after = digests(&scratch.solve(&more));
    let again = before.iter().filter(|(subspace, _)| after.contains_key(subspace));
    assert!(again.clone().count() > 3);
    assert!(again.into_iter().all(|(subspace, digest)| after[subspace] == *digest));
    let full = Scratch::new(plan.ruleset());
    assert_eq!(digests(&full.solve(&more)), after);
}

#[test]
fn a_damaged_work_table_is_made_again() {
    let small = plan_of(&rules("standard,stones=5"), "4-3");
    let scratch = Scratch::of_edition(small.ruleset(), Edition::Compact);
    scratch.solve(&small);
    // Damage in a work table would be damage in what others are solved from.
    let path = scratch.folder.work_path_of("4-3".parse().unwrap());
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 0x40;
    fs::write(&path, bytes).unwrap();
    for subspace in ["4-4", "5-3"] {
        let plan = plan_of(small.ruleset(), subspace);
        let sound = Scratch::new(small.ruleset());
        assert_eq!(digests(&scratch.solve(&plan)), digests(&sound.solve(&plan)), "{subspace}");
    }
}
