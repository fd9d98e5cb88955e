//! The tables of a folder: open, decoded, counted, restored.

pub(crate) mod arena;
pub(crate) mod count;
pub(crate) mod database;
pub(crate) mod open;
pub(crate) mod restore;
pub(crate) mod restored;
pub(crate) mod segments;
