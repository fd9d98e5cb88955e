//! What a position is worth.

pub(crate) mod values;
