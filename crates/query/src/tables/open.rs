//! The tables of a folder, each opened when it is first needed.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use merels_core::{Position, Ruleset, Subspace, SubspaceIndex};
use merels_db::{DbError, Folder, SolveCommand, Table};

use crate::error::QueryError;

/// A folder and its open tables.
#[derive(Debug)]
pub(super) struct OpenTables {
    folder: Folder,
    /// All subspaces of the game, sorted, each with its table once that is open.
    tables: Vec<(Subspace, OnceLock<OpenTable>)>,
}

/// An open table with its numbering.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) table: Table,
    pub(super) index: SubspaceIndex,
}

impl OpenTables {
    pub(super) fn new(dir: &Path, ruleset: Ruleset) -> Result<Self, DbError> {
        let folder = Folder::open(dir, ruleset)?;
        let mut subspaces = Subspace::all_moving(&ruleset);
        subspaces.extend(Subspace::placing_layers(&ruleset).into_iter().flatten());
        subspaces.sort();
        let tables = subspaces.into_iter().map(|subspace| (subspace, OnceLock::new())).collect();
        Ok(Self { folder, tables })
    }

    pub(super) const fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The command that makes the database of `subspace` in this folder.
    pub(super) fn command_for(&self, subspace: Subspace) -> String {
        SolveCommand::new(self.folder.path()).only(subspace).to_string()
    }

    /// The table of a subspace with its number, which [`OpenTables::numbered`] takes.
    pub(super) fn table(&self, subspace: Subspace) -> Result<(usize, &OpenTable), QueryError> {
        let missing = || QueryError::Missing { subspace, command: self.command_for(subspace) };
        let number = self.tables.binary_search_by_key(&subspace, |(subspace, _)| *subspace);
        let number = number.map_err(|_| missing())?;
        let (_, slot) = &self.tables[number];
        if let Some(open) = slot.get() {
            return Ok((number, open));
        }
        // Checked first, because without a file the index would be computed for nothing.
        let found = fs::symlink_metadata(self.folder.path_of(subspace));
        if found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Err(missing());
        }
        let index = SubspaceIndex::new(self.folder.ruleset().board, subspace);
        let table = match self.folder.open_table(subspace) {
            Err(DbError::NoTable { .. }) => return Err(missing()),
            other => other?,
        };
        let table = table.for_random_access();
        // If another thread was faster, its table is used.
        Ok((number, slot.get_or_init(|| OpenTable { table, index })))
    }

    /// The open table with a number. Tables are numbered in the order of their subspaces.
    ///
    /// # Panics
    /// If the table is not open.
    pub(super) fn numbered(&self, number: usize) -> &OpenTable {
        self.tables[number].1.get().expect("an open table")
    }
}

impl OpenTable {
    /// The number of the entry that holds `position`.
    pub(super) fn entry_of(&self, position: &Position) -> u64 {
        self.index.index_of(position.mover().board, position.other().board).0
    }
}
