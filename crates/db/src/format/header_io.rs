//! Reading and writing the header of a table, and checking it against the file.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::blocks::kind::{block_count, longest_block};
use crate::blocks::record::{BLOCK_RECORD_SIZE, BlockRecord};
use crate::bytes::Bytes;
use crate::distribution::Distribution;
use crate::edition::Edition;
use crate::error::DbError;
use crate::format::codec::{self, codec_error, misfit};
use crate::format::layout::{CRC_SIZE, HEADER_SIZE, TABLE_MAGIC, blocks_start, seal, unseal};
use crate::header::{Encoding, Header, Metric};

impl Header {
    /// Reads the header of a table, and checks it and the block table behind it against each other
    /// and against the length of the file. Decodes no block, and allocates nothing of a size that
    /// the file says. `file` is the whole file; `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Foreign`], [`DbError::Version`], [`DbError::Unsupported`] if it is not a table
    /// that can be read; [`DbError::Damaged`] if it contradicts itself.
    pub fn from_bytes(path: &Path, file: &[u8]) -> Result<Self, DbError> {
        read_header(path, &file).map(|(header, _)| header)
    }

    /// The first bytes of the table's file, up to the block table.
    ///
    /// # Errors
    /// [`DbError::Unwritable`] if a field has a value that the format has no number for.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, DbError> {
        let payload = codec::encode_header(self).map_err(codec_error(path))?;
        Ok(seal(TABLE_MAGIC, &payload, Some(HEADER_SIZE)))
    }

    /// Why the fields contradict each other, if they do.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let Self { entries, entries_per_block, blocks, .. } = *self;
        if let Err(error) = self.ruleset.check() {
            return Some(error.to_string());
        }
        if let Some(reason) = misfit(&self.ruleset, self.subspace, entries) {
            return Some(reason);
        }
        if self.metric != Metric::of(&self.ruleset) {
            return Some("its metric is not that of its ruleset".into());
        }
        if !(1..=Self::ENTRIES_PER_BLOCK_LIMIT).contains(&entries_per_block) {
            return Some(format!("blocks of {entries_per_block} entries"));
        }
        let encoding = match self.edition {
            Edition::Full => Encoding::Zstd,
            Edition::Compact | Edition::Outcome | Edition::Statistics => Encoding::Sorted,
        };
        if self.encoding != encoding {
            return Some(format!("the edition {} in blocks of another kind", self.edition));
        }
        let is_exact = self.edition.is_exact(&self.ruleset, self.subspace);
        let far_differ = self.far.is_some_and(|far| far.digest != far.kept);
        if is_exact && (self.digest != self.kept || far_differ) {
            return Some("two digests of the same values".into());
        }
        if block_count(self) != u64::from(blocks) {
            return Some(format!(
                "{entries} entries do not make {blocks} blocks of {entries_per_block}"
            ));
        }
        if self.generator.len() > Self::GENERATOR_LIMIT {
            return Some("the generator's name is too long".into());
        }
        self.statistics.contradiction(entries, self.far.is_some()).map(str::to_owned)
    }
}

/// Reads the header and checks it and the block table against each other and against the length
/// of the file. Allocates nothing of a size that the file says and does not have.
///
/// # Errors
/// Those of [`Header::from_bytes`]; [`DbError::Io`].
pub(crate) fn read_header(
    path: &Path,
    file: &dyn Bytes,
) -> Result<(Header, Box<[BlockRecord]>), DbError> {
    let mut buffer = Vec::new();
    let start = read(path, file, 0..file.len().min(HEADER_SIZE as u64), &mut buffer)?;
    let payload = unseal(path, "table", TABLE_MAGIC, start)?;
    let (mut header, values) = codec::decode_header(payload).map_err(codec_error(path))?;
    if let Some(reason) = header.contradiction() {
        return Err(DbError::damaged(path, reason));
    }

    let cut_off = || DbError::damaged(path, "the file is cut off in the block table");
    let first = blocks_start(header.blocks);
    if first > file.len() {
        return Err(cut_off());
    }
    let table = read(path, file, HEADER_SIZE as u64..first, &mut buffer)?;
    let (records, crc) = table.split_last_chunk::<CRC_SIZE>().ok_or_else(cut_off)?;
    if u32::from_le_bytes(*crc) != crc32fast::hash(records) {
        return Err(DbError::damaged(path, "the checksum of the block table is wrong"));
    }
    let (records, _) = records.as_chunks::<BLOCK_RECORD_SIZE>();
    let records: Box<[_]> = records.iter().copied().map(BlockRecord::from_bytes).collect();
    let longest = longest_block(&header) as u64;
    let mut end = first;
    for (number, record) in records.iter().enumerate() {
        if record.offset != end || record.length == 0 || u64::from(record.length) > longest {
            let reason = "its place in the block table is impossible";
            return Err(DbError::damaged_block(path, number as u64, reason));
        }
        end = end.checked_add(record.length.into()).ok_or_else(cut_off)?;
    }
    let size = Distribution::size_of(values) as u64;
    if end.checked_add(size) != Some(file.len()) {
        let reason = format!(
            "the blocks end at byte {end}, {size} bytes follow, and the file ends at byte {}",
            file.len()
        );
        return Err(DbError::damaged(path, reason));
    }
    let counted = read(path, file, end..file.len(), &mut buffer)?;
    let counted = Distribution::from_bytes(path, counted, header.far.is_some())?;
    if let Some(reason) = counted.contradiction(&header.statistics, header.entries) {
        return Err(DbError::damaged(path, reason));
    }
    header.distribution = Box::new(counted);
    Ok((header, records))
}

fn read<'a>(
    path: &Path,
    file: &'a dyn Bytes,
    range: Range<u64>,
    buffer: &'a mut Vec<u8>,
) -> Result<&'a [u8], DbError> {
    file.read(range, buffer).map_err(|error| match error.kind() {
        // It had them when it was opened.
        io::ErrorKind::UnexpectedEof => DbError::damaged(path, "the file was cut off"),
        _ => DbError::io("read", path)(error),
    })
}
