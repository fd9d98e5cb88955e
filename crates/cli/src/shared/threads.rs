//! The threads that an option `--threads` asks for.

use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of `threads` threads; of one for each processor if none is given.
///
/// # Errors
/// If the system refuses the threads.
pub(crate) fn pool(threads: Option<u16>) -> anyhow::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    pool.context("cannot start threads")
}
