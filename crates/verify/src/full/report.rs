//! The result of a full verification of a subspace.

use std::time::Duration;

use merels_core::Subspace;
use merels_db::{Distribution, Header, Statistics, ValueHistogram};

use crate::fast::precision::Precision;
use crate::plain::Mismatch;
use crate::tables::restored::RestoredOtherwise;

/// The options of [`verify_full`](crate::verify_full).
#[derive(Clone, Debug)]
pub struct FullOptions {
    /// Only these subspaces; empty for all of the folder.
    pub only: Vec<Subspace>,
    /// Most memory to use, in bytes.
    pub memory: u64,
    /// Ignore the journal and check every entry again.
    pub again: bool,
}

/// The result for one subspace.
#[derive(Clone, Debug)]
pub struct SubspaceReport {
    /// The subspace.
    pub subspace: Subspace,
    /// Its entries.
    pub entries: u64,
    /// Whether they were compared with their successors. If not, the edition keeps no values of
    /// these, or of the subspace itself, and the check covers digest and counts only.
    pub compared: bool,
    /// The number of entries that an earlier run found right.
    pub before: u64,
    /// The number of wrong entries.
    pub wrong: u64,
    /// The first wrong entries.
    pub mismatches: Vec<Mismatch>,
    /// The counts in the header and those of the entries, if they differ.
    pub statistics: Option<(Statistics, Statistics)>,
    /// Whether the numbers of positions by distance in the file differ from those of the entries.
    pub distances_differ: bool,
    /// Whether the entry that the file names for the longest win or loss has another value.
    pub longest_differs: bool,
    /// Subspaces whose restored values differ from the solved ones: a stored value is wrong, here
    /// or in a table that the moves lead to.
    pub restored: Vec<RestoredOtherwise>,
    /// How long it took.
    pub elapsed: Duration,
}

impl SubspaceReport {
    /// Whether everything is right.
    pub const fn holds(&self) -> bool {
        self.wrong == 0
            && self.statistics.is_none()
            && !self.distances_differ
            && !self.longest_differs
            && self.restored.is_empty()
    }

    /// Records the differences between the counts of the header and those of the entries, as far as
    /// the precision of the values allows.
    pub(crate) fn compare_counts(
        &mut self,
        precision: Precision,
        header: &Header,
        counted: &ValueHistogram,
    ) {
        let [stated, found] =
            [header.statistics, counted.statistics()].map(|sums| precision.known(sums));
        self.statistics = (stated != found).then_some((stated, found));
        let differs = |distribution: &Distribution| distribution.histogram != *counted;
        self.distances_differ = precision == Precision::Exact && differs(&header.distribution);
    }
}
