//! The folder of one ruleset: where its tables are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};

use crate::edition::{Edition, Stored, has_subspace};
use crate::error::DbError;
use crate::folder::space::free_space_at;
use crate::folder::table::{Expectation, Table};

/// Extension of table names.
const EXTENSION: &str = "merels";

/// Extension of the names of work tables.
const WORK_EXTENSION: &str = "work";

const MANIFEST_NAME: &str = "manifest.merels";

/// The folder that holds the tables of one ruleset: `DIR/<ruleset>`.
#[derive(Clone, Debug)]
pub struct Folder {
    pub(super) path: PathBuf,
    pub(super) ruleset: Ruleset,
    pub(super) edition: Edition,
}

impl Folder {
    /// Whether `dir` has a folder for `ruleset`, rules about the history of a game left out.
    pub fn exists(dir: &Path, ruleset: Ruleset) -> bool {
        dir.join(ruleset.without_history().to_string()).exists()
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

    /// The file of a subspace, whether it exists or not.
    pub fn path_of(&self, subspace: Subspace) -> PathBuf {
        self.path.join(format!("{subspace}.{EXTENSION}"))
    }

    /// The work table of a subspace, whether it exists or not: a table of the edition
    /// [`Edition::Full`] beside one that leaves entries out, kept while others are solved from it.
    pub fn work_path_of(&self, subspace: Subspace) -> PathBuf {
        self.path.join(format!("{subspace}.{WORK_EXTENSION}"))
    }

    /// The file of the manifest, whether it exists or not.
    pub fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST_NAME)
    }

    /// The subspaces for which there is a file, in order; none if the folder is gone. Files with
    /// other names are passed over.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn subspaces_present(&self) -> Result<Vec<Subspace>, DbError> {
        self.named(|subspace| self.path_of(subspace))
    }

    /// The subspaces that have a work table, in order.
    ///
    /// # Errors
    /// [`DbError::Io`].
    pub fn work_tables_present(&self) -> Result<Vec<Subspace>, DbError> {
        self.named(|subspace| self.work_path_of(subspace))
    }

    fn named(&self, path_of: impl Fn(Subspace) -> PathBuf) -> Result<Vec<Subspace>, DbError> {
        let mut found = Vec::new();
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            other => other.map_err(DbError::io("list", &self.path))?,
        };
        for entry in entries {
            let entry = entry.map_err(DbError::io("list", &self.path))?;
            let name = PathBuf::from(entry.file_name());
            let subspace = name.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            // Only the name that `path_of` gives: a second spelling would be a second file.
            let Some(subspace) = subspace.filter(|&s| path_of(s) == entry.path()) else { continue };
            if !has_subspace(&self.ruleset, subspace) {
                let (path, ruleset) = (entry.path(), self.ruleset);
                return Err(DbError::NoSuchSubspace { path, ruleset, subspace });
            }
            found.push(subspace);
        }
        found.sort();
        Ok(found)
    }

    /// Opens the table of a subspace, to be read piece by piece.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn open_table(&self, subspace: Subspace) -> Result<Table, DbError> {
        Table::open(&self.path_of(subspace), &self.expectation(subspace, self.edition))
    }

    /// Maps the table of a subspace, to be read whole. See [`Table::map`] for the condition on
    /// other programs.
    ///
    /// # Errors
    /// Those of [`Table::map`].
    pub fn map_table(&self, subspace: Subspace) -> Result<Table, DbError> {
        Table::map(&self.path_of(subspace), &self.expectation(subspace, self.edition))
    }

    /// Maps the work table of a subspace.
    ///
    /// # Errors
    /// Those of [`Table::map`].
    pub fn map_work_table(&self, subspace: Subspace) -> Result<Table, DbError> {
        Table::map(&self.work_path_of(subspace), &self.expectation(subspace, Edition::Full))
    }

    const fn expectation(&self, subspace: Subspace, edition: Edition) -> Expectation {
        Expectation { ruleset: self.ruleset, subspace, edition: Some(edition) }
    }

    /// The size of the work table of a subspace, in bytes.
    ///
    /// # Errors
    /// [`DbError::Io`], also if there is none.
    pub fn work_size(&self, subspace: Subspace) -> Result<u64, DbError> {
        let path = self.work_path_of(subspace);
        let metadata = fs::metadata(&path).map_err(DbError::io("find the size of", &path))?;
        Ok(metadata.len())
    }

    /// Bytes that may still be written to the file system of the folder.
    ///
    /// # Errors
    /// [`DbError::Io`], always so on systems other than Unix and Windows.
    pub fn free_space(&self) -> Result<u64, DbError> {
        free_space_at(&self.path)
    }
}
