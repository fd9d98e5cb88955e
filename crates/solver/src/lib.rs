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
//! The parts, from the inside: `dispatch` (forms of the code for different processors), `slides`,
//! `rows`, `lanes` and `lane_images` (moves and numbering on bare masks), `counters`, `removals`
//! and `least` (what a row starts with), `leads` and `double_mills` (removals by numbers of stones, and two
//! at once), `exits` and `queue` (what is known before the layers, by distance), `propagate` (a layer
//! in a group of rows), `sweep` and `lane_words` (the same by whole blocks, for rows with many
//! sources), `scatter` (the random stores), `half` (the tables of one key side), `pair` (layers
//! until all is decided); `placing` and `row_placer` (rows of placings), `transpose` and
//! `run_tables` (storing them); `check` (random positions against the plain rules), `count`, `plan`
//! (what depends on what), `disk` (how much of it a run takes), `store` (files or memory), `job` and `run` (resuming), `in_memory`
//! (without files).

mod by_far_codes;
mod check;
mod count;
mod counters;
mod decided;
mod disk;
mod dispatch;
mod double_mills;
mod error;
mod exits;
#[cfg(test)]
mod far_tests;
mod half;
mod in_memory;
mod job;
mod lane_images;
mod lane_words;
mod lanes;
mod leads;
mod least;
mod memory;
mod pair;
mod placing;
mod plan;
mod propagate;
mod publisher;
mod queue;
mod removals;
mod row_placer;
mod rows;
mod run;
mod run_tables;
mod scatter;
mod schedule;
mod shelf;
mod slides;
mod store;
mod sweep;
mod transpose;

pub use disk::disk_of;
pub use error::SolverError;
pub use in_memory::{Known, SolvedCodes, solve_in_memory};
pub use job::{JobReport, StageTimes};
pub use merels_core::Processor;
pub use plan::{Job, Plan, Selection, far_memory_of, memory_of};
pub use run::{Observer, Options, Stage, Summary, check_new, run};
