//! Free space on the disk of a folder.

use std::io;
use std::path::Path;

use crate::error::DbError;
use crate::folder::folder::Folder;

impl Folder {
    /// Bytes that are free on the disk of the folder.
    ///
    /// # Errors
    /// [`DbError::Io`], always so on systems other than Unix and Windows.
    pub fn free_space(&self) -> Result<u64, DbError> {
        free_space_at(&self.path)
    }
}

/// Bytes that are free on the disk where `path` is, or would be created.
///
/// # Errors
/// [`DbError::Io`], always so on systems other than Unix and Windows.
pub fn free_space_at(path: &Path) -> Result<u64, DbError> {
    // The nearest folder that exists; a relative path ends with the current folder.
    let here = |path: &&Path| !path.as_os_str().is_empty() && path.exists();
    let nearest = path.ancestors().find(here).unwrap_or(Path::new("."));
    #[cfg(unix)]
    let space = rustix::fs::statvfs(nearest)
        .map(|status| match status.f_blocks {
            // This file system counts no blocks: only writing shows whether there is room.
            0 => u64::MAX,
            _ => status.f_bavail.saturating_mul(status.f_frsize),
        })
        .map_err(io::Error::from);
    #[cfg(windows)]
    let space = fs4::available_space(nearest);
    #[cfg(not(any(unix, windows)))]
    let space = Err(io::ErrorKind::Unsupported.into());
    space.map_err(DbError::io("find the free space of", nearest))
}
