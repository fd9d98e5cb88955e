//! The manifest of a folder: read, written, and brought up to date.

use merels_core::Subspace;

use crate::error::DbError;
use crate::folder::base::Folder;
use crate::folder::files;
use crate::manifest::{Manifest, TableInfo};

impl Folder {
    /// The manifest; an empty one if there is no file.
    ///
    /// # Errors
    /// [`DbError::OtherRuleset`], [`DbError::Damaged`] and those of a file that is no manifest.
    pub fn load_manifest(&self) -> Result<Manifest, DbError> {
        let path = self.manifest_path();
        let Some(bytes) = files::read_bounded(&path, Manifest::SIZE_LIMIT)? else {
            return Ok(Manifest::new(self.ruleset, self.edition));
        };
        let manifest = Manifest::from_bytes(&path, &bytes)?;
        if *manifest.ruleset() != self.ruleset {
            let (found, expected) = (*manifest.ruleset(), self.ruleset);
            return Err(DbError::OtherRuleset { path, found, expected });
        }
        Ok(manifest)
    }

    pub(super) fn save_manifest(&self, manifest: &Manifest) -> Result<(), DbError> {
        let path = self.manifest_path();
        files::write_whole(&self.path, &path, &manifest.to_bytes(&path)?)
    }

    /// Enters tables into the manifest, in place of what it said about their subspaces. For the
    /// holder of the lock.
    ///
    /// # Errors
    /// Those of [`Folder::load_manifest`]; [`DbError::Io`].
    pub fn record(&self, tables: &[TableInfo]) -> Result<(), DbError> {
        let mut manifest = self.load_manifest()?;
        for info in tables {
            manifest.insert(info.clone());
        }
        self.save_manifest(&manifest)
    }

    /// Compares the manifest with the files, and brings it up to date: enters tables that it lacks
    /// (a run was killed after publishing them), drops those whose file is gone. Reads
    /// headers, not blocks. For the holder of the lock.
    ///
    /// # Errors
    /// [`DbError::Disagreement`] if a file is not the one that is listed; those of
    /// [`Folder::open_table`] and [`Folder::load_manifest`].
    pub fn reconcile(&self) -> Result<Reconciled, DbError> {
        let mut manifest = self.load_manifest()?;
        let mut present = Vec::new();
        for subspace in self.subspaces_present()? {
            present.push(self.open_table(subspace)?.info());
        }
        let place = |subspace| present.binary_search_by_key(&subspace, |info| info.subspace);
        let dropped = manifest.drop_unless(|subspace| place(subspace).is_ok());
        let mut adopted = Vec::new();
        for info in present {
            let subspace = info.subspace;
            let Some(listed) = manifest.get(subspace) else {
                manifest.insert(info);
                adopted.push(subspace);
                continue;
            };
            if let Some(reason) = info.difference(listed) {
                let (path, manifest) = (self.path_of(subspace), self.manifest_path());
                return Err(DbError::Disagreement { path, manifest, subspace, reason });
            }
        }
        if !(adopted.is_empty() && dropped.is_empty()) {
            self.save_manifest(&manifest)?;
        }
        Ok(Reconciled { adopted, dropped })
    }
}

/// What [`Folder::reconcile`] changed in the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Tables entered: their files were there.
    pub adopted: Vec<Subspace>,
    /// Tables dropped: their files were gone.
    pub dropped: Vec<Subspace>,
}
