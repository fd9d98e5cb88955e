//! How long a run has taken, and how long it will go on.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::output::time;

/// Runs are not predicted before this time has passed.
const UNPREDICTED: Duration = Duration::from_secs(2);

/// A clock of a run. Clones of an `Arc` of it show the same time.
#[derive(Debug)]
pub(crate) struct Clock(Mutex<State>);

#[derive(Clone, Copy, Debug)]
struct State {
    begun: Instant,
    /// When the run is expected to end.
    end: Option<Instant>,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State { begun: Instant::now(), end: None }))
    }

    /// Begins again at zero.
    pub(crate) fn restart(&self) {
        *self.state() = State { begun: Instant::now(), end: None };
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.state().begun.elapsed()
    }

    /// Expects the end so much later than now.
    pub(crate) fn expect(&self, to_go: Duration) {
        self.state().end = Some(Instant::now() + to_go);
    }

    /// Expects that the rest takes as long for each step as what is done, if enough is done.
    pub(crate) fn expect_like(&self, done: u64, of: u64) {
        let elapsed = self.elapsed();
        if done > 0 && elapsed >= UNPREDICTED {
            self.expect(elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64));
        }
    }

    /// The time that has passed, and an estimate of the time to go if there is one.
    pub(crate) fn in_words(&self) -> String {
        let State { begun, end } = *self.state();
        let mut text = time::in_words(Duration::from_secs(begun.elapsed().as_secs()));
        // Whole seconds, so that the text does not flicker.
        if begun.elapsed().as_secs() < 10 {
            text = format!("{} s", begun.elapsed().as_secs());
        }
        if let Some(end) = end {
            let to_go = end.saturating_duration_since(Instant::now());
            text.push_str(&format!(", {} to go", time::estimated(to_go)));
        }
        text
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let clock = Clock::new();
        assert_eq!(clock.in_words(), "0 s");
        clock.expect_like(1, 2);
        assert_eq!(clock.in_words(), "0 s", "too early to tell");
        clock.expect(Duration::from_secs(120));
        assert_eq!(clock.in_words(), "0 s, 2 min to go");
        clock.restart();
        assert_eq!(clock.in_words(), "0 s");
    }
}
