//! Subspaces in which the side to move places a stone.

pub(crate) mod group_tables;
pub(crate) mod inputs;
pub(crate) mod key_family;
pub(crate) mod mill_lines;
pub(crate) mod row_placer;
pub(crate) mod solve;
pub(crate) mod transpose;
