//! Reading and writing the manifest.

use std::path::Path;

use crate::error::DbError;
use crate::format::codec::{self, codec_error};
use crate::format::layout::{self, MANIFEST_MAGIC};
use crate::header::{misfit, too_many};
use crate::manifest::Manifest;

impl Manifest {
    /// The bytes of the manifest's file. `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Unwritable`] if the format has no number for a rule.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, DbError> {
        let payload = codec::encode_manifest(&self.ruleset, self.edition, self.tables.values())
            .map_err(codec_error(path))?;
        let has_far = self.tables.values().any(|table| table.far.is_some());
        let version = if has_far { layout::VERSION_WITH_FAR } else { layout::VERSION };
        Ok(layout::seal(MANIFEST_MAGIC, version, &payload, None))
    }

    /// The manifest in `bytes`, which are those of a whole file. `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Foreign`], [`DbError::Version`], [`DbError::Unsupported`] if it is not a manifest
    /// that can be read; [`DbError::Damaged`] if it contradicts itself.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, DbError> {
        let newest = layout::VERSION_WITH_FAR;
        let (version, payload) = layout::unseal(path, "manifest", MANIFEST_MAGIC, newest, bytes)?;
        let (ruleset, edition, tables) =
            codec::decode_manifest(payload, version == newest).map_err(codec_error(path))?;
        let mut manifest = Self::new(ruleset, edition);
        for info in tables {
            let (subspace, entries) = (info.subspace, info.entries);
            let reason = misfit(&ruleset, subspace);
            if let Some(reason) = reason.or_else(|| too_many(&ruleset, subspace, entries)) {
                return Err(DbError::damaged(path, reason));
            }
            if manifest.tables.insert(subspace, info).is_some() {
                return Err(DbError::damaged(path, format!("{subspace} is listed twice")));
            }
        }
        Ok(manifest)
    }
}
