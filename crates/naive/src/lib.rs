//! The slow, obvious twin of the solver, with which tests compare it.
//!
//! [`NaiveSolver`] solves the moving phase of any ruleset by plain moves: it lists all positions,
//! makes every legal move in each of them, and decides them in order of distance by the definition
//! of a value. It has no rows and no ranks, and takes no moves back. It shares only the board, its
//! symmetries and the rules with the solver.
//!
//! Where that would take too much memory, [`check_position`] recomputes the value of single
//! positions from those of their successors.
//!
//! ```
//! use merels_core::{Ruleset, Subspace};
//! use merels_naive::NaiveSolver;
//!
//! let three: Ruleset = "three".parse()?;
//! let mut solver = NaiveSolver::new(three);
//! solver.solve_up_to(6);
//! let statistics = solver.statistics(Subspace::moving(3, 3));
//! assert_eq!(statistics.positions, 228);
//! assert_eq!(statistics.wins + statistics.draws + statistics.losses, 228);
//! # Ok::<(), merels_core::RulesetError>(())
//! ```

mod check;
mod solver;
mod statistics;

pub use check::{Mismatch, check_position, expand};
pub use solver::{NaiveSolver, States, canonical};
pub use statistics::Statistics;
