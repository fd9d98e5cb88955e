//! Reading and writing a manifest.

use std::path::Path;

use crate::error::DbError;
use crate::format::codec::{self, codec_error};
use crate::format::layout::{self, MANIFEST_MAGIC};
use crate::manifest::Manifest;

impl Manifest {
    /// The most bytes of a manifest's file.
    pub(crate) const SIZE_LIMIT: usize = codec::LIMIT + layout::PREFIX_SIZE + layout::CRC_SIZE;

    /// The bytes of the manifest's file. `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Unwritable`] if the format has no number for a rule.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, DbError> {
        let payload = codec::encode_manifest(self).map_err(codec_error(path))?;
        Ok(layout::seal(MANIFEST_MAGIC, &payload, None))
    }

    /// The manifest in `bytes`, which are those of a whole file. `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Foreign`], [`DbError::Version`], [`DbError::Unsupported`] if it is not a manifest
    /// that can be read; [`DbError::Damaged`] if it contradicts itself, or lists a subspace that
    /// its ruleset does not have.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, DbError> {
        let payload = layout::unseal(path, "manifest", MANIFEST_MAGIC, bytes)?;
        codec::decode_manifest(payload).map_err(codec_error(path))
    }
}
