//! A cache of decoded blocks.

use std::sync::Arc;

use merels_core::Value;
use merels_core::numbering::Codes;
use merels_db::DbError;
use quick_cache::sync::Cache;

use crate::tables::open::OpenTable;

/// Decoded blocks of all tables of a folder, a bounded number of them. The least used ones are
/// dropped.
#[derive(Debug)]
pub(super) struct Blocks {
    /// By opening of a table and number.
    cache: Cache<(u64, u64), Arc<Codes<Vec<u8>>>>,
}

impl Blocks {
    /// A cache of at most `most` blocks.
    pub(super) fn new(most: usize) -> Self {
        Self { cache: Cache::new(most) }
    }

    /// The value of an entry; none if the edition leaves it out. Decodes the block that holds it
    /// unless it is cached.
    pub(super) fn value(&self, open: &OpenTable, entry: u64) -> Result<Option<Value>, DbError> {
        let table = &open.table;
        let block = table.block_of(entry);
        let codes = self.cache.get_or_insert_with(&(open.opening, block), || {
            let mut codes = Codes::default();
            table.decode_block(block, &mut codes).map(|()| Arc::new(codes))
        })?;
        let place = (entry - table.indices_of(block).start) as usize;
        if place >= codes.near.len() {
            let (path, entries) = (table.path().to_owned(), table.entries());
            return Err(DbError::OutOfRange { path, index: entry, entries });
        }
        Ok(codes.at(place).map(|codes| table.value_of(codes)))
    }
}
