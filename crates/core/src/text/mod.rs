//! Numbers and errors as text.

pub(crate) mod grouped;
pub(crate) mod one_line;
