//! Making files that are there whole or not at all.
//!
//! A file is written under a temporary name in the folder it is meant for, brought to the disk,
//! renamed, and the folder is brought to the disk. After a crash at any point the final name means
//! the old file or the new one.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::bytes::regular::open_regular;
use crate::error::DbError;

/// First characters of temporary names.
const TEMPORARY_PREFIX: &str = ".tmp-";

/// The bytes of a regular file of at most `most` bytes; none if there is no file.
///
/// # Errors
/// [`DbError::Unreadable`] if it is longer or not a regular file; [`DbError::Io`].
pub fn read_bounded(path: &Path, most: usize) -> Result<Option<Vec<u8>>, DbError> {
    let file = match open_regular(path, File::options().read(true)) {
        Ok(file) => file,
        Err(DbError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let too_long = || {
        let (path, reason) = (path.to_owned(), format!("longer than {most} bytes"));
        Err(DbError::Unreadable { path, reason })
    };
    if file.metadata().map_err(DbError::io("read", path))?.len() > most as u64 {
        return too_long();
    }
    let mut bytes = Vec::new();
    // The file may grow meanwhile.
    let limit = most as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(DbError::io("read", path))?;
    if bytes.len() as u64 == limit { too_long() } else { Ok(Some(bytes)) }
}

/// A new temporary file in `folder`, removed when dropped. Unlike temporary files elsewhere it is
/// readable for everyone whom the umask allows, for it is going to be a database.
pub(crate) fn temporary_in(folder: &Path) -> Result<NamedTempFile, DbError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    builder.tempfile_in(folder).map_err(DbError::io("create a file in", folder))
}

/// Removes what killed runs have left. Only for the holder of the folder's lock: the temporary
/// files of a running solver look the same.
pub(crate) fn remove_stale(folder: &Path) -> Result<(), DbError> {
    for entry in fs::read_dir(folder).map_err(DbError::io("list", folder))? {
        let entry = entry.map_err(DbError::io("list", folder))?;
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
            let path = entry.path();
            fs::remove_file(&path).map_err(DbError::io("remove", &path))?;
        }
    }
    Ok(())
}

/// Gives a file that is on the disk its final name, in place of what had it.
pub(crate) fn publish(file: NamedTempFile, folder: &Path, path: &Path) -> Result<(), DbError> {
    file.persist(path).map_err(|refused| DbError::io("rename a file to", path)(refused.error))?;
    sync_folder(folder)
}

/// Writes a small file, in place of what was there.
pub(crate) fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), DbError> {
    publish(filled(folder, path, bytes)?, folder, path)
}

/// Writes a small file, unless there is one.
pub(crate) fn write_new(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), DbError> {
    match filled(folder, path, bytes)?.persist_noclobber(path) {
        Ok(_) => sync_folder(folder),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(refused) => Err(DbError::io("rename a file to", path)(refused.error)),
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), DbError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(DbError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Whether there is something at `path`.
pub(crate) fn exists(path: &Path) -> Result<bool, DbError> {
    path.try_exists().map_err(DbError::io("look for", path))
}

fn filled(folder: &Path, path: &Path, bytes: &[u8]) -> Result<NamedTempFile, DbError> {
    let mut file = temporary_in(folder)?;
    file.write_all(bytes).map_err(DbError::io("write", path))?;
    file.as_file().sync_all().map_err(DbError::io("write", path))?;
    Ok(file)
}

/// Brings the names in a folder to the disk.
fn sync_folder(folder: &Path) -> Result<(), DbError> {
    // Elsewhere folders cannot be opened as files, and a rename needs no second step.
    if cfg!(unix) {
        let handle = File::open(folder).map_err(DbError::io("open", folder))?;
        handle.sync_all().map_err(DbError::io("synchronise", folder))?;
    }
    Ok(())
}
