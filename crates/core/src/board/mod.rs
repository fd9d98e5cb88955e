//! Boards, points and symmetries.

pub(crate) mod boards;
pub(crate) mod geometry;
pub(crate) mod point;
pub(crate) mod symmetry;
