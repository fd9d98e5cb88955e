//! One job: children are read, positions solved, values checked, and left to the store.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::{Pair, Plies, Ruleset, Subspace, SubspaceIndex};
use merels_db::TableInfo;

use crate::SolverError;
use crate::check::{check_pair, check_placing};
use crate::half::{Half, LEAST_WAITING, MOST_WAITING};
use crate::memory::Pool;
use crate::pair::{self, PairProgress};
use crate::placing::{self, PlacingStep};
use crate::plan::{AfterPlacing, Job, largest_table, memory_of};
use crate::removals::{AfterRemoval, Child};
use crate::run::{Observer, Options, Stage, stopped};
use crate::store::{Finished, Store};
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
    store: &'a dyn Store,
    ruleset: &'a Ruleset,
    options: &'a Options,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
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
        store: &'a dyn Store,
        ruleset: &'a Ruleset,
        options: &'a Options,
        observer: &'a dyn Observer,
        stop: &'a AtomicBool,
        jobs: &[Job],
    ) -> Self {
        let capacity = jobs.iter().map(|&job| largest_table(ruleset, job)).max().unwrap_or(0);
        let (pool, children) = (Pool::new(capacity), Vec::new());
        Self {
            store,
            ruleset,
            options,
            observer,
            stop,
            pool,
            children,
            run_tables: None,
            placing_scratch: placing::Scratch::default(),
        }
    }

    /// Does a job whose children are there. Of what is in memory, `hold` is kept there.
    pub(crate) fn run(
        &mut self,
        job: Job,
        hold: &[Subspace],
    ) -> Result<(JobReport, Vec<TableInfo>), SolverError> {
        let mut report = JobReport { entries: job.entries(self.ruleset), ..JobReport::default() };
        let tables = match job {
            Job::Pair(pair) => self.run_pair(pair, &mut report)?,
            Job::Placing(subspace) => self.run_placing(subspace, hold, &mut report)?,
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
        let finished: Vec<_> = solved.halves.iter().map(Half::finished).collect();
        self.store.keep(&finished, self.observer, &mut report.times)
    }

    fn run_placing(
        &mut self,
        subspace: Subspace,
        hold: &[Subspace],
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let job = Job::Placing(subspace);
        let start = self.begin(Stage::Load);
        let wanted = job.children();
        self.children.retain(|child| {
            let subspace = child.index.subspace();
            wanted.contains(&subspace) || hold.contains(&subspace)
        });
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
        drop(step);
        if !hold.is_empty() {
            self.children.retain(|child| hold.contains(&child.index.subspace()));
        }
        let finished = Finished { subspace, rows: &rows, values: &values };
        let tables = self.store.keep(&[finished], self.observer, &mut report.times)?;
        if hold.contains(&subspace) {
            let index = SubspaceIndex::new(self.ruleset.board, subspace);
            self.children.push(Arc::new(Child { index, values, stride: rows.stride() }));
        }
        Ok(tables)
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

    /// The values of a subspace that the last job has read, or that the store has.
    fn load(&mut self, subspace: Subspace, job: Job) -> Result<Arc<Child>, SolverError> {
        if let Some(child) = self.children.iter().find(|child| child.index.subspace() == subspace) {
            return Ok(Arc::clone(child));
        }
        stopped(self.stop)?;
        let index = SubspaceIndex::new(self.ruleset.board, subspace);
        let values = self.pool.table(index.entries() as usize);
        let mut values = values.map_err(|source| SolverError::Memory { job, source })?;
        self.store.load(&index, &mut values)?;
        let stride = index.row_len() as usize;
        let child = Arc::new(Child { index, values, stride });
        self.children.push(Arc::clone(&child));
        Ok(child)
    }
}
