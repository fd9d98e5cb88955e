//! Making a folder, and opening one that is there.

use std::fs;
use std::path::Path;

use merels_core::Ruleset;

use crate::edition::Edition;
use crate::error::DbError;
use crate::folder::base::Folder;
use crate::folder::files;
use crate::folder::table::{Expectation, Table};
use crate::manifest::Manifest;

impl Folder {
    /// Opens the folder for `ruleset` in `dir`, made if it does not exist. A new folder, and one that has
    /// no table yet, is of the edition asked for, or of [`Folder::DEFAULT_EDITION`]. Rules about the history of a game change
    /// no value, and no folder: see [`Ruleset::without_history`].
    ///
    /// # Errors
    /// [`DbError::OtherRuleset`] if the folder's manifest is for other rules;
    /// [`DbError::OtherEdition`] if the folder is of another edition than asked for; [`DbError::Locked`] if
    /// its edition would change while another solver runs in it; [`DbError::Io`].
    pub fn create(dir: &Path, ruleset: Ruleset, edition: Option<Edition>) -> Result<Self, DbError> {
        let ruleset = ruleset.without_history();
        let path = dir.join(ruleset.to_string());
        fs::create_dir_all(&path).map_err(DbError::io("create the folder", &path))?;
        let mut folder = Self { path, ruleset, edition: edition.unwrap_or(Self::DEFAULT_EDITION) };
        folder.edition = folder.edition_of_tables()?.unwrap_or(folder.edition);
        let manifest = folder.manifest_path();
        if !files::exists(&manifest)? {
            let bytes = Manifest::new(ruleset, folder.edition).to_bytes(&manifest)?;
            files::write_new(&folder.path, &manifest, &bytes)?;
        }
        folder.edition = folder.load_manifest()?.edition();
        if let Some(expected) = edition
            && expected != folder.edition
        {
            folder.change_edition(expected)?;
        }
        Ok(folder)
    }

    /// Makes a folder without tables one of the edition `expected`: nothing has been kept in another one.
    fn change_edition(&mut self, expected: Edition) -> Result<(), DbError> {
        let is_empty = |folder: &Self| {
            let files = [folder.subspaces_present()?, folder.work_tables_present()?];
            let listed = folder.load_manifest()?.iter().count();
            Ok::<_, DbError>(files.concat().is_empty() && listed == 0)
        };
        if is_empty(self)? {
            let _lock = self.lock()?;
            // Another solver may have been at work until now.
            if is_empty(self)? {
                self.edition = expected;
                return self.save_manifest(&Manifest::new(self.ruleset, expected));
            }
        }
        let (path, found) = (self.path.clone(), self.edition);
        Err(DbError::OtherEdition { path, found, expected })
    }

    /// The edition of a new folder: the same answers as from all values, in less than half the room.
    pub const DEFAULT_EDITION: Edition = Edition::Compact;

    /// What the header of some table says, for a folder that has lost its manifest.
    fn edition_of_tables(&self) -> Result<Option<Edition>, DbError> {
        if files::exists(&self.manifest_path())? {
            return Ok(None);
        }
        let Some(&subspace) = self.subspaces_present()?.first() else { return Ok(None) };
        let expectation = Expectation { ruleset: self.ruleset, subspace, edition: None };
        Ok(Some(Table::open(&self.path_of(subspace), &expectation)?.header().edition))
    }

    /// Opens the folder for `ruleset` in `dir`, rules about the history of a game left out.
    ///
    /// # Errors
    /// [`DbError::NoFolder`] if it does not exist; [`DbError::OtherRuleset`] if its manifest is for
    /// other rules; an error if the manifest cannot be read. A folder without manifest is opened.
    pub fn open(dir: &Path, ruleset: Ruleset) -> Result<Self, DbError> {
        let ruleset = ruleset.without_history();
        let path = dir.join(ruleset.to_string());
        if !files::exists(&path)? {
            return Err(DbError::NoFolder { path, ruleset });
        }
        let mut folder = Self { path, ruleset, edition: Self::DEFAULT_EDITION };
        folder.edition = match folder.edition_of_tables()? {
            Some(edition) => edition,
            None => folder.load_manifest()?.edition(),
        };
        Ok(folder)
    }
}
