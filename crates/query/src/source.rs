//! Where values come from.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, RwLock};

use merels_core::{Position, Ruleset, Subspace, SubspaceIndex, Value, ValueCode};
use merels_db::{DbError, Folder, SolveCommand, Table};
use quick_cache::sync::Cache;

use crate::QueryError;

/// Values of positions in which the game goes on.
pub trait Source: Send + Sync {
    /// The value of `position`, in which each side has at least three stones (those in hand among
    /// them) and the side to move a legal move.
    ///
    /// # Errors
    /// [`QueryError::Missing`] if the source does not cover the position;
    /// [`QueryError::Database`] if it cannot be read.
    fn value(&self, position: &Position) -> Result<Value, QueryError>;

    /// The command with which a user makes (or makes again) the values of `subspace`. With stones in
    /// hand that is to solve the whole game: almost all of the moving phase comes before.
    fn command_for(&self, subspace: Subspace) -> String {
        if subspace.is_moving() {
            format!("merels solve --only {subspace}")
        } else {
            "merels solve".to_owned()
        }
    }
}

/// The databases of a folder: tables are opened when first asked and stay open, decoded blocks are
/// kept while there is room.
///
/// A table made while the source is open is found; one that is open is not looked at again.
#[derive(Debug)]
pub struct TableSource {
    folder: Folder,
    tables: RwLock<HashMap<Subspace, Arc<OpenTable>>>,
    blocks: Cache<(Subspace, u64), Arc<[u8]>>,
}

#[derive(Debug)]
struct OpenTable {
    table: Table,
    index: SubspaceIndex,
}

impl TableSource {
    /// Blocks kept by default: 64 MiB. Enough for all that a position and the line that follows it
    /// touch; streams of random positions gain little from more.
    pub const DEFAULT_BLOCKS: usize = 1024;

    /// The databases for `ruleset` in `dir`, keeping at most `blocks` decoded blocks (of 64 KiB).
    ///
    /// # Errors
    /// [`DbError::NoFolder`] if there are none; [`DbError::OtherRuleset`] if they are for other
    /// rules.
    pub fn open(dir: &Path, ruleset: Ruleset, blocks: usize) -> Result<Self, DbError> {
        Ok(Self {
            folder: Folder::open(dir, ruleset)?,
            tables: RwLock::default(),
            blocks: Cache::new(blocks),
        })
    }

    /// The folder.
    pub const fn folder(&self) -> &Folder {
        &self.folder
    }

    fn table(&self, subspace: Subspace) -> Result<Arc<OpenTable>, QueryError> {
        // A panic of another thread leaves the map as it was: only whole tables are put in.
        let tables = self.tables.read().unwrap_or_else(|poison| poison.into_inner());
        if let Some(open) = tables.get(&subspace) {
            return Ok(Arc::clone(open));
        }
        drop(tables);
        let index = SubspaceIndex::new(self.folder.ruleset().board, subspace);
        let table = match self.folder.open_table(subspace, index.entries()) {
            Err(DbError::NoTable { .. }) => {
                let command = self.command_for(subspace);
                return Err(QueryError::Missing { subspace, command });
            }
            other => other?,
        };
        let opened = Arc::new(OpenTable { table, index });
        let mut tables = self.tables.write().unwrap_or_else(|poison| poison.into_inner());
        Ok(Arc::clone(tables.entry(subspace).or_insert(opened)))
    }
}

impl Source for TableSource {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        let subspace = position.subspace();
        let OpenTable { table, index } = &*self.table(subspace)?;
        let entry = index.index_of(position.mover().board, position.other().board).0;
        let block = table.block_of(entry);
        let bytes = self.blocks.get_or_insert_with(&(subspace, block), || {
            let mut bytes = Vec::new();
            table.decode_block(block, &mut bytes).map(|()| Arc::from(bytes))
        })?;
        let place = entry - block * u64::from(table.header().entries_per_block);
        // A decoded block holds codes only, and every entry below the number of entries is in one.
        let code = bytes.get(place as usize).copied().and_then(ValueCode::from_byte);
        let out_of_range = || DbError::OutOfRange {
            path: table.path().to_owned(),
            index: entry,
            entries: table.entries(),
        };
        Ok(code.ok_or_else(out_of_range)?.value())
    }

    fn command_for(&self, subspace: Subspace) -> String {
        SolveCommand::new(self.folder.path()).only(subspace).to_string()
    }
}
