//! Reading a table from its first entry to its last.

use merels_db::{DbError, Digest, Table};

use crate::fast::coded::Coded;
use crate::tables::open::OpenTable;

/// The values of a table in segments, and their digest.
pub(crate) struct Segments<'a> {
    open: &'a OpenTable,
    codes: Coded<Vec<u8>>,
    next_block: u64,
    segment_blocks: u64,
    hashers: Coded<blake3::Hasher>,
}

/// Consecutive entries.
pub(crate) struct Segment<'a> {
    /// The index of the first.
    pub(crate) first: u64,
    /// Their codes.
    pub(crate) codes: &'a mut Coded<Vec<u8>>,
}

impl<'a> Segments<'a> {
    /// Segments of so many blocks; with far codes if asked for, whether the table has some or not.
    pub(crate) fn new(open: &'a OpenTable, is_double: bool, segment_blocks: u64) -> Self {
        let far = open.far.is_some();
        Self {
            open,
            codes: Coded { near: Vec::new(), far: is_double.then(Vec::new) },
            next_block: 0,
            segment_blocks,
            hashers: Coded { near: blake3::Hasher::new(), far: far.then(blake3::Hasher::new) },
        }
    }

    /// The next segment. The caller may restore what is left out of
    /// it.
    pub(crate) fn next(&mut self) -> Result<Option<Segment<'_>>, DbError> {
        let table = &self.open.table;
        if self.next_block == table.blocks() {
            return Ok(None);
        }
        let (begin, end) =
            (self.next_block, table.blocks().min(self.next_block + self.segment_blocks));
        let first = table.indices_of(begin).start;
        let len = table.indices_of(end - 1).end - first;
        self.codes.map_mut(|bytes| bytes.resize(len as usize, 0));
        self.open.decode_blocks(begin..end, self.codes.view_mut())?;
        self.hashers.near.update_rayon(&self.codes.near);
        if let (Some(hasher), Some(far)) = (&mut self.hashers.far, &self.codes.far) {
            hasher.update_rayon(far);
        }
        self.next_block = end;
        Ok(Some(Segment { first, codes: &mut self.codes }))
    }

    /// Compares the digest of all segments as they were stored with that of the header.
    pub(crate) fn check_digest(&self) -> Result<(), DbError> {
        compare_digest(&self.open.table, &self.hashers.near)?;
        match (&self.open.far, &self.hashers.far) {
            (Some(far), Some(hasher)) => compare_digest(far, hasher),
            _ => Ok(()),
        }
    }
}

/// Whether a table holds what its header says.
pub(crate) fn compare_digest(table: &Table, hasher: &blake3::Hasher) -> Result<(), DbError> {
    let (found, stated) = (Digest(hasher.finalize().into()), table.header().kept);
    if found == stated {
        return Ok(());
    }
    let reason = format!("its values have the digest {found}, not {stated}");
    Err(DbError::Damaged { path: table.path().to_owned(), block: None, reason })
}
