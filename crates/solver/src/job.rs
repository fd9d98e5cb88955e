//! One job: children are read, positions solved, values checked, counted, written and published.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::{Index, Pair, Plies, Ruleset, Subspace, SubspaceIndex};
use merels_db::{Folder, Pending, TableInfo, TableSpec, TableWriter};
use rayon::prelude::*;

use crate::SolverError;
use crate::check::{check_pair, check_placing};
use crate::count::count_values;
use crate::half::{LEAST_WAITING, MOST_WAITING};
use crate::memory::Pool;
use crate::pair::{self, PairProgress};
use crate::placing::{self, PlacingStep};
use crate::plan::{AfterPlacing, Job, largest_table, memory_of};
use crate::removals::{AfterRemoval, Child};
use crate::rows::Rows;
use crate::run::{Observer, Options, Stage, stopped};
use crate::transpose::RunTables;

/// Where the time of a job went.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes {
    /// Reading the children from their files.
    pub load: Duration,
    /// Counters and removal values.
    pub begin: Duration,
    /// Un-moves within rows.
    pub propagate: Duration,
    /// Storing what was decided.
    pub store: Duration,
    /// Values of placings, and storing them.
    pub place: Duration,
    /// Checking random positions with plain moves.
    pub check: Duration,
    /// Counting the values.
    pub count: Duration,
    /// Compressing and writing.
    pub write: Duration,
}

/// What a job did.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobReport {
    /// Where the time went.
    pub times: StageTimes,
    /// Entries of its subspaces.
    pub entries: u64,
    /// Un-moves made.
    pub edges: u64,
    /// Values stored.
    pub stores: u64,
    /// Layers worked on.
    pub layers: u16,
}

/// What the jobs of a run share.
pub(crate) struct Context<'a> {
    folder: &'a Folder,
    ruleset: &'a Ruleset,
    options: &'a Options,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
    /// Subspaces whose tables were there when the run began.
    present: &'a [Subspace],
    pool: Arc<Pool>,
    /// What the last job has read: the next one often needs one of them again.
    children: Vec<Arc<Child>>,
    run_tables: Option<Arc<RunTables>>,
    placing_scratch: placing::Scratch,
}

impl PairProgress for Context<'_> {
    fn layers_begin(&self) {
        self.observer.stage(Stage::Layers);
    }

    fn layer(&self, distance: Plies, decided: u64) {
        self.observer.layer(distance, decided);
    }
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        folder: &'a Folder,
        ruleset: &'a Ruleset,
        options: &'a Options,
        observer: &'a dyn Observer,
        stop: &'a AtomicBool,
        jobs: &[Job],
        present: &'a [Subspace],
    ) -> Self {
        let capacity = jobs.iter().map(|&job| largest_table(ruleset, job)).max().unwrap_or(0);
        let (pool, children) = (Pool::new(capacity), Vec::new());
        Self {
            folder,
            ruleset,
            options,
            observer,
            stop,
            present,
            pool,
            children,
            run_tables: None,
            placing_scratch: placing::Scratch::default(),
        }
    }

    /// Does a job whose children are there.
    pub(crate) fn run(&mut self, job: Job) -> Result<(JobReport, Vec<TableInfo>), SolverError> {
        let mut report = JobReport { entries: job.entries(self.ruleset), ..JobReport::default() };
        let tables = match job {
            Job::Pair(pair) => self.run_pair(pair, &mut report)?,
            Job::Placing(subspace) => self.run_placing(subspace, &mut report)?,
        };
        Ok((report, tables))
    }

    fn run_pair(
        &mut self,
        pair: Pair,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let start = self.begin(Stage::Load);
        // In the half keyed by the mover of a subspace, the other side closes the mill.
        let removals = pair.subspaces().map(|subspace| subspace.swapped().after_removal());
        let removals: Vec<_> = removals.collect();
        self.children.clear();
        let mut after = Vec::new();
        for child in removals {
            after.push(match child {
                None => AfterRemoval::Lost,
                Some(child) => AfterRemoval::Child(self.load(child, pair.into())?),
            });
        }
        self.children.clear();
        report.times.load += start.elapsed();
        self.begin(Stage::Begin);
        let solved = pair::solve(
            self.ruleset,
            pair,
            &after,
            self.options.processor,
            self.waiting(pair),
            &self.pool,
            self,
            self.stop,
            report,
        )?;
        let start = self.begin(Stage::Check);
        check_pair(self.ruleset, pair, &solved, &after)?;
        report.times.check += start.elapsed();
        drop(after);
        stopped(self.stop)?;
        let solved: Vec<_> =
            solved.halves.iter().map(|half| (half.rows(), half.values())).collect();
        let subspaces: Vec<_> = pair.subspaces().collect();
        self.publish(&subspaces, &solved, report)
    }

    fn run_placing(
        &mut self,
        subspace: Subspace,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let job = Job::Placing(subspace);
        let start = self.begin(Stage::Load);
        let wanted = job.children();
        self.children.retain(|child| wanted.contains(&child.index.subspace()));
        let placed = subspace.after_placing();
        let after = match AfterPlacing::of(placed) {
            AfterPlacing::Never => AfterRemoval::Never,
            AfterPlacing::Lost => AfterRemoval::Lost,
            AfterPlacing::Child(child) => AfterRemoval::Child(self.load(child, job)?),
        };
        let placed = self.load(placed, job)?;
        let board = self.ruleset.board;
        let tables =
            Arc::clone(self.run_tables.get_or_insert_with(|| Arc::new(RunTables::new(board))));
        report.times.load += start.elapsed();

        let start = self.begin(Stage::Place);
        let step = PlacingStep::new(self.ruleset, subspace, placed, after);
        let (rows, values) = placing::solve(
            self.ruleset,
            &step,
            &tables,
            self.options.processor,
            &self.pool,
            &mut self.placing_scratch,
        )
        .map_err(|source| SolverError::Memory { job, source })?;
        report.times.place += start.elapsed();
        stopped(self.stop)?;
        let start = self.begin(Stage::Check);
        check_placing(self.ruleset, &step, &rows, &values)?;
        report.times.check += start.elapsed();
        self.publish(&[subspace], &[(&rows, &values)], report)
    }

    /// Bytes of decided positions that may wait to be stored: a third of what memory is left, since
    /// their lists double as they grow.
    fn waiting(&self, pair: Pair) -> usize {
        let needed = memory_of(self.ruleset, pair, rayon::current_num_threads());
        let left = self.options.memory.saturating_sub(needed) / 3;
        (LEAST_WAITING as u64 + left).min(MOST_WAITING as u64) as usize
    }

    fn begin(&self, stage: Stage) -> Instant {
        self.observer.stage(stage);
        Instant::now()
    }

    /// The values of a subspace, from memory or from its file.
    fn load(&mut self, subspace: Subspace, job: Job) -> Result<Arc<Child>, SolverError> {
        if let Some(child) = self.children.iter().find(|child| child.index.subspace() == subspace) {
            return Ok(Arc::clone(child));
        }
        stopped(self.stop)?;
        let index = SubspaceIndex::new(self.ruleset.board, subspace);
        let table = self.folder.open_table(subspace, index.entries())?;
        let values = self.pool.table(index.entries() as usize);
        let mut values = values.map_err(|source| SolverError::Memory { job, source })?;
        let block = table.header().entries_per_block as usize;
        values
            .par_chunks_mut(block)
            .enumerate()
            .try_for_each(|(i, bytes)| table.decode_into(i as u64, bytes))?;
        let child = Arc::new(Child { index, values });
        self.children.push(Arc::clone(&child));
        Ok(child)
    }

    /// Writes the tables of a job that are not there, and publishes them together.
    fn publish(
        &self,
        subspaces: &[Subspace],
        solved: &[(&Rows, &[u8])],
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut written = 0;
        for (&subspace, &(rows, values)) in subspaces.iter().zip(solved) {
            let start = self.begin(Stage::Count);
            let histogram = count_values(rows, values);
            report.times.count += start.elapsed();

            let start = self.begin(Stage::Write);
            let entries = rows.index().entries();
            let spec = TableSpec { subspace, entries, level: self.options.level };
            let mut writer = TableWriter::create(self.folder, spec)?;
            writer.write_all(
                &|range, bytes| rows.copy_values(values, Index(range.start), bytes),
                &|done| self.observer.written(written + done),
            )?;
            let table = writer.finish(histogram.statistics())?;
            report.times.write += start.elapsed();
            written += entries;
            if self.present.contains(&subspace) {
                // The other table of the pair was lost. This one must have come out the same.
                let kept = self.folder.open_table(subspace, entries)?;
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
