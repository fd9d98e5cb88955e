//! What several commands use: arguments, the oracle, threads, memory, signals.

pub(crate) mod arguments;
pub(crate) mod completers;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod oracle;
pub(crate) mod output;
pub(crate) mod records;
pub(crate) mod terminal;
pub(crate) mod threads;
