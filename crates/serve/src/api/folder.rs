//! What the folder of the databases says about its tables.

use merels_core::Subspace;
use merels_db::{DbError, Distribution, Expectation, Folder, Manifest, Table, TableInfo};

use crate::explorer::Lookup;

/// The tables of a folder. Most are in its manifest; a table that a running solver has just made is
/// not, and its header is read.
pub(super) fn infos(folder: &Folder) -> Result<Vec<TableInfo>, DbError> {
    let manifest = folder.load_manifest()?;
    let present = folder.subspaces_present()?.into_iter();
    present.map(|subspace| of(folder, &manifest, subspace)).collect()
}

fn of(folder: &Folder, manifest: &Manifest, subspace: Subspace) -> Result<TableInfo, DbError> {
    if let Some(info) = manifest.get(subspace) {
        return Ok(info.clone());
    }
    let ruleset = *folder.ruleset();
    let expectation = Expectation { ruleset, subspace, edition: None };
    Ok(Table::open(&folder.path_of(subspace), &expectation)?.info())
}

/// The distribution of values in the table of a subspace; none if there is no table.
pub(super) fn distribution(
    oracle: &Lookup,
    subspace: Subspace,
) -> Result<Option<Distribution>, DbError> {
    let Some(tables) = oracle.source().databases().tables() else { return Ok(None) };
    match tables.folder().open_table(subspace) {
        Ok(table) => Ok(Some((*table.header().distribution).clone())),
        Err(DbError::NoTable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
