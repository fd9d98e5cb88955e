//! The check on masks: where moves lead, what values follow, and how entries are read in order.

pub(crate) mod checker;
pub(crate) mod coded;
pub(crate) mod entries;
mod masks;
pub(crate) mod precision;
pub(crate) mod reach;
pub(crate) mod successors;
