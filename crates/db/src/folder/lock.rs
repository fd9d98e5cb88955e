//! The lock of a folder: one solver writes into it.

use std::fs::{self, File, TryLockError};

use merels_core::Subspace;

use crate::error::DbError;
use crate::folder::files::{self, exists, remove};
use crate::folder::folder::{Folder, WORK_EXTENSION};
use crate::folder::table::far_path;

const LOCK_NAME: &str = ".lock";

/// The right to write into a folder, held until dropped (or until the process ends).
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct FolderLock {
    _file: File,
}

impl Folder {
    /// Makes this process the only solver in the folder, and removes what killed ones have left.
    ///
    /// # Errors
    /// [`DbError::Locked`] if another process (or another part of this one) holds the lock.
    pub fn lock(&self) -> Result<FolderLock, DbError> {
        let path = self.path.join(LOCK_NAME);
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        let file = files::open_regular(&path, &mut options).map_err(DbError::io("open", &path))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => DbError::Locked { path: self.path.clone() },
            TryLockError::Error(error) => DbError::io("lock", &path)(error),
        })?;
        files::remove_stale(&self.path)?;
        self.remove_stray_work()?;
        Ok(FolderLock { _file: file })
    }

    /// Removes far codes for solving others whose table is gone.
    fn remove_stray_work(&self) -> Result<(), DbError> {
        for entry in fs::read_dir(&self.path).map_err(DbError::io("list", &self.path))? {
            let path = entry.map_err(DbError::io("list", &self.path))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let subspace = name.strip_suffix(&format!(".far.{WORK_EXTENSION}"));
            let Some(Ok(subspace)) = subspace.map(str::parse::<Subspace>) else { continue };
            let table = self.work_path_of(subspace);
            if far_path(&table) == path && !exists(&table)? {
                remove(&path)?;
            }
        }
        Ok(())
    }
}
