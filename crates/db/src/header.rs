//! What a table says about itself, checked.

use std::fmt;
use std::path::Path;

use merels_core::{Ruleset, Subspace};

use crate::blocks::block_count;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored, entries_of};
use crate::{DbError, Statistics, codec, layout};

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
    /// If the subspace has values beyond the distances of one code: in a table of near codes the digest of all far codes,
    /// in a table of far codes that of all near codes. See [`FarCodes`](merels_core::FarCodes).
    pub companion: Option<Digest>,
    /// How the values are distributed, from the end of the file; none in files of format version 2.
    pub distribution: Option<Box<Distribution>>,
}

impl Header {
    /// The longest generator string, in bytes.
    pub(crate) const GENERATOR_LIMIT: usize = 64;
    /// The most entries in a block: bounds what a reader allocates.
    pub(crate) const ENTRIES_PER_BLOCK_LIMIT: u32 = 1 << 20;

    /// Reads the header of a table, and checks it and the block table behind it against each other
    /// and against the length of the file. Decodes no block, and allocates nothing of a size that
    /// the file says. `file` is the whole file; `path` is what messages call it.
    ///
    /// # Errors
    /// [`DbError::Foreign`], [`DbError::Version`], [`DbError::Unsupported`] if it is not a table
    /// that can be read; [`DbError::Damaged`] if it contradicts itself.
    pub fn from_bytes(path: &Path, file: &[u8]) -> Result<Self, DbError> {
        layout::read_header(path, file)
    }

    /// The first bytes of the table's file, up to the block table.
    ///
    /// # Errors
    /// [`DbError::Unwritable`] if a field has a value that the format has no number for.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>, DbError> {
        let payload = codec::encode_header(self).map_err(layout::codec_error(path))?;
        let version = match (self.companion, &self.distribution) {
            (Some(_), _) => layout::VERSION_WITH_FAR,
            (None, Some(_)) => layout::VERSION_WITH_COUNTS,
            (None, None) => layout::VERSION,
        };
        Ok(layout::seal(layout::TABLE_MAGIC, version, &payload, Some(layout::HEADER_SIZE)))
    }

    /// What the table holds of its subspace.
    pub fn stored(&self) -> Stored {
        self.edition.stored(&self.ruleset, self.subspace)
    }

    /// Whether a table of far codes lies beside this one: if there are far codes, and the edition keeps distances.
    pub fn has_far_table(&self) -> bool {
        self.companion.is_some()
            && self.metric == Metric::DistanceToWin
            && self.edition.has_distances()
            && self.stored() != Stored::Nothing
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

/// Says so if no game has a subspace, because its numbers are beyond those of any game.
pub(crate) fn impossible(subspace: Subspace) -> Option<String> {
    let stones = [subspace.mover(), subspace.other(), subspace.mover_hand(), subspace.other_hand()];
    let beyond = stones.iter().any(|&count| count > Ruleset::MAX_STONES);
    beyond.then(|| format!("no game has the subspace {subspace}"))
}

/// What a distance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Plies to the end of the game.
    DistanceToWin,
    /// Plies to the end of the game less 248, or the least that an outcome has: far codes.
    Beyond,
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

/// BLAKE3 of values: the bytes of the value codes in the order of the index.
///
/// It says that two tables hold the same values, however they were compressed. It prints as 64
/// hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Digest {
    /// The digest of what `hasher` has seen.
    pub(crate) fn of(hasher: &blake3::Hasher) -> Self {
        Self(hasher.finalize().into())
    }
}
