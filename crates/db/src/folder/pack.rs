//! From a folder of one edition to a smaller one: tables are decoded and coded anew, nothing is solved.

use merels_core::Subspace;
use merels_core::numbering::Codes;
use rayon::prelude::*;

use crate::edition::{Edition, Stored};
use crate::error::DbError;
use crate::folder::base::Folder;
use crate::folder::writer::{TableKind, TableSpec, TableWriter};
use crate::manifest::TableInfo;

impl Edition {
    /// Whether all that `smaller` keeps is kept by this edition, too.
    pub const fn covers(self, smaller: Self) -> bool {
        match self {
            Self::Full => true,
            // It leaves out parts of small subspaces, which the edition `statistics` keeps whole.
            Self::Compact => matches!(smaller, Self::Compact | Self::Outcome),
            Self::Outcome => matches!(smaller, Self::Outcome),
            Self::Statistics => matches!(smaller, Self::Statistics),
        }
    }
}

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
    match to.open_table(subspace) {
        Ok(_) => return Ok(None),
        Err(DbError::NoTable { .. }) => {}
        Err(error) => return Err(error),
    }
    let source = from.open_table(subspace)?;
    let header = source.header();
    // What the target leaves out altogether need not be decoded.
    let mut values = None;
    if to.stored(subspace) != Stored::Nothing {
        let values = values.insert(source.buffers(source.entries() as usize));
        source.decode_all_checked(values.slices_mut())?;
    }
    let spec = TableSpec { subspace, level, kind: TableKind::Final };
    let mut writer = TableWriter::create(to, spec)?;
    let digest = Codes { near: header.digest, far: header.far.map(|far| far.digest) };
    writer.write_copy(values.as_ref().map(Codes::slices), digest)?;
    let pending = writer.finish((*header.distribution).clone())?;
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
    let entries =
        present.par_iter().map(|&subspace| Ok((subspace, from.open_table(subspace)?.entries())));
    let mut entries = entries.collect::<Result<Vec<_>, DbError>>()?;
    entries.sort_by_key(|&(subspace, entries)| (std::cmp::Reverse(entries), subspace));
    Ok(entries)
}
