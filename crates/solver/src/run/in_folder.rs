//! A run in a folder: it solves, checks, writes and publishes what is missing, job by job.
//!
//! The files of a job appear together, complete, after all of it was solved and checked, while the
//! next job runs. Whatever interrupts a run, the next run finds whole files only, and resumes with
//! the first job that lacks one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use merels_core::Ruleset;
use merels_core::numbering::FarCodes;
use merels_db::{Edition, Folder, TableInfo, free_space_at};

use crate::error::SolverError;
use crate::job::{Job, entries};
use crate::plan::disk::disk_of;
use crate::plan::jobs::Plan;
use crate::plan::memory::memory_of;
use crate::plan::schedule::{Keeping, Step, schedule};
use crate::report::{JobReport, Observer, Options, Stage, stopped};
use crate::run::context::Context;
use crate::store::folder::FolderStore;
use crate::store::publisher::Publisher;

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The tables of the plan, in its order.
    pub tables: Vec<TableInfo>,
    /// The jobs that this run solved.
    pub solved: Vec<(Job, JobReport)>,
    /// The time it took.
    pub elapsed: Duration,
}

/// Solves the subspaces of `plan` that `folder` lacks, on the current rayon pool. Takes the
/// folder's lock.
///
/// Set `stop` from another thread to end the run at the next opportunity with
/// [`SolverError::Interrupted`]. A job whose tables are being written is completed first.
///
/// # Errors
/// See [`SolverError`]. Finished files stay.
pub fn run(
    folder: &Folder,
    plan: &Plan,
    options: &Options,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Summary, SolverError> {
    let start = Instant::now();
    let ruleset = plan.ruleset();
    if folder.ruleset() != ruleset {
        let (folder, plan) = (*folder.ruleset(), *ruleset);
        return Err(SolverError::OtherRuleset { folder, plan });
    }
    let _lock = folder.lock()?;
    folder.reconcile()?;
    observer.stage(Stage::CheckFiles);
    let present: BTreeSet<_> = folder.subspaces_present()?.into_iter().collect();
    let planned = || plan.jobs().iter().flat_map(|job| job.subspaces());
    let to_check: Vec<_> = planned().filter(|subspace| present.contains(subspace)).collect();
    for (done, &subspace) in to_check.iter().enumerate() {
        stopped(stop)?;
        observer.checked(done, to_check.len());
        folder.map_table(subspace)?.check()?;
    }
    let solved = thread::scope(|scope| {
        let publisher = Publisher::start(scope, folder)?;
        let store = FolderStore::new(folder, present, publisher, options.level)?;
        store.drop_damaged_work(observer, stop)?;
        let solved = do_jobs(&store, folder, plan, options, observer, stop);
        // An interrupted run publishes its finished jobs, too.
        store.finish()?;
        solved
    })?;
    let manifest = folder.load_manifest()?;
    let tables = planned().filter_map(|subspace| manifest.get(subspace).cloned()).collect();
    Ok(Summary { tables, solved, elapsed: start.elapsed() })
}

/// Runs the unfinished jobs of a plan.
fn do_jobs(
    store: &FolderStore<'_>,
    folder: &Folder,
    plan: &Plan,
    options: &Options,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<(Job, JobReport)>, SolverError> {
    let ruleset = plan.ruleset();
    let steps = store.schedule(plan.jobs());
    let to_solve: Vec<_> = steps.iter().map(|step| step.job).collect();
    check_memory(ruleset, &steps, options)?;
    let (needed, free) = (store.most_growth(&steps)?, folder.free_space()?);
    if needed > free {
        return Err(SolverError::DiskSpace { needed, free, folder: folder.path().to_owned() });
    }
    observer.disk(needed, free);
    observer.begin(&to_solve, to_solve.iter().map(|job| job.entries(ruleset)).sum());

    let mut context =
        Context::new(store, ruleset, FarCodes::FILES, options, observer, stop, &to_solve);
    let mut solved = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        stopped(stop)?;
        let job = step.job;
        observer.begin_job(job, job.entries(ruleset));
        let (report, tables) = context.run(number, step)?;
        observer.end_job(job, &report, &tables);
        if !step.again {
            solved.push((job, report));
        }
    }
    Ok(solved)
}

/// Checks that `plan` can be solved in a new folder of this edition in `dir`: that the memory of
/// `options` suffices on the current rayon pool, and that the disk has room. Writes nothing.
/// [`run`] checks an existing folder in the same way.
///
/// # Errors
/// [`SolverError::Budget`], [`SolverError::DiskSpace`], and an error if the free space cannot be
/// read.
pub fn check_new(
    dir: &Path,
    plan: &Plan,
    edition: Edition,
    options: &Options,
) -> Result<(), SolverError> {
    let keeping = Keeping { ruleset: *plan.ruleset(), edition };
    let none = BTreeSet::new();
    let steps = schedule(&keeping, plan.jobs(), &none, &none);
    check_memory(plan.ruleset(), &steps, options)?;
    let (needed, free) = (disk_of(plan, edition), free_space_at(dir)?);
    if needed > free {
        return Err(SolverError::DiskSpace { needed, free, folder: dir.to_owned() });
    }
    Ok(())
}

fn check_memory(ruleset: &Ruleset, steps: &[Step], options: &Options) -> Result<(), SolverError> {
    let (threads, allowed) = (rayon::current_num_threads(), options.memory);
    let needs = steps.iter().map(|&Step { job, ref hold, .. }| {
        // Subspaces that are held for the next job meanwhile.
        let held = hold.iter().filter(|&&subspace| !job.subspaces().contains(&subspace));
        let held: u64 = held.map(|&subspace| entries(ruleset, subspace)).sum();
        (memory_of(ruleset, job, threads) + held, job)
    });
    // The largest job, so that one answer is enough.
    match needs.max_by_key(|&(needed, _)| needed) {
        Some((needed, job)) if needed > allowed => {
            Err(SolverError::Budget { job, needed, allowed })
        }
        _ => Ok(()),
    }
}
