//! Every entry of every table, compared with its successors.
//!
//! The verifier reads a table segment by segment. It decodes, digests, counts and checks each on
//! the current rayon pool. At the end the digest and the counts of positions must be those in the
//! header. The successors' tables stay in memory meanwhile. `docs/proof.md` says what follows if
//! all pass.

use std::sync::atomic::AtomicBool;

use merels_core::grouped;
use merels_db::Folder;

use crate::error::VerifyError;
use crate::fast::successors::needed;
use crate::full::budget::check_budget;
use crate::full::journal_writer::JournalWriter;
use crate::full::report::{FullOptions, SubspaceReport};
use crate::full::subspace::{Pace, look_at_counts, verify_subspace};
use crate::observer::{Observer, stopped};
use crate::tables::database::Database;

/// Checks every entry of the tables in `folder`, on the current rayon pool.
///
/// If another thread sets `stop`, the check ends soon with [`VerifyError::Interrupted`]. The
/// journal keeps the finished part, and the next call resumes there.
///
/// # Errors
/// See [`VerifyError`]. A wrong entry is not an error: the reports list it.
pub fn verify_full(
    folder: &Folder,
    options: &FullOptions,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<SubspaceReport>, VerifyError> {
    verify_at(Pace::USUAL, folder, options, observer, stop)
}

fn verify_at(
    pace: Pace,
    folder: &Folder,
    options: &FullOptions,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<SubspaceReport>, VerifyError> {
    let mut database = Database::new(folder);
    let subspaces = database.selection(&options.only)?;
    let (mut entries, mut most) = (0, 0);
    for &subspace in &subspaces {
        // Before hours of work: do all tables exist, and is there enough memory?
        entries += database.table(subspace)?.table.entries();
        if !database.is_checkable(subspace) {
            continue;
        }
        for needs in needed(folder.ruleset(), subspace) {
            database.successor(subspace, needs)?;
        }
        most = most.max(check_budget(&database, subspace, options.memory)?);
    }
    // Memory that the largest subspace leaves free keeps restored tables for others.
    database.set_room(options.memory - most);
    let mut journal = JournalWriter::open(folder, options.again, observer);
    observer.begin(subspaces.len(), entries);
    let mut reports = Vec::new();
    for subspace in subspaces {
        stopped(stop)?;
        observer.begin_subspace(subspace);
        let report = match database.is_checkable(subspace) {
            true => verify_subspace(pace, &database, subspace, &mut journal, observer, stop)?,
            false => look_at_counts(&database, subspace, observer)?,
        };
        if !report.holds() {
            // At once, since the run may stop before it returns its reports.
            let what = match report.wrong {
                0 => "its counts or restored values differ from its header".to_owned(),
                1 => "1 entry is wrong".to_owned(),
                wrong => format!("{} entries are wrong", grouped(wrong)),
            };
            observer.note(&format!("{subspace} does not hold: {what}"));
        }
        observer.end_subspace(subspace);
        reports.push(report);
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use merels_core::numbering::{Codes, Index, SubspaceIndex, ValueCode};
    use merels_core::{Ruleset, Subspace, Value};
    use merels_db::{Distribution, Edition, TableKind, TableSpec, TableWriter};

    use super::*;
    use crate::tables::count::Counts;

    /// Stops after some steps, and counts all of them.
    struct Stopper {
        after: u64,
        steps: AtomicU64,
        stop: AtomicBool,
    }

    impl Observer for Stopper {
        fn advance(&self, steps: u64) {
            let steps = self.steps.fetch_add(steps, Ordering::Relaxed) + steps;
            self.stop.store(steps >= self.after, Ordering::Relaxed);
        }
    }

    /// A subspace whose positions are all lost at once: the mover's two stones are too few. So the
    /// values are known without a solver.
    const SUBSPACE: Subspace = Subspace::moving(2, 7);

    fn made_up(wrong: Option<usize>) -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        let index = SubspaceIndex::new(Ruleset::STANDARD.board, SUBSPACE);
        let mut values = vec![ValueCode::LOST.byte(); index.entries() as usize];
        if let Some(wrong) = wrong {
            values[wrong] = ValueCode::DRAW.byte();
        }
        let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
        let mut writer = TableWriter::create(&folder, spec).unwrap();
        writer.write_slices(Codes::near(&values)).unwrap();
        let mut counted = Distribution::of(Codes::near(&values));
        counted.histogram = Counts::of(&index, 0, Codes::near(&values)).positions;
        writer.finish(counted).unwrap().publish().unwrap();
        (dir, folder)
    }

    fn run(folder: &Folder, after: u64) -> (Result<Vec<SubspaceReport>, VerifyError>, u64) {
        let pace = Pace { segment_blocks: 2, journal_every: Duration::ZERO };
        let stopper = Stopper { after, steps: AtomicU64::new(0), stop: AtomicBool::new(false) };
        let options = FullOptions { only: Vec::new(), memory: 1 << 30, again: false };
        let result = verify_at(pace, folder, &options, &stopper, &stopper.stop);
        (result, stopper.steps.into_inner())
    }

    #[test]
    fn an_interrupted_subspace_goes_on_in_its_middle() {
        let (_dir, folder) = made_up(None);
        let entries = SubspaceIndex::new(Ruleset::STANDARD.board, SUBSPACE).entries();
        assert!(entries > 6 * 65_536);
        let (result, _) = run(&folder, 4 * 65_536 + 1);
        assert!(matches!(result, Err(VerifyError::Interrupted)));
        // The third segment was under way, two were done.
        let (result, steps) = run(&folder, u64::MAX);
        let report = &result.unwrap()[0];
        assert_eq!((report.before, report.wrong, steps), (4 * 65_536, 0, entries));
        let (result, _) = run(&folder, u64::MAX);
        assert_eq!(result.unwrap()[0].before, entries);
    }

    #[test]
    fn nothing_beyond_a_wrong_entry_is_taken_down() {
        let wrong = 3 * 65_536 + 5;
        let (_dir, folder) = made_up(Some(wrong));
        let (result, _) = run(&folder, 6 * 65_536 + 1);
        assert!(matches!(result, Err(VerifyError::Interrupted)));
        let (result, _) = run(&folder, u64::MAX);
        let report = &result.unwrap()[0];
        assert_eq!((report.before, report.wrong), (2 * 65_536, 1));
        assert_eq!(report.mismatches[0].index, Index(wrong as u64));
        assert_eq!(report.mismatches[0].recomputed, Value::LOST);
    }
}
