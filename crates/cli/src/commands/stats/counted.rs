//! The counts of a subspace.

use merels_core::Subspace;
use merels_db::Distribution;

use crate::output::rows::Row;

/// What the header of a table counts.
pub(super) struct Counted {
    pub(super) subspace: Subspace,
    pub(super) row: Row,
    /// By outcome and distance.
    pub(super) distribution: Distribution,
}
