//! Properties that hold for every input of every parser.
//!
//! A [`Check`] passes arbitrary bytes to one parser. The parser may refuse them, but must not
//! panic. What it reads must print, and must be read again as the same thing. The checks have two
//! uses: the fuzz targets in `fuzz/` invent inputs, and the test `corpus` replays the inputs kept
//! in `fuzz/corpus/`. So every `cargo test` covers what the fuzzer has found.

mod all;
mod files;
mod notation;
mod repair;
mod text;
mod verdict;

pub use all::{ALL, Check};
pub use files::{journal, manifest, table};
pub use notation::{choice, fen, game, position, record, situation};
pub use text::{ruleset, subspace};
pub use verdict::Verdict;
