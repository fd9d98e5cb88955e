//! Solving small subspaces on demand, without files.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use merels_core::Subspace;
use merels_core::numbering::FarCodes;
use merels_simd::Processor;

use crate::error::SolverError;
use crate::plan::jobs::Plan;
use crate::plan::schedule::Step;
use crate::report::{Options, stopped};
use crate::run::context::Context;
use crate::store::memory::{Known, MemoryStore, SolvedCodes};

/// Solves `plan` in memory, on the current rayon pool. Returns the values of each subspace of the
/// plan: the codes of all entries, in their order, the same bytes that files would hold. The values
/// pass the same checks.
///
/// The plan or `known` must contain everything that the jobs depend on; [`Plan::missing`] makes
/// such plans.
///
/// It takes about one byte for each entry of the plan, two with far codes, and
/// [`memory_of`](crate::memory_of) for the largest job. Set `stop` from another thread to end it at
/// the next opportunity.
///
/// # Errors
/// [`SolverError::Memory`], [`SolverError::Interrupted`], [`SolverError::Inconsistent`],
/// [`SolverError::TooLong`], and the errors of `known`.
pub fn solve_in_memory(
    plan: &Plan,
    known: &dyn Known,
    processor: Processor,
    stop: &AtomicBool,
) -> Result<BTreeMap<Subspace, SolvedCodes>, SolverError> {
    solve_with_codes(plan, known, processor, stop, FarCodes::FILES)
}

/// Solves by other far codes than those of files.
pub(crate) fn solve_with_codes(
    plan: &Plan,
    known: &dyn Known,
    processor: Processor,
    stop: &AtomicBool,
    codes: FarCodes,
) -> Result<BTreeMap<Subspace, SolvedCodes>, SolverError> {
    // It uses the least memory only, and compresses nothing.
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
