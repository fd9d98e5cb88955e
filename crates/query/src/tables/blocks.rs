//! A cache of decoded blocks.

use std::sync::Arc;

use merels_core::Subspace;
use merels_db::{DbError, Header, Metric, Table};
use quick_cache::sync::Cache;

/// Decoded blocks of all tables of a folder, a bounded number of them. The least used ones are
/// dropped.
#[derive(Debug)]
pub(super) struct Blocks {
    /// By subspace, whether the block holds far codes, and its number.
    cache: Cache<(Subspace, bool, u64), Arc<[u8]>>,
}

impl Blocks {
    /// A cache of at most `most` blocks.
    pub(super) fn new(most: usize) -> Self {
        Self { cache: Cache::new(most) }
    }

    /// The byte of an entry. Decodes the block that holds it unless it is cached.
    pub(super) fn byte(&self, table: &Table, entry: u64) -> Result<u8, DbError> {
        let Header { subspace, metric, .. } = *table.header();
        let block = table.block_of(entry);
        let key = (subspace, metric == Metric::Beyond, block);
        let bytes = self.cache.get_or_insert_with(&key, || {
            let mut bytes = Vec::new();
            table.decode_block(block, &mut bytes).map(|()| Arc::<[u8]>::from(bytes))
        })?;
        let place = entry - table.indices_of(block).start;
        bytes.get(place as usize).copied().ok_or_else(|| DbError::OutOfRange {
            path: table.path().to_owned(),
            index: entry,
            entries: table.entries(),
        })
    }
}
