//! Subspaces in which the side to move places a stone.

pub(crate) mod group_tables;
pub(crate) mod inputs;
pub(crate) mod row_placer;
pub(crate) mod solve;
pub(crate) mod transpose;
