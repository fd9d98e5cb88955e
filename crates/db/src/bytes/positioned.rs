//! A file that is read piece by piece, each at its place.
//!
//! Every piece is copied out of the system's cache when it is needed, so nothing that happens to
//! the file can end the process: bytes that are gone are an error, and bytes that are others are
//! noticed by their checksum.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::bytes::stamp::FileStamp;
use crate::bytes::{Bytes, regular, too_short};
use crate::error::DbError;

/// An open file.
#[derive(Debug)]
pub(crate) struct Positioned {
    file: File,
    stamp: FileStamp,
}

impl Positioned {
    /// Opens the file. Whether it exists is for the caller to tell apart.
    pub(crate) fn open(path: &Path) -> Result<Self, DbError> {
        let file = regular::open_regular(path, File::options().read(true))?;
        let metadata = file.metadata().map_err(DbError::io("open", path))?;
        Ok(Self { file, stamp: FileStamp::of_metadata(&metadata) })
    }
}

impl Bytes for Positioned {
    fn len(&self) -> u64 {
        self.stamp.len()
    }

    fn read<'a>(&'a self, range: Range<u64>, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        // The length at opening bounds the memory; the file may have become shorter since.
        if range.end > self.len() {
            return Err(too_short());
        }
        let length = range.end.checked_sub(range.start).ok_or_else(too_short)?;
        buffer.resize(usize::try_from(length).map_err(|_| too_short())?, 0);
        read_exact_at(&self.file, buffer, range.start)?;
        Ok(buffer)
    }

    fn stamp(&self) -> Option<FileStamp> {
        Some(self.stamp)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(too_short()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};
    // The place is shared by all who read the file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}
