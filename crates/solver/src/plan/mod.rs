//! What to solve, in which order, and what that takes.

pub(crate) mod disk;
pub(crate) mod jobs;
pub(crate) mod memory;
pub(crate) mod schedule;
