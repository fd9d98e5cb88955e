//! Solving a subspace on the spot, without files: for small ones, when somebody asks.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use merels_core::{FarCodes, Subspace};
use merels_db::DbError;

use crate::SolverError;
use crate::dispatch::Processor;
use crate::job::Context;
use crate::plan::Plan;
use crate::run::{Observer, Options, stopped};
use crate::schedule::Step;
use crate::store::{MemoryStore, SolvedCodes};

/// Subspaces whose values are there already.
pub trait Known: Sync {
    /// Puts the values of `subspace` into `values`: the codes of all its entries, in their order.
    ///
    /// # Errors
    /// If they cannot be read.
    fn load(&self, subspace: Subspace, values: &mut [u8]) -> Result<(), DbError>;
}

/// Solves what `plan` has, in memory, on the current rayon pool. Gives the values of each subspace of
/// the plan: the codes of all entries, in their order, the same bytes that a file would hold. They
/// were checked as those in files are.
///
/// What the plan's jobs depend on must be in the plan or in `known`, which is what
/// [`Plan::missing`] sees to.
///
/// Takes about one byte for each entry of the plan, and what [`memory_of`](crate::memory_of) says for
/// the largest job. With `stop` set from elsewhere it ends at the next opportunity.
///
/// # Errors
/// [`SolverError::Memory`], [`SolverError::Interrupted`], [`SolverError::Inconsistent`], [`SolverError::Far`] if a
/// subspace has values that one code cannot say, and what `known` cannot read.
pub fn solve_in_memory(
    plan: &Plan,
    known: &dyn Known,
    processor: Processor,
    stop: &AtomicBool,
) -> Result<BTreeMap<Subspace, Vec<u8>>, SolverError> {
    let solved = solve_with_codes(plan, known, processor, stop, FarCodes::FILES)?.into_iter();
    let near = |(subspace, SolvedCodes { near, far })| match far {
        None => Ok((subspace, near)),
        Some(_) => Err(SolverError::Far { subspace }),
    };
    solved.map(near).collect()
}

/// The same, with far codes.
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
