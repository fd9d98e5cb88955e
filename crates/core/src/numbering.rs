//! Positions as numbers and values as bytes: what solvers and database files are made of.
//!
//! You need this module to write a solver, a verifier or a reader of files, or to walk through all
//! positions of a subspace. To play and to look positions up you do not.
//!
//! **The idea.** The positions of a [`Subspace`](crate::Subspace) are the entries of a table, and
//! [`SubspaceIndex`] leads from a position to its entry and back:
//!
//! 1. Symmetries of the board sort the sets of the mover's stones into [`Classes`]. Each class has
//!    a *representative*, its smallest set, which keys a *row* of the table. A look-up in a table
//!    ([`Classes::locate`]) finds the class of a set, and a symmetry that leads to the
//!    representative.
//! 2. The same symmetry moves the other side's stones. Their [`Ranking`] among the points that the
//!    representative leaves free is the place in the row.
//! 3. The entry is the number of the class times the length of a row, plus that place: an
//!    [`Index`].
//!
//! A representative that some symmetries leave where it is has several entries for the same
//! position; all of them hold the same value. So a subspace has more entries than positions.
//!
//! **The parts.**
//!
//! - The positions of a subspace: [`SubspaceIndex`], [`Index`], [`RowRankings`]
//! - Sets of points up to symmetry: [`Classes`], [`ClassId`], [`Located`], [`SymmetrySet`],
//!   [`burnside_count`]
//! - The subsets of one size: [`Ranking`], [`binomial`], [`lower_rank`], [`lower_ranks`],
//!   [`lower_patterns`], [`PART_LIMIT`]
//! - The entries of a row, 64 to a word: [`LaneWords`]
//! - Subspaces that lead to each other, and are solved together: [`Pair`]
//! - Values as one byte, or two for distances beyond 253 plies: [`ValueCode`], [`Codes`],
//!   [`FarCodes`]
//!
//! # Example
//!
//! The entry of a position, and the position of an entry:
//!
//! ```
//! use merels_core::numbering::{SubspaceIndex, ValueCode};
//! use merels_core::{Board, Plies, Ruleset, Situation, Subspace, Value};
//!
//! let rules = Ruleset::STANDARD;
//! let order = SubspaceIndex::new(Board::Nine, Subspace::moving(3, 3));
//! assert_eq!((order.entries(), order.positions()), (210_140, 169_626));
//!
//! let situation = Situation::parse("w:d7,g7,g1 b:a4,g4,d5 move:b", &rules)?;
//! let position = situation.position();
//! let entry = order.index_of(position.mover().board, position.other().board);
//! let (mover, other) = order.stones_at(entry);
//! assert_eq!(order.index_of(mover, other), entry);
//!
//! // The byte that a table has there.
//! let code = ValueCode::from_value(Value::Loss(Plies(26)));
//! assert_eq!(code.map(ValueCode::byte), Some(13));
//! # Ok::<(), merels_core::NotationError>(())
//! ```

pub use crate::index::classes::{ClassId, Classes, Located, SymmetrySet, burnside_count};
pub use crate::index::lanes::LaneWords;
pub use crate::index::rows::{Index, RowRankings, SubspaceIndex};
pub use crate::index::subset::{
    PART_LIMIT, Ranking, binomial, lower_patterns, lower_rank, lower_ranks,
};
pub use crate::index::subspace::Pair;
pub use crate::value::codes::{Codes, FarCodes};
pub use crate::value::values::ValueCode;
