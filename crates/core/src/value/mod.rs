//! The value of a position.

pub(crate) mod codes;
pub(crate) mod values;
