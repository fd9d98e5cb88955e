//! Free space on the disk of a folder.

use std::io;
use std::path::Path;

use crate::error::DbError;
use crate::folder::folder::Folder;

impl Folder {
    /// Bytes that may still be written to the file system of the folder.
    ///
    /// # Errors
    /// [`DbError::Io`], always so where the system is not of the Unix family.
    pub fn free_space(&self) -> Result<u64, DbError> {
        free_space_at(&self.path)
    }
}

/// Bytes that may still be written to the file system where `path` is, or would be made.
///
/// # Errors
/// [`DbError::Io`], always so where the system is not of the Unix family.
pub fn free_space_at(path: &Path) -> Result<u64, DbError> {
    // The nearest folder that is there; the last one of a relative path is the current folder.
    let here = |path: &&Path| !path.as_os_str().is_empty() && path.exists();
    let nearest = path.ancestors().find(here).unwrap_or(Path::new("."));
    #[cfg(unix)]
    let space = rustix::fs::statvfs(nearest)
        .map(|status| match status.f_blocks {
            // Nobody counts blocks there: whether something can be written shows when it is.
            0 => u64::MAX,
            _ => status.f_bavail.saturating_mul(status.f_frsize),
        })
        .map_err(io::Error::from);
    #[cfg(not(unix))]
    let space = Err(io::ErrorKind::Unsupported.into());
    space.map_err(DbError::io("find the free space of", nearest))
}
