//! Bytes that are in memory already.

use std::io;
use std::ops::Range;

use crate::bytes::{Bytes, piece};

/// The bytes of a whole file, read or made by whoever gave them.
#[derive(Debug)]
pub(crate) struct Memory(Vec<u8>);

impl Memory {
    pub(crate) const fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Bytes for Memory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read<'a>(&'a self, range: Range<u64>, _buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        piece(&self.0, range)
    }
}

impl Bytes for &[u8] {
    fn len(&self) -> u64 {
        (**self).len() as u64
    }

    fn read<'a>(&'a self, range: Range<u64>, _buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        piece(self, range)
    }
}
