//! What a full verification finds out about a subspace.

use std::time::Duration;

use merels_core::Subspace;
use merels_db::{Distribution, Header, Statistics, ValueHistogram};

use crate::fast::precision::Precision;
use crate::plain::Mismatch;
use crate::tables::restored::RestoredOtherwise;

/// How to verify in full.
#[derive(Clone, Debug)]
pub struct FullOptions {
    /// Only these subspaces; empty for all that are there.
    pub only: Vec<Subspace>,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Whether to check again what the journal says has been checked.
    pub again: bool,
}

/// What became of one subspace.
#[derive(Clone, Debug)]
pub struct SubspaceReport {
    /// The subspace.
    pub subspace: Subspace,
    /// Its entries.
    pub entries: u64,
    /// Whether they were compared with their successors. If not, the edition keeps no values of these,
    /// or of the subspace itself: digest and counts are all that was looked at.
    pub compared: bool,
    /// How many of them an earlier run had found right.
    pub before: u64,
    /// How many were found wrong now.
    pub wrong: u64,
    /// The first of these.
    pub mismatches: Vec<Mismatch>,
    /// The counts in the header and those of the entries, if they differ.
    pub statistics: Option<(Statistics, Statistics)>,
    /// Whether the numbers of positions by distance in the file are not those of the entries.
    pub distances_differ: bool,
    /// What was restored and is not what was solved: a stored value is wrong, here or in a table that
    /// the moves lead to.
    pub restored: Vec<RestoredOtherwise>,
    /// How long it took.
    pub elapsed: Duration,
}

impl SubspaceReport {
    /// Whether nothing was found wrong.
    pub const fn holds(&self) -> bool {
        self.wrong == 0
            && self.statistics.is_none()
            && !self.distances_differ
            && self.restored.is_empty()
    }

    /// Takes down in which respect a header's counts are not those of the entries, as far as these
    /// tell.
    pub(crate) fn compare_counts(
        &mut self,
        precision: Precision,
        header: &Header,
        counted: &ValueHistogram,
    ) {
        let [stated, found] =
            [header.statistics, counted.statistics()].map(|sums| precision.told(sums));
        self.statistics = (stated != found).then_some((stated, found));
        let differs = |distribution: &Distribution| distribution.histogram != *counted;
        self.distances_differ = precision == Precision::Exact && differs(&header.distribution);
    }
}
