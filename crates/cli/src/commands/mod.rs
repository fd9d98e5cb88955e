//! The subcommands. Each module has the arguments of one and its `run`.

pub(crate) mod annotate;
pub(crate) mod atlas;
pub(crate) mod completions;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod pack;
pub(crate) mod play;
pub(crate) mod query;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod verify;
