//! The folder of one ruleset: where its tables are, who may write, and its manifest.

use std::fs;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};

use crate::edition::{Edition, Stored};
use crate::error::DbError;
use crate::folder::files::{self, exists, remove};
use crate::folder::table::{Expectation, Table, far_path};
use crate::header::misfit;
use crate::manifest::Manifest;

/// Extension of table names.
const EXTENSION: &str = "merels";
/// Extension of the names of work tables.
pub(crate) const WORK_EXTENSION: &str = "work";
const MANIFEST_NAME: &str = "manifest.merels";

/// The folder that holds the tables of one ruleset: `DIR/<ruleset>`.
#[derive(Clone, Debug)]
pub struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) ruleset: Ruleset,
    pub(crate) edition: Edition,
}

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
        if !exists(&manifest)? {
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

    /// Whether `dir` has a folder for `ruleset`, rules about the history of a game left out.
    pub fn exists(dir: &Path, ruleset: Ruleset) -> bool {
        dir.join(ruleset.without_history().to_string()).exists()
    }

    /// The edition of a new folder: the same answers as from all values, in less than half the room.
    pub const DEFAULT_EDITION: Edition = Edition::Compact;

    /// What the header of some table says, for a folder that has lost its manifest.
    fn edition_of_tables(&self) -> Result<Option<Edition>, DbError> {
        if exists(&self.manifest_path())? {
            return Ok(None);
        }
        let Some(&subspace) = self.subspaces_present()?.first() else { return Ok(None) };
        let expectation =
            Expectation { ruleset: self.ruleset, subspace, edition: None, entries: None };
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
        if !exists(&path)? {
            return Err(DbError::NoFolder { path, ruleset });
        }
        let mut folder = Self { path, ruleset, edition: Self::DEFAULT_EDITION };
        folder.edition = match folder.edition_of_tables()? {
            Some(edition) => edition,
            None => folder.load_manifest()?.edition(),
        };
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules for which it was made: none about the history of a game is among them.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// How much it keeps.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// What it keeps of a subspace.
    pub fn stored(&self, subspace: Subspace) -> Stored {
        self.edition.stored(&self.ruleset, subspace)
    }

    /// Makes sure that the values of a subspace are kept, or follow from what is kept.
    ///
    /// # Errors
    /// [`DbError::NotKept`].
    pub fn check_kept(&self, subspace: Subspace) -> Result<(), DbError> {
        if self.edition.can_restore() || self.stored(subspace) != Stored::Nothing {
            return Ok(());
        }
        let (path, edition) = (self.path.clone(), self.edition);
        Err(DbError::NotKept { path, edition, subspace })
    }

    /// Whether the table of a subspace holds all its values, exactly.
    pub fn is_exact(&self, subspace: Subspace) -> bool {
        self.edition.is_exact(&self.ruleset, subspace)
    }

    /// The work table of a subspace, whether it exists or not: a table of the edition
    /// [`Edition::Full`] beside one that leaves entries out, kept while others are solved from it.
    pub fn work_path_of(&self, subspace: Subspace) -> PathBuf {
        self.path.join(format!("{subspace}.{WORK_EXTENSION}"))
    }

    /// Opens the work table of a subspace.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn open_work_table(&self, subspace: Subspace, entries: u64) -> Result<Table, DbError> {
        let expectation = Expectation {
            ruleset: self.ruleset,
            subspace,
            edition: Some(Edition::Full),
            entries: Some(entries),
        };
        Table::open(&self.work_path_of(subspace), &expectation)
    }

    /// The size of the work table of a subspace, in bytes, with that of far codes.
    ///
    /// # Errors
    /// [`DbError::Io`], also if there is none.
    pub fn work_size(&self, subspace: Subspace) -> Result<u64, DbError> {
        let path = self.work_path_of(subspace);
        let metadata = fs::metadata(&path).map_err(DbError::io("find the size of", &path))?;
        let far = fs::metadata(far_path(&path)).map_or(0, |far| far.len());
        Ok(metadata.len() + far)
    }

    /// Removes the work table of a subspace, if there is one, and that of far codes. For the holder of the lock.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn remove_work_table(&self, subspace: Subspace) -> Result<(), DbError> {
        // A table is never without the far codes that belong to it.
        let path = self.work_path_of(subspace);
        [&path, &far_path(&path)].into_iter().try_for_each(|path| remove(path))
    }

    /// The file of a subspace, whether it exists or not.
    pub fn path_of(&self, subspace: Subspace) -> PathBuf {
        self.path.join(format!("{subspace}.{EXTENSION}"))
    }

    /// The file of the manifest, whether it exists or not.
    pub fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST_NAME)
    }

    /// The subspaces that have a file, in order. Files with other names are skipped.
    ///
    /// # Errors
    /// [`DbError::Damaged`] if a file is named for a subspace that no game by these rules has;
    /// [`DbError::Io`].
    pub fn subspaces_present(&self) -> Result<Vec<Subspace>, DbError> {
        self.named(|subspace| self.path_of(subspace))
    }

    /// The subspaces that have a work table, in order.
    ///
    /// # Errors
    /// As [`Folder::subspaces_present`].
    pub fn work_tables_present(&self) -> Result<Vec<Subspace>, DbError> {
        self.named(|subspace| self.work_path_of(subspace))
    }

    fn named(&self, path_of: impl Fn(Subspace) -> PathBuf) -> Result<Vec<Subspace>, DbError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(DbError::io("list", &self.path))? {
            let entry = entry.map_err(DbError::io("list", &self.path))?;
            let name = PathBuf::from(entry.file_name());
            let subspace = name.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            // Other spellings of the name that `path_of` returns do not count.
            let Some(subspace) = subspace.filter(|&subspace| path_of(subspace) == entry.path())
            else {
                continue;
            };
            if let Some(reason) = misfit(&self.ruleset, subspace) {
                return Err(DbError::damaged(&entry.path(), reason));
            }
            found.push(subspace);
        }
        found.sort();
        Ok(found)
    }

    /// Opens the table of a subspace, which must have `expected_entries` entries. See
    /// [`Table::open`] for the condition on other programs.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn open_table(&self, subspace: Subspace, expected_entries: u64) -> Result<Table, DbError> {
        let expectation = Expectation {
            ruleset: self.ruleset,
            subspace,
            edition: Some(self.edition),
            entries: Some(expected_entries),
        };
        Table::open(&self.path_of(subspace), &expectation)
    }

    /// Opens the table of a subspace with as many entries as its header says.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn open_any_table(&self, subspace: Subspace) -> Result<Table, DbError> {
        let (ruleset, edition) = (self.ruleset, Some(self.edition));
        let expectation = Expectation { ruleset, subspace, edition, entries: None };
        Table::open(&self.path_of(subspace), &expectation)
    }

    /// Opens the table of a subspace; none if there is no file, or if it lacks its far codes.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub(crate) fn open_complete_table(&self, subspace: Subspace) -> Result<Option<Table>, DbError> {
        match self.open_any_table(subspace) {
            Ok(table) => Ok(Some(table)),
            Err(DbError::NoTable { .. }) => Ok(None),
            Err(error) if error.is_lack_of_far_codes() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
