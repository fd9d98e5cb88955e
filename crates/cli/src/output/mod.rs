//! What commands print: boards and moves, tables, colours, notes on standard error.

pub(crate) mod bars;
pub(crate) mod clock;
pub(crate) mod note;
pub(crate) mod rows;
pub(crate) mod screen;
pub(crate) mod style;
pub(crate) mod svg;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod width;

/// The context of errors when standard output refuses.
pub(crate) const CANNOT_WRITE: &str = "cannot write the results";
