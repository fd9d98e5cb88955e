//! The bytes of files: what stands where, and how headers and manifests are read and written.

pub(crate) mod codec;
pub(crate) mod counts;
pub(crate) mod header_io;
pub(crate) mod layout;
pub(crate) mod manifest_io;
mod raw;
