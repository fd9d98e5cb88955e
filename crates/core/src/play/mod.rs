//! Positions, moves, and how a game ends.

pub(crate) mod arrangements;
pub(crate) mod end;
pub(crate) mod moves;
pub(crate) mod position;
pub(crate) mod situation;
