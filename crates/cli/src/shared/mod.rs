//! What several commands use: arguments, the oracle, threads, memory, signals.

pub(crate) mod arguments;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod oracle;
pub(crate) mod threads;
