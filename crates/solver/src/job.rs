//! One job: children are read, positions solved, values checked, and left to the store.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::{Pair, Plies, Ruleset, Subspace, SubspaceIndex};
use merels_db::TableInfo;

use crate::SolverError;
use crate::check::{check_pair, check_placing};
use crate::double_mills::AfterMills;
use crate::exits::Exits;
use crate::half::{Half, LEAST_WAITING, MOST_WAITING};
use crate::leads::{Leads, Removals};
use crate::memory::{Pool, give_back_freed};
use crate::pair::{self, PairProgress};
use crate::placing::{self, PlacingStep};
use crate::plan::{Job, beside_tables, entries, memory_of};
use crate::removals::{AfterRemoval, Child};
use crate::run::{Observer, Options, Stage, stopped};
use crate::run_tables::RunTables;
use crate::schedule::Step;
use crate::shelf::Shelf;
use crate::store::{Finished, Store};

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

/// What waits to be stored may take up to so many times its bytes: its lists double as they grow, and
/// the old one is there until the new one is filled.
const WAITING_COPIES: u64 = 3;

/// What the jobs of a run share.
pub(crate) struct Context<'a> {
    store: &'a dyn Store,
    ruleset: &'a Ruleset,
    options: &'a Options,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
    pool: Arc<Pool>,
    /// What later jobs read, as far as memory goes.
    shelf: Shelf,
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
        let pool = Pool::new(0);
        let shelf = Shelf::new(ruleset, jobs);
        Self {
            store,
            ruleset,
            options,
            observer,
            stop,
            pool,
            shelf,
            run_tables: None,
            placing_scratch: placing::Scratch::default(),
        }
    }

    /// Does a job of the run, which is number `number` of it; its children must be there. Of what is
    /// in memory, the step's `hold` is kept there.
    pub(crate) fn run(
        &mut self,
        number: usize,
        step: &Step,
    ) -> Result<(JobReport, Vec<TableInfo>), SolverError> {
        let job = step.job;
        let mut report = JobReport { entries: job.entries(self.ruleset), ..JobReport::default() };
        self.make_room(number, step);
        let tables = match job {
            Job::Pair(pair) => self.run_pair(pair, &mut report)?,
            Job::Placing(subspace) => self.run_placing(subspace, &mut report)?,
        };
        self.shelf.make_room(number, &step.hold, self.options.memory);
        Ok((report, tables))
    }

    /// Leaves on the shelf what the step reads and holds, and of the rest what memory is left for.
    fn make_room(&mut self, number: usize, step: &Step) {
        let job = step.job;
        let mut keep = job.children(self.ruleset);
        let held: u64 = step
            .hold
            .iter()
            .filter(|subspace| !keep.contains(subspace) && !job.subspaces().contains(subspace))
            .map(|&subspace| entries(self.ruleset, subspace))
            .sum();
        keep.extend(&step.hold);
        let needed = self.needed(job) + held;
        let waiting = match job {
            Job::Pair(_) => WAITING_COPIES * (MOST_WAITING - LEAST_WAITING) as u64,
            Job::Placing(_) => 0,
        };
        let spare = self.options.memory.saturating_sub(needed + waiting);
        self.shelf.make_room(number, &keep, spare);
        let threads = rayon::current_num_threads();
        let beside = beside_tables(self.ruleset, job, threads) + waiting;
        self.pool.set_limit(self.options.memory.saturating_sub(beside));
    }

    fn run_pair(
        &mut self,
        pair: Pair,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let start = self.begin(Stage::Load);
        let mut exits = Vec::new();
        for subspace in pair.subspaces() {
            // In the half keyed by the mover of a subspace, the other side has moved.
            let removals = Removals::by_moving(self.ruleset, subspace);
            let mills = self.after_mills(removals, pair.into())?;
            let before = subspace.swapped();
            let places = before.mover_hand() > 0;
            let placing = places.then(|| self.placing_step(before, pair.into())).transpose()?;
            exits.push(Exits { mills, placing });
        }
        report.times.load += start.elapsed();
        self.begin(Stage::Begin);
        let solved = pair::solve(
            self.ruleset,
            pair,
            &exits,
            self.options.processor,
            self.waiting(pair),
            &self.pool,
            self,
            self.stop,
            report,
        )?;
        let start = self.begin(Stage::Check);
        check_pair(self.ruleset, pair, &solved, &exits)?;
        report.times.check += start.elapsed();
        drop(exits);
        stopped(self.stop)?;
        let finished: Vec<_> = solved.halves.iter().map(Half::finished).collect();
        let tables = self.store.keep(&finished, self.observer, &mut report.times)?;
        drop(finished);
        solved.halves.into_iter().for_each(|half| self.shelf.put(Arc::new(half.into_child())));
        give_back_freed();
        Ok(tables)
    }

    fn run_placing(
        &mut self,
        subspace: Subspace,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let job = Job::Placing(subspace);
        let start = self.begin(Stage::Load);
        let step = self.placing_step(subspace, job)?;
        let board = self.ruleset.board;
        let tables =
            Arc::clone(self.run_tables.get_or_insert_with(|| Arc::new(RunTables::new(board))));
        report.times.load += start.elapsed();

        let start = self.begin(Stage::Place);
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
        let finished = Finished { subspace, rows: &rows, values: &values };
        let tables = self.store.keep(&[finished], self.observer, &mut report.times)?;
        let index = SubspaceIndex::new(self.ruleset.board, subspace);
        self.shelf.put(Arc::new(Child { index, values, stride: rows.stride() }));
        Ok(tables)
    }

    /// What is needed for the placings in a subspace.
    fn placing_step(&mut self, subspace: Subspace, job: Job) -> Result<PlacingStep, SolverError> {
        let placed = subspace.after_placing();
        let removals = Removals::by_placing(self.ruleset, placed);
        let after = self.after_mills(removals, job)?;
        let placed = self.load(placed, job)?;
        Ok(PlacingStep::new(self.ruleset, subspace, placed, after))
    }

    fn needed(&self, job: impl Into<Job>) -> u64 {
        memory_of(self.ruleset, job, rayon::current_num_threads())
    }

    /// Bytes of decided positions that may wait to be stored.
    fn waiting(&self, pair: Pair) -> usize {
        let beside = self.shelf.bytes_beside(&Job::Pair(pair).children(self.ruleset));
        let left = self.options.memory.saturating_sub(self.needed(pair) + beside) / WAITING_COPIES;
        (LEAST_WAITING as u64 + left).min(MOST_WAITING as u64) as usize
    }

    fn begin(&self, stage: Stage) -> Instant {
        self.observer.stage(stage);
        Instant::now()
    }

    /// The values that mills lead to.
    fn after_mills(&mut self, removals: Removals, job: Job) -> Result<AfterMills, SolverError> {
        let mut load = |leads| {
            Ok::<_, SolverError>(match leads {
                Leads::Nowhere => AfterRemoval::Never,
                Leads::ToLoss => AfterRemoval::Lost,
                Leads::To(child) => AfterRemoval::Child(self.load(child, job)?),
            })
        };
        let (one, second) = (load(removals.first)?, load(removals.second)?);
        AfterMills::new(self.ruleset, one, second, self.options.processor, &self.pool)
            .map_err(|source| SolverError::Memory { job, source })
    }

    /// The values of a subspace, from the shelf or from the store.
    fn load(&mut self, subspace: Subspace, job: Job) -> Result<Arc<Child>, SolverError> {
        if let Some(child) = self.shelf.get(subspace) {
            return Ok(child);
        }
        stopped(self.stop)?;
        let index = SubspaceIndex::new(self.ruleset.board, subspace);
        let values = self.pool.table(index.entries() as usize);
        let mut values = values.map_err(|source| SolverError::Memory { job, source })?;
        self.store.load(&index, &mut values)?;
        let stride = index.row_len() as usize;
        let child = Arc::new(Child { index, values, stride });
        self.shelf.put(Arc::clone(&child));
        Ok(child)
    }
}
