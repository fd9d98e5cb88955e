//! The files of a folder: tables read and written, the manifest, the lock.

pub(crate) mod catalogue;
pub(crate) mod coding;
pub(crate) mod files;
#[expect(clippy::module_inception, reason = "the folder itself, among what belongs to it")]
pub(crate) mod folder;
pub(crate) mod lock;
pub(crate) mod map;
pub(crate) mod pack;
pub(crate) mod space;
pub(crate) mod table;
pub(crate) mod writer;
