//! Reading, checking and writing the header of a table.

use std::path::Path;

use crate::blocks::sorted::SortedBlocks;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored, entries_of};
use crate::error::DbError;
use crate::format::codec::{self, codec_error};
use crate::format::layout::{
    BLOCK_RECORD_SIZE, BlockRecord, CRC_SIZE, HEADER_SIZE, TABLE_MAGIC, VERSION,
    VERSION_WITH_COUNTS, VERSION_WITH_FAR, blocks_start, seal, unseal,
};
use crate::header::{Encoding, Header, Metric, impossible, misfit, too_many};

impl Header {
    /// Reads the header of a table, and checks it and the block table behind it against each other
    /// and against the length of the file. Decodes no block, and allocates nothing of a size that
    /// the file says. `file` is the whole file; `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Foreign`], [`DbError::Version`], [`DbError::Unsupported`] if it is not a table
    /// that can be read; [`DbError::Damaged`] if it contradicts itself.
    pub fn from_bytes(path: &Path, file: &[u8]) -> Result<Self, DbError> {
        read_header(path, file)
    }

    /// The first bytes of the table's file, up to the block table.
    ///
    /// # Errors
    /// [`DbError::Unwritable`] if a field has a value that the format has no number for.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, DbError> {
        let payload = codec::encode_header(self).map_err(codec_error(path))?;
        let version = match (self.companion, &self.distribution) {
            (Some(_), _) => VERSION_WITH_FAR,
            (None, Some(_)) => VERSION_WITH_COUNTS,
            (None, None) => VERSION,
        };
        Ok(seal(TABLE_MAGIC, version, &payload, Some(HEADER_SIZE)))
    }

    /// Why the fields contradict each other, if they do.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let Self { entries, entries_per_block, blocks, .. } = *self;
        if let Err(error) = self.ruleset.check() {
            return Some(error.to_string());
        }
        if let Some(reason) = impossible(self.subspace) {
            return Some(reason);
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
        if self.metric == Metric::Beyond && self.companion.is_none() {
            return Some("far codes without near ones".into());
        }
        if self.edition.is_exact(&self.ruleset, self.subspace) && self.digest != self.kept {
            return Some("two digests of the same values".into());
        }
        if self.encoding == Encoding::Sorted {
            let expected = entries_of(self.ruleset.board, self.subspace);
            if entries != expected {
                return Some(format!("{entries} entries, but {} has {expected}", self.subspace));
            }
        }
        if block_count(self) != u64::from(blocks) {
            return Some(format!(
                "{entries} entries do not make {blocks} blocks of {entries_per_block}"
            ));
        }
        if self.generator.len() > Self::GENERATOR_LIMIT {
            return Some("the generator's name is too long".into());
        }
        let has_far = self.companion.is_some();
        self.statistics.contradiction(entries, has_far).map(str::to_owned)
    }
}

/// Reads the header and checks it and the block table against each other and against the length
/// of the file. Allocates nothing of a size that the file says.
pub(crate) fn read_header(path: &Path, file: &[u8]) -> Result<Header, DbError> {
    let start = file.get(..HEADER_SIZE).unwrap_or(file);
    let (version, payload) = unseal(path, "table", TABLE_MAGIC, VERSION_WITH_FAR, start)?;
    let decoded = match version {
        VERSION => codec::decode_header(payload).map(|header| (header, None)),
        VERSION_WITH_COUNTS => codec::decode_counted_header(payload),
        _ => codec::decode_far_header(payload),
    };
    let (mut header, values) = decoded.map_err(codec_error(path))?;
    let has_far = header.companion.is_some();
    let (rules, subspace) = (&header.ruleset, header.subspace);
    let reason = misfit(rules, subspace).or_else(|| too_many(rules, subspace, header.entries));
    if let Some(reason) = reason {
        return Err(DbError::damaged(path, reason));
    }

    let cut_off = || DbError::damaged(path, "the file is cut off in the block table");
    let first = blocks_start(header.blocks);
    let table_end = usize::try_from(first).map_err(|_| cut_off())?;
    let table = file.get(HEADER_SIZE..table_end).ok_or_else(cut_off)?;
    let (records, crc) = table.split_last_chunk::<CRC_SIZE>().ok_or_else(cut_off)?;
    if u32::from_le_bytes(*crc) != crc32fast::hash(records) {
        return Err(DbError::damaged(path, "the checksum of the block table is wrong"));
    }
    let longest = longest_block(&header) as u64;
    let mut end = first;
    for (number, record) in records.chunks_exact(BLOCK_RECORD_SIZE).enumerate() {
        let record = BlockRecord::from_bytes(record.try_into().map_err(|_| cut_off())?);
        if record.offset != end || record.length == 0 || u64::from(record.length) > longest {
            let reason = "its place in the block table is impossible";
            return Err(DbError::damaged_block(path, number as u64, reason));
        }
        end = end.checked_add(record.length.into()).ok_or_else(cut_off)?;
    }
    let size = values.map_or(0, |values| Distribution::size_of(values, has_far)) as u64;
    if end.checked_add(size) != Some(file.len() as u64) {
        let reason = format!(
            "the blocks end at byte {end}, {size} bytes follow, and the file ends at byte {}",
            file.len()
        );
        return Err(DbError::damaged(path, reason));
    }
    if values.is_some() {
        let counted = Distribution::from_bytes(path, &file[end as usize..], has_far)?;
        if let Some(reason) = counted.contradiction(&header.statistics, header.entries) {
            return Err(DbError::damaged(path, reason));
        }
        header.distribution = Some(Box::new(counted));
    }
    Ok(header)
}

/// How many blocks a table must have, worked out from numbers alone.
pub(crate) fn block_count(header: &Header) -> u64 {
    match header.encoding {
        Encoding::Zstd => header.entries.div_ceil(header.entries_per_block.into()),
        Encoding::Sorted if header.stored() == Stored::Nothing => 0,
        Encoding::Sorted => SortedBlocks::count_for(
            header.ruleset.board,
            header.subspace,
            header.entries,
            header.entries_per_block,
        ),
    }
}

/// The most bytes that a block can have.
pub(crate) fn longest_block(header: &Header) -> usize {
    match header.encoding {
        Encoding::Zstd => zstd::zstd_safe::compress_bound(header.entries_per_block as usize),
        Encoding::Sorted => SortedBlocks::longest(header.entries_per_block),
    }
}
