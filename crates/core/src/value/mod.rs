//! What a position is worth.

pub(crate) mod codes;
pub(crate) mod values;
