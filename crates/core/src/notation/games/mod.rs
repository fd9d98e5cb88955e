//! Games in text, as people have them: a text is [read](reader) as one or more [records](record), each
//! with tags, a game, variations and a result.

pub(crate) mod cause;
pub(crate) mod error;
mod numbering;
pub(crate) mod position;
mod read;
mod reader;
pub(crate) mod record;
mod signs;
mod tags;
