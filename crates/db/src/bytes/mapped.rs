//! A file in the address space: `unsafe` code, for the map itself.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;

use crate::bytes::cut::Watched;
use crate::bytes::{Bytes, piece, regular};
use crate::error::DbError;

/// A file, mapped for reading.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Names the file if it turns out to be shorter than the map. The first field: dropped before
    /// the system can give the addresses to another map.
    _watched: Watched,
    map: Mmap,
}

impl Mapped {
    /// Maps the file. Whether it exists is for the caller to tell apart.
    pub(crate) fn open(path: &Path) -> Result<Self, DbError> {
        let file = regular::open_regular(path, File::options().read(true))?;
        // SAFETY: undefined behaviour needs a change of the mapped bytes while `self` lives. This
        // crate never opens a finished file for writing: it writes under a temporary name, and
        // replaces a file by renaming another over it, which leaves the mapped one as it is until
        // the map is gone. That nobody else writes into or shortens database files while a
        // program reads them is the documented condition of `Table::map`. The map is read-only
        // and private to this type, which gives out shared slices only.
        let map = unsafe { Mmap::map(&file) }.map_err(DbError::io("map", path))?;
        let watched = Watched::new(map.as_ptr_range(), path);
        Ok(Self { _watched: watched, map })
    }
}

impl Bytes for Mapped {
    fn len(&self) -> u64 {
        self.map.len() as u64
    }

    fn read<'a>(&'a self, range: Range<u64>, _buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        piece(&self.map, range)
    }

    fn expect_sequential(&self, sequential: bool) {
        #[cfg(unix)]
        {
            use memmap2::Advice;
            let advice = if sequential { Advice::Sequential } else { Advice::Normal };
            let _ = self.map.advise(advice);
        }
        #[cfg(not(unix))]
        let _ = sequential;
    }
}
