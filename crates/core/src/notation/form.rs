//! The forms of a position in text.

/// How a position can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The FEN-like string: `********/********/******** w p p 0 9 0 9`. Boards of rings alone.
    Fen,
    /// The plain form, for every board: `w:a1,d7,g7 b:a4,g4,d5 move:b hand:0,0`.
    Plain,
    /// A letter a point: `W....... ........ .......B|W|1|1`. Boards of 24 points.
    Letters,
    /// A picture of the board, as [`draw`](crate::draw) makes it, with whose turn it is below.
    Picture,
    /// `MFEN/1.0 mill24-state-v1 W......./......../........ b p p 8,9 - 0 1 -`: a string of several
    /// programs. Boards of 24 points.
    Mfen,
    /// The integers with which an older program copies a position. Boards of 24 points.
    Integers,
    /// Rows of `X`, `O` and dots, with the side to move below. Boards of 24 points.
    Grid,
}
