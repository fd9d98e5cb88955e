//! A table with the order of its entries, and with its far codes.

use std::ops::Range;

use merels_core::SubspaceIndex;
use merels_db::{DbError, Digest, LEFT_OUT, Table};

use crate::fast::coded::{Coded, Steps};

/// A table with the order of its entries.
#[derive(Debug)]
pub(crate) struct OpenTable {
    /// Its values; their near codes if there are far ones.
    pub(crate) table: Table,
    /// Their far codes, if one code does not say all values, and the edition keeps some of them.
    pub(crate) far: Option<Table>,
    pub(crate) index: SubspaceIndex,
}

impl OpenTable {
    /// Decodes the entries of these blocks. Far codes of a table that has none follow from its codes.
    pub(crate) fn decode_blocks(
        &self,
        blocks: Range<u64>,
        codes: Coded<&mut [u8]>,
    ) -> Result<(), DbError> {
        let Coded { near, far } = codes;
        if self.table.blocks() == 0 {
            near.fill(LEFT_OUT);
            if let Some(far) = far {
                far.fill(LEFT_OUT);
            }
            return Ok(());
        }
        self.table.decode_blocks(blocks.clone(), near)?;
        let Some(codes) = far else { return Ok(()) };
        let Some(far) = &self.far else {
            Steps::FILES.fill_far(near, codes);
            return Ok(());
        };
        far.decode_blocks(blocks.clone(), codes)?;
        let Some(place) = Steps::FILES.misfit(near, codes) else { return Ok(()) };
        let index = self.table.indices_of(blocks.start).start + place as u64;
        let (subspace, near, far_code) = (self.index.subspace(), near[place], codes[place]);
        let reason = format!(
            "entry {index} of {subspace} has the far code {far_code}, which does not go with its near code {near}"
        );
        let block = Some(self.table.block_of(index));
        Err(DbError::Damaged { path: far.path().to_owned(), block, reason })
    }

    /// Decodes all entries.
    pub(crate) fn decode_all(&self, codes: Coded<&mut [u8]>) -> Result<(), DbError> {
        self.decode_blocks(0..self.table.blocks(), codes)
    }

    /// The digest of all far codes, whether some are kept or not; none if one code says all values.
    pub(crate) fn far_digest(&self) -> Option<Digest> {
        let header = self.table.header();
        header.companion.filter(|_| header.edition.has_distances())
    }

    /// Of these codes, those that it has itself.
    pub(crate) fn own<T>(&self, codes: Coded<T>) -> Coded<T> {
        Coded { near: codes.near, far: codes.far.filter(|_| self.far_digest().is_some()) }
    }
}
