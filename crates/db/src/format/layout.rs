//! Where things are in a table: header, block table, blocks, counts, in this order.
//!
//! Header and block table have sizes known before the first value is written. So they stand in
//! front, where opening a file touches a few adjacent pages, and are filled in last. Until then
//! the first bytes are zeros, which is no magic number: an unfinished file is not a table.

use std::path::Path;

use crate::blocks::record::BLOCK_RECORD_SIZE;
use crate::error::DbError;

/// First bytes of a table. The first one is no text in any common encoding, and the last one shows
/// damage by a transfer that changes line ends.
pub(crate) const TABLE_MAGIC: [u8; 8] = *b"\x89MERELS\n";
/// First bytes of a manifest.
pub(crate) const MANIFEST_MAGIC: [u8; 8] = *b"\x89MERELM\n";
/// The version of tables and manifests.
pub(crate) const VERSION: u32 = 1;

/// Size of the header with its padding and checksum, in bytes.
pub(crate) const HEADER_SIZE: usize = 512;
/// Magic, version, length of the payload.
pub(crate) const PREFIX_SIZE: usize = 16;
/// Size of a CRC-32, in bytes.
pub(crate) const CRC_SIZE: usize = 4;
/// Size of the block table with its checksum, in bytes.
pub(crate) fn block_table_size(blocks: u32) -> u64 {
    u64::from(blocks) * BLOCK_RECORD_SIZE as u64 + CRC_SIZE as u64
}

/// Where the first block begins.
pub(crate) fn blocks_start(blocks: u32) -> u64 {
    HEADER_SIZE as u64 + block_table_size(blocks)
}

/// Puts magic, version, payload and checksum together: `size` bytes, or as many as needed.
pub(crate) fn seal(magic: [u8; 8], payload: &[u8], size: Option<usize>) -> Vec<u8> {
    let needed = PREFIX_SIZE + payload.len() + CRC_SIZE;
    let size = size.unwrap_or(needed);
    assert!(needed <= size, "the payload outgrew its place");
    let length = u32::try_from(payload.len()).expect("payloads are small");
    let mut bytes = Vec::with_capacity(size);
    bytes.extend_from_slice(&magic);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes.resize(size - CRC_SIZE, 0);
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

/// The payload of what [`seal`] made. It checks magic and version first, so that a file of another
/// kind or version is no damage.
pub(crate) fn unseal<'a>(
    path: &Path,
    kind: &'static str,
    magic: [u8; 8],
    bytes: &'a [u8],
) -> Result<&'a [u8], DbError> {
    if bytes.get(..8) != Some(&magic) {
        return Err(DbError::Foreign { path: path.to_owned(), kind });
    }
    let short = || DbError::damaged(path, "the file is cut off");
    let word = |at: usize| -> Result<u32, DbError> {
        let bytes = at.checked_add(4).and_then(|end| bytes.get(at..end)).ok_or_else(short)?;
        Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| short())?))
    };
    let found = word(8)?;
    if found != VERSION {
        return Err(DbError::Version { path: path.to_owned(), found });
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
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_unsealed() {
        let path = Path::new("x");
        for size in [None, Some(100)] {
            let bytes = seal(TABLE_MAGIC, b"payload", size);
            assert_eq!(bytes.len(), size.unwrap_or(PREFIX_SIZE + 7 + CRC_SIZE));
            assert_eq!(unseal(path, "table", TABLE_MAGIC, &bytes).unwrap(), b"payload");
            let error = unseal(path, "manifest", MANIFEST_MAGIC, &bytes).unwrap_err();
            assert!(matches!(error, DbError::Foreign { kind: "manifest", .. }), "{error}");
        }
    }

    #[test]
    fn another_version_is_told_apart_from_damage() {
        let path = Path::new("db/standard/3-3.merels");
        for version in [0_u32, 2, 3, 4, 5, u32::MAX] {
            let mut bytes = seal(TABLE_MAGIC, b"payload", None);
            bytes[8..12].copy_from_slice(&version.to_le_bytes());
            let error = unseal(path, "table", TABLE_MAGIC, &bytes).unwrap_err();
            assert!(matches!(error, DbError::Version { found, .. } if found == version), "{error}");
        }
    }
}
