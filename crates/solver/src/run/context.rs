//! One job: load the children, solve the positions, check the values, and leave them to the store.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use merels_core::numbering::{Codes, FarCodes, Pair, SubspaceIndex};
use merels_core::{Plies, Ruleset, Subspace};
use merels_db::TableInfo;

use crate::error::SolverError;
use crate::job::{AfterRemoval, Job, Removals, entries};
use crate::moving::conversions::Conversions;
use crate::moving::decided::{LEAST_WAITING, MOST_WAITING};
use crate::moving::layers::Layers;
use crate::placing::group_tables::GroupTables;
use crate::placing::inputs::PlacingInputs;
use crate::placing::solve::{self as placing, Slowest, complete_far_codes, holds_far_values};
use crate::plan::memory::{beside_tables, far_memory_of, memory_of};
use crate::plan::schedule::Step;
use crate::removing::double::AfterMills;
use crate::report::{JobReport, Observer, Options, Stage, stopped};
use crate::rows::bytes::{ByteTable, Pool, give_back_freed};
use crate::rows::row::Rows;
use crate::rows::setup::Setup;
use crate::rows::solved::{Child, Solved};
use crate::run::check::check;
use crate::store::cache::Cache;
use crate::store::interface::{Description, Store};

/// The waiting list of decided positions may take this multiple of its bytes: it doubles as it
/// grows, and the old list stays until the new one is filled.
const WAITING_COPIES: u64 = 3;

/// The state that the jobs of a run share.
pub(crate) struct Context<'a> {
    store: &'a dyn Store,
    setup: Setup<'a>,
    options: &'a Options,
    observer: &'a dyn Observer,
    stop: &'a AtomicBool,
    /// What later jobs read, as far as memory allows.
    cache: Cache,
    group_tables: Option<Arc<GroupTables>>,
    placing_scratch: placing::Scratch,
}

/// The current job.
#[derive(Clone, Copy)]
struct Current<'a> {
    /// Its number in the run.
    number: usize,
    step: &'a Step,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        store: &'a dyn Store,
        ruleset: &'a Ruleset,
        codes: FarCodes,
        options: &'a Options,
        observer: &'a dyn Observer,
        stop: &'a AtomicBool,
        jobs: &[Job],
    ) -> Self {
        let setup = Setup { ruleset, codes, processor: options.processor, pool: Pool::new(0) };
        let cache = Cache::new(ruleset, jobs);
        Self {
            store,
            setup,
            options,
            observer,
            stop,
            cache,
            group_tables: None,
            placing_scratch: placing::Scratch::default(),
        }
    }

    /// Runs a job, number `number` of the run, whose children must be solved. Keeps the subspaces
    /// of the step's `hold` in memory.
    pub(crate) fn run(
        &mut self,
        number: usize,
        step: &Step,
    ) -> Result<(JobReport, Vec<TableInfo>), SolverError> {
        let job = step.job;
        let mut report =
            JobReport { entries: job.entries(self.setup.ruleset), ..JobReport::default() };
        let current = Current { number, step };
        let is_far = self.cache.has_far_codes(&job.children(self.setup.ruleset));
        self.make_room(current, is_far)?;
        let tables = match job {
            Job::Pair(pair) => self.run_pair(current, pair, &mut report)?,
            Job::Placing(subspace) => self.run_placing(current, subspace, &mut report)?,
        };
        self.cache.make_room(number, &step.hold, self.options.memory);
        Ok((report, tables))
    }

    /// Keeps the subspaces in the cache that the job reads and holds, and others if memory is left.
    /// `is_far` says whether the job needs far codes.
    ///
    /// # Errors
    /// [`SolverError::Budget`] if memory suffices for the job, but not for far codes.
    fn make_room(&mut self, current: Current<'_>, is_far: bool) -> Result<(), SolverError> {
        let Current { number, step } = current;
        let job = step.job;
        let mut keep = job.children(self.setup.ruleset);
        let held: u64 = step
            .hold
            .iter()
            .filter(|subspace| !keep.contains(subspace) && !job.subspaces().contains(subspace))
            .map(|&subspace| match self.cache.get(subspace) {
                Some(child) => child.bytes(),
                None => entries(self.setup.ruleset, subspace),
            })
            .sum();
        keep.extend(&step.hold);
        let far = if is_far { far_memory_of(self.setup.ruleset, job) } else { 0 };
        let (least, allowed) = (self.needed(job), self.options.memory);
        let needed = least + held + far;
        // If even the least memory is not allowed, the limit does not count.
        if is_far && allowed >= least && needed > allowed {
            return Err(SolverError::Budget { job, needed, allowed });
        }
        let waiting = match job {
            Job::Pair(_) if is_far => 0,
            Job::Pair(_) => WAITING_COPIES * (MOST_WAITING - LEAST_WAITING) as u64,
            Job::Placing(_) => 0,
        };
        let spare = allowed.saturating_sub(needed + waiting);
        self.cache.make_room(number, &keep, spare);
        let threads = rayon::current_num_threads();
        let beside = beside_tables(self.setup.ruleset, job, threads) + waiting;
        self.setup.pool.set_limit(allowed.saturating_sub(beside));
        Ok(())
    }

    fn run_pair(
        &mut self,
        current: Current<'_>,
        pair: Pair,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let start = self.begin(Stage::Load);
        let mut conversions = Vec::new();
        for subspace in pair.subspaces() {
            // In the tables keyed by the mover of a subspace, the other side has moved.
            let removals = Removals::by_moving(self.setup.ruleset, subspace);
            let mills = self.after_mills(removals, current)?;
            let before = subspace.swapped();
            let places = before.mover_hand() > 0;
            let placing = places.then(|| self.placing_inputs(before, current)).transpose()?;
            conversions.push(Conversions { mills, placing });
        }
        report.times.load += start.elapsed();
        self.begin(Stage::Begin);
        let solved = self.solve_pair(current, pair, &conversions, report)?;
        let children: Vec<_> = conversions.iter().flat_map(Conversions::children).collect();
        self.check(pair.into(), &solved, &children, report)?;
        drop(conversions);
        let tables = self.keep(solved, report)?;
        give_back_freed();
        Ok(tables)
    }

    fn check(
        &self,
        job: Job,
        solved: &[Solved],
        children: &[&Child],
        report: &mut JobReport,
    ) -> Result<(), SolverError> {
        stopped(self.stop)?;
        let start = self.begin(Stage::Check);
        check(&self.setup, job, solved, children)?;
        report.times.check += start.elapsed();
        stopped(self.stop)
    }

    /// Leaves the results to the store and to the cache.
    fn keep(
        &mut self,
        solved: Vec<Solved>,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let tables = self.store.keep(&solved, self.observer, &mut report.times)?;
        solved.into_iter().for_each(|solved| self.cache.put(Arc::new(solved.into_child())));
        Ok(tables)
    }

    fn solve_pair(
        &mut self,
        current: Current<'_>,
        pair: Pair,
        conversions: &[Conversions],
        report: &mut JobReport,
    ) -> Result<Vec<Solved>, SolverError> {
        let (setup, waiting) = (self.setup.clone(), self.waiting(pair));
        let (observer, stop) = (self.observer, self.stop);
        let mut layers = Layers::new(&setup, pair, conversions, waiting, observer, stop, report)?;
        if !layers.near(report)? {
            self.make_room(current, true)?;
            layers.go_far(conversions, report)?;
        }
        Ok(layers.finish(report))
    }

    fn run_placing(
        &mut self,
        current: Current<'_>,
        subspace: Subspace,
        report: &mut JobReport,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let job = Job::Placing(subspace);
        let start = self.begin(Stage::Load);
        let inputs = self.placing_inputs(subspace, current)?;
        let board = self.setup.ruleset.board;
        let tables =
            Arc::clone(self.group_tables.get_or_insert_with(|| Arc::new(GroupTables::new(board))));
        report.times.load += start.elapsed();

        let start = self.begin(Stage::Place);
        let (rows, values) = self.place(job, &inputs, &tables, Slowest::Near(self.setup.codes))?;
        let (codes, mut longest, mut far) = (self.setup.codes, inputs.longest(), None);
        if longest >= codes.first() && holds_far_values(codes, &rows, &values) {
            self.make_room(current, true)?;
            let far_inputs = self.setup.far_placing(&inputs);
            let far_inputs = far_inputs.map_err(|source| SolverError::Memory { job, source })?;
            let (_, mut table) = self.place(job, &far_inputs, &tables, Slowest::Far)?;
            longest = complete_far_codes(codes, &rows, &values, &mut table)
                .ok_or(SolverError::TooLong { job, longest: codes.longest() })?;
            far = (longest >= codes.first_beyond()).then_some(table);
        } else {
            longest = longest.min(Plies(codes.first().0 - 1));
        }
        report.times.place += start.elapsed();
        let solved = vec![Solved { rows, codes: Codes { near: values, far }, longest }];
        let children: Vec<_> = inputs.children().collect();
        self.check(job, &solved, &children, report)?;
        drop(inputs);
        self.keep(solved, report)
    }

    /// Solves a subspace of placings by near codes or by far codes.
    fn place(
        &mut self,
        job: Job,
        inputs: &PlacingInputs,
        tables: &GroupTables,
        slowest: Slowest,
    ) -> Result<(Rows, ByteTable), SolverError> {
        placing::solve(&self.setup, inputs, tables, &mut self.placing_scratch, slowest)
            .map_err(|source| SolverError::Memory { job, source })
    }

    /// The inputs of the placings of a subspace.
    fn placing_inputs(
        &mut self,
        subspace: Subspace,
        current: Current<'_>,
    ) -> Result<PlacingInputs, SolverError> {
        let placed = subspace.after_placing();
        let removals = Removals::by_placing(self.setup.ruleset, placed);
        let after = self.after_mills(removals, current)?;
        let placed = self.load(placed, current)?;
        Ok(PlacingInputs::new(self.setup.ruleset, subspace, placed, after))
    }

    fn needed(&self, job: impl Into<Job>) -> u64 {
        memory_of(self.setup.ruleset, job, rayon::current_num_threads())
    }

    /// Bytes of decided positions that may wait to be stored.
    fn waiting(&self, pair: Pair) -> usize {
        let children = Job::Pair(pair).children(self.setup.ruleset);
        let is_far = self.cache.has_far_codes(&children);
        let far = if is_far { far_memory_of(self.setup.ruleset, pair) } else { 0 };
        let used = self.needed(pair) + far + self.cache.bytes_beside(&children);
        let left = self.options.memory.saturating_sub(used) / WAITING_COPIES;
        (LEAST_WAITING as u64 + left).min(MOST_WAITING as u64) as usize
    }

    fn begin(&self, stage: Stage) -> Instant {
        self.observer.stage(stage);
        Instant::now()
    }

    /// The values after mills.
    fn after_mills(
        &mut self,
        removals: Removals,
        current: Current<'_>,
    ) -> Result<AfterMills, SolverError> {
        let mut load =
            |after: AfterRemoval<Subspace>| after.try_map(|subspace| self.load(subspace, current));
        let (one, second) = (load(removals.first)?, load(removals.second)?);
        AfterMills::new(&self.setup, one, second)
            .map_err(|source| SolverError::Memory { job: current.step.job, source })
    }

    /// The values of a subspace, from the cache or from the store.
    fn load(
        &mut self,
        subspace: Subspace,
        current: Current<'_>,
    ) -> Result<Arc<Child>, SolverError> {
        if let Some(child) = self.cache.get(subspace) {
            return Ok(child);
        }
        stopped(self.stop)?;
        let index = SubspaceIndex::new(self.setup.ruleset.board, subspace);
        let job = current.step.job;
        let table = |pool: &Arc<Pool>| {
            let table = pool.table(index.entries() as usize);
            table.map_err(|source| SolverError::Memory { job, source })
        };
        let Description { longest, has_far } = self.store.describe(&index)?;
        if has_far {
            self.make_room(current, true)?;
        }
        let mut codes = Codes::try_new(has_far, || table(&self.setup.pool))?;
        self.store.load(&index, codes.as_mut().map(|table| &mut **table))?;
        let stride = index.row_len() as usize;
        let child = Child::new(index, codes.near, stride).with_far(codes.far);
        let child = Arc::new(Child { longest, ..child });
        self.cache.put(Arc::clone(&child));
        Ok(child)
    }
}
