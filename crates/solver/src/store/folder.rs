//! Finished subspaces in the files of a folder.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::Subspace;
use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_db::{
    DbError, Distribution, Fill, Folder, Pending, Statistics, Table, TableInfo, TableKind,
    TableSpec, TableWriter,
};

use crate::error::SolverError;
use crate::job::Job;
use crate::plan::disk::{Files, most_growth};
use crate::plan::schedule::{Keeping, Needs, Step, Written, schedule};
use crate::report::{Observer, Stage, StageTimes, stopped};
use crate::rows::solved::Solved;
use crate::store::count::count_values;
use crate::store::interface::{Description, Store};
use crate::store::publisher::{Publication, Publisher};

/// The files of a folder, whose lock the caller holds.
pub(crate) struct FolderStore<'a> {
    folder: &'a Folder,
    keeping: Keeping,
    needs: Needs,
    publisher: Publisher,
    /// The zstd level of new files.
    level: i32,
    /// Subspaces with a table, now or when all publications are complete.
    present: RefCell<BTreeSet<Subspace>>,
    /// Subspaces with a work table, now or then.
    work: RefCell<BTreeSet<Subspace>>,
}

impl<'a> FolderStore<'a> {
    /// A store with tables of the subspaces `present`; it ignores other tables.
    ///
    /// # Errors
    /// If the folder cannot be listed, or an unneeded work table cannot be removed.
    pub(crate) fn new(
        folder: &'a Folder,
        present: BTreeSet<Subspace>,
        publisher: Publisher,
        level: i32,
    ) -> Result<Self, SolverError> {
        let keeping = Keeping { ruleset: *folder.ruleset(), edition: folder.edition() };
        let work = folder.work_tables_present()?.into_iter().collect();
        let store = Self {
            folder,
            keeping,
            needs: Needs::new(keeping),
            publisher,
            level,
            present: RefCell::new(present),
            work: RefCell::new(work),
        };
        for subspace in store.take_unneeded() {
            folder.remove_work_table(subspace)?;
        }
        Ok(store)
    }

    /// Removes damaged work tables: everything in them can be made again.
    ///
    /// # Errors
    /// If a work table cannot be read or removed; [`SolverError::Interrupted`].
    pub(crate) fn drop_damaged_work(
        &self,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<(), SolverError> {
        let present = self.work.borrow().clone();
        for subspace in present {
            stopped(stop)?;
            let table = self.folder.map_work_table(subspace);
            match table.and_then(|table| table.check()) {
                Ok(()) => continue,
                Err(error @ DbError::Io { .. }) => return Err(error.into()),
                Err(error) => observer.remade(&error),
            }
            self.folder.remove_work_table(subspace)?;
            self.work.borrow_mut().remove(&subspace);
        }
        Ok(())
    }

    /// Waits until all files have their names.
    ///
    /// # Errors
    /// Those of publications.
    pub(crate) fn finish(&self) -> Result<(), SolverError> {
        self.publisher.wait()
    }

    /// The steps that complete `jobs`.
    pub(crate) fn schedule(&self, jobs: &[Job]) -> Vec<Step> {
        schedule(&self.keeping, jobs, &self.present.borrow(), &self.work.borrow())
    }

    /// The most bytes by which the folder grows during `steps`.
    ///
    /// # Errors
    /// If the size of a work table cannot be read.
    pub(crate) fn most_growth(&self, steps: &[Step]) -> Result<u64, SolverError> {
        let work = self.work.borrow();
        let sizes = work.iter().map(|&subspace| Ok((subspace, self.folder.work_size(subspace)?)));
        let work = sizes.collect::<Result<_, SolverError>>()?;
        let files = Files { present: self.present.borrow().clone(), work };
        Ok(most_growth(&self.keeping, &self.needs, steps, &files))
    }

    /// Removes the work tables that no job needs from the list, and returns them.
    fn take_unneeded(&self) -> Vec<Subspace> {
        let present = self.present.borrow();
        let mut work = self.work.borrow_mut();
        let unneeded = |subspace: &Subspace| !self.needs.is_needed(*subspace, &present);
        let unneeded: Vec<_> = work.iter().copied().filter(unneeded).collect();
        work.retain(|subspace| !unneeded.contains(subspace));
        unneeded
    }

    /// Writes a table under a temporary name.
    fn write(
        &self,
        solved: &Solved,
        kind: TableKind,
        counted: &Distribution,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Pending, SolverError> {
        let (rows, codes) = (&solved.rows, solved.tables());
        let spec = TableSpec { subspace: solved.subspace(), level: self.level, kind };
        let mut writer = TableWriter::create(self.folder, spec)?;
        let copy = |table: &[u8], range: Range<u64>, bytes: &mut [u8]| {
            rows.copy_values(table, Index(range.start), bytes);
        };
        let near = |range: Range<u64>, bytes: &mut [u8]| copy(codes.near, range, bytes);
        let far = |range: Range<u64>, bytes: &mut [u8]| {
            copy(codes.far.unwrap_or_default(), range, bytes);
        };
        let source: Codes<&Fill<'_>> = Codes { near: &near, far: codes.far.map(|_| &far as _) };
        writer.write_codes(source, progress)?;
        Ok(writer.finish(counted.clone())?)
    }

    /// The table that jobs read.
    fn open(&self, index: &SubspaceIndex) -> Result<Table, SolverError> {
        self.publisher.wait()?;
        let subspace = index.subspace();
        Ok(match self.keeping.is_exact(subspace) {
            true => self.folder.map_table(subspace)?,
            false => self.folder.map_work_table(subspace)?,
        })
    }

    /// Compares a table that was made again with the one in the folder.
    fn compare(&self, made_again: &TableInfo) -> Result<(), SolverError> {
        let TableInfo { subspace, digest, far, .. } = *made_again;
        let kept = self.folder.map_table(subspace)?;
        let info = kept.info();
        if (info.digest, info.far) == (digest, far) {
            return Ok(());
        }
        Err(SolverError::Differs { subspace, path: kept.path().to_owned() })
    }
}

impl Store for FolderStore<'_> {
    fn describe(&self, index: &SubspaceIndex) -> Result<Description, SolverError> {
        let table = self.open(index)?;
        let Statistics { longest_win, longest_loss, .. } = table.header().statistics;
        let longest = longest_win.max(longest_loss).unwrap_or_default();
        Ok(Description { longest, has_far: table.has_far_codes() })
    }

    fn load(&self, index: &SubspaceIndex, codes: Codes<&mut [u8]>) -> Result<(), SolverError> {
        Ok(self.open(index)?.decode_all(codes)?)
    }

    fn keep(
        &self,
        job: &[Solved],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let (mut tables, mut work) = (Vec::new(), Vec::new());
        let mut done = 0;
        // The list as if the folder had the job's tables, so that a work table that only they need
        // is not written.
        let before = self.present.borrow().clone();
        let mut present = before.clone();
        present.extend(job.iter().map(|solved| solved.subspace()));
        for solved in job {
            let (rows, subspace) = (&solved.rows, solved.subspace());
            let written = self.needs.written(subspace, &before, &present, &self.work.borrow());
            if written == Written::default() {
                continue;
            }
            let counted = timed(observer, Stage::Count, &mut times.count, || {
                count_values(rows, solved.tables())
            });
            let write = |kind| {
                let progress = |entries| observer.written(done + entries);
                self.write(solved, kind, &counted, &progress)
            };
            timed(observer, Stage::Write, &mut times.write, || {
                if written.work {
                    work.push(write(TableKind::Work)?);
                }
                if written.table {
                    tables.push(write(TableKind::Final)?);
                } else if written.work {
                    self.compare(work.last().map(Pending::info).expect("just written"))?;
                } else {
                    // The file of the other subspace was lost.
                    self.compare(write(TableKind::Final)?.info())?;
                }
                Ok::<(), SolverError>(())
            })?;
            done += rows.index().entries();
        }
        self.work.borrow_mut().extend(work.iter().map(|pending| pending.info().subspace));
        *self.present.borrow_mut() = present;
        let infos = tables.iter().map(|pending| pending.info().clone()).collect();
        let unneeded = self.take_unneeded();
        self.publisher.submit(Publication { work, tables, unneeded })?;
        Ok(infos)
    }
}

fn timed<T>(
    observer: &dyn Observer,
    stage: Stage,
    time: &mut Duration,
    work: impl FnOnce() -> T,
) -> T {
    observer.stage(stage);
    let start = Instant::now();
    let result = work();
    *time += start.elapsed();
    result
}
