//! Runs that keep counts only: they find the counts and digests of a full folder, take no more disk
//! than estimated, and leave nothing else behind.

mod common;

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::{Log, Scratch, digests, options, subspaces_of, whole_game};
use merels_db::{Edition, Folder, Stored};
use merels_solver::{Observer, Plan, Stage, disk_of, run};

/// The smallest game with a subspace that the edition `statistics` leaves out: 4-4.
fn plan() -> Plan {
    whole_game("standard,stones=4")
}

/// Measures the largest size of a folder.
struct Scales<'a> {
    folder: &'a Folder,
    most: AtomicU64,
}

impl Scales<'_> {
    fn weigh(&self) {
        let files = fs::read_dir(self.folder.path()).unwrap();
        // A file may be renamed or removed meanwhile.
        let sizes = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len()));
        self.most.fetch_max(sizes.sum(), Ordering::Relaxed);
    }
}

impl Observer for Scales<'_> {
    fn stage(&self, _: Stage) {
        self.weigh();
    }

    fn end_job(
        &self,
        _: merels_solver::Job,
        _: &merels_solver::JobReport,
        _: &[merels_db::TableInfo],
    ) {
        self.weigh();
    }
}

#[test]
fn counts_and_digests_are_those_of_a_full_folder() {
    let plan = plan();
    let full = Scratch::new(plan.ruleset()).solve(&plan).tables;
    let scratch = Scratch::of_edition(plan.ruleset(), Edition::Statistics);
    let scales = Scales { folder: &scratch.folder, most: AtomicU64::new(0) };
    let never = AtomicBool::new(false);
    let counted = run(&scratch.folder, &plan, &options(), &scales, &never).unwrap().tables;
    assert_eq!(full.len(), counted.len());
    for (full, counted) in full.iter().zip(&counted) {
        assert_eq!((full.subspace, full.digest), (counted.subspace, counted.digest));
        assert_eq!(full.statistics, counted.statistics, "{}", full.subspace);
    }
    assert_eq!(scratch.folder.work_tables_present().unwrap(), []);
    let left_out = |subspace| scratch.folder.stored(subspace) == Stored::Nothing;
    assert!(subspaces_of(&plan).into_iter().any(left_out));
    let kept: u64 = counted.iter().map(|info| info.size).sum();
    let most = scales.most.load(Ordering::Relaxed);
    // The work table of 4-4, nearly a megabyte, was there and is gone.
    assert!(kept < most && most <= disk_of(&plan, Edition::Statistics), "{kept} {most}");
}

#[test]
fn a_run_stopped_again_and_again_comes_to_the_same() {
    let plan = plan();
    let expected = digests(&Scratch::new(plan.ruleset()).solve(&plan));
    let scratch = Scratch::of_edition(plan.ruleset(), Edition::Statistics);
    let (summary, stops) = scratch.solve_in_parts(&plan, 90);
    assert!(stops > 1, "{stops}");
    assert_eq!(digests(&summary), expected);
    assert_eq!(scratch.folder.work_tables_present().unwrap(), []);
}

#[test]
fn what_was_dropped_is_solved_again_for_a_table_that_was_lost() {
    let plan = plan();
    let scratch = Scratch::of_edition(plan.ruleset(), Edition::Statistics);
    let expected = digests(&scratch.solve(&plan));
    // The run solves it from 4-4, which the folder no longer has.
    let lost = "3-4+1-0".parse().unwrap();
    fs::remove_file(scratch.folder.path_of(lost)).unwrap();
    let log = Log::new();
    let summary = scratch.solve_logged(&plan, &log).unwrap();
    assert_eq!(digests(&summary), expected);
    let again: Vec<_> = log.ended().iter().map(ToString::to_string).collect();
    assert_eq!(again, ["4-4", "3-4+1-0"]);
    assert_eq!(scratch.folder.work_tables_present().unwrap(), []);
}
