//! A file in memory: the one place with `unsafe` code.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::Path;

use memmap2::Mmap;

use crate::error::DbError;
use crate::folder::files;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum FileMap {
    /// Mapped for reading.
    Mapped {
        /// The map.
        map: Mmap,
        /// Whether pieces are read here and there, see [`FileMap::expect_random`].
        random: bool,
    },
    /// Read, or made, by whoever gave them.
    Owned(Vec<u8>),
}

impl FileMap {
    /// Maps the file. Whether it exists is for the caller to tell apart.
    pub(crate) fn open(path: &Path) -> Result<Self, DbError> {
        let file = files::open_regular(path, File::options().read(true))?;
        // SAFETY: undefined behaviour needs a change of the mapped bytes while `self` lives. This
        // crate never opens a finished file for writing: it writes under a temporary name, and
        // replaces a file by renaming another over it, which leaves the mapped one as it is until
        // the map is gone. That nobody else writes into or shortens database files while a
        // program reads them is the documented condition of `Table::open`. The map is read-only
        // and private to this type, which gives out shared slices only.
        let map = unsafe { Mmap::map(&file) }.map_err(DbError::io("map", path))?;
        Ok(Self::Mapped { map, random: false })
    }

    /// Tells the operating system that the file is going to be read from start to end, or no
    /// longer. A hint, as all of them: where it is refused, reading works as well.
    pub(crate) fn expect_sequential(&self, sequential: bool) {
        #[cfg(unix)]
        if let Self::Mapped { map, random } = self {
            let _ = map.advise(match (sequential, random) {
                (true, _) => memmap2::Advice::Sequential,
                (false, true) => memmap2::Advice::Random,
                (false, false) => memmap2::Advice::Normal,
            });
        }
        #[cfg(not(unix))]
        let _ = sequential;
    }

    /// Tells the operating system that small pieces are going to be read, so that it need not read
    /// what lies around them (which can be megabytes); [`FileMap::will_read`] announces each.
    pub(crate) fn expect_random(&mut self) {
        if let Self::Mapped { random, .. } = self {
            *random = true;
        }
        self.expect_sequential(false);
    }

    /// Has a piece of the file read at once, and not page by page. Does nothing unless small pieces are
    /// expected.
    pub(crate) fn will_read(&self, range: &Range<usize>) {
        #[cfg(unix)]
        if let Self::Mapped { map, random: true } = self
            && range.end <= map.len()
        {
            let _ = map.advise_range(memmap2::Advice::WillNeed, range.start, range.len());
        }
        #[cfg(not(unix))]
        let _ = range;
    }
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped { map, .. } => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
