//! Values from the tables of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use merels_core::{Position, Ruleset, Subspace, Value};
use merels_db::{DbError, Folder};

use crate::error::QueryError;
use crate::source::{Source, best_successor};
use crate::tables::batch;
use crate::tables::blocks::Blocks;
use crate::tables::open::{OpenTable, OpenTables};
use crate::tables::seldom::Seldom;

/// The databases of a folder. A table is opened when it is first needed and stays open.
///
/// Decoded blocks are cached. The cache holds at most as many blocks as [`TableSource::open`] was
/// given, 64 KiB each, and drops the least used ones; with 0 it holds none, and every value decodes
/// a block. All threads that use the source share its cache: one of them decodes a block, and the
/// others that need it wait. An open table takes 16 bytes for each of its blocks, and some kilobytes
/// of look-up tables.
///
/// The files may change meanwhile. A table that is made while the source is open is found. One that
/// is deleted or replaced is noticed by [`TableSource::refresh`], or when reading it fails: then the
/// new file answers. What cannot be read is an error that names the file; the next look-ups try it
/// again.
#[derive(Debug)]
pub struct TableSource {
    tables: OpenTables,
    blocks: Blocks,
    refreshing: Seldom,
}

impl TableSource {
    /// The default number of cached blocks: 64 MiB. Enough for everything that a position and the
    /// line after it touch; streams of random positions gain little from more.
    pub const DEFAULT_BLOCKS: usize = 1024;

    /// How many files may be open at the same time: every table of the game, once positions of all
    /// subspaces have been looked up. Where the system allows fewer, tables are closed and opened
    /// again, which takes time.
    pub fn most_files(ruleset: &Ruleset) -> usize {
        let placing: usize = Subspace::placing_layers(ruleset).iter().map(Vec::len).sum();
        Subspace::all_moving(ruleset).len() + placing
    }

    /// Opens the databases for `ruleset` in `dir`, with a cache of at most `blocks` decoded blocks.
    ///
    /// # Errors
    /// [`DbError::NoFolder`] if there are none; [`DbError::OtherRuleset`] if they are for other
    /// rules.
    pub fn open(dir: &Path, ruleset: Ruleset, blocks: usize) -> Result<Self, DbError> {
        let (tables, blocks) = (OpenTables::new(dir, ruleset)?, Blocks::new(blocks));
        Ok(Self { tables, blocks, refreshing: Seldom::default() })
    }

    /// The folder.
    pub fn folder(&self) -> Arc<Folder> {
        self.tables.folder()
    }

    /// Looks whether files have been replaced or deleted, at most once a second. Programs that run
    /// long call it before each question.
    pub fn refresh(&self) {
        if self.refreshing.is_due() {
            self.tables.refresh();
        }
    }

    pub(crate) fn has_table(&self, subspace: Subspace) -> bool {
        self.tables.number_of(subspace).and_then(|number| self.tables.table(number)).is_ok()
    }

    /// The value in the table of the position's subspace; none if the folder's edition leaves it
    /// out.
    fn stored(&self, position: &Position) -> Result<Option<Value>, QueryError> {
        let subspace = position.subspace();
        let number = self.tables.number_of(subspace)?;
        let read = |open: &OpenTable| match open.table.blocks() {
            0 => Ok(None),
            _ => self.blocks.value(open, open.entry_of(position)),
        };
        let found = match self.tables.with_table(number, read)? {
            Ok(found) => found,
            Err(error) => match self.tables.reopened(number)? {
                Some(other) => read(&other)?,
                None => return Err(error.into()),
            },
        };
        if found.is_none() {
            self.folder().check_kept(subspace)?;
        }
        Ok(found)
    }
}

impl Source for TableSource {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        if let Some(value) = self.stored(position)? {
            return Ok(value);
        }
        best_successor(self.tables.ruleset(), position, &mut |next| self.value(next))
    }

    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        batch::values(&self.tables, positions, |position| self.value(position))
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.tables.path())
    }
}
