//! Every entry of every table, compared with its successors.

mod budget;
pub(crate) mod check;
pub(crate) mod journal;
mod journal_writer;
pub(crate) mod report;
mod subspace;
pub(crate) mod verified;
