//! How the entries of a table fall into blocks, and how a block is coded.

use std::io;
use std::ops::Range;

use merels_core::numbering::{Codes, ValueCode};

use crate::blocks::far;
use crate::blocks::frames::{self, Compression};
use crate::blocks::sorted::SortedBlocks;
use crate::edition::Stored;
use crate::header::{Encoding, Header};

/// The blocks of a table.
#[derive(Debug)]
pub(crate) struct Blocks {
    form: Form,
    /// Whether each block has a frame of [far values](far) in front.
    has_far: bool,
}

/// How entries fall into blocks, and how near codes are coded.
#[derive(Debug)]
enum Form {
    /// This many entries each, the last one fewer: the bytes of their codes as one frame.
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
        let form = match header.encoding {
            Encoding::Zstd => Form::Plain { entries, entries_per_block },
            Encoding::Sorted => Form::Sorted(Box::new(SortedBlocks::new(
                &header.ruleset,
                header.subspace,
                header.edition,
                entries_per_block,
            ))),
        };
        Self { form, has_far: header.has_far_frames() }
    }

    /// Plain blocks of near codes.
    pub(crate) const fn plain(entries: u64, entries_per_block: u32) -> Self {
        Self { form: Form::Plain { entries, entries_per_block }, has_far: false }
    }

    /// Whether blocks hold far values.
    pub(crate) const fn has_far(&self) -> bool {
        self.has_far
    }

    /// How many blocks there are; none if nothing is stored.
    pub(crate) fn count(&self) -> u64 {
        match &self.form {
            Form::Plain { entries, entries_per_block } => {
                entries.div_ceil((*entries_per_block).into())
            }
            Form::Sorted(sorted) => sorted.blocks(),
        }
    }

    /// The block that holds an entry.
    pub(crate) fn block_of(&self, index: u64) -> u64 {
        match &self.form {
            Form::Plain { entries_per_block, .. } => index / u64::from(*entries_per_block),
            Form::Sorted(sorted) => sorted.block_of(index),
        }
    }

    /// The indices of the entries of a block; an empty range if there is no such block.
    pub(crate) fn indices_of(&self, block: u64) -> Range<u64> {
        match &self.form {
            Form::Plain { entries, entries_per_block } => {
                let size = u64::from(*entries_per_block);
                let first = block.saturating_mul(size).min(*entries);
                first..first.saturating_add(size).min(*entries)
            }
            Form::Sorted(sorted) => sorted.indices_of(block),
        }
    }

    /// How many entries a block has.
    pub(crate) fn len_of(&self, block: u64) -> usize {
        let indices = self.indices_of(block);
        (indices.end - indices.start) as usize
    }

    /// Whether decoding gives back all that was coded.
    pub(crate) fn keep_all(&self) -> bool {
        match &self.form {
            Form::Plain { .. } => true,
            Form::Sorted(sorted) => sorted.keeps_all(),
        }
    }

    /// Codes the values of a block into `bytes`, in place of what was there. If asked for, `kept`
    /// becomes what [`Blocks::decode`] returns.
    ///
    /// # Errors
    /// Those of zstd.
    pub(crate) fn encode(
        &self,
        block: u64,
        values: Codes<&[u8]>,
        kept: Option<Codes<&mut [u8]>>,
        compression: Compression,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        let (kept, kept_far) = kept.map_or((None, None), |kept| (Some(kept.near), kept.far));
        let Some(far) = values.far.filter(|_| self.has_far) else {
            return self.encode_near(block, values.near, kept, compression, bytes);
        };
        // The frame of far values comes first and needs to know what the block keeps.
        let mut own = Vec::new();
        let kept = kept.unwrap_or_else(|| {
            own.resize(values.near.len(), 0);
            &mut own
        });
        let mut near_block = Vec::new();
        self.encode_near(block, values.near, Some(&mut *kept), compression, &mut near_block)?;
        bytes.clear();
        far::append(kept, far, compression, bytes)?;
        bytes.extend(near_block);
        if let Some(kept_far) = kept_far {
            far::keep(kept, far, kept_far);
        }
        Ok(())
    }

    fn encode_near(
        &self,
        block: u64,
        values: &[u8],
        kept: Option<&mut [u8]>,
        compression: Compression,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        match &self.form {
            Form::Plain { .. } => {
                if let Some(kept) = kept {
                    kept.copy_from_slice(values);
                }
                bytes.clear();
                frames::append(values, compression, bytes)
            }
            Form::Sorted(sorted) => sorted.encode(block, values, kept, compression, bytes),
        }
    }

    /// Decodes a block into buffers of its exact size; [`LEFT_OUT`](super::sorted::LEFT_OUT) where
    /// the table has no value. Without far values in the block, far codes follow from near codes.
    ///
    /// # Errors
    /// Why the bytes are no such block.
    pub(crate) fn decode(
        &self,
        block: u64,
        bytes: &[u8],
        values: Codes<&mut [u8]>,
    ) -> Result<(), String> {
        let Codes { near, far } = values;
        let (frame, bytes) = if self.has_far { far::split(bytes)? } else { (&[][..], bytes) };
        self.decode_near(block, bytes, near)?;
        match far {
            Some(far) if self.has_far => far::decode(frame, near, far)?,
            Some(far) => far::fill(near, far),
            None => {}
        }
        Ok(())
    }

    fn decode_near(&self, block: u64, bytes: &[u8], values: &mut [u8]) -> Result<(), String> {
        if let Form::Sorted(sorted) = &self.form {
            return sorted.decode(block, bytes, values);
        }
        frames::fill(bytes, values)?;
        if holds_only_codes(values) {
            Ok(())
        } else {
            Err("a byte is not the code of a value".into())
        }
    }
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
    let entries = header.entries_per_block as usize;
    let near = match header.encoding {
        Encoding::Zstd => zstd::zstd_safe::compress_bound(entries),
        Encoding::Sorted => SortedBlocks::longest(header.entries_per_block),
    };
    if header.has_far_frames() {
        near + far::longest(entries + SortedBlocks::MOST_BEYOND)
    } else {
        near
    }
}

/// Whether each byte is a [`ValueCode`]. Without early exits inside a piece, so that the compiler
/// makes vector instructions of it.
pub(crate) fn holds_only_codes(bytes: &[u8]) -> bool {
    bytes.chunks(4096).all(|piece| {
        piece.iter().fold(true, |sound, &byte| sound & ValueCode::from_byte(byte).is_some())
    })
}
