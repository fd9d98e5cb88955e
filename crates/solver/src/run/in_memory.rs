//! Solving a subspace on the spot, without files: for small ones, when somebody asks.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use merels_core::{FarCodes, Subspace};

use crate::dispatch::Processor;
use crate::error::SolverError;
use crate::plan::jobs::Plan;
use crate::plan::schedule::Step;
use crate::report::{Options, stopped};
use crate::run::context::Context;
use crate::store::memory::{Known, MemoryStore, SolvedCodes};

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
    let mut context = Context::new(&store, ruleset, codes, &options, &(), stop, plan.jobs());
    for (number, &job) in plan.jobs().iter().enumerate() {
        stopped(stop)?;
        context.run(number, &Step { job, hold: Vec::new(), again: false })?;
    }
    drop(context);
    Ok(store.into_solved())
}
