//! The game: boards, rules, positions, symmetry, and the numbering of positions.
//!
//! Everything here is a pure function of its arguments: no files, no threads.

mod board;
mod point;
mod ruleset;
mod subspace;
mod symmetry;
mod value;

pub use board::{Board, Geometry, Place, PointName};
pub use point::{Point, Points, PointsIter};
pub use ruleset::{
    DoubleMill, Flying, FullBoard, Placing, Preset, Removal, Repetition, Ruleset, RulesetError,
};
pub use subspace::{Pair, ParseSubspaceError, Subspace};
pub use symmetry::{Symmetries, Symmetry, SymmetryId};
pub use value::{Outcome, Plies, Value, ValueCode};
