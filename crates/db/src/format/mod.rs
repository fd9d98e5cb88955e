//! What is where in a file, and how header, manifest and counts become bytes.

pub(crate) mod codec;
pub(crate) mod counts;
pub(crate) mod header;
pub(crate) mod layout;
pub(crate) mod manifest;
