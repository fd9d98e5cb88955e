//! Where jobs find the subspaces that were solved before, and where they leave their own: a folder,
//! or memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use merels_core::{Index, Subspace, SubspaceIndex};
use merels_db::{Folder, Pending, TableInfo, TableSpec, TableWriter};
use rayon::prelude::*;

use crate::SolverError;
use crate::count::count_values;
use crate::in_memory::Known;
use crate::job::StageTimes;
use crate::rows::Rows;
use crate::run::{Observer, Stage};

/// A subspace that was solved and checked.
pub(crate) struct Finished<'a> {
    pub(crate) subspace: Subspace,
    pub(crate) rows: &'a Rows,
    pub(crate) values: &'a [u8],
}

/// Where finished subspaces are.
pub(crate) trait Store {
    /// Puts the values of a finished subspace into `values`, as many as `index` has entries.
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError>;

    /// Keeps what a job has solved, all of it or nothing; gives the tables that are new on disk.
    fn keep(
        &self,
        job: &[Finished<'_>],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError>;
}

/// The files of a folder, whose lock the caller holds.
pub(crate) struct FolderStore<'a> {
    folder: &'a Folder,
    /// The zstd level of new files.
    level: i32,
    /// Subspaces whose tables were there when the run began.
    present: &'a [Subspace],
}

impl<'a> FolderStore<'a> {
    pub(crate) const fn new(folder: &'a Folder, level: i32, present: &'a [Subspace]) -> Self {
        Self { folder, level, present }
    }
}

impl Store for FolderStore<'_> {
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError> {
        let table = self.folder.open_table(index.subspace(), index.entries())?;
        Ok(table.decode_all(values)?)
    }

    fn keep(
        &self,
        job: &[Finished<'_>],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError> {
        let mut pending: Vec<Pending> = Vec::new();
        let mut written = 0;
        for &Finished { subspace, rows, values } in job {
            let histogram =
                timed(observer, Stage::Count, &mut times.count, || count_values(rows, values));
            let entries = rows.index().entries();
            let spec = TableSpec { subspace, entries, level: self.level };
            let table = timed(observer, Stage::Write, &mut times.write, || {
                let mut writer = TableWriter::create(self.folder, spec)?;
                writer.write_all(
                    &|range, bytes| rows.copy_values(values, Index(range.start), bytes),
                    &|done| observer.written(written + done),
                )?;
                writer.finish(histogram.statistics())
            })?;
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

/// Memory, after what is known from elsewhere.
pub(crate) struct MemoryStore<'a> {
    known: &'a dyn Known,
    solved: RefCell<BTreeMap<Subspace, Vec<u8>>>,
}

impl<'a> MemoryStore<'a> {
    pub(crate) fn new(known: &'a dyn Known) -> Self {
        Self { known, solved: RefCell::default() }
    }

    /// What was solved.
    pub(crate) fn into_solved(self) -> BTreeMap<Subspace, Vec<u8>> {
        self.solved.into_inner()
    }
}

impl Store for MemoryStore<'_> {
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError> {
        match self.solved.borrow().get(&index.subspace()) {
            Some(solved) => values.copy_from_slice(solved),
            None => self.known.load(index.subspace(), values)?,
        }
        Ok(())
    }

    fn keep(
        &self,
        job: &[Finished<'_>],
        _: &dyn Observer,
        _: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError> {
        for &Finished { subspace, rows, values } in job {
            let mut copy = vec![0; rows.index().entries() as usize];
            let row_len = rows.row_len();
            copy.par_chunks_mut(row_len).enumerate().for_each(|(class, row)| {
                rows.copy_values(values, Index((class * row_len) as u64), row);
            });
            self.solved.borrow_mut().insert(subspace, copy);
        }
        Ok(Vec::new())
    }
}
