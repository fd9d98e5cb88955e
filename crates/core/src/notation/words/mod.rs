//! Words of games: a text [cleaned](source), cut into [tokens](token), and the move that some of them
//! make ([`ply`]).

pub(crate) mod ply;
pub(crate) mod source;
pub(crate) mod token;
