//! Opening regular files and no others: a pipe or a device would wait, or never end.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::error::DbError;

/// Opens a regular file, and refuses anything else at once: a pipe, a device, a folder.
///
/// # Errors
/// [`DbError::Unreadable`] if it is not a regular file, or a link to nothing; [`DbError::Io`], also
/// if there is no file.
pub(crate) fn open_regular(path: &Path, options: &mut OpenOptions) -> Result<File, DbError> {
    // A folder cannot even be opened for writing.
    check_regular(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Without this flag, opening a pipe waits for its other end.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(DbError::io("open", path))?;
    // Another file may have taken its place in the meantime.
    if file.metadata().map_err(DbError::io("open", path))?.is_file() {
        return Ok(file);
    }
    Err(not_regular(path))
}

/// Refuses a file of another kind: a folder, a pipe, a device, a link to nothing. A missing file
/// passes.
fn check_regular(path: &Path) -> Result<(), DbError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(not_regular(path)),
        // Its name is taken, so "make the file" would be the wrong advice.
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            let reason = "a link to a file that does not exist".to_owned();
            Err(DbError::Unreadable { path: path.to_owned(), reason })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(DbError::io("open", path)(error)),
    }
}

fn not_regular(path: &Path) -> DbError {
    DbError::Unreadable { path: path.to_owned(), reason: "not a regular file".to_owned() }
}
