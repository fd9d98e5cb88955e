//! Running all jobs of a plan.

pub(crate) mod check;
pub(crate) mod context;
#[cfg(test)]
mod far_tests;
pub(crate) mod in_folder;
pub(crate) mod in_memory;
