//! The folder of one ruleset: its files, its lock and its manifest; reading and writing tables.

pub(crate) mod base;
pub(crate) mod digests;
pub(crate) mod files;
pub(crate) mod listing;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod pack;
pub(crate) mod space;
pub(crate) mod table;
pub(crate) mod writer;
