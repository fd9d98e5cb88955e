//! The whole command line: the commands, what all of them share, and what the help says first.

mod definition;
mod examples;
mod refusal;

pub(crate) use definition::{Arguments, Command, definition, read};
pub(crate) use refusal::report;
