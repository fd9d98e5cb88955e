//! A whole run: what is missing is solved, checked, written and published, pair by pair.
//!
//! A pair is the unit of work. Its files appear together, complete, after everything in them was
//! solved and checked; whatever interrupts a run, the next one finds whole files only and goes on
//! with the first pair that lacks one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use merels_core::{Pair, Plies, Ruleset, Subspace, SubspaceIndex};
use merels_db::{Folder, Pending, TableInfo, TableSpec, TableWriter};
use rayon::prelude::*;

use crate::SolverError;
use crate::check::check_pair;
use crate::count::count_values;
use crate::dispatch::Processor;
use crate::half::Half;
use crate::memory::Pool;
use crate::pair::{self, PairProgress, PairReport, SolvedPair};
use crate::plan::{Plan, disk_of, entries, entries_of, largest_table, memory_of};
use crate::removals::{AfterRemoval, Child};

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// The zstd level of the files.
    pub level: i32,
    /// The form of the code.
    pub processor: Processor,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Comparing the checksums of files that are there.
    CheckFiles,
    /// Reading the children.
    Load,
    /// Counting moves and removal values.
    Begin,
    /// Working back layer by layer.
    Layers,
    /// Checking random positions.
    Check,
    /// Counting values.
    Count,
    /// Compressing and writing.
    Write,
}

/// Who is told what a run does. All methods do nothing unless implemented.
pub trait Observer: Sync {
    /// So many of the files that are there have been checked.
    fn checked(&self, files: usize, of: usize) {
        let _ = (files, of);
    }
    /// The run starts: so many pairs have to be solved, with so many entries in all; the others are
    /// there.
    fn begin(&self, to_solve: &[Pair], entries: u64) {
        let _ = (to_solve, entries);
    }
    /// A pair starts.
    fn begin_pair(&self, pair: Pair, entries: u64) {
        let _ = (pair, entries);
    }
    /// A stage starts.
    fn stage(&self, stage: Stage) {
        let _ = stage;
    }
    /// A layer is done; so many entries of the pair are decided in all.
    fn layer(&self, distance: Plies, decided: u64) {
        let _ = (distance, decided);
    }
    /// So many entries of the pair have been written.
    fn written(&self, entries: u64) {
        let _ = entries;
    }
    /// A pair is finished and published.
    fn end_pair(&self, pair: Pair, report: &PairReport, tables: &[TableInfo]) {
        let _ = (pair, report, tables);
    }
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The tables of the plan, in its order.
    pub tables: Vec<TableInfo>,
    /// The pairs that were solved now.
    pub solved: Vec<(Pair, PairReport)>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Solves what `plan` has and `folder` lacks, on the current rayon pool. Takes the folder's lock.
///
/// With `stop` set from elsewhere, the run ends at the next opportunity with
/// [`SolverError::Interrupted`]; a pair that is being written is completed first.
///
/// # Errors
/// See [`SolverError`]. Files that were finished stay.
pub fn run(
    folder: &Folder,
    plan: &Plan,
    options: &Options,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Summary, SolverError> {
    let start = Instant::now();
    let ruleset = plan.ruleset();
    let _lock = folder.lock()?;
    folder.reconcile()?;
    observer.stage(Stage::CheckFiles);
    let present = folder.subspaces_present()?;
    let planned = || plan.pairs().iter().flat_map(|pair| pair.subspaces());
    let to_check: Vec<_> = planned().filter(|subspace| present.contains(subspace)).collect();
    for (done, &subspace) in to_check.iter().enumerate() {
        stopped(stop)?;
        observer.checked(done, to_check.len());
        folder.open_table(subspace, entries(ruleset, subspace))?.check()?;
    }
    let is_missing = |pair: &Pair| pair.subspaces().any(|subspace| !present.contains(&subspace));
    let to_solve: Vec<_> = plan.pairs().iter().copied().filter(is_missing).collect();
    check_budgets(folder, ruleset, &to_solve, options)?;
    observer.begin(&to_solve, to_solve.iter().map(|&pair| entries_of(ruleset, pair)).sum());

    let pool =
        Pool::new(to_solve.iter().map(|&pair| largest_table(ruleset, pair)).max().unwrap_or(0));
    let mut solved = Vec::new();
    for pair in to_solve {
        stopped(stop)?;
        observer.begin_pair(pair, entries_of(ruleset, pair));
        let pool = Arc::clone(&pool);
        let job = Job { folder, ruleset, pair, options, observer, pool };
        let (report, tables) = job.run(&present, stop)?;
        observer.end_pair(pair, &report, &tables);
        solved.push((pair, report));
    }
    let manifest = folder.load_manifest()?;
    let tables = planned().filter_map(|subspace| manifest.get(subspace).cloned()).collect();
    Ok(Summary { tables, solved, elapsed: start.elapsed() })
}

fn check_budgets(
    folder: &Folder,
    ruleset: &Ruleset,
    to_solve: &[Pair],
    options: &Options,
) -> Result<(), SolverError> {
    for &pair in to_solve {
        let (needed, allowed) = (memory_of(ruleset, pair), options.memory);
        if needed > allowed {
            return Err(SolverError::Budget { pair, needed, allowed });
        }
    }
    let needed: u64 = to_solve.iter().map(|&pair| disk_of(ruleset, pair)).sum();
    let free = folder.free_space()?;
    if needed > free {
        return Err(SolverError::DiskSpace { needed, free, folder: folder.path().to_owned() });
    }
    Ok(())
}

fn stopped(stop: &AtomicBool) -> Result<(), SolverError> {
    if stop.load(Ordering::Relaxed) { Err(SolverError::Interrupted) } else { Ok(()) }
}

/// One pair to be solved.
struct Job<'a> {
    folder: &'a Folder,
    ruleset: &'a Ruleset,
    pair: Pair,
    options: &'a Options,
    observer: &'a dyn Observer,
    pool: Arc<Pool>,
}

impl PairProgress for Job<'_> {
    fn layer(&self, distance: Plies, decided: u64) {
        self.observer.layer(distance, decided);
    }

    fn layers_begin(&self) {
        self.observer.stage(Stage::Layers);
    }
}

impl Job<'_> {
    fn run(
        &self,
        present: &[Subspace],
        stop: &AtomicBool,
    ) -> Result<(PairReport, Vec<TableInfo>), SolverError> {
        let mut report = PairReport::default();
        let after = self.timed(Stage::Load, |_| self.load_children(), &mut report)?;
        self.observer.stage(Stage::Begin);
        let solved = pair::solve(
            self.ruleset,
            self.pair,
            &after,
            self.options.processor,
            &self.pool,
            self,
            stop,
            &mut report,
        )?;
        self.timed(
            Stage::Check,
            |_| check_pair(self.ruleset, self.pair, &solved, &after),
            &mut report,
        )?;
        drop(after);
        stopped(stop)?;
        self.publish(&solved, present, &mut report).map(|tables| (report, tables))
    }

    fn timed<T>(
        &self,
        stage: Stage,
        work: impl FnOnce(&Self) -> Result<T, SolverError>,
        report: &mut PairReport,
    ) -> Result<T, SolverError> {
        self.observer.stage(stage);
        let start = Instant::now();
        let result = work(self);
        let times = &mut report.times;
        *match stage {
            Stage::CheckFiles | Stage::Load => &mut times.load,
            Stage::Begin => &mut times.begin,
            Stage::Layers => &mut times.propagate,
            Stage::Check => &mut times.check,
            Stage::Count => &mut times.count,
            Stage::Write => &mut times.write,
        } += start.elapsed();
        result
    }

    /// What removals of stones of each half's key side lead to.
    fn load_children(&self) -> Result<Vec<AfterRemoval>, SolverError> {
        let load = |subspace: Subspace| {
            // In the half keyed by the mover of `subspace`, the other side closes the mill.
            let Some(child) = subspace.swapped().after_removal() else {
                return Ok(AfterRemoval::Lost);
            };
            let index = SubspaceIndex::new(self.ruleset.board, child);
            let table = self.folder.open_table(child, index.entries())?;
            let mut values = self
                .pool
                .table(index.entries() as usize)
                .map_err(|source| SolverError::Memory { pair: self.pair, source })?;
            let block = table.header().entries_per_block as usize;
            values
                .par_chunks_mut(block)
                .enumerate()
                .try_for_each(|(i, bytes)| table.decode_into(i as u64, bytes))?;
            Ok(AfterRemoval::Child(Child { index, values }))
        };
        self.pair.subspaces().map(load).collect()
    }

    /// Writes the files of the pair that are not there, and publishes them together.
    fn publish(
        &self,
        solved: &SolvedPair,
        present: &[Subspace],
        report: &mut PairReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut written = 0;
        for half in &solved.halves {
            let subspace = half.rows().index().subspace();
            let histogram = self.timed(Stage::Count, |_| Ok(count_values(half)), report)?;
            let table = self.timed(
                Stage::Write,
                |job| {
                    let spec = TableSpec {
                        subspace,
                        entries: half.rows().index().entries(),
                        level: job.options.level,
                    };
                    let mut writer = TableWriter::create(job.folder, spec)?;
                    let progress = |done| job.observer.written(written + done);
                    writer.write_all(
                        &|range, bytes| copy_entries(half, range.start, bytes),
                        &progress,
                    )?;
                    Ok(writer.finish(histogram.statistics())?)
                },
                report,
            )?;
            written += half.rows().index().entries();
            if present.contains(&subspace) {
                // The other file of the pair was lost. This one must have come out the same.
                let kept = self.folder.open_table(subspace, half.rows().index().entries())?;
                if kept.info().digest != table.info().digest {
                    return Err(SolverError::Differs { subspace, path: kept.path().to_owned() });
                }
            } else {
                pending.push(table);
            }
        }
        let tables = pending.into_iter().map(Pending::publish).collect::<Result<Vec<_>, _>>()?;
        self.folder.record(&tables)?;
        Ok(tables)
    }
}

/// Copies the values from index `first` on, leaving out the padding of rows.
fn copy_entries(half: &Half, first: u64, bytes: &mut [u8]) {
    let rows = half.rows();
    let row_len = rows.row_len();
    let (mut class, mut rank) =
        ((first / row_len as u64) as usize, (first % row_len as u64) as usize);
    let mut bytes = bytes;
    while !bytes.is_empty() {
        let len = bytes.len().min(row_len - rank);
        let (part, rest) = bytes.split_at_mut(len);
        part.copy_from_slice(&half.values()[class * rows.stride() + rank..][..len]);
        bytes = rest;
        (class, rank) = (class + 1, 0);
    }
}
