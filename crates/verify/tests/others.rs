//! Quick and sampled verification, and published claims.

mod common;

use std::fs;
use std::sync::atomic::AtomicBool;

use common::Database;
use merels_core::{Plies, Subspace, Value};
use merels_verify::{
    Answer, ClaimReport, QuickProblem, QuickReport, SampleOptions, SampleReport, Silent,
    verify_claims, verify_quick, verify_sample,
};

fn quick(database: &Database) -> Vec<QuickReport> {
    verify_quick(&database.folder, &[], &Silent, &AtomicBool::new(false)).unwrap()
}

fn sample(database: &Database, only: &[&str], samples: u64, seed: u64) -> Vec<SampleReport> {
    let only = only.iter().map(|name| name.parse().unwrap()).collect();
    let options = SampleOptions { only, samples, seed };
    verify_sample(&database.folder, &options, &Silent, &AtomicBool::new(false)).unwrap()
}

fn claims(database: &Database) -> Vec<ClaimReport> {
    verify_claims(&database.folder, &Silent, &AtomicBool::new(false)).unwrap()
}

#[test]
fn quick_finds_what_is_wrong_with_files() {
    let database = Database::standard();
    assert!(quick(&database).iter().all(|report| report.problem.is_none() && report.listed));
    let path = |name: &str| database.folder.path_of(name.parse().unwrap());

    let mut bytes = fs::read(path("4-4")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path("4-4"), bytes).unwrap();
    fs::remove_file(path("3-3")).unwrap();
    // A sound table, but not the one that the manifest lists.
    let other = Database::standard();
    other.alter(Subspace::moving(4, 3), Value::Draw, Value::Win(Plies(5)));
    fs::copy(other.folder.path_of(Subspace::moving(4, 3)), path("4-3")).unwrap();

    let reports = quick(&database);
    let problems: Vec<_> = reports.iter().map(|report| &report.problem).collect();
    assert!(matches!(problems[0], Some(QuickProblem::Gone)), "{reports:?}");
    assert!(problems[1].is_none(), "{reports:?}");
    assert!(matches!(problems[2], Some(QuickProblem::NotTheListed { .. })), "{reports:?}");
    assert!(matches!(problems[3], Some(QuickProblem::Unreadable(_))), "{reports:?}");
}

#[test]
fn samples_of_sound_tables_pass() {
    let database = Database::standard();
    for report in sample(&database, &[], 3_000, 7) {
        assert_eq!((report.samples, report.wrong), (3_000, 0), "{report:?}");
    }
}

#[test]
fn seeds_pick_entries() {
    let database = Database::standard();
    // A whole table is wrong, so that the report shows the picked entries.
    let subspace = Subspace::moving(4, 4);
    let values: Vec<_> =
        database.values(subspace).iter().map(|byte| if *byte == 127 { 255 } else { 127 }).collect();
    database.write(subspace, &values);
    let picked = |seed| {
        let reports = sample(&database, &["4-4"], 20, seed);
        reports[0].mismatches.iter().map(|mismatch| mismatch.index).collect::<Vec<_>>()
    };
    assert_eq!(picked(1), picked(1));
    assert_ne!(picked(1), picked(2));
}

#[test]
fn published_facts_about_four_stones() {
    let reports = claims(&Database::standard());
    let holds: Vec<_> = reports.iter().filter(|report| report.answer == Answer::Holds).collect();
    for report in &reports {
        assert!(!matches!(report.answer, Answer::Differs { .. }), "{report:?}");
    }
    // Three shares, four rows, the distances and boards of 3-3, seven positions.
    assert_eq!(holds.len(), 3 + 4 + 3 + 7, "{holds:#?}");
    let game = &reports[0];
    assert_eq!(game.expected, "draw");
    assert_eq!(game.answer, Answer::Needs(vec!["0-0+9-9".parse().unwrap()]));
}

#[test]
fn a_failing_claim_is_reported() {
    let database = Database::standard();
    database.alter(Subspace::moving(4, 3), Value::Win(Plies(1)), Value::Win(Plies(3)));
    let reports = claims(&database);
    let differs = |report: &&ClaimReport| matches!(report.answer, Answer::Differs { .. });
    let differs: Vec<_> = reports.iter().filter(differs).collect();
    assert_eq!(differs.len(), 2, "{differs:?}");
    assert_eq!(differs[0].expected, "longest win 1");
    assert_eq!(differs[0].answer, Answer::Differs { found: "longest win 3".into() });
}

#[test]
fn small_games_to_the_end() {
    for (rules, answered) in [("three", 2), ("four", 1)] {
        let database = Database::solve(rules, &[]);
        database.add_placing_phase();
        let reports = claims(&database);
        assert_eq!(reports.len(), answered);
        assert!(reports.iter().all(|report| report.answer == Answer::Holds), "{reports:?}");
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn a_sample_of_everything_finds_the_altered_value() {
        let database = Database::standard();
        let altered =
            database.alter(Subspace::moving(3, 3), Value::Loss(Plies(8)), Value::Loss(Plies(10)));
        let reports = sample(&database, &["3-3"], u64::MAX, 0);
        let found = reports[0].mismatches.iter().find(|mismatch| mismatch.index == altered);
        let found = found.expect("the altered entry is among those found");
        assert_eq!(
            (found.stored, found.recomputed),
            (Value::Loss(Plies(10)), Value::Loss(Plies(8)))
        );
        // A full verification finds the same.
        let full = database.verify_full(&["3-3"]).unwrap();
        assert_eq!(
            (full[0].wrong, &full[0].mismatches),
            (reports[0].wrong, &reports[0].mismatches)
        );
    }
}
