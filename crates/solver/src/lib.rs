//! Retrograde analysis of mill games, on rows.
//!
//! **The idea.** The class of one side's stones keys a *row*; the entries of the row are the
//! arrangements of the other side's stones on the free points. A move changes the mover's stones
//! only. So keep both the position before W's move (W to move) and the position after it (B to
//! move) in rows keyed by *B's* stones: then every move of W stays within one row of some ten
//! thousand bytes, which fits the first-level cache. Two tables have this shape: the values of
//! positions with B to move, and the counters of positions with W to move. The solver works from
//! values to counters, row by row. It writes each position that it decides once, at random, into
//! the rows keyed by W. Other solvers pay a random access for every edge of the game; this one pays
//! one for every position.
//!
//! With stones in hand the same rows serve. A placing changes the mover's stones only, too, and
//! there are no cycles, so whole rows are computed and stored at once. If the rules allow moves
//! while stones are in hand, the best placing is one more way out of a position, beside its moves.
//!
//! Values beyond the distances of one byte (see [`FarCodes`]) take a second table. Layers and placings
//! run by near codes first, which have one code for all later values. If such values occur, the same
//! code runs again by far codes.
//!
//! **The folders.** Each uses only those before it.
//! - `rows`: the shape of rows, their numbering and their bytes
//! - `removing`: removal values of whole rows
//! - `placing`: rows of placings
//! - `moving`: layers of a pair
//! - `plan`: the jobs of a run, their order, their memory and disk
//! - `store`: where solved subspaces are kept
//! - `run`: all jobs of a plan
//!
//! [`FarCodes`]: merels_core::numbering::FarCodes

mod error;
mod job;
mod moving;
mod placing;
mod plan;
mod removing;
mod report;
mod rows;
mod run;
mod store;

pub use error::SolverError;
pub use job::Job;
pub use merels_simd::Processor;
pub use plan::disk::disk_of;
pub use plan::jobs::{Plan, Selection};
pub use plan::memory::{far_memory_of, memory_of};
pub use report::{JobReport, Observer, Options, Stage, StageTimes};
pub use run::in_folder::{Summary, check_new, run};
pub use run::in_memory::solve_in_memory;
pub use store::memory::{Known, SolvedCodes};
