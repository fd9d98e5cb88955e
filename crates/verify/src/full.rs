//! Every entry of every table, compared with its successors.
//!
//! A table is read a segment at a time: decoded, digested, counted, checked, all on the current rayon
//! pool. At the end its digest and its counts of positions must be those in its header. The successors'
//! tables are in memory meanwhile. `docs/proof.md` says what follows if all tables pass.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use merels_core::{Index, Position, Subspace, SubspaceIndex, Value, binomial, grouped};
use merels_db::{Digest, Distribution, Folder, Header, Statistics, Stored, ValueHistogram};
use rayon::prelude::*;

use crate::VerifyError;
use crate::arena::{Arena, Successors};
use crate::coded::{Coded, Steps};
use crate::count::Counts;
use crate::database::{Database, OpenTable};
use crate::fast::{Checker, Suspect};
use crate::keeper::Keeper;
use crate::observer::{Observer, stopped};
use crate::plain::{self, Mismatch};
use crate::precision::Precision;
use crate::restore::RestoredOtherwise;
use crate::segments::{Segment, Segments};
use crate::successors::needed;
use crate::verified::Progress;

/// How much is done at a time.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Blocks that are decoded together.
    segment_blocks: u64,
    /// How often the journal is written: how much work a kill may cost.
    journal_every: Duration,
}

impl Pace {
    /// Segments of 16 MiB of values take about a second.
    const USUAL: Self = Self { segment_blocks: 256, journal_every: Duration::from_secs(10) };
}

/// Mismatches of a subspace that are kept, those with the smallest indices; all are counted.
const KEPT: usize = 10;

/// Memory besides the successors' values: a segment, buffers, tables of classes, the program.
const FIXED_MEMORY: u64 = 160 << 20;

/// How to verify in full.
#[derive(Clone, Debug)]
pub struct FullOptions {
    /// Only these subspaces; empty for all that are there.
    pub only: Vec<Subspace>,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Whether to check again what the journal says has been checked.
    pub again: bool,
}

/// What became of one subspace.
#[derive(Clone, Debug)]
pub struct SubspaceReport {
    /// The subspace.
    pub subspace: Subspace,
    /// Its entries.
    pub entries: u64,
    /// Whether they were compared with their successors. If not, the edition keeps no values of these,
    /// or of the subspace itself: digest and counts are all that was looked at.
    pub compared: bool,
    /// How many of them an earlier run had found right.
    pub before: u64,
    /// How many were found wrong now.
    pub wrong: u64,
    /// The first of these.
    pub mismatches: Vec<Mismatch>,
    /// The counts in the header and those of the entries, if they differ.
    pub statistics: Option<(Statistics, Statistics)>,
    /// Whether the numbers of positions by distance in the file are not those of the entries.
    pub distances_differ: bool,
    /// What was restored and is not what was solved: a stored value is wrong, here or in a table that
    /// the moves lead to.
    pub restored: Vec<RestoredOtherwise>,
    /// How long it took.
    pub elapsed: Duration,
}

impl SubspaceReport {
    /// Whether nothing was found wrong.
    pub const fn holds(&self) -> bool {
        self.wrong == 0
            && self.statistics.is_none()
            && !self.distances_differ
            && self.restored.is_empty()
    }

    /// Takes down in which respect a header's counts are not those of the entries, as far as these
    /// tell.
    fn compare_counts(&mut self, precision: Precision, header: &Header, counted: &ValueHistogram) {
        let [stated, found] =
            [header.statistics, counted.statistics()].map(|sums| precision.told(sums));
        self.statistics = (stated != found).then_some((stated, found));
        let differs = |distribution: &Distribution| distribution.histogram != *counted;
        self.distances_differ =
            precision == Precision::Exact && header.distribution.as_deref().is_some_and(differs);
    }
}

/// Checks every entry of the tables in `folder`, on the current rayon pool.
///
/// With `stop` set from elsewhere it ends soon with [`VerifyError::Interrupted`]; what is done
/// stands in the journal, and the next call goes on from there.
///
/// # Errors
/// See [`VerifyError`]. Entries that are wrong are no error, but told in the reports.
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
        // Before hours of work: is all there, and will it fit?
        entries += database.table(subspace)?.table.entries();
        if !database.is_checkable(subspace) {
            continue;
        }
        for needs in needed(folder.ruleset(), subspace) {
            database.successor(subspace, needs)?;
        }
        most = most.max(check_budget(&database, subspace, options.memory)?);
    }
    // What the largest subspace leaves free keeps restored tables for others.
    database.set_room(options.memory - most);
    let mut keeper = Keeper::open(folder, options.again, observer);
    observer.begin(subspaces.len(), entries);
    let mut reports = Vec::new();
    for subspace in subspaces {
        stopped(stop)?;
        observer.begin_subspace(subspace);
        let report = match database.is_checkable(subspace) {
            true => verify_subspace(pace, &database, subspace, &mut keeper, observer, stop)?,
            false => look_at_counts(&database, subspace, observer)?,
        };
        if !report.holds() {
            // At once: the run may be stopped before its reports are read.
            let what = match report.wrong {
                0 => "what was counted or restored is not what its header says".to_owned(),
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

/// Bytes of memory that checking `subspace` takes.
fn memory_of(database: &Database<'_>, subspace: Subspace) -> u64 {
    let board = database.ruleset().board;
    let entries = needed(database.ruleset(), subspace).into_iter();
    let entries = entries.map(|needs| SubspaceIndex::new(board, needs).entries());
    // For each set of the other side's stones, a word in the table of classes.
    let sets = binomial(board.geometry().point_count(), subspace.mover().max(subspace.other()));
    let restoring = needed(database.ruleset(), subspace).into_iter().chain([subspace]);
    let restoring = restoring.map(|needs| database.memory_to_restore(needs)).max().unwrap_or(0);
    let codes = entries.sum::<u64>() * database.codes_in_memory(subspace);
    codes + restoring + 8 * sets + FIXED_MEMORY
}

/// The memory that checking `subspace` takes, if that is allowed.
fn check_budget(
    database: &Database<'_>,
    subspace: Subspace,
    allowed: u64,
) -> Result<u64, VerifyError> {
    let needed = memory_of(database, subspace);
    if needed > allowed {
        return Err(VerifyError::Budget { subspace, needed, allowed });
    }
    Ok(needed)
}

/// What the journal knows a table by: the digest of all values, and, where only some of them are
/// stored, of these too; with those of the far codes, if there are any.
fn mark_of(open: &OpenTable) -> Digest {
    let header = open.table.header();
    let is_whole = header.blocks == 0 || header.digest == header.kept;
    let far = open.far_digest();
    if is_whole && far.is_none() {
        return header.digest;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&header.digest.0).update(&header.kept.0);
    for digest in far.into_iter().chain(open.far.as_ref().map(|table| table.header().kept)) {
        hasher.update(&digest.0);
    }
    Digest(hasher.finalize().into())
}

fn verify_subspace(
    pace: Pace,
    database: &Database<'_>,
    subspace: Subspace,
    keeper: &mut Keeper<'_>,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<SubspaceReport, VerifyError> {
    let start = Instant::now();
    let open = &*database.table(subspace)?;
    let OpenTable { table, index, .. } = open;
    let entries = table.entries();
    let digest = mark_of(open);
    let mut against = Vec::new();
    for needs in needed(database.ruleset(), subspace) {
        against.push((needs, mark_of(&*database.successor(subspace, needs)?)));
    }
    let before = keeper.done(subspace, digest, &against);
    let mut report = SubspaceReport {
        subspace,
        entries,
        compared: true,
        before,
        wrong: 0,
        mismatches: Vec::new(),
        statistics: None,
        distances_differ: false,
        restored: Vec::new(),
        elapsed: Duration::ZERO,
    };
    if before == entries {
        // Its entries are known to be right; are they still there?
        table.check_digest()?;
        observer.advance(entries);
        return Ok(report);
    }
    let progress = |entries| Progress { entries, digest, against: against.clone() };
    if database.folder().stored(subspace) == Stored::Nothing {
        // That what follows from its successors is what was solved is the whole check.
        let counted = match database.restored().positions(subspace) {
            Some(counted) => counted,
            None => {
                let restored = database.restore(open)?;
                report.restored.extend(restored.contradiction);
                restored.counts.positions
            }
        };
        observer.advance(entries);
        report.compare_counts(database.precision(), table.header(), &counted);
        if report.holds() {
            keeper.record(subspace, progress(entries));
        }
        report.elapsed = start.elapsed();
        return Ok(report);
    }
    let checker = Checker::for_subspace(database.ruleset(), subspace, database.precision())?;
    let arena = Arena::load(&checker, database, Successors::Restored)?;
    report.restored.extend(arena.contradictions());
    // Where this is not so, the entries that are found wrong say more, but none is known to be right.
    let sound = report.restored.is_empty();

    let is_double = database.takes_two_codes(subspace)?;
    let mut segments = Segments::new(open, is_double, pace.segment_blocks);
    let mut counts = Counts::default();
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut done = before;
    while let Some(Segment { first, codes }) = segments.next()? {
        let block = table.header().entries_per_block as usize;
        let successors = arena.codes();
        let work = |(number, mut codes): (usize, Coded<&mut [u8]>)| {
            let first = first + (number * block) as u64;
            checker.restore_coded(Steps::FILES, first, codes.view_mut(), successors);
            let codes = codes.view();
            let len = codes.near.len() as u64;
            let counts = Counts::of(index, first, open.own(codes));
            // What the journal vouches for is read for the digest and the counts only.
            let known = before.saturating_sub(first).min(len);
            let unknown = codes.map(|codes| &codes[known as usize..]);
            let found = match stop.load(Ordering::Relaxed) {
                true => Vec::new(),
                false => checker.check_coded(Steps::FILES, first + known, unknown, successors),
            };
            observer.advance(len);
            (counts, found)
        };
        let len = codes.near.len() as u64;
        let blocks = codes.pieces_mut(block).into_par_iter().enumerate().map(work);
        let blocks: Vec<_> = blocks.collect();
        if let Err(interrupted) = stopped(stop) {
            if sound && report.wrong == 0 && done > before {
                keeper.record(subspace, progress(done));
            }
            return Err(interrupted);
        }
        for (more, found) in blocks {
            counts = counts.merge(&more);
            report.wrong += found.len() as u64;
            suspects.extend(found.into_iter().take(KEPT - suspects.len()));
        }
        done = done.max(first + len);
        let due = done < entries && keeper.written().elapsed() >= pace.journal_every;
        if sound && report.wrong == 0 && due {
            keeper.record(subspace, progress(done));
        }
    }
    segments.check_digest()?;
    drop(arena);
    for suspect in suspects {
        let stored = suspect.stored.value(database.precision());
        match confirm(database, index, suspect.index, stored)? {
            Some(mismatch) => report.mismatches.push(mismatch),
            // What was restored wrongly is read here, but not by the plain rules.
            None if !sound => (),
            None => return Err(VerifyError::Fault { subspace, index: suspect.index, stored }),
        }
    }
    report.compare_counts(database.precision(), table.header(), &counts.positions);
    if report.holds() {
        keeper.record(subspace, progress(entries));
    }
    report.elapsed = start.elapsed();
    Ok(report)
}

/// What can be said of a subspace whose values cannot be compared with those of its successors: whether
/// its blocks have their digest, and its header the right counts.
fn look_at_counts(
    database: &Database<'_>,
    subspace: Subspace,
    observer: &dyn Observer,
) -> Result<SubspaceReport, VerifyError> {
    let start = Instant::now();
    let open = &*database.table(subspace)?;
    let OpenTable { table, index, .. } = open;
    table.check_digest()?;
    let mut report = SubspaceReport {
        subspace,
        entries: table.entries(),
        compared: false,
        before: 0,
        wrong: 0,
        mismatches: Vec::new(),
        statistics: None,
        distances_differ: false,
        restored: Vec::new(),
        elapsed: Duration::ZERO,
    };
    if database.folder().stored(subspace) == Stored::Nothing {
        let stated = table.header().statistics;
        let counted = Statistics { positions: index.positions(), ..stated };
        report.statistics = (stated != counted).then_some((stated, counted));
    } else {
        let Ok(mut codes) = Coded::made(open.far.is_some(), || {
            Ok::<_, std::convert::Infallible>(vec![0; table.entries() as usize])
        });
        open.decode_all(codes.view_mut())?;
        let counts = Counts::of(index, 0, codes.view());
        report.compare_counts(database.precision(), table.header(), &counts.positions);
    }
    observer.advance(table.entries());
    report.elapsed = start.elapsed();
    Ok(report)
}

/// Looks at a suspicious entry again, by the plain rules.
fn confirm(
    database: &Database<'_>,
    index: &SubspaceIndex,
    suspect: u64,
    stored: Value,
) -> Result<Option<Mismatch>, VerifyError> {
    let (mover, other) = index.stones_at(Index(suspect));
    let position = Position::of_subspace(index.subspace(), mover, other);
    Ok(plain::compare(database.ruleset(), position, Index(suspect), stored, database)?)
}

#[cfg(test)]
mod tests {
    use merels_db::Edition;
    use std::sync::atomic::AtomicU64;

    use merels_core::{Ruleset, ValueCode};
    use merels_db::{TableKind, TableSpec, TableWriter};

    use super::*;

    /// Stops after some steps, and counts all.
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
        let spec = TableSpec {
            subspace: SUBSPACE,
            entries: index.entries(),
            level: 1,
            kind: TableKind::Final,
        };
        let mut writer = TableWriter::create(&folder, spec).unwrap();
        let source = |range: std::ops::Range<u64>, bytes: &mut [u8]| {
            bytes.copy_from_slice(&values[range.start as usize..range.end as usize]);
        };
        writer.write_all(&source, &|_| ()).unwrap();
        let counts = Counts::of(&index, 0, Coded::one(&values));
        writer.finish(counts.positions.statistics()).map(|table| table.publish().unwrap()).unwrap();
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
