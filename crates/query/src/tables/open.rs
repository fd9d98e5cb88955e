//! The tables of a folder, each opened when it is first needed, and opened again when its file has
//! been replaced.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use merels_core::numbering::SubspaceIndex;
use merels_core::{Position, Ruleset, Subspace};
use merels_db::{DbError, Folder, Table};

use crate::error::{Missing, QueryError};

/// A folder and its open tables.
#[derive(Debug)]
pub(super) struct OpenTables {
    dir: PathBuf,
    ruleset: Ruleset,
    folder: ArcSwap<Folder>,
    /// All subspaces of the game, sorted.
    slots: Vec<Slot>,
    /// The number of tables opened so far.
    opened: AtomicU64,
}

/// A subspace, with its table while that is open.
#[derive(Debug)]
struct Slot {
    subspace: Subspace,
    open: ArcSwapOption<OpenTable>,
}

/// An open table with its numbering.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) table: Table,
    pub(super) index: Arc<SubspaceIndex>,
    /// Differs for every opening of a table, so that blocks of a replaced file are not mistaken for
    /// those of the new one.
    pub(super) opening: u64,
    since: Instant,
}

/// How long a table that gives errors stays open: opening it again for each of many look-ups would
/// cost more than they do.
const TRUSTED: Duration = Duration::from_secs(1);

impl OpenTables {
    pub(super) fn new(dir: &Path, ruleset: Ruleset) -> Result<Self, DbError> {
        let folder = ArcSwap::from_pointee(Folder::open(dir, ruleset)?);
        let mut subspaces = Subspace::all_moving(&ruleset);
        subspaces.extend(Subspace::placing_layers(&ruleset).into_iter().flatten());
        subspaces.sort();
        let slot = |subspace| Slot { subspace, open: ArcSwapOption::empty() };
        let slots = subspaces.into_iter().map(slot).collect();
        let ruleset = ruleset.without_history();
        Ok(Self { dir: dir.to_owned(), ruleset, folder, slots, opened: AtomicU64::new(0) })
    }

    pub(super) fn folder(&self) -> Arc<Folder> {
        self.folder.load_full()
    }

    /// The rules.
    pub(super) const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The folder of the ruleset.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.load().path().to_owned()
    }

    /// How many subspaces the game has.
    pub(super) const fn len(&self) -> usize {
        self.slots.len()
    }

    /// The number of a subspace. Subspaces are numbered in their order.
    ///
    /// # Errors
    /// [`QueryError::Missing`] if the game has no such subspace.
    pub(super) fn number_of(&self, subspace: Subspace) -> Result<usize, QueryError> {
        let number = self.slots.binary_search_by_key(&subspace, |slot| slot.subspace);
        number.map_err(|_| self.missing(subspace))
    }

    fn missing(&self, subspace: Subspace) -> QueryError {
        Missing::no_table(subspace, Some(self.path())).into()
    }

    /// The table of the subspace with a number.
    ///
    /// # Errors
    /// [`QueryError::Missing`] if there is none; [`QueryError::Database`].
    pub(super) fn table(&self, number: usize) -> Result<Arc<OpenTable>, QueryError> {
        match self.slots[number].open.load_full() {
            Some(open) => Ok(open),
            None => self.opened(number),
        }
    }

    /// Calls `work` with the table of the subspace with a number. Counts no references, which
    /// threads that look at one table would have to take turns for.
    ///
    /// # Errors
    /// Those of [`OpenTables::table`].
    pub(super) fn with_table<T>(
        &self,
        number: usize,
        work: impl FnOnce(&OpenTable) -> T,
    ) -> Result<T, QueryError> {
        match &*self.slots[number].open.load() {
            Some(open) => Ok(work(open)),
            None => Ok(work(&*self.opened(number)?)),
        }
    }

    /// Opens a table that is not open.
    fn opened(&self, number: usize) -> Result<Arc<OpenTable>, QueryError> {
        let slot = &self.slots[number];
        let table = match self.open(slot.subspace) {
            Err(DbError::NoTable { .. }) => return Err(self.missing(slot.subspace)),
            other => other?,
        };
        let index = Arc::new(SubspaceIndex::new(self.ruleset.board, slot.subspace));
        Ok(self.keep(slot, table, index))
    }

    /// The file of a subspace, opened.
    fn open(&self, subspace: Subspace) -> Result<Table, DbError> {
        match self.folder.load().open_table(subspace) {
            // Perhaps too many files are open.
            Err(DbError::Io { .. }) => {
                self.slots.iter().for_each(|slot| slot.open.store(None));
                self.folder.load().open_table(subspace)
            }
            // Another folder may have taken the place of the one that was opened.
            Err(DbError::OtherEdition { .. }) => {
                self.look_at_folder();
                self.folder.load().open_table(subspace)
            }
            other => other,
        }
    }

    fn keep(&self, slot: &Slot, table: Table, index: Arc<SubspaceIndex>) -> Arc<OpenTable> {
        let opening = self.opened.fetch_add(1, Ordering::Relaxed);
        let open = Arc::new(OpenTable { table, index, opening, since: Instant::now() });
        slot.open.store(Some(Arc::clone(&open)));
        open
    }

    /// Opens a table that gave an error again, if another file has taken its place. None if it is
    /// the same.
    ///
    /// # Errors
    /// Those of [`OpenTables::table`].
    pub(super) fn reopened(&self, number: usize) -> Result<Option<Arc<OpenTable>>, QueryError> {
        let slot = &self.slots[number];
        let Some(open) = slot.open.load_full() else { return self.opened(number).map(Some) };
        let current = open.table.is_current()?;
        if current && open.since.elapsed() < TRUSTED {
            return Ok(None);
        }
        slot.open.store(None);
        match self.open(slot.subspace) {
            Err(DbError::NoTable { .. }) => Err(self.missing(slot.subspace)),
            Err(error) => Err(error.into()),
            Ok(table) => Ok(Some(self.keep(slot, table, Arc::clone(&open.index)))),
        }
    }

    /// Closes the tables whose files are no longer the ones that were opened.
    pub(super) fn refresh(&self) {
        self.look_at_folder();
        for slot in &self.slots {
            let Some(open) = slot.open.load_full() else { continue };
            // A table that cannot be looked at is opened again, which says why.
            if !open.table.is_current().unwrap_or(false) {
                slot.open.store(None);
            }
        }
    }

    /// Notices that the folder has become one of another edition. One that cannot be opened now
    /// stays as it was; its tables say what is wrong.
    fn look_at_folder(&self) {
        if let Ok(folder) = Folder::open(&self.dir, self.ruleset)
            && folder.edition() != self.folder.load().edition()
        {
            self.folder.store(Arc::new(folder));
        }
    }
}

impl OpenTable {
    /// The number of the entry that holds `position`.
    pub(super) fn entry_of(&self, position: &Position) -> u64 {
        self.index.index_of(position.mover().board, position.other().board).0
    }
}
