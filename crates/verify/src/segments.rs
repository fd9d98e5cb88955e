//! Reading a table from its first entry to its last.

use merels_db::{DbError, Digest, Table};

/// The values of a table in segments, and their digest.
pub(crate) struct Segments<'a> {
    table: &'a Table,
    bytes: Vec<u8>,
    next_block: u64,
    segment_blocks: u64,
    hasher: blake3::Hasher,
}

impl<'a> Segments<'a> {
    /// Segments of so many blocks.
    pub(crate) fn new(table: &'a Table, segment_blocks: u64) -> Self {
        Self {
            table,
            bytes: Vec::new(),
            next_block: 0,
            segment_blocks,
            hasher: blake3::Hasher::new(),
        }
    }

    /// The next segment and the index of its first entry. The caller may restore what is left out of
    /// it.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &mut [u8])>, DbError> {
        let table = self.table;
        if self.next_block == table.blocks() {
            return Ok(None);
        }
        let (begin, end) =
            (self.next_block, table.blocks().min(self.next_block + self.segment_blocks));
        let first = table.indices_of(begin).start;
        let len = table.indices_of(end - 1).end - first;
        self.bytes.resize(len as usize, 0);
        table.decode_blocks(begin..end, &mut self.bytes)?;
        self.hasher.update_rayon(&self.bytes);
        self.next_block = end;
        Ok(Some((first, &mut self.bytes)))
    }

    /// Compares the digest of all segments as they were stored with that of the header.
    pub(crate) fn check_digest(&self) -> Result<(), DbError> {
        let (found, stated) = (Digest(self.hasher.finalize().into()), self.table.header().kept);
        if found == stated {
            return Ok(());
        }
        let reason = format!("its values have the digest {found}, not {stated}");
        Err(DbError::Damaged { path: self.table.path().to_owned(), block: None, reason })
    }
}
