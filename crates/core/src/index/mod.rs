//! The numbering of the positions of a subspace.

pub(crate) mod classes;
pub(crate) mod lanes;
pub(crate) mod rows;
pub(crate) mod subset;
pub(crate) mod subspace;
