//! Every entry of every table, compared with its successors.
//!
//! A table is read a segment at a time: decoded, digested, counted, checked, all on the current rayon
//! pool. At the end its digest and its counts of positions must be those in its header. The successors'
//! tables are in memory meanwhile. `docs/proof.md` says what follows if all tables pass.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use merels_core::{Index, Position, Subspace, SubspaceIndex, ValueCode, binomial};
use merels_db::{DbError, Digest, Folder, Statistics, Table};
use rayon::prelude::*;

use crate::VerifyError;
use crate::arena::Arena;
use crate::count::Counts;
use crate::database::{Database, OpenTable};
use crate::fast::{Checker, Suspect};
use crate::journal::{Journal, Progress};
use crate::observer::{Observer, stopped};
use crate::plain::{self, Mismatch};
use crate::successors::needed;

/// Blocks that are decoded together: 16 MiB of values, about a second of work.
const SEGMENT_BLOCKS: u64 = 256;

/// How long work may be lost by a kill: the journal is written as often.
const JOURNAL_EVERY: Duration = Duration::from_secs(10);

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
    /// How many of them an earlier run had found right.
    pub before: u64,
    /// How many were found wrong now.
    pub wrong: u64,
    /// The first of these.
    pub mismatches: Vec<Mismatch>,
    /// The counts in the header and those of the entries, if they differ.
    pub statistics: Option<(Statistics, Statistics)>,
    /// How long it took.
    pub elapsed: Duration,
}

impl SubspaceReport {
    /// Whether nothing was found wrong.
    pub const fn holds(&self) -> bool {
        self.wrong == 0 && self.statistics.is_none()
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
    let database = Database::new(folder);
    let subspaces = database.selection(&options.only)?;
    let mut entries = 0;
    for &subspace in &subspaces {
        // Before hours of work: is all there, and will it fit?
        entries += database.table(subspace)?.table.entries();
        for needs in needed(folder.ruleset(), subspace) {
            database.successor(subspace, needs)?;
        }
        check_budget(&database, subspace, options.memory)?;
    }
    let mut keeper = Keeper::open(folder, options.again, observer);
    observer.begin(subspaces.len(), entries);
    let mut reports = Vec::new();
    for subspace in subspaces {
        stopped(stop)?;
        observer.begin_subspace(subspace);
        let report = verify_subspace(&database, subspace, &mut keeper, observer, stop)?;
        if !report.holds() {
            // At once: the run may be stopped before its reports are read.
            observer.note(&format!("{subspace} does not hold: {} entries are wrong", report.wrong));
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
    entries.sum::<u64>() + 8 * sets + FIXED_MEMORY
}

fn check_budget(
    database: &Database<'_>,
    subspace: Subspace,
    allowed: u64,
) -> Result<(), VerifyError> {
    let needed = memory_of(database, subspace);
    if needed > allowed {
        return Err(VerifyError::Budget { subspace, needed, allowed });
    }
    Ok(())
}

/// The journal, if it can be kept.
struct Keeper<'a> {
    journal: Option<Journal>,
    observer: &'a dyn Observer,
    written: Instant,
}

impl<'a> Keeper<'a> {
    fn open(folder: &Folder, again: bool, observer: &'a dyn Observer) -> Self {
        let mut keeper = Self { journal: None, observer, written: Instant::now() };
        match Journal::load(folder) {
            Ok((mut journal, void)) => {
                if void {
                    observer.note("the journal of earlier runs is damaged or of another version: nothing in it counts");
                }
                if again {
                    journal.clear();
                }
                keeper.journal = Some(journal);
            }
            Err(error) => keeper.give_up(&error),
        }
        keeper
    }

    /// A folder that cannot be written to can be verified all the same.
    fn give_up(&mut self, error: &io::Error) {
        self.observer.note(&format!("no journal is kept, an interrupted run starts over: {error}"));
        self.journal = None;
    }

    fn done(&self, subspace: Subspace, digest: Digest, against: &[(Subspace, Digest)]) -> u64 {
        self.journal.as_ref().map_or(0, |journal| journal.done(subspace, digest, against))
    }

    fn record(&mut self, subspace: Subspace, progress: Progress) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.record(subspace, progress)
        {
            self.give_up(&error);
        }
        self.written = Instant::now();
    }
}

fn verify_subspace(
    database: &Database<'_>,
    subspace: Subspace,
    keeper: &mut Keeper<'_>,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<SubspaceReport, VerifyError> {
    let start = Instant::now();
    let OpenTable { table, index } = &*database.table(subspace)?;
    let entries = table.entries();
    let digest = table.header().digest;
    let mut against = Vec::new();
    for needs in needed(database.ruleset(), subspace) {
        against.push((needs, database.successor(subspace, needs)?.table.header().digest));
    }
    let before = keeper.done(subspace, digest, &against);
    let mut report = SubspaceReport {
        subspace,
        entries,
        before,
        wrong: 0,
        mismatches: Vec::new(),
        statistics: None,
        elapsed: Duration::ZERO,
    };
    if before == entries {
        observer.advance(entries);
        return Ok(report);
    }
    let checker =
        Checker::new(database.ruleset(), subspace).ok_or_else(|| VerifyError::Memory {
            subspace,
            source: io::Error::other("its successors have more than 2^32 entries"),
        })?;
    let arena = Arena::load(&checker, database)?;
    let loaded = against.iter().map(|&(_, digest)| digest);
    assert!(loaded.eq(arena.digests().iter().copied()), "tables stay what they are while open");

    let mut segments = Segments::new(table);
    let mut counts = Counts::default();
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut done = before;
    let progress = |entries| Progress { entries, digest, against: against.clone() };
    while let Some((first, bytes)) = segments.next()? {
        let block = table.header().entries_per_block as usize;
        let work = |(number, bytes): (usize, &[u8])| {
            let first = first + (number * block) as u64;
            let counts = Counts::of(index, first, bytes);
            // What the journal vouches for is read for the digest and the counts only.
            let known = before.saturating_sub(first).min(bytes.len() as u64);
            let found = match stop.load(Ordering::Relaxed) {
                true => Vec::new(),
                false => checker.check(first + known, &bytes[known as usize..], &*arena),
            };
            observer.advance(bytes.len() as u64);
            (counts, found)
        };
        let blocks = bytes.par_chunks(block).enumerate().map(work);
        let blocks: Vec<_> = blocks.collect();
        if let Err(interrupted) = stopped(stop) {
            if report.wrong == 0 && done > before {
                keeper.record(subspace, progress(done));
            }
            return Err(interrupted);
        }
        for (more, found) in blocks {
            counts = counts.merge(&more);
            report.wrong += found.len() as u64;
            suspects.extend(found.into_iter().take(KEPT - suspects.len()));
        }
        done = done.max(first + bytes.len() as u64);
        if report.wrong == 0 && done < entries && keeper.written.elapsed() >= JOURNAL_EVERY {
            keeper.record(subspace, progress(done));
        }
    }
    segments.check_digest()?;
    drop(arena);
    for suspect in suspects {
        report.mismatches.push(confirm(database, index, suspect)?);
    }
    let (stated, counted) = (table.header().statistics, counts.positions.statistics());
    report.statistics = (stated != counted).then_some((stated, counted));
    if report.holds() {
        keeper.record(subspace, progress(entries));
    }
    report.elapsed = start.elapsed();
    Ok(report)
}

/// Looks at a suspicious entry again, by the plain rules.
fn confirm(
    database: &Database<'_>,
    index: &SubspaceIndex,
    suspect: Suspect,
) -> Result<Mismatch, VerifyError> {
    let subspace = index.subspace();
    let (mover, other) = index.stones_at(Index(suspect.index));
    let position = Position::of_subspace(subspace, mover, other);
    let stored = ValueCode::from_byte(suspect.stored).expect("a decoded byte is a code").value();
    let ruleset = database.ruleset();
    let found = plain::compare(ruleset, position, Index(suspect.index), stored, database)?;
    found.ok_or(VerifyError::Fault { subspace, index: suspect.index, stored })
}

/// The values of a table in segments, and their digest.
struct Segments<'a> {
    table: &'a Table,
    bytes: Vec<u8>,
    next_block: u64,
    hasher: blake3::Hasher,
}

impl<'a> Segments<'a> {
    fn new(table: &'a Table) -> Self {
        Self { table, bytes: Vec::new(), next_block: 0, hasher: blake3::Hasher::new() }
    }

    /// The next segment and the index of its first entry.
    fn next(&mut self) -> Result<Option<(u64, &[u8])>, DbError> {
        let table = self.table;
        if self.next_block == table.blocks() {
            return Ok(None);
        }
        let (begin, end) = (self.next_block, table.blocks().min(self.next_block + SEGMENT_BLOCKS));
        let first = table.indices_of(begin).start;
        let len = table.indices_of(end - 1).end - first;
        self.bytes.resize(len as usize, 0);
        self.bytes
            .par_chunks_mut(table.header().entries_per_block as usize)
            .enumerate()
            .try_for_each(|(number, bytes)| table.decode_into(begin + number as u64, bytes))?;
        self.hasher.update_rayon(&self.bytes);
        self.next_block = end;
        Ok(Some((first, &self.bytes)))
    }

    /// Compares the digest of all segments with that of the header.
    fn check_digest(&self) -> Result<(), DbError> {
        let (found, stated) = (Digest(self.hasher.finalize().into()), self.table.header().digest);
        if found == stated {
            return Ok(());
        }
        let reason = format!("its values have the digest {found}, not {stated}");
        Err(DbError::Damaged { path: self.table.path().to_owned(), block: None, reason })
    }
}
