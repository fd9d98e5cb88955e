//! Removal values of whole rows.

pub(crate) mod double;
pub(crate) mod least;
pub(crate) mod removals;
