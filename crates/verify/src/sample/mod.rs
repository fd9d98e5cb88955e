//! Random entries of every table, each recomputed by the plain rules.

pub(crate) mod check;
pub(crate) mod random;
