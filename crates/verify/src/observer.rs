//! Who is told what a verification does.

use std::sync::atomic::{AtomicBool, Ordering};

use merels_core::Subspace;

use crate::error::VerifyError;

/// What a verification tells while it runs. All methods do nothing unless implemented.
pub trait Observer: Sync {
    /// It starts, with so many steps (entries or positions to look at) in so many subspaces.
    fn begin(&self, subspaces: usize, steps: u64) {
        let _ = (subspaces, steps);
    }
    /// A subspace starts.
    fn begin_subspace(&self, subspace: Subspace) {
        let _ = subspace;
    }
    /// So many more steps are done. Called from all threads.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }
    /// A subspace is done.
    fn end_subspace(&self, subspace: Subspace) {
        let _ = subspace;
    }
    /// Something that the user should know and that is no failure.
    fn note(&self, text: &str) {
        let _ = text;
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The error if `stop` has been set.
pub(crate) fn stopped(stop: &AtomicBool) -> Result<(), VerifyError> {
    if stop.load(Ordering::Relaxed) { Err(VerifyError::Interrupted) } else { Ok(()) }
}
