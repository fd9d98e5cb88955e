//! Runs in folders of small editions: they make the same values as runs in a full folder, whatever
//! interrupts them and whatever files are lost, and leave no work table behind.

mod common;

use std::fs;

use common::{Scratch, digests, plan_of, rules, subspaces_of, whole_game};
use merels_db::{Edition, Stored};

#[test]
fn a_run_stopped_again_and_again_makes_the_same_tables() {
    a_run_stopped_again_and_again("six,stones=4", &[5, 23, 61, 200]);
    // With two removals at once, too.
    a_run_stopped_again_and_again("five,double-mill=two", &[200]);
    // And with moves while stones are in hand.
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
            let (summary, _) = scratch.solve_in_parts(plan, events);
            assert_eq!(digests(&summary), expected, "{edition}, {events}");
            assert_eq!(scratch.folder.work_tables_present().unwrap(), []);
            for subspace in subspaces_of(plan) {
                let table = scratch.folder.open_table(subspace).unwrap();
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
    // The next plan needs more than the work tables that the first run kept.
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
    // A damaged work table would damage what is solved from it.
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
