//! The game: boards, rules, positions, symmetry, and the numbering of positions.
//!
//! Everything here is a pure function of its arguments: no files, no threads.

pub mod bits;
mod board;
mod classes;
mod far;
mod grouped;
mod index;
mod known;
mod lanes;
mod moves;
mod notation;
mod one_line;
mod point;
mod position;
mod processor;
mod rulebook;
mod ruleset;
mod subset;
mod subspace;
mod symmetry;
mod value;

pub use board::{Board, Geometry, Place, PointName};
pub use classes::{ClassId, Classes, Located, SymmetrySet, burnside_count};
pub use far::FarCodes;
pub use grouped::grouped;
pub use index::{Index, RowRankings, SubspaceIndex};
pub use known::{Evidence, KnownResult};
pub use lanes::LaneWords;
pub use moves::{DisplayMove, Move};
pub use notation::{
    Choice, DisplayChoice, DisplayFen, DisplayLetters, DisplayPlain, DisplaySituation, Form, Game,
    GameEnd, GameError, GameProblem, GameStep, MoveError, MoveProblem, NotationError,
    NotationField, NotationProblem, Situation, SituationError, TextPlace, draw, draw_turn,
};
pub use one_line::one_line;
pub use point::{Point, Points, PointsIter};
pub use position::{Position, PositionError, Side, Stones};
pub use processor::Processor;
#[cfg(target_arch = "x86_64")]
pub use processor::{Avx2, Avx512};
pub use rulebook::RuleSection;
pub use ruleset::{
    DoubleMill, Flying, FullBoard, Placing, Preset, Removal, Repetition, Ruleset, RulesetError,
};
pub use subset::{PART_LIMIT, Ranking, binomial, lower_patterns, lower_rank, lower_ranks};
pub use subspace::{Pair, ParseSubspaceError, Subspace};
pub use symmetry::{Symmetries, Symmetry, SymmetryId};
pub use value::{Outcome, Plies, Value, ValueCode};
