//! Verification of subspaces whose values take two codes.
//!
//! Small games have no such values. So the tests add many plies to all distances with two stones in
//! hand. All earlier plies then have correct values beyond the codes of one byte.

mod common;

use common::Database;
use merels_core::numbering::FarCodes;
use merels_core::{Plies, Subspace, Value};
use merels_db::Edition;
use merels_verify::{
    SampleOptions, Silent, SubspaceReport, VerifyError, verify_quick, verify_sample,
};

const LATER: Plies = Plies(246);

/// A game, with those of its subspaces whose values are right although they follow from longer
/// distances.
fn long_game(rules: &str) -> (Database, Vec<Subspace>) {
    let database = Database::solve(rules, &[]);
    let mut placing = database.add_placing_phase_after(2, LATER);
    placing.retain(|subspace| subspace.mover_hand() + subspace.other_hand() > 2);
    (database, placing)
}

fn verify(database: &Database, subspaces: &[Subspace]) -> Result<Vec<SubspaceReport>, VerifyError> {
    let names: Vec<_> = subspaces.iter().map(ToString::to_string).collect();
    database.verify_full(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn has_far(database: &Database, subspace: Subspace) -> bool {
    database.folder.open_table(subspace).unwrap().has_far_codes()
}

/// The exact values of a subspace.
fn values(database: &Database, subspace: Subspace) -> Vec<Value> {
    let table = database.folder.open_table(subspace).unwrap();
    (0..table.entries()).map(|index| table.value(index).unwrap().unwrap()).collect()
}

/// The only entry of a position whose value is `wanted`, in a subspace with far codes.
fn find(
    database: &Database,
    subspaces: &[Subspace],
    wanted: impl Fn(Value) -> bool,
) -> (Subspace, usize) {
    let mut found = subspaces.iter().filter(|&&s| has_far(database, s)).filter_map(|&subspace| {
        let values = values(database, subspace);
        let index = database.index(subspace);
        let is_single = |&number: &usize| Database::is_single(&index, number);
        let number = (0..values.len()).filter(is_single).find(|&number| wanted(values[number]))?;
        Some((subspace, number))
    });
    found.next().expect("such a value")
}

#[test]
fn right_values_pass_in_every_edition() {
    for rules in ["four", "seven,stones=4"] {
        let (full, placing) = long_game(rules);
        let far: Vec<_> = placing.iter().filter(|&&subspace| has_far(&full, subspace)).collect();
        assert!(!far.is_empty() && far.len() < placing.len(), "{rules}: {far:?}");
        for edition in [None, Some(Edition::Compact), Some(Edition::Outcome)] {
            let database = edition.map_or_else(|| full.copy(), |edition| full.pack(edition));
            for known in [false, true] {
                let reports = verify(&database, &placing);
                let reports =
                    reports.unwrap_or_else(|error| panic!("{rules} {edition:?}: {error}"));
                for report in reports {
                    assert!(report.compared && report.holds(), "{rules} {edition:?}: {report:?}");
                    assert_eq!(report.before, if known { report.entries } else { 0 });
                }
            }
            let options = SampleOptions { only: placing.clone(), samples: 300, seed: 1 };
            let reports = verify_sample(&database.folder, &options, &Silent, &false.into());
            assert!(reports.unwrap().iter().all(|report| report.wrong == 0));
            assert!(verify_quick(&database.folder, &[], &Silent, &false.into()).is_ok());
        }
    }
}

#[test]
fn a_wrong_distance_beyond_one_code_is_found() {
    let (database, placing) = long_game("four");
    for (from, to) in [
        (Value::Loss(Plies(254)), Value::Loss(Plies(256))),
        (Value::Win(Plies(255)), Value::Win(Plies(253))),
        (Value::Win(Plies(253)), Value::Win(Plies(255))),
        (Value::Loss(Plies(252)), Value::Draw),
    ] {
        let (subspace, number) = find(&database, &placing, |value| value == from);
        let right = values(&database, subspace);
        let mut wrong = right.clone();
        wrong[number] = to;
        database.write_values(subspace, &wrong);
        let report = &verify(&database, &[subspace]).unwrap()[0];
        assert_eq!(report.wrong, 1, "{from} {to}");
        let mismatch = &report.mismatches[0];
        assert_eq!(mismatch.index.0, number as u64);
        assert_eq!((mismatch.stored, mismatch.recomputed), (to, from));
        database.write_values(subspace, &right);
    }
}

/// Without far codes, the last loss and the last win are at distances 252 and 253.
#[test]
fn a_table_whose_far_codes_were_forgotten_does_not_pass() {
    let (database, placing) = long_game("four");
    let is_beyond = |value: Value| value.distance() >= Some(FarCodes::FILES.first_beyond());
    let (subspace, _) = find(&database, &placing, is_beyond);
    let right = values(&database, subspace);
    let near = |&value: &Value| FarCodes::FILES.codes_of(value).unwrap().0.byte();
    database.write(subspace, &right.iter().map(near).collect::<Vec<_>>());
    let report = &verify(&database, &[subspace]).unwrap()[0];
    assert_eq!(report.wrong, right.iter().filter(|&&value| is_beyond(value)).count() as u64);
    // The same for restored values, if the edition leaves the table out.
    let compact = database.pack(Edition::Compact);
    let reports = verify(&compact, &[subspace]).unwrap();
    assert!(!reports[0].holds(), "{reports:?}");
}

/// If a header omits the far codes of restored values, only its subspace fails. Entries that are
/// compared with the restored values pass.
#[test]
fn only_the_header_that_lies_does_not_hold() {
    let (database, placing) = long_game("four");
    let is_beyond = |value: Value| value.distance() >= Some(FarCodes::FILES.first_beyond());
    let compact = database.pack(Edition::Compact);
    let left_out =
        |subspace: &&Subspace| has_far(&database, **subspace) && !has_far(&compact, **subspace);
    let subspace = *placing.iter().find(left_out).unwrap();
    let right = values(&database, subspace);
    assert!(right.iter().copied().any(is_beyond));
    let near = |&value: &Value| FarCodes::FILES.codes_of(value).unwrap().0.byte();
    database.write(subspace, &right.iter().map(near).collect::<Vec<_>>());
    database.pack_into(&compact, subspace);
    for report in verify(&compact, &placing).unwrap() {
        assert_eq!(report.wrong, 0, "{report:?}");
        assert!(report.restored.iter().all(|restored| restored.subspace == subspace));
        assert!(report.subspace != subspace || !report.holds(), "{report:?}");
    }
}

/// Entries in the journal are checked again if only far codes have changed.
#[test]
fn the_journal_knows_far_codes() {
    let (database, placing) = long_game("four");
    assert!(verify(&database, &placing).unwrap().iter().all(SubspaceReport::holds));
    let long = |value: Value| value.distance() > Some(Plies(255));
    let (subspace, number) = find(&database, &placing, long);
    let mut wrong = values(&database, subspace);
    wrong[number] = match wrong[number] {
        Value::Win(Plies(plies)) => Value::Win(Plies(plies - 2)),
        Value::Loss(Plies(plies)) => Value::Loss(Plies(plies - 2)),
        Value::Draw => unreachable!(),
    };
    database.write_values(subspace, &wrong);
    let report = &verify(&database, &[subspace]).unwrap()[0];
    assert_eq!((report.before, report.wrong), (0, 1));
}
