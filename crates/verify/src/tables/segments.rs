//! Reads a table from its first entry to its last.

use merels_core::numbering::Codes;
use merels_db::{DbError, Digest, Table};

use crate::tables::open::OpenTable;

/// The values of a table in segments, and their digest.
pub(crate) struct Segments<'a> {
    table: &'a Table,
    codes: Codes<Vec<u8>>,
    next_block: u64,
    segment_blocks: u64,
    hashers: Codes<blake3::Hasher>,
}

/// Consecutive entries.
pub(crate) struct Segment<'a> {
    /// The index of the first.
    pub(crate) first: u64,
    /// Their codes.
    pub(crate) codes: &'a mut Codes<Vec<u8>>,
}

impl<'a> Segments<'a> {
    /// Segments of `segment_blocks` blocks. If `is_double`, they have far codes even if the table
    /// has none.
    pub(crate) fn new(open: &'a OpenTable, is_double: bool, segment_blocks: u64) -> Self {
        Self {
            table: &open.table,
            codes: Codes { near: Vec::new(), far: is_double.then(Vec::new) },
            next_block: 0,
            segment_blocks,
            hashers: Codes {
                near: blake3::Hasher::new(),
                far: is_double.then(blake3::Hasher::new),
            },
        }
    }

    /// The next segment. The caller may restore the entries that are left out.
    pub(crate) fn next(&mut self) -> Result<Option<Segment<'_>>, DbError> {
        let table = self.table;
        if self.next_block == table.blocks() {
            return Ok(None);
        }
        let (begin, end) =
            (self.next_block, table.blocks().min(self.next_block + self.segment_blocks));
        let first = table.indices_of(begin).start;
        let len = table.indices_of(end - 1).end - first;
        self.codes.as_mut().both().for_each(|bytes| bytes.resize(len as usize, 0));
        table.decode_blocks(begin..end, self.codes.slices_mut())?;
        self.hashers.near.update_rayon(&self.codes.near);
        if let (Some(hasher), Some(far)) = (&mut self.hashers.far, &self.codes.far) {
            hasher.update_rayon(far);
        }
        self.next_block = end;
        Ok(Some(Segment { first, codes: &mut self.codes }))
    }

    /// Compares the digest of all segments as they were stored with that of the header.
    pub(crate) fn check_digest(&self) -> Result<(), DbError> {
        self.table.compare_digests(self.hashers.as_ref().map(Digest::of))
    }
}
