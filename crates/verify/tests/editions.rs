//! Databases of the small editions: verification restores left-out values, and finds wrong ones.

mod common;

use std::fs;
use std::sync::atomic::AtomicBool;

use common::Database;
use merels_core::{Outcome, Plies, Subspace, Value};
use merels_db::{Digest, Edition, Stored, Table};
use merels_verify::{
    Answer, JOURNAL_NAME, SampleOptions, SampleReport, Silent, VerifyError, verify_claims,
    verify_quick, verify_sample,
};

const FOUR: Subspace = Subspace::moving(4, 4);
const THREE_FOUR: Subspace = Subspace::moving(3, 4);
const FOUR_THREE: Subspace = Subspace::moving(4, 3);

fn compact() -> Database {
    Database::standard().pack(Edition::Compact)
}

fn sample(database: &Database, only: &[Subspace], samples: u64) -> Vec<SampleReport> {
    let options = SampleOptions { only: only.to_vec(), samples, seed: 3 };
    verify_sample(&database.folder, &options, &Silent, &AtomicBool::new(false)).unwrap()
}

fn table(database: &Database, subspace: Subspace) -> Table {
    database.folder.open_table(subspace).unwrap()
}

/// Writes another digest of all values into a header, with a checksum that fits.
fn forge_digest(database: &Database, subspace: Subspace, digest: Digest) {
    let path = database.folder.path_of(subspace);
    let mut header = table(database, subspace).header().clone();
    header.digest = digest;
    let forged = header.to_bytes(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[..forged.len()].copy_from_slice(&forged);
    fs::write(&path, bytes).unwrap();
    assert_eq!(table(database, subspace).header().digest, digest);
}

#[test]
fn a_compact_database_passes_and_its_journal_holds() {
    let database = compact();
    let stored = |subspace| table(&database, subspace).header().stored();
    assert_eq!(
        [FOUR, THREE_FOUR, FOUR_THREE].map(stored),
        [Stored::Half, Stored::Whole, Stored::Nothing]
    );
    for known in [false, true] {
        let reports = database.verify_full(&[]).unwrap();
        assert_eq!(reports.len(), 4);
        for report in reports {
            assert!(report.holds(), "{report:?}");
            assert_eq!(report.entries, database.index(report.subspace).entries());
            assert_eq!(report.before, if known { report.entries } else { 0 });
        }
    }
}

#[test]
fn whole_compact_games_pass() {
    for rules in ["four", "three", "seven,stones=4"] {
        let full = Database::solve(rules, &[]);
        full.add_placing_phase();
        let database = full.pack(Edition::Compact);
        let reports = database.verify_full(&[]).unwrap();
        assert!(reports.iter().all(merels_verify::SubspaceReport::holds), "{reports:?}");
        for report in sample(&database, &[], 300) {
            assert_eq!(report.wrong, 0, "{report:?}");
        }
    }
}

/// Stones move while others are in hand.
#[test]
fn mixed_games_pass_in_every_edition_and_altered_values_do_not() {
    pass_in_every_edition_and_altered_values_do_not(&[
        "four,placing=mixed",
        "three,placing=mixed,removal=strict",
    ]);
}

fn pass_in_every_edition_and_altered_values_do_not(games: &[&str]) {
    for rules in games {
        let full = Database::solve_game(rules);
        let restored = [Edition::Full, Edition::Compact, Edition::Outcome];
        for edition in restored {
            let database = full.pack(edition);
            for report in database.verify_full(&[]).unwrap() {
                assert!(report.holds(), "{rules} {edition}: {report:?}");
            }
            for report in sample(&database, &[], 200) {
                assert_eq!(report.wrong, 0, "{rules} {edition}: {report:?}");
            }
            let stored = |name: &str| database.folder.stored(name.parse().unwrap());
            if edition != Edition::Full {
                let kept = ["2-2+1-1", "1-2+2-1", "2-1+1-2", "2-3+1-0", "3-2+0-1"].map(stored);
                let (whole, nothing) = (Stored::Whole, Stored::Nothing);
                assert_eq!(kept, [whole, whole, nothing, whole, nothing]);
            }
        }
        let (whole, left_out) = ("2-3+1-0", "3-2+0-1");
        for (subspace, editions) in [(whole, &restored[..]), (left_out, &[Edition::Full])] {
            let wrong = full.copy();
            let from = full.some_value(subspace.parse().unwrap());
            let is_won = from.outcome() == Outcome::Win;
            let to = if is_won { Value::Draw } else { Value::Win(Plies(7)) };
            wrong.alter(subspace.parse().unwrap(), from, to);
            for &edition in editions {
                let reports = wrong.pack(edition).verify_full(&[]).unwrap();
                let found = reports.iter().any(|report| !report.holds());
                assert!(found, "{rules} {edition} {subspace}");
            }
        }
    }
}

#[test]
fn games_in_which_two_mills_remove_two_stones_pass_in_every_edition() {
    let full = Database::solve_game("five,double-mill=two");
    for database in [full.copy(), full.pack(Edition::Compact), full.pack(Edition::Outcome)] {
        let reports = database.verify_full(&[]).unwrap();
        assert_eq!(reports.len(), 40);
        assert!(reports.iter().all(merels_verify::SubspaceReport::holds), "{reports:?}");
        for report in sample(&database, &[], 300) {
            assert_eq!(report.wrong, 0, "{report:?}");
        }
    }
}

/// Two mills also remove two stones: after placings, and on the board `seven` after slides, too.
#[test]
fn mixed_games_with_double_removals_pass() {
    for rules in
        ["five,placing=mixed,double-mill=two", "seven,stones=4,placing=mixed,double-mill=two"]
    {
        let database = Database::solve_game(rules).pack(Edition::Compact);
        let reports = database.verify_full(&[]).unwrap();
        assert!(reports.iter().all(merels_verify::SubspaceReport::holds), "{rules}: {reports:?}");
    }
}

#[test]
fn an_altered_value_of_a_stored_table_is_found() {
    values_are_found(&[
        (THREE_FOUR, Value::Win(Plies(13)), Value::Win(Plies(15))),
        (FOUR, Value::Draw, Value::Loss(Plies(4))),
    ]);
}

fn values_are_found(altered: &[(Subspace, Value, Value)]) {
    let full = Database::standard();
    for &(subspace, from, to) in altered {
        let wrong = full.copy();
        let altered = wrong.alter(subspace, from, to);
        let database = wrong.pack(Edition::Compact);
        let reports = database.verify_full(&[]).unwrap();
        assert!(reports.iter().any(|report| !report.holds()), "{subspace} {from} to {to}");
        if table(&database, subspace).value(altered.0).unwrap().is_some() {
            let report = reports.iter().find(|report| report.subspace == subspace).unwrap();
            let found = report.mismatches.iter().any(|mismatch| mismatch.index == altered);
            assert!(found || report.wrong > 10, "{subspace} {from} to {to}: {report:?}");
        }
        // The journal does not list wrong entries as right.
        let again = database.verify_full(&[]).unwrap();
        assert!(again.iter().any(|report| !report.holds()));
    }
}

#[test]
fn what_is_restored_has_the_digest_of_what_was_solved() {
    let database = compact();
    forge_digest(&database, FOUR_THREE, Digest([7; 32]));
    let reports = database.verify_full(&[]).unwrap();
    let holds: Vec<_> = reports.iter().map(|report| (report.subspace, report.holds())).collect();
    // 3-4 and, by removals, 4-4 lead to 4-3 or to its swapped twin.
    assert!(holds.contains(&(FOUR_THREE, false)), "{holds:?}");
    let report = reports.iter().find(|report| report.subspace == FOUR_THREE).unwrap();
    assert_eq!(report.wrong, 0);
    let restored = report.restored[0];
    assert_eq!((restored.subspace, restored.stated), (FOUR_THREE, Digest([7; 32])));
    assert_eq!(restored.found, table(&Database::standard(), FOUR_THREE).header().digest);
    let error = verify_claims(&database.folder, &Silent, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, VerifyError::Unrestorable { subspace: FOUR_THREE, .. }), "{error}");
}

/// A table with half of its values can change while the digest of all values stays the same.
#[test]
fn the_journal_knows_stored_values_too() {
    let full = Database::standard();
    let database = full.pack(Edition::Compact);
    assert!(database.verify_full(&[]).unwrap().iter().all(merels_verify::SubspaceReport::holds));
    let right = table(&database, FOUR).header().digest;
    let wrong = full.copy();
    for to in [Value::Win(Plies(9)), Value::Win(Plies(11))] {
        // At least one of the first two draws is in the kept half.
        wrong.alter(FOUR, Value::Draw, to);
    }
    let kept = table(&database, FOUR).header().kept;
    wrong.pack_into(&database, FOUR);
    assert_ne!(table(&database, FOUR).header().kept, kept);
    forge_digest(&database, FOUR, right);
    assert!(database.path().join(JOURNAL_NAME).exists());
    let reports = database.verify_full(&["4-4"]).unwrap();
    assert!(!reports[0].holds() && reports[0].before == 0, "{reports:?}");
}

#[test]
fn samples_and_claims_read_what_is_left_out() {
    let database = compact();
    for report in sample(&database, &[], 2_000) {
        assert_eq!(report.wrong, 0, "{report:?}");
        match database.folder.stored(report.subspace) {
            Stored::Nothing => assert_eq!(report.samples, 0),
            Stored::Half | Stored::Whole => assert_eq!(report.samples, 2_000),
        }
    }
    let claims = |database: &Database| {
        verify_claims(&database.folder, &Silent, &AtomicBool::new(false)).unwrap()
    };
    let reports = claims(&database);
    assert_eq!(reports, claims(&Database::standard()));
    assert!(reports.iter().any(|report| report.answer == Answer::Holds));
}

#[test]
fn outcomes_alone_are_those_of_the_best_moves() {
    let four = Database::solve("four", &[]);
    four.add_placing_phase();
    for full in [Database::standard(), four] {
        let database = full.pack(Edition::Outcome);
        for known in [false, true] {
            for report in database.verify_full(&[]).unwrap() {
                assert!(report.holds(), "{report:?}");
                assert_eq!(report.before, if known { report.entries } else { 0 });
            }
        }
        for report in sample(&database, &[], 500) {
            assert_eq!(report.wrong, 0, "{report:?}");
        }
        let stop = AtomicBool::new(false);
        let reports = verify_quick(&database.folder, &[], &Silent, &stop).unwrap();
        assert!(reports.iter().all(|report| report.problem.is_none()), "{reports:?}");
    }
}

#[test]
fn an_altered_outcome_is_found() {
    outcomes_are_found(&[
        (THREE_FOUR, Value::Win(Plies(13)), Value::Draw),
        (FOUR, Value::Draw, Value::Loss(Plies(4))),
    ]);
}

fn outcomes_are_found(altered: &[(Subspace, Value, Value)]) {
    for &(subspace, from, to) in altered {
        let wrong = Database::standard();
        wrong.alter(subspace, from, to);
        let reports = wrong.pack(Edition::Outcome).verify_full(&[]).unwrap();
        assert!(reports.iter().any(|report| !report.holds()), "{subspace} {from} to {to}");
    }
}

#[test]
fn without_distances_a_wrong_one_does_not_show() {
    let wrong = Database::standard();
    wrong.alter(THREE_FOUR, Value::Win(Plies(13)), Value::Win(Plies(15)));
    let reports = wrong.pack(Edition::Outcome).verify_full(&[]).unwrap();
    assert!(reports.iter().all(merels_verify::SubspaceReport::holds), "{reports:?}");
}

#[test]
fn claims_about_outcomes_are_answered_without_distances() {
    let claims = |database: &Database| {
        verify_claims(&database.folder, &Silent, &AtomicBool::new(false)).unwrap()
    };
    let (exact, outcomes) =
        (claims(&compact()), claims(&Database::standard().pack(Edition::Outcome)));
    let mut counts = [0; 2];
    for (exact, outcome) in exact.iter().zip(&outcomes) {
        match outcome.answer {
            Answer::NeedsDistances => {
                assert_eq!(exact.answer, Answer::Holds, "{}", exact.claim);
                counts[0] += 1;
            }
            _ => {
                assert_eq!(exact, outcome);
                counts[1] += u32::from(outcome.answer == Answer::Holds);
            }
        }
    }
    assert!(counts[0] > 5 && counts[1] >= 3, "{counts:?}");
}

#[test]
fn of_what_is_only_counted_digests_and_counts_are_checked() {
    let database = Database::standard().pack(Edition::Statistics);
    let stored = |subspace| table(&database, subspace).header().stored();
    assert_eq!([FOUR, THREE_FOUR].map(stored), [Stored::Nothing, Stored::Whole]);
    let stop = AtomicBool::new(false);
    let quick = verify_quick(&database.folder, &[], &Silent, &stop).unwrap();
    assert!(quick.iter().all(|report| report.problem.is_none()));
    let compared = |reports: &[merels_verify::SubspaceReport]| {
        let compared = reports.iter().filter(|report| report.compared);
        compared.map(|report| report.subspace.to_string()).collect::<Vec<_>>()
    };
    let reports = database.verify_full(&[]).unwrap();
    assert!(reports.iter().all(|report| report.holds()));
    assert_eq!(compared(&reports), ["3-3", "3-4", "4-3"]);
    for report in sample(&database, &[], 500) {
        let expected = if report.subspace == FOUR { 0 } else { 500 };
        assert_eq!((report.samples, report.wrong), (expected, 0), "{}", report.subspace);
    }

    // Claims about counts have an answer; claims about positions that are not kept do not.
    let claims = verify_claims(&database.folder, &Silent, &stop).unwrap();
    let answer = |start: &str| &claims.iter().find(|c| c.claim.starts_with(start)).unwrap().answer;
    assert_eq!(answer("4-4: outcomes"), &Answer::Holds);
    assert_eq!(answer("3-3: won positions by distance"), &Answer::Holds);
    assert_eq!(answer("a position of 4-4: blocked"), &Answer::NeedsValues(FOUR));

    // A header whose counts differ from those of the values by distance does not pass.
    let path = database.folder.path_of(FOUR);
    let mut header = table(&database, FOUR).header().clone();
    header.statistics.positions -= 1;
    header.statistics.draws -= 1;
    let mut bytes = fs::read(&path).unwrap();
    let forged = header.to_bytes(&path).unwrap();
    bytes[..forged.len()].copy_from_slice(&forged);
    fs::write(&path, bytes).unwrap();
    let error = database.verify_full(&["4-4"]).unwrap_err().to_string();
    assert!(error.contains("4-4.merels") && error.contains("do not add up"), "{error}");
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn mixed_games_on_three_rings() {
        pass_in_every_edition_and_altered_values_do_not(&["lasker,stones=3"]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn an_altered_value_of_a_stored_table_is_found() {
        values_are_found(&[
            (THREE_FOUR, Value::Draw, Value::Win(Plies(9))),
            (THREE_FOUR, Value::Draw, Value::Win(Plies(253))),
        ]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn an_altered_outcome_is_found() {
        outcomes_are_found(&[
            (THREE_FOUR, Value::Draw, Value::Win(Plies(9))),
            (FOUR, Value::Win(Plies(3)), Value::Draw),
        ]);
    }
}
