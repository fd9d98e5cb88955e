//! Where values come from.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use merels_core::{FarCodes, Position, Ruleset, Subspace, SubspaceIndex, Value, ValueCode};
use merels_db::{DbError, Folder, Header, Metric, SolveCommand, Table};
use quick_cache::sync::Cache;
use rayon::prelude::*;

use crate::{QueryError, batch};

/// Values of positions in which the game goes on.
pub trait Source: Send + Sync {
    /// The value of `position`, in which each side has at least three stones (those in hand among
    /// them) and the side to move a legal move.
    ///
    /// # Errors
    /// [`QueryError::Missing`] if the source does not cover the position;
    /// [`QueryError::Database`] if it cannot be read.
    fn value(&self, position: &Position) -> Result<Value, QueryError>;

    /// The values of many positions, in their order, each as [`Source::value`] gives it.
    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        positions.par_iter().map(|position| self.value(position)).collect()
    }

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
/// The cache of blocks is bounded: it holds as many as [`TableSource::open`] was told, 64 KiB each,
/// and drops those that are asked for least; with 0 it keeps none, and every value decodes a block. It
/// belongs to the source alone and is shared by the threads that use it; each block is decoded by one
/// of them while the others that want it wait. An open table is mapped and costs no memory of its own
/// beyond some kilobytes of look-up tables.
///
/// A table made while the source is open is found; one that is open is not looked at again.
#[derive(Debug)]
pub struct TableSource {
    folder: Folder,
    /// All subspaces of the game, sorted, with those tables that are open.
    tables: Vec<(Subspace, OnceLock<OpenTable>)>,
    /// Decoded blocks, by subspace, whether they are of its far codes, and number.
    blocks: Cache<(Subspace, bool, u64), Arc<[u8]>>,
}

#[derive(Debug)]
pub(crate) struct OpenTable {
    /// Of near codes, if there are far ones.
    pub(crate) table: Table,
    /// That of far codes, if near ones do not say all values.
    pub(crate) far: Option<Table>,
    pub(crate) index: SubspaceIndex,
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
        let folder = Folder::open(dir, ruleset)?;
        let mut subspaces = Subspace::all_moving(&ruleset);
        subspaces.extend(Subspace::placing_layers(&ruleset).into_iter().flatten());
        subspaces.sort();
        let tables = subspaces.into_iter().map(|subspace| (subspace, OnceLock::new())).collect();
        Ok(Self { folder, tables, blocks: Cache::new(blocks) })
    }

    /// The folder.
    pub const fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn has_table(&self, subspace: Subspace) -> bool {
        self.table(subspace).is_ok()
    }

    fn table(&self, subspace: Subspace) -> Result<&OpenTable, QueryError> {
        Ok(self.numbered_table(subspace)?.1)
    }

    /// An open table and its number, see [`TableSource::table_of_number`].
    pub(crate) fn numbered_table(
        &self,
        subspace: Subspace,
    ) -> Result<(usize, &OpenTable), QueryError> {
        let missing = || {
            let command = self.command_for(subspace);
            QueryError::Missing { subspace, command }
        };
        let place = self.tables.binary_search_by_key(&subspace, |(subspace, _)| *subspace);
        let place = place.map_err(|_| missing())?;
        let (_, slot) = &self.tables[place];
        if let Some(open) = slot.get() {
            return Ok((place, open));
        }
        // The index of a table that is not there would be work for nothing, for each position anew.
        if self.folder.path_of(subspace).try_exists().is_ok_and(|exists| !exists) {
            return Err(missing());
        }
        let index = SubspaceIndex::new(self.folder.ruleset().board, subspace);
        let table = match self.folder.open_table(subspace, index.entries()) {
            Err(DbError::NoTable { .. }) => return Err(missing()),
            other => other?,
        };
        let far = table.open_far()?.map(Table::for_random_access);
        let table = table.by_near_codes().for_random_access();
        // If another thread was faster, its table serves.
        Ok((place, slot.get_or_init(|| OpenTable { table, far, index })))
    }

    /// The open table with a number; tables are numbered in the order of their subspaces.
    ///
    /// # Panics
    /// If it is not open.
    pub(crate) fn table_of_number(&self, number: usize) -> &OpenTable {
        self.tables[number].1.get().expect("an open table")
    }
}

impl TableSource {
    /// What the table of the position's subspace holds for it; none if the folder's edition leaves it
    /// out.
    fn stored(&self, position: &Position) -> Result<Option<Value>, QueryError> {
        let subspace = position.subspace();
        let OpenTable { table, far, index } = self.table(subspace)?;
        self.folder.check_kept(subspace)?;
        if table.blocks() == 0 {
            return Ok(None);
        }
        let entry = index.index_of(position.mover().board, position.other().board).0;
        let near = self.byte(table, entry)?;
        let far = match far {
            Some(far) if stands_for_far(near) => Some(self.byte(far, entry)?),
            _ => None,
        };
        Ok(self.value_of(near, far))
    }

    /// The byte of an entry in the decoded block that holds it.
    fn byte(&self, table: &Table, entry: u64) -> Result<u8, DbError> {
        let Header { subspace, metric, .. } = *table.header();
        let block = table.block_of(entry);
        let key = (subspace, metric == Metric::Beyond, block);
        let bytes = self.blocks.get_or_insert_with(&key, || {
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

    /// What the bytes of decoded blocks say: blocks hold codes, and a mark where there is none. The far code is needed
    /// where the near one [stands for far values](stands_for_far) in a table that has far codes.
    pub(crate) fn value_of(&self, near: u8, far: Option<u8>) -> Option<Value> {
        let near = ValueCode::from_byte(near)?;
        if !self.folder.edition().has_distances() {
            return Some(near.value().without_distance());
        }
        let far = match far {
            Some(far) => Some(ValueCode::from_byte(far)?),
            None => None,
        };
        Some(FarCodes::FILES.value(near, far))
    }
}

/// Whether the byte of a near code does not say all, if there are far codes.
pub(crate) fn stands_for_far(near: u8) -> bool {
    ValueCode::from_byte(near).is_some_and(|near| FarCodes::FILES.is_far(near))
}

/// The value of a position by those of its successors: the best of them.
pub(crate) fn best_successor<E>(
    ruleset: &Ruleset,
    position: &Position,
    value: &mut dyn FnMut(&Position) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best = Value::LOST;
    // There is a legal move, so the least value does not remain.
    for mv in ruleset.legal_moves(position) {
        let next = mv.apply(position);
        let after = match ruleset.ending(&next) {
            Some(value) => value,
            None => value(&next)?,
        };
        best = best.max(after.before());
    }
    Ok(best)
}

impl Source for TableSource {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        if let Some(value) = self.stored(position)? {
            return Ok(value);
        }
        best_successor(self.folder.ruleset(), position, &mut |next| self.value(next))
    }

    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        batch::values(self, positions)
    }

    fn command_for(&self, subspace: Subspace) -> String {
        SolveCommand::new(self.folder.path()).only(subspace).to_string()
    }
}
