//! Finished subspaces in memory.

use std::cell::RefCell;
use std::collections::BTreeMap;

use merels_core::{FarCodes, Index, Plies, Subspace, SubspaceIndex, Value, ValueCode};
use merels_db::{DbError, TableInfo};
use rayon::prelude::*;

use crate::error::SolverError;
use crate::report::{Observer, StageTimes};
use crate::rows::solved::Solved;
use crate::store::interface::{Loaded, Store};

/// Subspaces whose values are known already.
pub trait Known: Sync {
    /// Puts the (near) codes of all entries of `subspace` into `values`, in their order. Returns
    /// whether the subspace has far codes.
    ///
    /// # Errors
    /// If the codes cannot be read.
    fn load(&self, subspace: Subspace, values: &mut [u8]) -> Result<bool, DbError>;

    /// Puts the far codes of a subspace that has them into `values`.
    ///
    /// # Errors
    /// If the codes cannot be read.
    fn load_far(&self, subspace: Subspace, values: &mut [u8]) -> Result<(), DbError>;
}

/// The codes of all entries of a subspace, in their order: the bytes that files hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedCodes {
    /// The codes; near codes if there are far ones.
    pub near: Vec<u8>,
    /// Far codes, if near codes cannot express every value. See [`FarCodes`].
    pub far: Option<Vec<u8>>,
}

impl SolvedCodes {
    /// The value of an entry.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn value(&self, index: Index) -> Value {
        self.value_by(index, FarCodes::FILES)
    }

    /// The value of an entry by other far codes than those of files.
    pub(crate) fn value_by(&self, index: Index, codes: FarCodes) -> Value {
        let code = |bytes: &[u8]| {
            ValueCode::from_byte(bytes[index.0 as usize]).expect("the solver gives codes only")
        };
        codes.value(code(&self.near), self.far.as_deref().map(code))
    }

    /// Bytes of memory that the codes take.
    pub fn bytes(&self) -> u64 {
        (self.near.len() + self.far.as_ref().map_or(0, Vec::len)) as u64
    }
}

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
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<Loaded, SolverError> {
        let has_far = match self.solved.borrow().get(&index.subspace()) {
            Some(solved) => {
                values.copy_from_slice(&solved.near);
                solved.far.is_some()
            }
            None => self.known.load(index.subspace(), values)?,
        };
        Ok(Loaded { longest: Plies::UNKNOWN, has_far })
    }

    fn load_far(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError> {
        match self.solved.borrow().get(&index.subspace()) {
            Some(solved) => {
                values.copy_from_slice(solved.far.as_ref().expect("a subspace with far codes"));
            }
            None => self.known.load_far(index.subspace(), values)?,
        }
        Ok(())
    }

    fn keep(
        &self,
        solved: &[Solved],
        _: &dyn Observer,
        _: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError> {
        for Solved { rows, values, far, .. } in solved {
            let copied = |values: &[u8]| {
                let mut copy = vec![0; rows.index().entries() as usize];
                let row_len = rows.row_len();
                copy.par_chunks_mut(row_len).enumerate().for_each(|(class, row)| {
                    rows.copy_values(values, Index((class * row_len) as u64), row);
                });
                copy
            };
            let codes = SolvedCodes { near: copied(values), far: far.as_deref().map(copied) };
            self.solved.borrow_mut().insert(rows.index().subspace(), codes);
        }
        Ok(Vec::new())
    }
}
