//! Finished subspaces in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;

use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_core::{Plies, Subspace};
use merels_db::{DbError, TableInfo};
use rayon::prelude::*;

use crate::error::SolverError;
use crate::report::{Observer, StageTimes};
use crate::rows::solved::Solved;
use crate::store::interface::{Description, Store};

/// Subspaces that were solved before.
pub trait Known: Sync {
    /// Whether a subspace has far codes.
    ///
    /// # Errors
    /// If its values cannot be read.
    fn has_far_codes(&self, subspace: Subspace) -> Result<bool, DbError>;

    /// Reads the codes of all entries of `subspace`, in their order, into `codes`, which has room
    /// for far codes if the subspace has them.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load(&self, subspace: Subspace, codes: Codes<&mut [u8]>) -> Result<(), DbError>;
}

/// The codes of all entries of a solved subspace, in their order: the bytes that files hold.
pub type SolvedCodes = Codes<Vec<u8>>;

/// A store in memory, on top of known subspaces.
pub(crate) struct MemoryStore<'a> {
    known: &'a dyn Known,
    solved: RefCell<BTreeMap<Subspace, SolvedCodes>>,
}

impl<'a> MemoryStore<'a> {
    pub(crate) fn new(known: &'a dyn Known) -> Self {
        Self { known, solved: RefCell::default() }
    }

    /// The results of all jobs.
    pub(crate) fn into_solved(self) -> BTreeMap<Subspace, SolvedCodes> {
        self.solved.into_inner()
    }
}

impl Store for MemoryStore<'_> {
    fn describe(&self, index: &SubspaceIndex) -> Result<Description, SolverError> {
        let has_far = match self.solved.borrow().get(&index.subspace()) {
            Some(solved) => solved.has_far(),
            None => self.known.has_far_codes(index.subspace())?,
        };
        Ok(Description { longest: Plies::UNKNOWN, has_far })
    }

    fn load(&self, index: &SubspaceIndex, codes: Codes<&mut [u8]>) -> Result<(), SolverError> {
        let solved = self.solved.borrow();
        let Some(solved) = solved.get(&index.subspace()) else {
            return Ok(self.known.load(index.subspace(), codes)?);
        };
        for (codes, solved) in codes.both().zip(solved.as_ref().both()) {
            codes.copy_from_slice(solved);
        }
        Ok(())
    }

    fn keep(
        &self,
        solved: &[Solved],
        _: &dyn Observer,
        _: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError> {
        for solved in solved {
            let rows = &solved.rows;
            let copied = |values: &[u8]| {
                let mut copy = vec![0; rows.index().entries() as usize];
                let row_len = rows.row_len();
                copy.par_chunks_mut(row_len).enumerate().for_each(|(class, row)| {
                    rows.copy_values(values, Index((class * row_len) as u64), row);
                });
                copy
            };
            let codes = solved.tables().map(copied);
            self.solved.borrow_mut().insert(solved.subspace(), codes);
        }
        Ok(Vec::new())
    }
}
