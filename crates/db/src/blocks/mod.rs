//! How the entries of a table fall into blocks, and how a block becomes bytes.

pub(crate) mod coding;
pub(crate) mod far;
pub(crate) mod frames;
pub(crate) mod kind;
pub(crate) mod record;
pub(crate) mod sorted;
pub(crate) mod split;
