//! The game of Nine Men's Morris and its relatives: boards, rules, positions, moves, games, and
//! their notation.
//!
//! This crate knows the rules and how positions are written and numbered. It solves nothing and
//! opens no file: everything here is a pure function of its arguments. The values of positions come
//! from the crate `merels-query`, which looks them up.
//!
//! # Example
//!
//! Read a position, list the legal moves, and play one:
//!
//! ```
//! use merels_core::{Game, Ruleset, Situation};
//!
//! let rules = Ruleset::STANDARD;
//! let situation = Situation::parse("w:d7,g7,g1 b:a4,g4,d5 move:w", &rules)?;
//!
//! let geometry = rules.board.geometry();
//! let moves = situation.choices(&rules);
//! let names: Vec<_> = moves.iter().map(|choice| choice.display(geometry).to_string()).collect();
//! assert_eq!(names.len(), 56); // White has three stones and may jump.
//! assert!(names.contains(&"g1-a7xa4".to_owned())); // It closes a mill and removes a stone.
//!
//! let mut game = Game::starting_at(&rules, situation);
//! game.play_text("g1-g2").unwrap_err(); // The board has no point g2.
//! game.play_text("g1-d6")?;
//! game.play_text("g4-g1")?;
//! assert!(game.to_string().ends_with("1. g1-d6 g4-g1")); // Behind the tag of the position.
//! assert_eq!(game.end(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Symmetry: positions that a turn or a reflection of the board maps to each other have the same
//! value, and one of them, the *canonical* one, stands for all. The entry of a position in the
//! table of its [`Subspace`] is the same for all of them, too:
//!
//! ```
//! use merels_core::numbering::SubspaceIndex;
//! use merels_core::{Ruleset, Situation};
//!
//! let rules = Ruleset::STANDARD;
//! let read = |text: &str| Situation::parse(text, &rules).map(|read| *read.position());
//! let position = read("w:d7,g7,g1 b:a4,g4,d5 move:w")?;
//! let turned = read("w:g4,g1,a1 b:d7,d1,e4 move:w")?;
//!
//! assert_eq!(position.canonical(rules.board), turned.canonical(rules.board));
//! assert_eq!(position.images(rules.board).len(), 16);
//!
//! let subspace = position.subspace();
//! assert_eq!(subspace.to_string(), "3-3");
//! let order = SubspaceIndex::new(rules.board, subspace);
//! let entry = |p: &merels_core::Position| order.index_of(p.mover().board, p.other().board);
//! assert_eq!(entry(&position), entry(&turned));
//! # Ok::<(), merels_core::NotationError>(())
//! ```
//!
//! # Contents
//!
//! - **Boards**: [`Board`] and its [`Geometry`], [`Point`], [`Points`], [`Symmetries`]
//! - **Rules**: [`Ruleset`] and its choices ([`Flying`], [`Removal`], [`DoubleMill`], [`Placing`],
//!   [`FullBoard`], [`Repetition`]), [`Preset`], [`KnownResult`]
//! - **Positions**: [`Situation`], which is checked against rules, and [`Position`], which is not;
//!   [`Side`], [`Stones`]; [`Subspace`], and [`Arrangements`] for all positions of one
//! - **Moves**: [`Choice`], [`Move`]
//! - **Games**: [`Game`], [`GameStep`], [`GameEnd`]
//! - **Values**: [`Value`], [`Outcome`], [`Plies`]
//! - **Text**: [`Situation::parse`] and [`Form`]; [`GameRecord`] for games; [`draw`] for pictures;
//!   the errors [`NotationError`], [`MoveError`] and [`GameError`]; [`one_line`] for any error
//! - **Numbers**: [`numbering`], for solvers and readers of database files
//!
//! Distances are in plies: a ply is one move of one side, with its removals. Points have names such
//! as `a1` and `d7`: a column and a row.

mod board;
pub mod display;
mod index;
mod notation;
pub mod numbering;
mod play;
mod rules;
mod text;
mod value;

pub use board::boards::Board;
pub use board::geometry::{Coordinates, Geometry, PointName};
pub use board::point::{Point, Points, PointsIter};
pub use board::symmetry::{Symmetries, Symmetry, SymmetryId};
pub use index::subspace::{ParseSubspaceError, Subspace};
pub use notation::error::{NotationError, NotationField, TextLocation};
pub use notation::form::Form;
pub use notation::game::{Game, GameStep};
pub use notation::games::error::{GameError, GameProblem};
pub use notation::games::position::ReadError;
pub use notation::games::record::{GameRecord, ReadOptions, RulesetChoice, Variation};
pub use notation::move_error::{MoveError, MoveProblem};
pub use notation::picture::{draw, draw_turn};
pub use notation::problem::NotationProblem;
pub use notation::words::ply::PointNumbers;
pub use play::arrangements::Arrangements;
pub use play::end::GameEnd;
pub use play::moves::Move;
pub use play::position::{Position, PositionError, Side, Stones};
pub use play::situation::{Choice, IntoSituation, Situation, SituationError};
pub use rules::choices::{DoubleMill, Flying, FullBoard, Placing, Removal, Repetition};
pub use rules::error::RulesetError;
pub use rules::in_words::RuleSection;
pub use rules::known::{Evidence, KnownResult};
pub use rules::presets::Preset;
pub use rules::ruleset::Ruleset;
pub use text::grouped::grouped;
pub use text::one_line::one_line;
pub use value::values::{Outcome, Plies, Value};
