//! What a table says about itself, checked.

use merels_core::{Ruleset, Subspace};

use crate::digest::Digest;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored};
use crate::statistics::Statistics;

/// The header of a table after all checks that need no other information.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The rules.
    pub ruleset: Ruleset,
    /// The numbers of stones.
    pub subspace: Subspace,
    /// What distances count.
    pub metric: Metric,
    /// How much is kept.
    pub edition: Edition,
    /// How a block is stored.
    pub encoding: Encoding,
    /// Entries of the table.
    pub entries: u64,
    /// Entries of a block: exactly so many, but for the last block, or about so many, by encoding.
    pub entries_per_block: u32,
    /// Blocks of the table.
    pub blocks: u32,
    /// Counts over positions.
    pub statistics: Statistics,
    /// Digest of the exact values of all entries, whether they are kept or not.
    pub digest: Digest,
    /// Digest of what the blocks decode to.
    pub kept: Digest,
    /// Program and version that wrote the file.
    pub generator: String,
    /// The digests of far codes, if the subspace has values beyond the distances of one code. See
    /// [`Codes`](merels_core::numbering::Codes).
    pub far: Option<FarDigests>,
    /// How the values are distributed, from the end of the file.
    pub distribution: Box<Distribution>,
}

/// The digests of far codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarDigests {
    /// Of the far codes of all entries, whether they are kept or not.
    pub digest: Digest,
    /// Of the far codes that the blocks decode to; of no bytes if they hold none.
    pub kept: Digest,
}

impl Header {
    /// The longest generator string, in bytes.
    pub(crate) const GENERATOR_LIMIT: usize = 64;
    /// The most entries in a block: bounds what a reader allocates.
    pub(crate) const ENTRIES_PER_BLOCK_LIMIT: u32 = 1 << 20;

    /// What the table holds of its subspace.
    pub fn stored(&self) -> Stored {
        self.edition.stored(&self.ruleset, self.subspace)
    }

    /// Whether blocks hold far values: if there are far codes, and the edition keeps distances.
    pub fn has_far_frames(&self) -> bool {
        self.far.is_some() && self.edition.has_distances() && self.stored() != Stored::Nothing
    }
}

/// What a distance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Plies to the end of the game.
    End,
    /// Plies to the next conversion: a placing, a removal, or the end of the game. Only rulesets
    /// with a ply limit have such tables.
    Conversion,
}

impl Metric {
    /// The metric of a ruleset's tables.
    pub const fn of(ruleset: &Ruleset) -> Self {
        if ruleset.ply_limit.is_some() { Self::Conversion } else { Self::End }
    }
}

/// How the entries of a block are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// The bytes of the value codes in order, as one zstd frame.
    Zstd,
    /// Whole rows, sorted by class; outcomes and distances in frames of their own.
    Sorted,
}
