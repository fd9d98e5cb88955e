//! Comparing the digests of all values of a table with those in its header.

use merels_core::numbering::Codes;

use crate::digest::Digest;
use crate::error::DbError;
use crate::folder::table::Table;

/// Blocks that are decoded before their bytes are digested: 4 MiB.
const DIGEST_BATCH: usize = 64;

impl Table {
    /// Decodes everything and compares its digests with the header's: the table holds the values
    /// that its writer was given.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block, or says that a digest differs.
    pub fn check_digest(&self) -> Result<(), DbError> {
        let mut hashers = self.hashers();
        let mut codes = self.buffers(0);
        for first in (0..self.blocks()).step_by(DIGEST_BATCH) {
            let blocks = first..(first + DIGEST_BATCH as u64).min(self.blocks());
            let indices = self.indices_of(blocks.start).start..self.indices_of(blocks.end - 1).end;
            let entries = (indices.end - indices.start) as usize;
            codes.as_mut().both().for_each(|codes| codes.resize(entries, 0));
            self.decode_blocks(blocks, codes.slices_mut())?;
            digest_into(&mut hashers, codes.slices());
        }
        self.compare_digests(hashers.as_ref().map(Digest::of))
    }

    fn hashers(&self) -> Codes<blake3::Hasher> {
        let far = self.has_far_codes().then(blake3::Hasher::new);
        Codes { near: blake3::Hasher::new(), far }
    }

    /// Compares the digests of all decoded codes, those that are left out as
    /// [`LEFT_OUT`](crate::LEFT_OUT), with the header's.
    ///
    /// # Errors
    /// [`DbError::Damaged`] says which digest differs.
    pub fn compare_digests(&self, found: Codes<Digest>) -> Result<(), DbError> {
        let compare = |kind, found: Digest, expected: Digest| {
            if found == expected {
                return Ok(());
            }
            let reason = format!("its {kind} have the digest {found}, not {expected}");
            Err(DbError::damaged(self.path(), reason))
        };
        compare("values", found.near, self.header().kept)?;
        match (found.far, self.header().far) {
            (Some(found), Some(far)) if self.has_far_codes() => {
                compare("far codes", found, far.kept)
            }
            _ => Ok(()),
        }
    }

    /// Decodes all entries, and compares the digests with the header's, as [`Table::check_digest`]
    /// does.
    ///
    /// # Errors
    /// [`DbError::Damaged`] names a damaged block, or says that a digest differs.
    ///
    /// # Panics
    /// As [`Table::decode_all`].
    pub fn decode_all_checked(&self, mut codes: Codes<&mut [u8]>) -> Result<(), DbError> {
        let all = Codes { near: &mut *codes.near, far: codes.far.as_deref_mut() };
        self.decode_all(all)?;
        let mut hashers = self.hashers();
        if self.header().blocks > 0 {
            let far = codes.far.as_deref();
            digest_into(&mut hashers, Codes { near: &*codes.near, far });
        }
        self.compare_digests(hashers.as_ref().map(Digest::of))
    }
}

fn digest_into(hashers: &mut Codes<blake3::Hasher>, codes: Codes<&[u8]>) {
    hashers.near.update_rayon(codes.near);
    if let (Some(hasher), Some(far)) = (&mut hashers.far, codes.far) {
        hasher.update_rayon(far);
    }
}
