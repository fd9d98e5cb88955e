//! Making files that are there whole or not at all.
//!
//! A file is written under a temporary name in the folder it is meant for, brought to the disk,
//! renamed, and the folder is brought to the disk. After a crash at any point the final name means
//! the old file or the new one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::DbError;

/// First characters of temporary names.
const TEMPORARY_PREFIX: &str = ".tmp-";

/// Opens a regular file, and refuses anything else at once: a pipe, a device, a folder.
pub(crate) fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Without this flag, opening a pipe waits for its other end.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

/// Reads a regular file of at most `limit` bytes. A longer one is refused before it is read.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] beyond the limit; [`io::ErrorKind::InvalidInput`] if the file is
/// not a regular one; those of the operating system.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path, File::options().read(true))?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= limit {
        // The file may grow meanwhile.
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    let length = length.max(bytes.len() as u64);
    if length <= limit {
        return Ok(bytes);
    }
    let reason = format!("it has {length} bytes, more than the {limit} that it may have");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
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

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), DbError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(DbError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

pub(crate) fn exists(path: &Path) -> Result<bool, DbError> {
    path.try_exists().map_err(DbError::io("look for", path))
}
