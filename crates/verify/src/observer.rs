//! Progress callbacks of a verification.

use std::sync::atomic::{AtomicBool, Ordering};

use merels_core::Subspace;

use crate::error::VerifyError;

/// Callbacks while a verification runs. By default they do nothing.
pub trait Observer: Sync {
    /// The verification starts, with this number of subspaces and of steps (entries or positions).
    fn begin(&self, subspaces: usize, steps: u64) {
        let _ = (subspaces, steps);
    }
    /// A subspace starts.
    fn begin_subspace(&self, subspace: Subspace) {
        let _ = subspace;
    }
    /// More steps are done. Called from all threads.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }
    /// A subspace is done.
    fn end_subspace(&self, subspace: Subspace) {
        let _ = subspace;
    }
    /// A message for the user that is not a failure.
    fn note(&self, text: &str) {
        let _ = text;
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Returns an error if `stop` is set.
pub(crate) fn stopped(stop: &AtomicBool) -> Result<(), VerifyError> {
    if stop.load(Ordering::Relaxed) { Err(VerifyError::Interrupted) } else { Ok(()) }
}
