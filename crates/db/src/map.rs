//! A file in memory: the one place with `unsafe` code.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::{DbError, files};

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum FileMap {
    /// Mapped for reading.
    Mapped(Mmap),
    /// Read, or made, by whoever gave them.
    Owned(Vec<u8>),
}

impl FileMap {
    /// Maps the file. Whether it exists is for the caller to tell apart.
    pub(crate) fn open(path: &Path) -> Result<Self, DbError> {
        files::check_regular(path)?;
        let file = File::open(path).map_err(DbError::io("open", path))?;
        // SAFETY: undefined behaviour needs a change of the mapped bytes while `self` lives. This
        // crate never opens a finished file for writing: it writes under a temporary name, and
        // replaces a file by renaming another over it, which leaves the mapped one as it is until
        // the map is gone. That nobody else writes into or shortens database files while a
        // program reads them is the documented condition of `Table::open`. The map is read-only
        // and private to this type, which gives out shared slices only.
        let map = unsafe { Mmap::map(&file) }.map_err(DbError::io("map", path))?;
        Ok(Self::Mapped(map))
    }

    /// Tells the operating system that the file is going to be read from start to end, or no
    /// longer. A hint: where it is refused, reading works as well.
    pub(crate) fn expect_sequential(&self, sequential: bool) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            let advice =
                if sequential { memmap2::Advice::Sequential } else { memmap2::Advice::Normal };
            let _ = map.advise(advice);
        }
        #[cfg(not(unix))]
        let _ = sequential;
    }
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
