//! Where things are in a table: header, block table, blocks, counts, in this order.
//!
//! Header and block table have sizes known before the first value is written. So they stand in
//! front, where opening a file touches a few adjacent pages, and are filled in last. Until then
//! the first bytes are zeros, which is no magic number: an unfinished file is not a table.

use std::ops::Range;
use std::path::Path;

use crate::error::DbError;

/// Entries of a block of the edition `full`: 65536, which decode in under 0.1 ms.
pub const ENTRIES_PER_BLOCK: u32 = 1 << 16;

/// About how many entries a block of the other editions has, of which half are stored where half of
/// a subspace is: they decode in 0.2 ms.
pub(crate) const SORTED_ENTRIES_PER_BLOCK: u32 = 1 << 15;

/// First bytes of a table. The first one is no text in any common encoding, and the last one shows
/// damage by a transfer that changes line ends.
pub(crate) const TABLE_MAGIC: [u8; 8] = *b"\x89MERELS\n";
/// First bytes of a manifest.
pub(crate) const MANIFEST_MAGIC: [u8; 8] = *b"\x89MERELM\n";
/// The version of manifests, and of tables that end with their last block.
pub(crate) const VERSION: u32 = 2;
/// The version of tables behind whose last block the [`Distribution`] of their values follows.
pub(crate) const VERSION_WITH_COUNTS: u32 = 3;

/// The version of tables of subspaces with far codes, and of manifests that list such.
pub(crate) const VERSION_WITH_FAR: u32 = 4;

/// The longest manifest, in bytes: a reader takes no longer payload, and [`seal`] adds little.
pub(crate) const MANIFEST_LIMIT: u64 = (1 << 20) + (PREFIX_SIZE + CRC_SIZE) as u64;

/// Size of the header with its padding and checksum, in bytes.
pub(crate) const HEADER_SIZE: usize = 512;
/// Magic, version, length of the payload.
pub(crate) const PREFIX_SIZE: usize = 16;
/// Size of a CRC-32, in bytes.
pub(crate) const CRC_SIZE: usize = 4;
/// Size of an entry of the block table, in bytes.
pub(crate) const BLOCK_RECORD_SIZE: usize = 16;

/// Size of the block table with its checksum, in bytes.
pub(crate) fn block_table_size(blocks: u32) -> u64 {
    u64::from(blocks) * BLOCK_RECORD_SIZE as u64 + CRC_SIZE as u64
}

/// Where the first block begins.
pub(crate) fn blocks_start(blocks: u32) -> u64 {
    HEADER_SIZE as u64 + block_table_size(blocks)
}

/// An entry of the block table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockRecord {
    /// From the start of the file, in bytes.
    pub(crate) offset: u64,
    /// Of the compressed block, in bytes.
    pub(crate) length: u32,
    /// CRC-32 of the compressed block.
    pub(crate) crc: u32,
}

impl BlockRecord {
    pub(crate) fn to_bytes(self) -> [u8; BLOCK_RECORD_SIZE] {
        let mut bytes = [0; BLOCK_RECORD_SIZE];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: [u8; BLOCK_RECORD_SIZE]) -> Self {
        let packed = u128::from_le_bytes(bytes);
        Self { offset: packed as u64, length: (packed >> 64) as u32, crc: (packed >> 96) as u32 }
    }

    /// The bytes of the file that hold the block; none if a file cannot have them.
    pub(crate) fn range(self) -> Option<Range<usize>> {
        let start = usize::try_from(self.offset).ok()?;
        Some(start..start.checked_add(usize::try_from(self.length).ok()?)?)
    }
}

/// The record of `block`; none if the file has no such bytes.
pub(crate) fn block_record(file: &[u8], block: u64) -> Option<BlockRecord> {
    let start = usize::try_from(block).ok()?.checked_mul(BLOCK_RECORD_SIZE)?;
    let start = start.checked_add(HEADER_SIZE)?;
    let bytes = file.get(start..start.checked_add(BLOCK_RECORD_SIZE)?)?;
    Some(BlockRecord::from_bytes(bytes.try_into().ok()?))
}

/// Puts magic, version, payload and checksum together: `size` bytes, or as many as needed.
pub(crate) fn seal(magic: [u8; 8], version: u32, payload: &[u8], size: Option<usize>) -> Vec<u8> {
    let needed = PREFIX_SIZE + payload.len() + CRC_SIZE;
    let size = size.unwrap_or(needed);
    assert!(needed <= size, "the payload outgrew its place");
    let length = u32::try_from(payload.len()).expect("payloads are small");
    let mut bytes = Vec::with_capacity(size);
    bytes.extend_from_slice(&magic);
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes.resize(size - CRC_SIZE, 0);
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

/// Version and payload of what [`seal`] made. Magic and version are looked at first, so that other files
/// and versions above `newest` are told apart from damage.
pub(crate) fn unseal<'a>(
    path: &Path,
    kind: &'static str,
    magic: [u8; 8],
    newest: u32,
    bytes: &'a [u8],
) -> Result<(u32, &'a [u8]), DbError> {
    if bytes.get(..8) != Some(&magic) {
        return Err(DbError::Foreign { path: path.to_owned(), kind });
    }
    let short = || DbError::damaged(path, "the file is cut off");
    let word = |at: usize| -> Result<u32, DbError> {
        let bytes = at.checked_add(4).and_then(|end| bytes.get(at..end)).ok_or_else(short)?;
        Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| short())?))
    };
    let found = word(8)?;
    if !(VERSION..=newest).contains(&found) {
        return Err(DbError::Version { path: path.to_owned(), found, supported: newest });
    }
    let body = bytes.len().checked_sub(CRC_SIZE).ok_or_else(short)?;
    if word(body)? != crc32fast::hash(&bytes[..body]) {
        return Err(DbError::damaged(path, format!("the checksum of the {kind} is wrong")));
    }
    let length = usize::try_from(word(12)?).map_err(|_| short())?;
    let rest = bytes.get(PREFIX_SIZE..body).ok_or_else(short)?;
    let (payload, padding) = rest.split_at_checked(length).ok_or_else(short)?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err(DbError::damaged(path, "the padding is not empty"));
    }
    Ok((found, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_unsealed() {
        let path = Path::new("x");
        for size in [None, Some(100)] {
            let bytes = seal(TABLE_MAGIC, VERSION, b"payload", size);
            assert_eq!(bytes.len(), size.unwrap_or(PREFIX_SIZE + 7 + CRC_SIZE));
            let unsealed = unseal(path, "table", TABLE_MAGIC, VERSION, &bytes).unwrap();
            assert_eq!(unsealed, (VERSION, b"payload".as_slice()));
            let error = unseal(path, "manifest", MANIFEST_MAGIC, VERSION, &bytes).unwrap_err();
            assert!(matches!(error, DbError::Foreign { kind: "manifest", .. }), "{error}");
        }
    }

    #[test]
    fn a_newer_version_is_told_apart_from_damage() {
        let bytes = seal(TABLE_MAGIC, VERSION_WITH_COUNTS, b"payload", None);
        let error = unseal(Path::new("x"), "table", TABLE_MAGIC, VERSION, &bytes).unwrap_err();
        assert!(matches!(error, DbError::Version { found: 3, supported: 2, .. }), "{error}");
        assert!(error.to_string().contains("use a newer program"), "{error}");
    }

    #[test]
    fn block_records_have_fixed_places() {
        let record = BlockRecord { offset: 0x0807_0605_0403_0201, length: 9, crc: 10 };
        let bytes = record.to_bytes();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 10, 0, 0, 0]);
        assert_eq!(BlockRecord::from_bytes(bytes), record);
        assert!(BlockRecord { offset: u64::MAX, ..record }.range().is_none());
    }
}
