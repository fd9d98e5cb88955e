//! How the entries of a table fall into blocks, and how a block is coded.

pub(crate) mod frames;
pub(crate) mod sorted;

use std::io;
use std::ops::Range;

use merels_core::ValueCode;

use crate::blocks::frames::Compression;
use crate::blocks::sorted::SortedBlocks;
use crate::header::{Encoding, Header};

/// The blocks of a table.
#[derive(Debug)]
pub(crate) enum Blocks {
    /// So many entries each, the last one fewer: the bytes of their codes as one frame.
    Plain {
        /// Entries of the table.
        entries: u64,
        /// Entries of a block.
        entries_per_block: u32,
    },
    /// Whole rows, sorted by class.
    Sorted(Box<SortedBlocks>),
}

impl Blocks {
    /// The blocks of a table with this header, whose fields have been checked.
    pub(crate) fn of(header: &Header) -> Self {
        let (entries, entries_per_block) = (header.entries, header.entries_per_block);
        match header.encoding {
            Encoding::Zstd => Self::Plain { entries, entries_per_block },
            Encoding::Sorted => Self::Sorted(Box::new(SortedBlocks::new(
                &header.ruleset,
                header.subspace,
                header.edition,
                entries_per_block,
            ))),
        }
    }

    /// How many blocks there are; none if nothing is stored.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Plain { entries, entries_per_block } => {
                entries.div_ceil((*entries_per_block).into())
            }
            Self::Sorted(sorted) => sorted.blocks(),
        }
    }

    /// The block that holds an entry.
    pub(crate) fn block_of(&self, index: u64) -> u64 {
        match self {
            Self::Plain { entries_per_block, .. } => index / u64::from(*entries_per_block),
            Self::Sorted(sorted) => sorted.block_of(index),
        }
    }

    /// The indices of the entries of a block; an empty range if there is no such block.
    pub(crate) fn indices_of(&self, block: u64) -> Range<u64> {
        match self {
            Self::Plain { entries, entries_per_block } => {
                let size = u64::from(*entries_per_block);
                let first = block.saturating_mul(size).min(*entries);
                first..first.saturating_add(size).min(*entries)
            }
            Self::Sorted(sorted) => sorted.indices_of(block),
        }
    }

    /// How many entries a block has.
    pub(crate) fn len_of(&self, block: u64) -> usize {
        let indices = self.indices_of(block);
        (indices.end - indices.start) as usize
    }

    /// Whether decoding gives back all that was coded.
    pub(crate) fn keep_all(&self) -> bool {
        match self {
            Self::Plain { .. } => true,
            Self::Sorted(sorted) => sorted.keeps_all(),
        }
    }

    /// Codes the values of a block into `bytes`, in place of what was there. If asked for, `kept`
    /// becomes what [`Blocks::decode`] gives back.
    ///
    /// # Errors
    /// Those of zstd.
    pub(crate) fn encode(
        &self,
        block: u64,
        values: &[u8],
        kept: Option<&mut [u8]>,
        compression: Compression,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self {
            Self::Plain { .. } => {
                if let Some(kept) = kept {
                    kept.copy_from_slice(values);
                }
                bytes.clear();
                frames::append(values, compression, bytes)
            }
            Self::Sorted(sorted) => sorted.encode(block, values, kept, compression, bytes),
        }
    }

    /// Decodes a block into a buffer of its exact size; [`LEFT_OUT`](crate::blocks::sorted::LEFT_OUT) stands where the
    /// table has no value.
    ///
    /// # Errors
    /// Why the bytes are no such block.
    pub(crate) fn decode(&self, block: u64, bytes: &[u8], values: &mut [u8]) -> Result<(), String> {
        if let Self::Sorted(sorted) = self {
            return sorted.decode(block, bytes, values);
        }
        match frames::decompress(bytes, values) {
            Ok(length) if length == values.len() => {}
            Ok(length) => {
                return Err(format!("it has {length} entries instead of {}", values.len()));
            }
            Err(error) => return Err(format!("it does not decompress: {error}")),
        }
        if holds_only_codes(values) {
            Ok(())
        } else {
            Err("a byte is not the code of a value".into())
        }
    }
}

/// Whether each byte is a [`ValueCode`]. Without early exits inside a piece, so that the compiler
/// makes vector instructions of it.
pub(crate) fn holds_only_codes(bytes: &[u8]) -> bool {
    bytes.chunks(4096).all(|piece| {
        piece.iter().fold(true, |sound, &byte| sound & ValueCode::from_byte(byte).is_some())
    })
}
