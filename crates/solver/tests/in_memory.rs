//! Solving in memory produces the bytes that files hold, and does no unnecessary work.

mod common;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use common::{Scratch, plan_up_to, rules, subspaces_of, whole_game};
use merels_core::numbering::Codes;
use merels_core::{Ruleset, Subspace};
use merels_db::{DbError, Folder};
use merels_solver::{
    Job, Known, Plan, Processor, Selection, SolvedCodes, SolverError, solve_in_memory,
};

/// The files of a folder, of which only some are usable.
struct Files<'a> {
    folder: &'a Folder,
    usable: Vec<Subspace>,
    /// The subspaces read.
    read: Mutex<Vec<Subspace>>,
}

impl Known for Files<'_> {
    fn has_far_codes(&self, _: Subspace) -> Result<bool, DbError> {
        Ok(false)
    }

    fn load(&self, subspace: Subspace, values: Codes<&mut [u8]>) -> Result<(), DbError> {
        assert!(self.usable.contains(&subspace), "{subspace} is not known");
        self.read.lock().unwrap().push(subspace);
        values.near.copy_from_slice(&codes(self.folder, subspace));
        Ok(())
    }
}

fn codes(folder: &Folder, subspace: Subspace) -> Vec<u8> {
    let table = folder.open_table(subspace).unwrap();
    let mut codes = vec![0; table.entries() as usize];
    table.decode_all(Codes::near(&mut codes)).unwrap();
    codes
}

fn solve(plan: &Plan, known: &dyn Known) -> BTreeMap<Subspace, Vec<u8>> {
    let solved = solve_in_memory(plan, known, Processor::detect(), &AtomicBool::new(false));
    let near = |(subspace, codes): (_, SolvedCodes)| {
        assert_eq!(codes.far, None, "{subspace}");
        (subspace, codes.near)
    };
    solved.unwrap().into_iter().map(near).collect()
}

/// Solves `plan` into files, and all of it again in memory.
fn assert_same(plan: &Plan) {
    let ruleset = plan.ruleset();
    let scratch = Scratch::new(ruleset);
    scratch.solve(plan);
    let nothing = Files { folder: &scratch.folder, usable: Vec::new(), read: Mutex::default() };
    let solved = solve(plan, &nothing);
    let mut subspaces = subspaces_of(plan);
    subspaces.sort();
    assert_eq!(solved.keys().copied().collect::<Vec<_>>(), subspaces);
    for (subspace, values) in &solved {
        assert!(*values == codes(&scratch.folder, *subspace), "{ruleset} {subspace}");
    }
}

#[test]
fn whole_games_come_out_as_in_files() {
    for name in ["three", "three,flying=three", "four", "standard,stones=3"] {
        assert_same(&whole_game(name));
    }
}

#[test]
fn parts_of_games_come_out_as_in_files() {
    for (name, stones) in [("standard", 7), ("no-flying", 7), ("six", 9), ("free-removal", 6)] {
        assert_same(&plan_up_to(&rules(name), stones));
    }
}

#[test]
fn what_is_known_is_not_solved_again() {
    let ruleset = rules("standard,stones=3");
    let scratch = Scratch::new(&ruleset);
    scratch.solve(&Plan::whole_game(&ruleset, &Selection::All).unwrap());
    let wanted: Subspace = "1-2+2-1".parse().unwrap();
    let usable = Job::of(&ruleset, wanted).children(&ruleset);
    let known = Files { folder: &scratch.folder, usable, read: Mutex::default() };
    let plan = Plan::missing(&ruleset, wanted, |s| known.usable.contains(&s)).unwrap();
    assert_eq!(plan.jobs(), [Job::of(&ruleset, wanted)]);
    let solved = solve(&plan, &known);
    assert_eq!(solved.len(), 1);
    assert!(solved[&wanted] == codes(&scratch.folder, wanted));
    let mut read = known.read.into_inner().unwrap();
    read.sort();
    let mut children = known.usable.clone();
    children.sort();
    assert_eq!(read, children);
}

#[test]
fn plans_of_what_is_missing() {
    let names = |wanted: &str, known: &[&str]| {
        let known: Vec<Subspace> = known.iter().map(|name| name.parse().unwrap()).collect();
        let wanted = wanted.parse().unwrap();
        let plan = Plan::missing(&Ruleset::STANDARD, wanted, |s| known.contains(&s)).unwrap();
        plan.jobs().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(names("4-4", &[]), ["3-3", "4-3, 3-4", "4-4"]);
    // Only 3-4 follows 4-4; the plan ignores what follows 3-4.
    assert_eq!(names("4-4", &["3-4"]), ["4-4"]);
    assert_eq!(names("4-4", &["3-3"]), ["4-3, 3-4", "4-4"]);
    assert_eq!(names("4-3", &["3-4", "3-3"]), ["4-3, 3-4"]);
    assert!(names("4-4", &["4-4"]).is_empty());
    let plan = Plan::missing(&Ruleset::STANDARD, Subspace::moving(4, 4), |_| false).unwrap();
    assert_eq!(plan.entries(), 210_140 + 862_980 + 945_630 + 3_667_665);
    let refusal = Plan::missing(&Ruleset::STANDARD, Subspace::moving(2, 3), |_| false);
    assert!(matches!(refusal, Err(SolverError::NoSuchSubspace { .. })));
    let lasker = rules("lasker");
    let all = Plan::whole_game(&lasker, &Selection::All).unwrap();
    let start = Subspace::placing(0, 0, 10, 10);
    assert_eq!(Plan::missing(&lasker, start, |_| false).unwrap(), all);
    assert!(Plan::missing(&lasker, Subspace::moving(3, 3), |_| false).is_ok());
}

#[test]
fn it_can_be_stopped() {
    let ruleset = rules("three");
    let scratch = Scratch::new(&ruleset);
    let nothing = Files { folder: &scratch.folder, usable: Vec::new(), read: Mutex::default() };
    let plan = Plan::missing(&ruleset, Subspace::moving(3, 3), |_| false).unwrap();
    let stopped = solve_in_memory(&plan, &nothing, Processor::detect(), &AtomicBool::new(true));
    assert!(matches!(stopped, Err(SolverError::Interrupted)));
}
