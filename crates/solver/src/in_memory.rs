//! Solving a subspace on the spot, without files: for small ones, when somebody asks.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use merels_core::{FarCodes, Index, Subspace, Value, ValueCode};
use merels_db::DbError;

use crate::SolverError;
use crate::dispatch::Processor;
use crate::job::Context;
use crate::plan::Plan;
use crate::run::{Observer, Options, stopped};
use crate::schedule::Step;
use crate::store::MemoryStore;

/// Subspaces whose values are there already.
pub trait Known: Sync {
    /// Puts the values of `subspace` into `values`: the (near) codes of all its entries, in their order. Gives whether
    /// it has far codes, too.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load(&self, subspace: Subspace, values: &mut [u8]) -> Result<bool, DbError>;

    /// The same with its far codes, of a subspace that has them.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load_far(&self, subspace: Subspace, values: &mut [u8]) -> Result<(), DbError>;
}

/// The codes of all entries of a subspace, in their order: the bytes that files hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedCodes {
    /// Codes, near ones if there are far ones.
    pub near: Vec<u8>,
    /// If near codes do not say all values. See [`FarCodes`].
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

    /// The same by other far codes than those of files.
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

/// Solves what `plan` has, in memory, on the current rayon pool. Gives the values of each subspace of
/// the plan: the codes of all entries, in their order, the same bytes that files would hold. They
/// were checked as those in files are.
///
/// What the plan's jobs depend on must be in the plan or in `known`, which is what
/// [`Plan::missing`] sees to.
///
/// Takes about one byte for each entry of the plan (two where there are far codes), and what
/// [`memory_of`](crate::memory_of) says for the largest job. With `stop` set from elsewhere it ends at the next
/// opportunity.
///
/// # Errors
/// [`SolverError::Memory`], [`SolverError::Interrupted`], [`SolverError::Inconsistent`], [`SolverError::TooLong`],
/// and what `known` cannot read.
pub fn solve_in_memory(
    plan: &Plan,
    known: &dyn Known,
    processor: Processor,
    stop: &AtomicBool,
) -> Result<BTreeMap<Subspace, SolvedCodes>, SolverError> {
    solve_with_codes(plan, known, processor, stop, FarCodes::FILES)
}

/// The same with far codes of any kind.
pub(crate) fn solve_with_codes(
    plan: &Plan,
    known: &dyn Known,
    processor: Processor,
    stop: &AtomicBool,
    codes: FarCodes,
) -> Result<BTreeMap<Subspace, SolvedCodes>, SolverError> {
    // No more than the least memory is put to use, and nothing is compressed.
    let options = Options { memory: 0, level: 0, processor };
    let store = MemoryStore::new(known);
    let ruleset = plan.ruleset();
    let mut context = Context::new(&store, ruleset, codes, &options, &Silent, stop, plan.jobs());
    for (number, &job) in plan.jobs().iter().enumerate() {
        stopped(stop)?;
        context.run(number, &Step { job, hold: Vec::new(), again: false })?;
    }
    drop(context);
    Ok(store.into_solved())
}

/// Nobody watches.
struct Silent;

impl Observer for Silent {}
