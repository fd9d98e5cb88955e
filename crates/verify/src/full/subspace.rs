//! The check of one subspace.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_core::{Position, Subspace, Value};
use merels_db::{DbError, Digest, Header, Statistics, Stored};
use rayon::prelude::*;

use crate::error::VerifyError;
use crate::fast::checker::{Checker, Suspect};
use crate::fast::coded::{Steps, value_of};
use crate::fast::precision::Precision;
use crate::fast::successors::needed;
use crate::full::journal_writer::JournalWriter;
use crate::full::report::SubspaceReport;
use crate::full::verified::Progress;
use crate::observer::{Observer, stopped};
use crate::plain::{self, Mismatch, Values as _};
use crate::tables::count::Counts;
use crate::tables::database::Database;
use crate::tables::open::OpenTable;
use crate::tables::restore::Successors;
use crate::tables::segments::{Segment, Segments};

/// The size of a unit of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Blocks that are decoded together.
    pub(crate) segment_blocks: u64,
    /// Time between two writes of the journal: the work that a kill may cost.
    pub(crate) journal_every: Duration,
}

impl Pace {
    /// Segments of 16 MiB of values take about a second.
    pub(crate) const USUAL: Self =
        Self { segment_blocks: 256, journal_every: Duration::from_secs(10) };
}

/// Mismatches to keep for each subspace, those with the smallest indices. All are counted.
const KEPT: usize = 10;

/// The digest that identifies a table in the journal: that of all values, mixed with that of the
/// stored ones if these are fewer, and with those of the far codes if there are any.
fn mark_of(open: &OpenTable) -> Digest {
    let header = open.table.header();
    let is_whole = header.blocks == 0 || header.digest == header.kept;
    let far = open.far_digest();
    if is_whole && far.is_none() {
        return header.digest;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&header.digest.0).update(&header.kept.0);
    if let Some(far) = open.table.header().far.filter(|_| far.is_some()) {
        hasher.update(&far.digest.0).update(&far.kept.0);
    }
    Digest(hasher.finalize().into())
}

pub(crate) fn verify_subspace(
    pace: Pace,
    database: &Database<'_>,
    subspace: Subspace,
    journal: &mut JournalWriter<'_>,
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
    let before = journal.done(subspace, digest, &against);
    let mut report = SubspaceReport {
        subspace,
        entries,
        compared: true,
        before,
        wrong: 0,
        mismatches: Vec::new(),
        statistics: None,
        distances_differ: false,
        longest_differs: false,
        restored: Vec::new(),
        elapsed: Duration::ZERO,
    };
    if before == entries {
        // The journal lists its entries as right. The digest shows whether they are unchanged.
        table.check_digest()?;
        observer.advance(entries);
        return Ok(report);
    }
    let progress = |entries| Progress { entries, digest, against: against.clone() };
    if database.folder().stored(subspace) == Stored::Nothing {
        // The whole check: the values that follow from its successors must be the solved ones.
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
        report.longest_differs = longest_differs(database, open)?;
        if report.holds() {
            journal.record(subspace, progress(entries));
        }
        report.elapsed = start.elapsed();
        return Ok(report);
    }
    let checker = Checker::for_subspace(database.ruleset(), subspace, database.precision())?;
    let (arena, contradictions) = database.load_successors(&checker, Successors::Restored)?;
    report.restored = contradictions;
    // If it is not sound, the report still lists wrong entries, but no entry is known to be right.
    let sound = report.restored.is_empty();

    let is_double = database.takes_two_codes(subspace)?;
    let mut segments = Segments::new(open, is_double, pace.segment_blocks);
    let mut counts = Counts::default();
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut done = before;
    while let Some(Segment { first, codes }) = segments.next()? {
        let block = table.header().entries_per_block as usize;
        let successors = arena.codes();
        let work = |(number, mut codes): (usize, Codes<&mut [u8]>)| {
            let first = first + (number * block) as u64;
            let all = Codes { near: &mut *codes.near, far: codes.far.as_deref_mut() };
            checker.restore_coded(Steps::FILES, first, all, successors);
            let codes = Codes { near: &*codes.near, far: codes.far.as_deref() };
            let len = codes.near.len() as u64;
            let counts = Counts::of(index, first, open.own(codes));
            // Entries in the journal are read for the digest and the counts only.
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
        let blocks: Vec<_> = codes.slices_mut().chunks_mut(block).collect();
        let blocks: Vec<_> = blocks.into_par_iter().enumerate().map(work).collect();
        if let Err(interrupted) = stopped(stop) {
            if sound && report.wrong == 0 && done > before {
                journal.record(subspace, progress(done));
            }
            return Err(interrupted);
        }
        for (more, found) in blocks {
            counts = counts.merge(&more);
            report.wrong += found.len() as u64;
            suspects.extend(found.into_iter().take(KEPT - suspects.len()));
        }
        done = done.max(first + len);
        let due = done < entries && journal.written().elapsed() >= pace.journal_every;
        if sound && report.wrong == 0 && due {
            journal.record(subspace, progress(done));
        }
    }
    segments.check_digest()?;
    drop(arena);
    for suspect in suspects {
        let stored = value_of(suspect.stored, database.precision());
        match confirm(database, index, suspect.index, stored)? {
            Some(mismatch) => report.mismatches.push(mismatch),
            // The plain rules do not read the wrongly restored values that this check reads.
            None if !sound => (),
            None => return Err(VerifyError::Fault { subspace, index: suspect.index, stored }),
        }
    }
    report.compare_counts(database.precision(), table.header(), &counts.positions);
    report.longest_differs = longest_differs(database, open)?;
    if report.holds() {
        journal.record(subspace, progress(entries));
    }
    report.elapsed = start.elapsed();
    Ok(report)
}

/// The check of a subspace whose values cannot be compared with those of its successors: digest of
/// the blocks, and counts in the header.
pub(crate) fn look_at_counts(
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
        longest_differs: false,
        restored: Vec::new(),
        elapsed: Duration::ZERO,
    };
    if database.folder().stored(subspace) == Stored::Nothing {
        let stated = table.header().statistics;
        let counted = Statistics { positions: index.positions(), ..stated };
        report.statistics = (stated != counted).then_some((stated, counted));
    } else {
        let mut codes = table.buffers(table.entries() as usize);
        table.decode_all(codes.slices_mut())?;
        let counts = Counts::of(index, 0, codes.slices());
        report.compare_counts(database.precision(), table.header(), &counts.positions);
        report.longest_differs = longest_differs(database, open)?;
    }
    observer.advance(table.entries());
    report.elapsed = start.elapsed();
    Ok(report)
}

/// Whether an entry that the file names for its longest win or loss has another value.
fn longest_differs(database: &Database<'_>, open: &OpenTable) -> Result<bool, DbError> {
    let Header { statistics, distribution, .. } = open.table.header();
    let named = [
        (distribution.longest_win, statistics.longest_win.map(Value::Win)),
        (distribution.longest_loss, statistics.longest_loss.map(Value::Loss)),
    ];
    for (entry, value) in named {
        let (Some(entry), Some(value)) = (entry, value) else { continue };
        let (mover, other) = open.index.stones_at(Index(entry));
        let position = Position::of_subspace(open.index.subspace(), mover, other);
        let found = database.value(&position)?;
        let differs = match database.precision() {
            Precision::Exact => found != value,
            Precision::Outcomes => found.outcome() != value.outcome(),
        };
        if differs {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks a suspicious entry again, by the plain rules.
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
