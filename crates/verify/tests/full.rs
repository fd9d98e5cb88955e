//! Full verification: tables that pass, faults that it catches, and how it resumes after an
//! interruption.

mod common;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::Database;
use merels_core::{Plies, Subspace, Value};
use merels_db::Edition;
use merels_verify::{FullOptions, JOURNAL_NAME, Observer, VerifyError, verify_full};

/// A value that many positions of 4-3 have.
const LOSS: Value = Value::Loss(Plies(26));

#[test]
fn what_the_solver_makes_passes() {
    let database = Database::standard();
    let reports = database.verify_full(&[]).unwrap();
    let names: Vec<_> = reports.iter().map(|report| report.subspace.to_string()).collect();
    assert_eq!(names, ["3-3", "3-4", "4-3", "4-4"]);
    for report in reports {
        assert!(report.holds(), "{report:?}");
        assert_eq!((report.before, report.entries), (0, database.index(report.subspace).entries()));
    }
}

/// The journal says that entries were right; each run checks that they are unchanged.
#[test]
fn damage_after_a_full_run_is_found_by_the_next() {
    let database = Database::standard();
    database.verify_full(&[]).unwrap();
    let path = database.path().join("4-4.merels");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    // Renamed into place, like every file of a folder.
    fs::write(database.path().join("other"), &bytes).unwrap();
    fs::rename(database.path().join("other"), &path).unwrap();
    let error = database.verify_full(&[]).unwrap_err();
    assert!(error.to_string().contains("4-4.merels"), "{error}");
}

#[test]
fn other_rules_pass_too() {
    for (rules, only) in [
        ("no-flying", "4-3"),
        ("strict-removal", "4-3"),
        ("free-removal", "4-3"),
        ("morabaraba", "3-3"),
        ("six", "4-4"),
        ("seven", "5-4"),
        ("morabaraba,double-mill=two", "5-3"),
    ] {
        let reports = Database::solve(rules, &[only]).verify_full(&[]).unwrap();
        assert!(reports.iter().all(|report| report.holds()), "{rules}: {reports:?}");
    }
}

#[test]
fn a_placing_phase_passes_and_an_altered_value_in_it_does_not() {
    let database = Database::solve("four", &[]);
    let placing = database.add_placing_phase();
    let reports = database.verify_full(&[]).unwrap();
    assert_eq!(reports.len(), placing.len() + 4);
    assert!(reports.iter().all(|report| report.holds()), "{reports:?}");

    let subspace: Subspace = "2-2+2-2".parse().unwrap();
    let altered = database.alter(subspace, Value::Draw, Value::Win(Plies(7)));
    let reports = database.verify_full(&["2-2+2-2"]).unwrap();
    assert_eq!((reports[0].wrong, reports[0].mismatches[0].index), (1, altered));
    assert_eq!(reports[0].mismatches[0].recomputed, Value::Draw);
}

#[test]
fn one_altered_value_is_caught() {
    let win = |plies| Value::Win(Plies(plies));
    let loss = |plies| Value::Loss(Plies(plies));
    let four_three = Subspace::moving(4, 3);
    for (from, to) in [
        (win(1), Value::Draw),
        (Value::Draw, loss(4)),
        (LOSS, win(1)),
        (LOSS, Value::Draw),
        (LOSS, loss(28)),
        (LOSS, loss(24)),
        (win(1), win(3)),
        (Value::Draw, win(253)),
    ] {
        let database = Database::standard();
        let altered = database.alter(four_three, from, to);
        // No position of 4-3 is a move away from another one: only the altered entry is wrong
        // there.
        let reports = database.verify_full(&["4-3"]).unwrap();
        let report = &reports[0];
        assert!(!report.holds());
        assert_eq!((report.wrong, report.mismatches.len()), (1, 1), "{from} to {to}");
        let mismatch = &report.mismatches[0];
        assert_eq!((mismatch.index, mismatch.stored, mismatch.recomputed), (altered, to, from));
        let (mover, other) = database.index(four_three).stones_at(altered);
        assert_eq!(
            (mismatch.position.mover().board, mismatch.position.other().board),
            (mover, other)
        );
        assert_eq!(mismatch.moves[0].value, from);
        // The counts fit the altered values. The journal does not list wrong entries as right.
        assert_eq!(report.statistics, None);
        assert!(!database.verify_full(&["4-3"]).unwrap()[0].holds());
    }
}

#[test]
fn counts_that_do_not_fit_the_entries_are_caught() {
    let database = Database::standard();
    let subspace = Subspace::moving(3, 4);
    let right = database.values(subspace);
    let mut values = right.clone();
    let drawn = values.iter().position(|&byte| byte == 127).unwrap();
    values[drawn] = 255;
    database.write_with_counts_of(subspace, &values, &right);
    let reports = database.verify_full(&["3-4"]).unwrap();
    let (stated, counted) = reports[0].statistics.unwrap();
    assert_eq!(stated.wins + 1, counted.wins);
    assert!(reports[0].distances_differ);
}

#[test]
fn a_missing_successor_is_named() {
    let database = Database::standard();
    fs::remove_file(database.folder.path_of(Subspace::moving(3, 4))).unwrap();
    let error = database.verify_full(&["4-3"]).unwrap_err();
    assert!(error.to_string().starts_with("4-3 cannot be checked without 3-4"), "{error}");
    assert!(matches!(error, VerifyError::Needs { .. }));
    let error = database.verify_full(&["5-5"]).unwrap_err();
    assert!(error.to_string().contains("no database for 5-5"), "{error}");
}

#[test]
fn too_little_memory_is_refused_before_the_work() {
    let database = Database::standard();
    let options = FullOptions { only: Vec::new(), memory: 1 << 20, again: false };
    let stop = AtomicBool::new(false);
    let error = verify_full(&database.folder, &options, &merels_verify::Silent, &stop).unwrap_err();
    assert!(matches!(error, VerifyError::Budget { .. }), "{error}");
    assert!(error.to_string().contains("MiB may be used"));
}

/// Stops after a number of subspaces, and records notes.
#[derive(Default)]
struct Stopper {
    stop: AtomicBool,
    after: Mutex<usize>,
    notes: Mutex<Vec<String>>,
}

impl Observer for Stopper {
    fn end_subspace(&self, _: Subspace) {
        let mut after = self.after.lock().unwrap();
        *after -= 1;
        self.stop.store(*after == 0, Ordering::Relaxed);
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }
}

#[test]
fn an_interrupted_run_goes_on() {
    let database = Database::standard();
    let options = FullOptions { only: Vec::new(), memory: 2 << 30, again: false };
    let stopper = Stopper { after: Mutex::new(2), ..Stopper::default() };
    let error = verify_full(&database.folder, &options, &stopper, &stopper.stop).unwrap_err();
    assert!(matches!(error, VerifyError::Interrupted), "{error}");

    let before = |database: &Database| -> Vec<_> {
        let reports = database.verify_full(&[]).unwrap();
        assert!(reports.iter().all(|report| report.holds()));
        reports.iter().map(|report| report.before == report.entries).collect()
    };
    let done = |stopped: [bool; 4], database: &Database| {
        assert_eq!(before(database), stopped);
        assert_eq!(before(database), [true; 4]);
    };
    done([true, true, false, false], &database);

    // Changed values void the checks of them and against them; the same values do not.
    database.write(Subspace::moving(4, 4), &database.values(Subspace::moving(4, 4)));
    assert_eq!(before(&database), [true; 4]);
    database.alter(Subspace::moving(3, 4), Value::Draw, Value::Win(Plies(9)));
    let reports = database.verify_full(&[]).unwrap();
    let again: Vec<_> = reports.iter().map(|report| report.before < report.entries).collect();
    // 3-3 does not lead to 3-4; 4-3 and, by removals, 4-4 do.
    assert_eq!(again, [false, true, true, true]);
    assert!(!reports[1].holds());

    // A file that is not a journal.
    let path = database.path().join(JOURNAL_NAME);
    fs::write(&path, "nonsense").unwrap();
    let stopper = Stopper { after: Mutex::new(9), ..Stopper::default() };
    let options = FullOptions { only: vec![Subspace::moving(3, 3)], ..options };
    let reports = verify_full(&database.folder, &options, &stopper, &stopper.stop).unwrap();
    assert!(reports[0].holds() && reports[0].before == 0);
    assert!(stopper.notes.lock().unwrap()[0].contains("verified.merels"));
    // On request, every entry is checked again.
    let options = FullOptions { again: true, ..options };
    let reports = verify_full(&database.folder, &options, &stopper, &stopper.stop).unwrap();
    assert_eq!(reports[0].before, 0);
}

#[test]
fn distances_counted_wrongly_are_found() {
    let database = Database::standard();
    let subspace = Subspace::moving(3, 3);
    let path = database.folder.path_of(subspace);
    let table = database.folder.open_table(subspace).unwrap();
    let counted = (*table.header().distribution).clone();
    drop(table);
    let passes = |database: &Database| database.verify_full(&["3-3"]).unwrap()[0].holds();
    assert!(passes(&database));
    // One more win in three plies, one fewer in five: the sums stay the same.
    let mut bytes = fs::read(&path).unwrap();
    let counts = bytes.len() - 4 - 11 * counted.histogram.iter().count();
    let place = |bytes: &[u8], plies: u8| {
        let mut places = (counts..bytes.len() - 4).step_by(11);
        places.find(|&place| bytes[place..place + 3] == [2, plies, 0]).unwrap() + 3
    };
    for (plies, more) in [(3, 1), (5, u64::MAX)] {
        let at = place(&bytes, plies);
        let count = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()).wrapping_add(more);
        bytes[at..at + 8].copy_from_slice(&count.to_le_bytes());
    }
    let end = bytes.len() - 4;
    let crc = crc32fast::hash(&bytes[counts - 16..end]);
    bytes[end..].copy_from_slice(&crc.to_le_bytes());
    fs::write(database.path().join("other"), &bytes).unwrap();
    fs::rename(database.path().join("other"), &path).unwrap();
    fs::remove_file(database.path().join(JOURNAL_NAME)).unwrap();
    let reports = database.verify_full(&["3-3"]).unwrap();
    assert!(reports[0].distances_differ && reports[0].statistics.is_none(), "{reports:?}");
    assert!(!passes(&database));
}

#[test]
fn a_wrong_entry_of_the_longest_win_or_loss_is_found() {
    let whole = Database::standard();
    for edition in [Edition::Full, Edition::Compact, Edition::Outcome, Edition::Statistics] {
        let packed = (edition != Edition::Full).then(|| whole.pack(edition));
        let database = packed.as_ref().unwrap_or(&whole);
        // `compact` and `outcome` leave out 4-3. All editions store 3-3.
        for subspace in [Subspace::moving(3, 3), Subspace::moving(4, 3)] {
            let path = database.folder.path_of(subspace);
            let sound = fs::read(&path).unwrap();
            let table = database.folder.open_table(subspace).unwrap();
            let counted = (*table.header().distribution).clone();
            drop(table);
            let begin = sound.len() - 4 - 11 * counted.histogram.iter().count() - 16;
            // Each names the entry of the other.
            let (win, loss) = (counted.longest_win.unwrap(), counted.longest_loss.unwrap());
            for (at, entry) in [(begin, loss), (begin + 8, win)] {
                let mut forged = sound.clone();
                forged[at..at + 8].copy_from_slice(&entry.to_le_bytes());
                let end = forged.len() - 4;
                let crc = crc32fast::hash(&forged[begin..end]);
                forged[end..].copy_from_slice(&crc.to_le_bytes());
                let replace = |bytes: &[u8]| {
                    fs::write(database.path().join("other"), bytes).unwrap();
                    fs::rename(database.path().join("other"), &path).unwrap();
                };
                replace(&forged);
                let report = &database.verify_full(&[&subspace.to_string()]).unwrap()[0];
                assert!(report.longest_differs && !report.holds(), "{edition} {report:?}");
                assert!(report.statistics.is_none() && report.wrong == 0, "{edition} {report:?}");
                replace(&sound);
            }
            assert!(database.verify_full(&[&subspace.to_string()]).unwrap()[0].holds());
        }
    }
}
