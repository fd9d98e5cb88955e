//! The game: boards, rules, positions, symmetry, and the numbering of positions.
//!
//! Everything here is a pure function of its arguments: no files, no threads.
//!
//! **The folders.** Each uses only those before it.
//! - `text`: numbers and errors as text
//! - `board`: boards, points and symmetries
//! - `value`: the value of a position
//! - `rules`: rulesets, in text and in words
//! - `index`: the numbering of the positions of a subspace
//! - `play`: positions, moves, and how a game ends
//! - `notation`: positions, moves and games as text

mod board;
mod index;
mod notation;
mod play;
mod rules;
mod text;
mod value;

pub use board::boards::Board;
pub use board::geometry::{Coordinates, Geometry, PointName};
pub use board::point::{Point, Points, PointsIter};
pub use board::symmetry::{Symmetries, Symmetry, SymmetryId};
pub use index::classes::{ClassId, Classes, Located, SymmetrySet, burnside_count};
pub use index::lanes::LaneWords;
pub use index::rows::{Index, RowRankings, SubspaceIndex};
pub use index::subset::{PART_LIMIT, Ranking, binomial, lower_patterns, lower_rank, lower_ranks};
pub use index::subspace::{Pair, ParseSubspaceError, Subspace};
pub use notation::error::{NotationError, NotationField, TextLocation};
pub use notation::fen::DisplayFen;
pub use notation::form::Form;
pub use notation::game::{Game, GameStep};
pub use notation::games::error::{GameError, GameProblem};
pub use notation::games::position::ReadError;
pub use notation::games::record::{GameRecord, ReadOptions, RulesetChoice, Variation};
pub use notation::letters::DisplayLetters;
pub use notation::move_error::{MoveError, MoveProblem};
pub use notation::parse::DisplaySituation;
pub use notation::picture::{draw, draw_turn};
pub use notation::plain::DisplayPlain;
pub use notation::problem::NotationProblem;
pub use notation::words::ply::PointNumbers;
pub use play::arrangements::Arrangements;
pub use play::end::GameEnd;
pub use play::moves::{DisplayMove, Move};
pub use play::position::{Position, PositionError, Side, Stones};
pub use play::situation::{Choice, DisplayChoice, IntoSituation, Situation, SituationError};
pub use rules::choices::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition};
pub use rules::error::RulesetError;
pub use rules::in_words::RuleSection;
pub use rules::known::{Evidence, KnownResult};
pub use rules::presets::Preset;
pub use rules::ruleset::Ruleset;
pub use text::grouped::grouped;
pub use text::one_line::one_line;
pub use value::codes::{Codes, FarCodes};
pub use value::values::{Outcome, Plies, Value, ValueCode};
