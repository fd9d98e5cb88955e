//! Options of a run, and its progress reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use merels_core::Plies;
use merels_db::{DbError, TableInfo};
use merels_simd::Processor;

use crate::error::SolverError;
use crate::job::Job;

/// The options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// The zstd level of the files.
    pub level: i32,
    /// The form of the code.
    pub processor: Processor,
}

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Comparing the checksums of finished files.
    CheckFiles,
    /// Reading the children.
    Load,
    /// Counting moves and removal values.
    Begin,
    /// Working back layer by layer.
    Layers,
    /// Computing the values of placings.
    Place,
    /// Checking random positions.
    Check,
    /// Counting values.
    Count,
    /// Compressing and writing.
    Write,
}

/// Callbacks for the progress of a run. Methods without an implementation do nothing.
pub trait Observer: Sync {
    /// The checksums of `files` out of `of` finished files are compared.
    fn checked(&self, files: usize, of: usize) {
        let _ = (files, of);
    }
    /// A table is made again when it is needed, because it is damaged or lacks its far codes; see
    /// `reason`.
    fn remade(&self, reason: &DbError) {
        let _ = reason;
    }
    /// The folder will grow by at most about `needed` bytes; `free` bytes are free.
    fn disk(&self, needed: u64, free: u64) {
        let _ = (needed, free);
    }
    /// The run starts. It solves these jobs, with `entries` entries in all; all others are
    /// finished.
    fn begin(&self, to_solve: &[Job], entries: u64) {
        let _ = (to_solve, entries);
    }
    /// A job starts.
    fn begin_job(&self, job: Job, entries: u64) {
        let _ = (job, entries);
    }
    /// A stage starts.
    fn stage(&self, stage: Stage) {
        let _ = stage;
    }
    /// A layer is done; `decided` entries of the job are decided.
    fn layer(&self, distance: Plies, decided: u64) {
        let _ = (distance, decided);
    }
    /// `entries` entries of the job are written.
    fn written(&self, entries: u64) {
        let _ = entries;
    }
    /// A job is finished. Its tables are complete; a thread brings them to the disk while the next
    /// job runs.
    fn end_job(&self, job: Job, report: &JobReport, tables: &[TableInfo]) {
        let _ = (job, report, tables);
    }
}

/// No reports.
impl Observer for () {}

/// The times of a job's stages.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes {
    /// Reading the children from their files.
    pub load: Duration,
    /// Counters and removal values.
    pub begin: Duration,
    /// Un-moves within rows.
    pub propagate: Duration,
    /// Storing decided positions.
    pub store: Duration,
    /// Computing and storing the values of placings.
    pub place: Duration,
    /// Checking random positions with plain moves.
    pub check: Duration,
    /// Counting the values.
    pub count: Duration,
    /// Compressing and writing.
    pub write: Duration,
}

/// The work of a job.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobReport {
    /// The times of its stages.
    pub times: StageTimes,
    /// Entries of its subspaces.
    pub entries: u64,
    /// Un-moves made.
    pub edges: u64,
    /// Values stored.
    pub stores: u64,
    /// Layers.
    pub layers: u16,
}

pub(crate) fn stopped(stop: &AtomicBool) -> Result<(), SolverError> {
    if stop.load(Ordering::Relaxed) { Err(SolverError::Interrupted) } else { Ok(()) }
}
