//! Values from the tables of a folder.

use std::path::Path;

use merels_core::{Position, Ruleset, Subspace, Value};
use merels_db::{DbError, Folder};

use crate::error::QueryError;
use crate::source::{Source, best_successor};
use crate::tables::batch;
use crate::tables::blocks::Blocks;
use crate::tables::open::OpenTables;

/// The databases of a folder. A table is opened when it is first needed and stays open.
///
/// Decoded blocks are cached. The cache holds at most as many blocks as [`TableSource::open`] was
/// given, 64 KiB each, and drops the least used ones; with 0 it holds none, and every value decodes
/// a block. All threads that use the source share its cache: one of them decodes a block, and the
/// others that need it wait. An open table is mapped into memory. Apart from the mapping it takes
/// some kilobytes of look-up tables.
///
/// A table that is made while the source is open is found. An open table is not opened again.
#[derive(Debug)]
pub struct TableSource {
    tables: OpenTables,
    blocks: Blocks,
}

impl TableSource {
    /// The default number of cached blocks: 64 MiB. Enough for everything that a position and the
    /// line after it touch; streams of random positions gain little from more.
    pub const DEFAULT_BLOCKS: usize = 1024;

    /// Opens the databases for `ruleset` in `dir`, with a cache of at most `blocks` decoded blocks.
    ///
    /// # Errors
    /// [`DbError::NoFolder`] if there are none; [`DbError::OtherRuleset`] if they are for other
    /// rules.
    pub fn open(dir: &Path, ruleset: Ruleset, blocks: usize) -> Result<Self, DbError> {
        Ok(Self { tables: OpenTables::new(dir, ruleset)?, blocks: Blocks::new(blocks) })
    }

    /// The folder.
    pub const fn folder(&self) -> &Folder {
        self.tables.folder()
    }

    pub(crate) fn has_table(&self, subspace: Subspace) -> bool {
        self.tables.table(subspace).is_ok()
    }

    /// The value in the table of the position's subspace; none if the folder's edition leaves it
    /// out.
    fn stored(&self, position: &Position) -> Result<Option<Value>, QueryError> {
        let subspace = position.subspace();
        let (_, open) = self.tables.table(subspace)?;
        self.folder().check_kept(subspace)?;
        if open.table.blocks() == 0 {
            return Ok(None);
        }
        Ok(self.blocks.value(&open.table, open.entry_of(position))?)
    }
}

impl Source for TableSource {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        if let Some(value) = self.stored(position)? {
            return Ok(value);
        }
        best_successor(self.folder().ruleset(), position, &mut |next| self.value(next))
    }

    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        batch::values(&self.tables, positions, |position| self.value(position))
    }

    fn command_for(&self, subspace: Subspace) -> String {
        self.tables.command_for(subspace)
    }
}
