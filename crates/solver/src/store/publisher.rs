//! Bringing finished tables to the disk while the next job runs.
//!
//! The disk takes a while for a table of a hundred megabytes, and needs no processor meanwhile. A
//! thread synchronises the files of a job, gives them their names and enters them into the
//! manifest, one job after the other. So the folder holds whole jobs only at any moment.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use merels_core::Subspace;
use merels_db::{Folder, Pending};

use crate::error::SolverError;
use crate::plan::disk::MOST_WAITING;

/// The files of a finished job.
pub(crate) struct Publication {
    /// Complete work tables and tables, under temporary names.
    pub(crate) work: Vec<Pending>,
    pub(crate) tables: Vec<Pending>,
    /// Work tables to remove: no job needs them when the tables are there.
    pub(crate) unneeded: Vec<Subspace>,
}

impl Publication {
    fn publish(self, folder: &Folder) -> Result<(), SolverError> {
        let Self { work, tables, unneeded } = self;
        // No file gets its name before all are on the disk.
        work.iter().chain(&tables).try_for_each(Pending::sync)?;
        // Work tables come first, so that a folder with a table of the job has all that the next
        // jobs need.
        for pending in work {
            pending.publish()?;
        }
        let tables = tables.into_iter().map(Pending::publish).collect::<Result<Vec<_>, _>>()?;
        folder.record(&tables)?;
        unneeded.into_iter().try_for_each(|subspace| folder.remove_work_table(subspace))?;
        Ok(())
    }
}

/// A handle to the thread.
#[derive(Debug)]
pub(crate) struct Publisher {
    publications: Sender<Publication>,
    state: Arc<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Publications that are not complete.
    waiting: usize,
    /// The first error; no later publication runs.
    error: Option<SolverError>,
    failed: bool,
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until at most `most` publications are left.
    fn wait(&self, most: usize) -> Result<(), SolverError> {
        let mut state = self.lock();
        while state.waiting > most && !state.failed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

impl Publisher {
    /// Starts the thread, for a folder whose lock the caller holds. The thread ends when the
    /// publisher is dropped and all publications are complete.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        folder: &'scope Folder,
    ) -> Result<Self, SolverError> {
        let (publications, incoming) = channel();
        let state = Arc::new(Progress::default());
        let progress = Arc::clone(&state);
        let work = move || work(folder, &incoming, &progress);
        thread::Builder::new().spawn_scoped(scope, work).map_err(SolverError::Threads)?;
        Ok(Self { publications, state })
    }

    /// Hands over the files of a job. Waits while too many publications are waiting.
    ///
    /// # Errors
    /// Those of an earlier publication.
    pub(crate) fn submit(&self, publication: Publication) -> Result<(), SolverError> {
        self.state.wait(MOST_WAITING - 1)?;
        self.state.lock().waiting += 1;
        // The thread receives as long as this end exists.
        let _ = self.publications.send(publication);
        Ok(())
    }

    /// Waits until all publications are complete.
    ///
    /// # Errors
    /// Those of an earlier publication.
    pub(crate) fn wait(&self) -> Result<(), SolverError> {
        self.state.wait(0)
    }
}

fn work(folder: &Folder, incoming: &Receiver<Publication>, progress: &Progress) {
    for publication in incoming {
        // After a failure later publications are dropped, which removes their files.
        let done = if progress.lock().failed { Ok(()) } else { publication.publish(folder) };
        let mut state = progress.lock();
        state.waiting -= 1;
        if let Err(error) = done {
            (state.failed, state.error) = (true, Some(error));
        }
        progress.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use merels_core::Ruleset;
    use merels_core::numbering::{SubspaceIndex, ValueCode};
    use merels_db::{Distribution, Edition, TableKind, TableSpec, TableWriter};

    use super::*;

    /// A complete table of 3-3 in which everything is drawn.
    fn publication(folder: &Folder, kind: TableKind, unneeded: Vec<Subspace>) -> Publication {
        let subspace = Subspace::moving(3, 3);
        let index = SubspaceIndex::new(folder.ruleset().board, subspace);
        let spec = TableSpec { subspace, level: 1, kind };
        let mut writer = TableWriter::create(folder, spec).unwrap();
        writer.write_all(&|_, bytes| bytes.fill(ValueCode::DRAW.byte()), &|_| ()).unwrap();
        let mut counted = Distribution::default();
        counted.histogram.add_times(ValueCode::DRAW, index.positions());
        let pending = vec![writer.finish(counted).unwrap()];
        match kind {
            TableKind::Final => Publication { work: Vec::new(), tables: pending, unneeded },
            TableKind::Work => Publication { work: pending, tables: Vec::new(), unneeded },
        }
    }

    fn folder() -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        (dir, folder)
    }

    #[test]
    fn publications_run_in_turn() {
        let (_dir, folder) = folder();
        let subspace = Subspace::moving(3, 3);
        thread::scope(|scope| {
            let publisher = Publisher::start(scope, &folder).unwrap();
            publisher.submit(publication(&folder, TableKind::Work, Vec::new())).unwrap();
            publisher.wait().unwrap();
            assert_eq!(folder.work_tables_present().unwrap(), [subspace]);
            publisher.submit(publication(&folder, TableKind::Final, vec![subspace])).unwrap();
        });
        assert_eq!(folder.work_tables_present().unwrap(), []);
        assert_eq!(folder.subspaces_present().unwrap(), [subspace]);
        assert!(folder.load_manifest().unwrap().get(subspace).is_some());
    }

    #[test]
    fn after_a_failure_nothing_is_published() {
        let (dir, folder) = folder();
        thread::scope(|scope| {
            let publisher = Publisher::start(scope, &folder).unwrap();
            let lost = publication(&folder, TableKind::Final, Vec::new());
            std::fs::remove_dir_all(dir.path()).unwrap();
            publisher.submit(lost).unwrap();
            assert!(publisher.wait().is_err());
            std::fs::create_dir_all(folder.path()).unwrap();
            let late = publication(&folder, TableKind::Final, Vec::new());
            publisher.submit(late).unwrap();
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
