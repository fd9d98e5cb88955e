//! Correct checksums for files with arbitrary content.
//!
//! A checksum detects nearly every change to a file. To test the reader beyond it, these functions
//! correct the checksums first. They have their own offsets of fields, from `docs/format.md`, and
//! use no code of the reader.

use std::ops::Range;

/// Size of a table's header, its checksum included.
const HEADER: usize = 512;
/// The offset of the format version in a header.
const VERSION: usize = 8;
/// The offsets of the number of blocks in a table's header.
const BLOCKS: Range<usize> = 45..49;
/// The offset of the number of values in a table's header.
const VALUES: usize = 149;
/// Size of an entry of the block table: offset, length, checksum.
const RECORD: usize = 16;
/// Size of a CRC-32.
const CRC: usize = 4;
/// Size of the prefix before the payload, and the offsets of the payload's length.
const PREFIX: usize = 16;
const PAYLOAD_LENGTH: Range<usize> = 12..16;

/// Corrects the checksums of a table: those of the blocks whose bytes exist, of the block table, of
/// the header, and of the counts behind the blocks.
pub(crate) fn table_checksums(file: &mut [u8]) {
    for block in 0..blocks_in(file) {
        let record = HEADER + block * RECORD;
        let start = u64::from_le_bytes(array(file, record));
        let length = u32::from_le_bytes(array(file, record + 8));
        let end = start.checked_add(length.into());
        let range = usize::try_from(start).ok().zip(end.and_then(|end| usize::try_from(end).ok()));
        if let Some(stored) = range.and_then(|(start, end)| file.get(start..end)) {
            let crc = crc32fast::hash(stored);
            put(file, record + 12, &crc.to_le_bytes());
        }
    }
    let end = HEADER + blocks_in(file) * RECORD;
    if end + CRC <= file.len() {
        let crc = crc32fast::hash(&file[HEADER..end]);
        put(file, end, &crc.to_le_bytes());
    }
    if HEADER <= file.len() {
        let crc = crc32fast::hash(&file[..HEADER - CRC]);
        put(file, HEADER - CRC, &crc.to_le_bytes());
    }
    let counts = counts_in(file);
    if !counts.is_empty() {
        let end = counts.end - CRC;
        let crc = crc32fast::hash(&file[counts.start..end]);
        put(file, end, &crc.to_le_bytes());
    }
}

/// Places the blocks of a table one after the other, the last one up to the counts or to the end of
/// the file, and corrects the checksums.
pub(crate) fn table_places(file: &mut [u8]) {
    let blocks = blocks_in(file);
    let mut start = HEADER + blocks * RECORD + CRC;
    for block in 0..blocks {
        let record = HEADER + block * RECORD;
        let rest = counts_in(file).start.saturating_sub(start);
        let said = u32::from_le_bytes(array(file, record + 8)) as usize;
        let length = if block + 1 == blocks { rest } else { said.min(rest) };
        put(file, record, &(start as u64).to_le_bytes());
        put(file, record + 8, &(length as u32).to_le_bytes());
        start += length;
    }
    table_checksums(file);
}

/// Corrects the length and the checksum of a manifest.
pub(crate) fn manifest(file: &mut [u8]) {
    let Some(body) = file.len().checked_sub(CRC).filter(|&body| body >= PREFIX) else { return };
    put(file, PAYLOAD_LENGTH.start, &((body - PREFIX) as u32).to_le_bytes());
    let crc = crc32fast::hash(&file[..body]);
    put(file, body, &crc.to_le_bytes());
}

/// Replaces the last line of a journal by the correct digest of the others.
pub(crate) fn journal(content: &str) -> String {
    let before_last = content.rfind("blake3 ").map_or(content, |end| &content[..end]);
    let lines = before_last.strip_suffix('\n').unwrap_or(before_last);
    let digest = blake3::hash(format!("{lines}\n").as_bytes());
    format!("{lines}\nblake3 {digest}\n")
}

/// The number of blocks in the header if the file has room for their records, else 0.
fn blocks_in(file: &[u8]) -> usize {
    let said = file.get(BLOCKS).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let room = file.len().saturating_sub(HEADER + CRC) / RECORD;
    said.map(|said| said as usize).filter(|&said| said <= room).unwrap_or(0)
}

/// The range of the counts behind the blocks, or an empty range at the end.
fn counts_in(file: &[u8]) -> Range<usize> {
    let none = file.len()..file.len();
    if file.len() < HEADER || array(file, VERSION) != 1_u32.to_le_bytes() {
        return none;
    }
    let values = u16::from_le_bytes(array(file, VALUES));
    let size = 2 * 8 + usize::from(values) * 11 + CRC;
    let start = file.len().checked_sub(size).filter(|&start| start >= HEADER);
    start.map_or(none, |start| start..file.len())
}

fn array<const N: usize>(file: &[u8], at: usize) -> [u8; N] {
    file[at..at + N].try_into().expect("as many bytes as asked for")
}

fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}
