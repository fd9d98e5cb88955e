//! The lock of a folder: only one solver writes.

use std::fs::{File, TryLockError};

use merels_core::Subspace;

use crate::bytes::regular::open_regular;
use crate::error::DbError;
use crate::folder::base::Folder;
use crate::folder::files;

const LOCK_NAME: &str = ".lock";

impl Folder {
    /// Makes this process the only solver in the folder, and removes what killed ones have left.
    ///
    /// # Errors
    /// [`DbError::Locked`] if another process (or another part of this one) holds the lock.
    pub fn lock(&self) -> Result<FolderLock, DbError> {
        let path = self.path.join(LOCK_NAME);
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        let file = open_regular(&path, &mut options)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => DbError::Locked { path: self.path.clone() },
            TryLockError::Error(error) => DbError::io("lock", &path)(error),
        })?;
        files::remove_stale(&self.path)?;
        Ok(FolderLock { _file: file })
    }

    /// Removes the work table of a subspace, if there is one. For the holder of the lock.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn remove_work_table(&self, subspace: Subspace) -> Result<(), DbError> {
        files::remove(&self.work_path_of(subspace))
    }
}

/// The right to write into a folder, held until dropped (or until the process ends).
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct FolderLock {
    _file: File,
}
