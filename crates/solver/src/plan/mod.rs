//! The jobs of a run, their order, their memory and disk.

pub(crate) mod cost;
pub(crate) mod disk;
pub(crate) mod jobs;
pub(crate) mod memory;
pub(crate) mod schedule;
