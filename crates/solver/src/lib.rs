//! Retrograde analysis of mill games, on rows.
//!
//! **The idea.** A *row* is keyed by the class of one side's stones; its entries are the arrangements
//! of the other side's stones on the points left free. A move changes the mover's stones only. So if
//! the position before W's move (W to move) and the one after it (B to move) are both kept in rows
//! keyed by *B's* stones, every move of W stays within one row of some ten thousand bytes, which
//! fits the first-level cache. Two tables have that shape: the values of positions with B to move,
//! and the counters of positions with W to move. The solver works from values to counters, row by
//! row, and a position that is decided there is written once, at random, into the rows keyed by W.
//! Others pay for a random access with every edge of the game; this costs one for every position.
//!
//! While stones are in hand the same rows serve: placing changes the mover's stones only, too, there
//! are no cycles, and whole rows are worked out and stored at once. Where stones move meanwhile, the best
//! placing is one more way out of a position, beside its moves.
//!
//! Values beyond the distances of one code (see [`FarCodes`](merels_core::FarCodes)) take a second table. Layers and
//! placings are worked out by near codes first, which take all later values for one; where there are such values,
//! the same code goes on by far codes. Only where a move leads a ply further from the end, the two differ.
//!
//! The folders, each of which uses only those before it: `rows` (the shape of rows, their numbering and
//! their bytes), `removing` (what a removal is worth, for whole rows), `placing` (rows of placings),
//! `moving` (layers of a pair), `plan` (what to solve, in which order, and what that takes), `store`
//! (where solved subspaces are kept), `run` (all jobs of a plan). `dispatch` holds the forms of the
//! code for different processors.

mod dispatch;
mod error;
mod job;
mod lane_words;
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
pub use merels_core::Processor;
pub use plan::disk::disk_of;
pub use plan::jobs::{Plan, Selection};
pub use plan::memory::{far_memory_of, memory_of};
pub use report::{JobReport, Observer, Options, Stage, StageTimes};
pub use run::in_folder::{Summary, check_new, run};
pub use run::in_memory::solve_in_memory;
pub use store::memory::{Known, SolvedCodes};
