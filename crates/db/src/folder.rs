//! The folder of one ruleset: where its tables are, who may write, and its manifest.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use merels_core::{Ruleset, Subspace};

use crate::edition::{Edition, Stored};
use crate::manifest::{Manifest, TableInfo};
use crate::table::{Expectation, Table, far_path};
use crate::{DbError, files};

/// Extension of table names.
const EXTENSION: &str = "merels";
/// Extension of the names of work tables.
const WORK_EXTENSION: &str = "work";
const MANIFEST_NAME: &str = "manifest.merels";
const LOCK_NAME: &str = ".lock";

/// The folder that holds the tables of one ruleset: `DIR/<ruleset>`.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    ruleset: Ruleset,
    edition: Edition,
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

    /// The subspaces for which there is a file, in order. Files with other names are passed over.
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
        for entry in fs::read_dir(&self.path).map_err(DbError::io("list", &self.path))? {
            let entry = entry.map_err(DbError::io("list", &self.path))?;
            let name = PathBuf::from(entry.file_name());
            let subspace = name.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            // Only the name that `path_of` gives: a second spelling would be a second file.
            found.extend(subspace.filter(|&s| path_of(s) == entry.path()));
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

    /// Makes this process the only solver in the folder, and removes what killed ones have left.
    ///
    /// # Errors
    /// [`DbError::Locked`] if another process (or another part of this one) holds the lock.
    pub fn lock(&self) -> Result<FolderLock, DbError> {
        let path = self.path.join(LOCK_NAME);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(DbError::io("open", &path))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => DbError::Locked { path: self.path.clone() },
            TryLockError::Error(error) => DbError::io("lock", &path)(error),
        })?;
        files::remove_stale(&self.path)?;
        self.remove_stray_work()?;
        Ok(FolderLock { _file: file })
    }

    /// Removes far codes for solving others whose table is gone.
    fn remove_stray_work(&self) -> Result<(), DbError> {
        for entry in fs::read_dir(&self.path).map_err(DbError::io("list", &self.path))? {
            let path = entry.map_err(DbError::io("list", &self.path))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let subspace = name.strip_suffix(&format!(".far.{WORK_EXTENSION}"));
            let Some(Ok(subspace)) = subspace.map(str::parse::<Subspace>) else { continue };
            let table = self.work_path_of(subspace);
            if far_path(&table) == path && !exists(&table)? {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// The manifest; an empty one if there is no file.
    ///
    /// # Errors
    /// [`DbError::OtherRuleset`], [`DbError::Damaged`] and those of a file that is no manifest.
    pub fn load_manifest(&self) -> Result<Manifest, DbError> {
        let path = self.manifest_path();
        if path.exists() {
            files::check_regular(&path)?;
        }
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Manifest::new(self.ruleset, self.edition));
            }
            Err(error) => return Err(DbError::io("read", &path)(error)),
        };
        let manifest = Manifest::from_bytes(&path, &bytes)?;
        if *manifest.ruleset() != self.ruleset {
            let (found, expected) = (*manifest.ruleset(), self.ruleset);
            return Err(DbError::OtherRuleset { path, found, expected });
        }
        Ok(manifest)
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

    /// Compares the manifest with the files, and brings it up to date: enters tables that it lacks
    /// (a run was killed after publishing them), drops those whose file is gone, or that of their far codes. Reads
    /// headers, not blocks. For the holder of the lock.
    ///
    /// # Errors
    /// [`DbError::Disagreement`] if a file is not the one that is listed; those of
    /// [`Table::open`] and [`Folder::load_manifest`].
    pub fn reconcile(&self) -> Result<Reconciled, DbError> {
        let mut manifest = self.load_manifest()?;
        let (mut present, mut incomplete) = (Vec::new(), Vec::new());
        for subspace in self.subspaces_present()? {
            match self.open_complete_table(subspace)? {
                Some(table) => present.push(table.info()),
                None => incomplete.push(subspace),
            }
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
        Ok(Reconciled { adopted, dropped, incomplete })
    }

    /// Bytes that may still be written to the file system of the folder.
    ///
    /// # Errors
    /// [`DbError::Io`], always so where the system is not of the Unix family.
    pub fn free_space(&self) -> Result<u64, DbError> {
        free_space_at(&self.path)
    }

    fn save_manifest(&self, manifest: &Manifest) -> Result<(), DbError> {
        let path = self.manifest_path();
        files::write_whole(&self.path, &path, &manifest.to_bytes(&path)?)
    }
}

/// Bytes that may still be written to the file system where `path` is, or would be made.
///
/// # Errors
/// [`DbError::Io`], always so where the system is not of the Unix family.
pub fn free_space_at(path: &Path) -> Result<u64, DbError> {
    // The nearest folder that is there; the last one of a relative path is the current folder.
    let here = |path: &&Path| !path.as_os_str().is_empty() && path.exists();
    let nearest = path.ancestors().find(here).unwrap_or(Path::new("."));
    #[cfg(unix)]
    let space = rustix::fs::statvfs(nearest)
        .map(|status| match status.f_blocks {
            // Nobody counts blocks there: whether something can be written shows when it is.
            0 => u64::MAX,
            _ => status.f_bavail.saturating_mul(status.f_frsize),
        })
        .map_err(io::Error::from);
    #[cfg(not(unix))]
    let space = Err(io::ErrorKind::Unsupported.into());
    space.map_err(DbError::io("find the free space of", nearest))
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), DbError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(DbError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn exists(path: &Path) -> Result<bool, DbError> {
    path.try_exists().map_err(DbError::io("look for", path))
}

/// The right to write into a folder, held until dropped (or until the process ends).
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct FolderLock {
    _file: File,
}

/// What [`Folder::reconcile`] changed in the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Tables entered: their files were there.
    pub adopted: Vec<Subspace>,
    /// Tables dropped: their files were gone, or they lacked their far codes.
    pub dropped: Vec<Subspace>,
    /// Tables that lack their far codes, listed before or not: to be made again as if they were gone.
    pub incomplete: Vec<Subspace>,
}
