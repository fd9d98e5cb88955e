//! The tables of a folder, opened on first use.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_core::{Position, Ruleset, Subspace, Value};
use merels_db::{DbError, Folder, Stored};
use rayon::prelude::*;

use crate::error::VerifyError;
use crate::fast::coded::value_of;
use crate::fast::precision::Precision;
use crate::fast::successors::needed;
use crate::plain::{Values, recompute};
use crate::tables::open::OpenTable;
use crate::tables::restored::Restored;

/// The open tables of a folder.
#[derive(Debug)]
pub(crate) struct Database<'a> {
    folder: &'a Folder,
    open: RwLock<HashMap<Subspace, Arc<OpenTable>>>,
    restored: Restored,
}

impl<'a> Database<'a> {
    pub(crate) fn new(folder: &'a Folder) -> Self {
        Self::with_room(folder, 0)
    }

    /// Like [`Database::new`], but keeps up to `room` bytes of restored values.
    pub(crate) fn with_room(folder: &'a Folder, room: u64) -> Self {
        Self { folder, open: RwLock::default(), restored: Restored::with_room(room) }
    }

    /// Keeps up to `room` bytes of restored values from now on.
    pub(crate) fn set_room(&mut self, room: u64) {
        self.restored = Restored::with_room(room);
    }

    pub(crate) const fn folder(&self) -> &'a Folder {
        self.folder
    }

    /// The precision of the folder's values.
    pub(crate) fn precision(&self) -> Precision {
        Precision::of(self.folder.edition())
    }

    pub(crate) const fn restored(&self) -> &Restored {
        &self.restored
    }

    pub(crate) const fn ruleset(&self) -> &'a Ruleset {
        self.folder.ruleset()
    }

    /// The tables to check: those of `only`, or all that exist. Subspaces with few stones come
    /// first, and those with stones in hand last.
    pub(crate) fn selection(&self, only: &[Subspace]) -> Result<Vec<Subspace>, VerifyError> {
        let mut selected = match only {
            [] => self.folder.subspaces_present()?,
            only => only.to_vec(),
        };
        if selected.is_empty() {
            let folder = self.folder.path().to_owned();
            return Err(VerifyError::Nothing { ruleset: *self.ruleset(), folder });
        }
        selected.sort_by_key(|&subspace| {
            let hands = subspace.mover_hand() + subspace.other_hand();
            // The check of the ply before restores a left-out ply, and thereby checks it.
            let left_out = self.folder.stored(subspace) == Stored::Nothing && hands > 0;
            (hands + u8::from(left_out), left_out, subspace.on_board(), subspace)
        });
        selected.dedup();
        Ok(selected)
    }

    /// The table of a subspace.
    pub(crate) fn table(&self, subspace: Subspace) -> Result<Arc<OpenTable>, DbError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&subspace) {
            return Ok(Arc::clone(table));
        }
        drop(open);
        let index = SubspaceIndex::new(self.ruleset().board, subspace);
        let table = self.folder.map_table(subspace)?;
        let opened = Arc::new(OpenTable { table, index });
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(open.entry(subspace).or_insert(opened)))
    }

    /// The table of `needs`, for checking `subspace`.
    pub(crate) fn successor(
        &self,
        subspace: Subspace,
        needs: Subspace,
    ) -> Result<Arc<OpenTable>, VerifyError> {
        self.table(needs).map_err(|error| match error {
            DbError::NoTable { .. } => {
                VerifyError::Needs { subspace, needs, source: Box::new(error) }
            }
            error => error.into(),
        })
    }

    /// Whether values of a subspace, or of one that its moves lead to, take two codes.
    pub(crate) fn takes_two_codes(&self, subspace: Subspace) -> Result<bool, VerifyError> {
        let mut found = self.table(subspace)?.far_digest().is_some();
        for needs in needed(self.ruleset(), subspace) {
            found |= self.successor(subspace, needs)?.far_digest().is_some();
        }
        Ok(found)
    }

    /// The number of codes of each value in memory while a subspace is checked or restored.
    pub(crate) fn codes_in_memory(&self, subspace: Subspace) -> u64 {
        // The error of a table that cannot be opened appears when it is needed.
        if self.takes_two_codes(subspace).unwrap_or(false) { 2 } else { 1 }
    }

    /// The entry that holds the value of a position.
    pub(crate) fn entry_of(&self, position: &Position) -> Result<Entry, DbError> {
        let subspace = position.subspace();
        let table = self.table(subspace)?;
        let (mover, other) = (position.mover().board, position.other().board);
        Ok(Entry { subspace, index: table.index.index_of(mover, other) })
    }

    /// Whether the edition keeps the value of a position.
    pub(crate) fn keeps(&self, position: &Position) -> bool {
        self.folder.edition().keeps(self.ruleset(), position)
    }

    /// Whether the values of a subspace can be compared with those of its successors: unless the
    /// edition keeps no values of one or the other.
    pub(crate) fn is_checkable(&self, subspace: Subspace) -> bool {
        let is_kept = |subspace| self.folder.check_kept(subspace).is_ok();
        is_kept(subspace) && needed(self.ruleset(), subspace).into_iter().all(is_kept)
    }

    /// The values of many entries, which the edition keeps, in order. Decodes each block once.
    pub(crate) fn read(&self, entries: &[Entry]) -> Result<Vec<Value>, DbError> {
        let mut values = vec![Value::Draw; entries.len()];
        let mut jobs = Vec::new();
        let mut rest = values.as_mut_slice();
        let mut left = entries;
        while let Some(first) = left.first() {
            let table = self.table(first.subspace)?;
            let block = table.table.block_of(first.index.0);
            let end = table.table.indices_of(block).end;
            let here = |entry: &Entry| entry.subspace == first.subspace && entry.index.0 < end;
            let count = left.partition_point(here);
            let (wanted, others) = left.split_at(count);
            let (places, behind) = rest.split_at_mut(count);
            jobs.push((table, block, wanted, places));
            (left, rest) = (others, behind);
        }
        jobs.into_par_iter().try_for_each_init(
            Codes::default,
            |codes, (table, block, wanted, places)| {
                let first = table.table.indices_of(block).start;
                table.table.decode_block(block, codes)?;
                for (place, entry) in places.iter_mut().zip(wanted) {
                    let at = (entry.index.0 - first) as usize;
                    *place = value_of(codes.as_ref().map(|codes| codes[at]), self.precision());
                }
                Ok::<(), DbError>(())
            },
        )?;
        Ok(values)
    }
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) subspace: Subspace,
    pub(crate) index: Index,
}

impl Values for Database<'_> {
    type Error = DbError;

    fn value(&self, position: &Position) -> Result<Value, DbError> {
        let Entry { subspace, index } = self.entry_of(position)?;
        if let Some(value) = self.table(subspace)?.table.value(index.0)? {
            return Ok(value);
        }
        self.folder.check_kept(subspace)?;
        // Left out by the edition: the best of its successors.
        recompute(self.ruleset(), position, self)
    }
}
