//! How much room is left on a disk.

use std::io;
use std::path::Path;

use crate::error::DbError;

/// Bytes that may still be written to the file system where `path` is, or would be made.
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
