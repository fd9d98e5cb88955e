//! Something that many threads ask for and that is done once a second.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long it is not done again.
const PAUSE: Duration = Duration::from_secs(1);

/// When it is due. It has just been done when this is made.
#[derive(Debug)]
pub(crate) struct Seldom {
    made: Instant,
    /// The milliseconds between `made` and the next time.
    due: AtomicU64,
}

impl Default for Seldom {
    fn default() -> Self {
        Self { made: Instant::now(), due: AtomicU64::new(PAUSE.as_millis() as u64) }
    }
}

impl Seldom {
    /// Whether it is due, which one caller in a second is told.
    pub(crate) fn is_due(&self) -> bool {
        let now = self.made.elapsed().as_millis() as u64;
        let due = self.due.load(Ordering::Relaxed);
        let next = now + PAUSE.as_millis() as u64;
        let exchange =
            || self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed);
        now >= due && exchange().is_ok()
    }
}
