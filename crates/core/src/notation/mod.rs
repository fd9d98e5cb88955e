//! Positions and moves as text.
//!
//! What is read or printed is a [`Situation`]: a position before a move, or in the middle of one,
//! when a mill has been closed and the stone is not yet taken. Two forms so far:
//!
//! - the FEN-like string of the most used mill program, [`Situation::from_fen`] and
//!   [`Situation::fen`];
//! - a picture of the board, [`draw`], for people.

mod fen;
mod fen_error;
mod picture;
mod situation;

pub use fen::DisplayFen;
pub use fen_error::{FenError, FenField, FenProblem};
pub use picture::draw;
pub use situation::{Choice, DisplayChoice, Situation, SituationError};
