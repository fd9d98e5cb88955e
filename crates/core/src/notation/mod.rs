//! Positions, moves and games as text.
//!
//! Texts describe a [`Situation`](crate::Situation): a position before a move, or in the middle of
//! one, when the side to move has closed a mill and has not yet removed the stone.
//! [`Situation::parse`](crate::Situation::parse) reads it in any [`Form`](crate::Form):
//!
//! - the FEN-like string of the most used mill program,
//!   [`Situation::fen`](crate::Situation::fen);
//! - the plain form, for every board, [`Situation::plain`](crate::Situation::plain);
//! - a letter a point, [`Situation::letters`](crate::Situation::letters);
//! - a picture of the board, [`draw`](crate::draw), with the side to move below it,
//!   [`draw_turn`](crate::draw_turn).
//!
//! [`Situation::choice`](crate::Situation::choice) reads a move. A [`Game`](crate::Game) is a list
//! of moves, which can be read and printed.

pub(crate) mod error;
pub(crate) mod fen;
pub(crate) mod fill_in;
pub(crate) mod form;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod grid;
pub(crate) mod integers;
pub(crate) mod letters;
pub(crate) mod mfen;
pub(crate) mod move_error;
pub(crate) mod one_line;
pub(crate) mod parse;
pub(crate) mod picture;
pub(crate) mod picture_read;
pub(crate) mod plain;
pub(crate) mod problem;
pub(crate) mod read_move;
pub(crate) mod rings;
pub(crate) mod setup;
pub(crate) mod shown;
pub(crate) mod words;
