//! Published facts about mill games, recomputed from the databases.

pub(crate) mod check;
mod claim;
mod evidence;
mod standard;
mod variants;
