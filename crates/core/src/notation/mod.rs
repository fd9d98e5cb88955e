//! Positions, moves and games as text.
//!
//! What is read or printed is a [`Situation`]: a position before a move, or in the middle of one,
//! when a mill has been closed and the stone is not yet taken. [`Situation::parse`] reads it in any
//! [`Form`]:
//!
//! - the FEN-like string of the most used mill program, [`Situation::fen`];
//! - the plain form, for every board, [`Situation::plain`];
//! - a letter a point, [`Situation::letters`];
//! - a picture of the board, [`draw`], with whose turn it is below, [`draw_turn`].
//!
//! A move is read by [`Situation::choice`]; a [`Game`] is a list of moves, read and printed.

mod choice;
mod common;
mod error;
mod fen;
mod game;
mod game_text;
mod letters;
mod parse;
mod picture;
mod picture_read;
mod plain;
mod situation;

pub use choice::{MoveError, MoveProblem};
pub use error::{NotationError, NotationField, NotationProblem, TextPlace};
pub use fen::DisplayFen;
pub use game::{Game, GameEnd, GameStep};
pub use game_text::{GameError, GameProblem};
pub use letters::DisplayLetters;
pub use parse::{DisplaySituation, Form};
pub use picture::{draw, draw_turn};
pub use plain::DisplayPlain;
pub use situation::{Choice, DisplayChoice, Situation, SituationError};
