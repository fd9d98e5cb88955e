//! From a folder of one edition to a smaller one: tables are decoded and coded anew, nothing is solved.

use merels_core::Subspace;
use rayon::prelude::*;

use crate::edition::{Edition, Stored};
use crate::error::DbError;
use crate::folder::folder::Folder;
use crate::folder::table::Table;
use crate::folder::writer::TableKind;
use crate::folder::writer::TableSpec;
use crate::folder::writer::TableWriter;
use crate::manifest::TableInfo;

impl Folder {
    /// Makes sure that tables of another edition can be made from those of this folder.
    ///
    /// # Errors
    /// [`DbError::NotCovered`] if it has left out what that edition keeps.
    pub fn covers(&self, wanted: Edition) -> Result<(), DbError> {
        if self.edition().covers(wanted) {
            return Ok(());
        }
        Err(DbError::NotCovered { path: self.path().to_owned(), found: self.edition(), wanted })
    }
}

/// Makes a table of a smaller edition in `to` from the one in `from`, whose blocks and digest are
/// checked on the way; gives nothing if it is there already. For the holder of the lock of `to`.
///
/// # Errors
/// [`DbError::NotCovered`] if `from` has left out what `to` keeps; those of reading and writing.
pub fn pack(
    from: &Folder,
    to: &Folder,
    subspace: Subspace,
    level: i32,
) -> Result<Option<TableInfo>, DbError> {
    from.covers(to.edition())?;
    if to.open_complete_table(subspace)?.is_some() {
        return Ok(None);
    }
    let source = from.open_any_table(subspace)?.by_near_codes();
    let entries = source.entries();
    // What the target leaves out altogether need not be decoded.
    let decoded = |table: &Table, is_kept: bool| {
        let mut values = Vec::new();
        if is_kept {
            values.resize(entries as usize, 0);
            table.decode_all_checked(&mut values)?;
        }
        Ok::<_, DbError>(values)
    };
    let is_kept = to.stored(subspace) != Stored::Nothing;
    let spec = TableSpec { subspace, entries, level, kind: TableKind::Final };
    let mut writer = TableWriter::create(to, spec)?;
    writer.write_copy(&decoded(&source, is_kept)?, source.header().digest)?;
    if let Some(digest) = source.header().companion {
        let far = source.open_far()?;
        let far = far.filter(|_| to.edition().has_distances());
        let values = far.map_or(Ok(Vec::new()), |far| decoded(&far, is_kept))?;
        writer.write_far_copy(&values, digest)?;
    }
    let pending = match &source.header().distribution {
        Some(counted) => writer.finish_counted((**counted).clone())?,
        None => writer.finish(source.header().statistics)?,
    };
    let info = pending.publish()?;
    to.record(std::slice::from_ref(&info))?;
    Ok(Some(info))
}

/// The subspaces of a folder, the largest tables first, so that a lack of memory shows at once.
///
/// # Errors
/// [`DbError::Io`].
pub fn to_be_packed(from: &Folder) -> Result<Vec<(Subspace, u64)>, DbError> {
    let present = from.subspaces_present()?;
    let entries = present
        .par_iter()
        .map(|&subspace| Ok((subspace, from.open_any_table(subspace)?.entries())));
    let mut entries = entries.collect::<Result<Vec<_>, DbError>>()?;
    entries.sort_by_key(|&(subspace, entries)| (std::cmp::Reverse(entries), subspace));
    Ok(entries)
}
