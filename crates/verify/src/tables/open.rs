//! A table with the order of its entries.

use merels_core::numbering::{Codes, SubspaceIndex};
use merels_db::{Digest, Table};

/// A table with the order of its entries.
#[derive(Debug)]
pub(crate) struct OpenTable {
    pub(crate) table: Table,
    pub(crate) index: SubspaceIndex,
}

impl OpenTable {
    /// The digest of all far codes, kept or not; none if one code expresses all values.
    pub(crate) fn far_digest(&self) -> Option<Digest> {
        let header = self.table.header();
        header.far.filter(|_| header.edition.has_distances()).map(|far| far.digest)
    }

    /// The part of these codes that the table itself has.
    pub(crate) fn own<T>(&self, codes: Codes<T>) -> Codes<T> {
        Codes { near: codes.near, far: codes.far.filter(|_| self.far_digest().is_some()) }
    }
}
