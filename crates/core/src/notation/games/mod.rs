//! Games in text, as people have them: a text is [read](reader) as one or more [records](record), each
//! with tags, a game, variations and a result.

pub(crate) mod error;
pub(crate) mod position;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod tags;
