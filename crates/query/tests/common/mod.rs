//! An oracle on the values of the naive solver.

use merels_core::{Position, Ruleset, Subspace, Value};
use merels_naive::NaiveSolver;
use merels_query::{Missing, Oracle, QueryError, Source};

/// The values of the naive solver.
pub(crate) struct Naive(pub(crate) NaiveSolver);

impl Source for Naive {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        let subspace = position.subspace();
        self.0.value(position).ok_or(Missing::no_table(subspace, None).into())
    }
}

/// An oracle for all positions of `ruleset` with at most `stones` stones, none of them in hand.
pub(crate) fn naive_oracle(ruleset: &str, stones: u8) -> Oracle<Naive> {
    let ruleset: Ruleset = ruleset.parse().unwrap();
    let mut solver = NaiveSolver::new(ruleset);
    solver.solve_up_to(stones);
    Oracle::new(ruleset, Naive(solver))
}

/// Each `step`th position of a subspace that the oracle's solver has solved.
pub(crate) fn positions(oracle: &Oracle<Naive>, subspace: Subspace, step: usize) -> Vec<Position> {
    let all = oracle.source().0.positions(subspace).step_by(step);
    all.map(|(mover, other, _)| Position::of_subspace(subspace, mover, other)).collect()
}
