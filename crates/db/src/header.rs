//! What a table says about itself, checked.

use merels_core::{Ruleset, Subspace};

use crate::digest::Digest;
use crate::distribution::Distribution;
use crate::edition::{Edition, Stored, entries_of};
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

/// Says so if no game has a subspace, because its numbers are beyond those of any game.
pub(crate) fn impossible(subspace: Subspace) -> Option<String> {
    let stones = [subspace.mover(), subspace.other(), subspace.mover_hand(), subspace.other_hand()];
    let beyond = stones.iter().any(|&count| count > Ruleset::MAX_STONES);
    beyond.then(|| format!("no game has the subspace {subspace}"))
}

/// Why no game by these rules has a subspace, if none has.
pub(crate) fn misfit(ruleset: &Ruleset, subspace: Subspace) -> Option<String> {
    let counts = [subspace.mover(), subspace.other(), subspace.mover_hand(), subspace.other_hand()];
    let [mover, other, mover_hand, other_hand] = counts.map(u16::from);
    let stones = u16::from(ruleset.stones);
    let fits = mover + mover_hand <= stones
        && other + other_hand <= stones
        && mover + other <= u16::from(ruleset.board.geometry().point_count());
    (!fits).then(|| format!("no game by the rules '{ruleset}' has the subspace {subspace}"))
}

/// Why a table of a subspace cannot have this many entries, if it cannot.
pub(crate) fn too_many(ruleset: &Ruleset, subspace: Subspace, entries: u64) -> Option<String> {
    let most = entries_of(ruleset.board, subspace);
    (entries > most).then(|| format!("{entries} entries, but {subspace} has {most}"))
}
