//! Turns: how much work of one kind runs at the same time, and how long it may take.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::gauges::{Gauge, Held};

/// Turns for work of one kind. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    free: Arc<Semaphore>,
    /// The longest wait for a turn, and the longest time of the work.
    patience: Duration,
    /// The work that waits for a turn.
    pub(crate) waiting: Gauge,
    /// The work that has a turn.
    pub(crate) running: Gauge,
}

impl Turns {
    pub(crate) fn new(count: usize, patience: Duration) -> Self {
        let free = Arc::new(Semaphore::new(count));
        Self { free, patience, waiting: Gauge::default(), running: Gauge::default() }
    }

    /// Runs `work` on a thread where it may take long, when its turn comes.
    ///
    /// # Errors
    /// Those of `work`; [`ApiError::Busy`] if its turn does not come in time,
    /// [`ApiError::TimedOut`] if `work` takes too long. `work` keeps its turn until it ends.
    pub(crate) async fn take<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = Held::new(&self.waiting);
        let turn = timeout(self.patience, Arc::clone(&self.free).acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::Busy)?.expect("the semaphore is never closed");
        drop(waiting);
        let running = Held::new(&self.running);
        let working = spawn_blocking(move || {
            let answer = work();
            drop((turn, running));
            answer
        });
        let answer = timeout(self.patience, working).await.map_err(|_| ApiError::TimedOut)?;
        answer.map_err(|_| ApiError::Internal)?
    }

    /// The number of free turns.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.free.available_permits()
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn waiting_is_bounded() {
        let turns = Turns::new(1, Duration::from_millis(100));
        let slow = turns.take(|| {
            std::thread::sleep(Duration::from_millis(500));
            Ok(())
        });
        let (first, second) = tokio::join!(slow, turns.take(|| Ok(())));
        assert!(matches!(first, Err(ApiError::TimedOut)), "{first:?}");
        assert!(matches!(second, Err(ApiError::Busy)), "{second:?}");
        assert_eq!((turns.waiting.get(), turns.running.get()), (0, 1));
        // After its end there is room again.
        while turns.free() == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        assert!(turns.take(|| Ok(())).await.is_ok());
        assert_eq!((turns.waiting.get(), turns.running.get()), (0, 0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_ends_one_work_only() {
        let turns = Turns::new(1, Duration::from_secs(20));
        let failed = turns.take::<()>(|| panic!("on purpose")).await;
        assert!(matches!(failed, Err(ApiError::Internal)), "{failed:?}");
        assert!(turns.take(|| Ok(())).await.is_ok());
        assert_eq!(turns.running.get(), 0);
    }
}
