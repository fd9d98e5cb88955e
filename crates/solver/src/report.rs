//! How to solve, and what is reported of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use merels_core::Plies;
use merels_db::{DbError, TableInfo};

use crate::dispatch::Processor;
use crate::error::SolverError;
use crate::job::Job;

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
    /// Working out the values of placings.
    Place,
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
    /// A work table is damaged, or a table lacks its far codes, as `reason` tells; it is made again where it is needed.
    fn remade(&self, reason: &DbError) {
        let _ = reason;
    }
    /// The folder will grow by so many bytes at most, by estimate; so many are free.
    fn disk(&self, needed: u64, free: u64) {
        let _ = (needed, free);
    }
    /// The run starts: these jobs have to be done, with so many entries in all; the others are done.
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
    /// A layer is done; so many entries of the job are decided in all.
    fn layer(&self, distance: Plies, decided: u64) {
        let _ = (distance, decided);
    }
    /// So many entries of the job have been written.
    fn written(&self, entries: u64) {
        let _ = entries;
    }
    /// A job is finished; its tables are complete, and are brought to the disk while the next job runs.
    fn end_job(&self, job: Job, report: &JobReport, tables: &[TableInfo]) {
        let _ = (job, report, tables);
    }
}

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

pub(crate) fn stopped(stop: &AtomicBool) -> Result<(), SolverError> {
    if stop.load(Ordering::Relaxed) { Err(SolverError::Interrupted) } else { Ok(()) }
}
