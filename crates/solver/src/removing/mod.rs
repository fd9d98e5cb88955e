//! What a removal is worth, for whole rows.

pub(crate) mod double;
pub(crate) mod least;
pub(crate) mod removals;
