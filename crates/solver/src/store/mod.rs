//! Where jobs find solved subspaces and leave their own.

pub(crate) mod cache;
pub(crate) mod count;
pub(crate) mod folder;
pub(crate) mod interface;
pub(crate) mod memory;
pub(crate) mod publisher;
