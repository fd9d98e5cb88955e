//! What all requests share: the databases, and how much is looked up at once.

use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use merels_core::Ruleset;
use merels_query::{OnTheSpot, Oracle, QueryError};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::ApiError;

/// What one server allows itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Look-ups that run at the same time, each on a thread of its own.
    pub look_ups: usize,
    /// How long a request waits for its turn, and how long a look-up may take.
    pub patience: Duration,
    /// How long a client may take to send what belongs to a request.
    pub sending: Duration,
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// The longest head of a request, its address included, in bytes.
    pub head: usize,
    /// Connections that are open at the same time; others wait.
    pub connections: usize,
    /// How long connections may go on with what they have begun when the server is told to stop.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, Into::into);
        Self {
            // More than processors: some wait for the disk.
            look_ups: 2 * processors + 2,
            patience: Duration::from_secs(20),
            sending: Duration::from_secs(10),
            body: 64 * 1024,
            head: 64 * 1024,
            connections: 256,
            farewell: Duration::from_secs(5),
        }
    }
}

/// The databases of one ruleset, ready to be asked by many.
///
/// Clones share everything.
#[derive(Clone, Debug)]
pub struct Explorer {
    oracle: Arc<Oracle<OnTheSpot>>,
    turns: Arc<Semaphore>,
    patience: Duration,
}

impl Explorer {
    /// Opens the databases for `ruleset` in `dir`. Tables are opened when first needed, so this takes
    /// no time, however large they are. Without databases small games are solved on the spot.
    ///
    /// # Errors
    /// If there is a folder for these rules that cannot be used.
    pub fn open(dir: &Path, ruleset: Ruleset, limits: &Limits) -> Result<Self, QueryError> {
        let oracle = Arc::new(Oracle::open_or_solve(dir, ruleset)?);
        let turns = Arc::new(Semaphore::new(limits.look_ups));
        Ok(Self { oracle, turns, patience: limits.patience })
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        self.oracle.ruleset()
    }

    /// Lets `work` look something up on a thread where it may take its time.
    ///
    /// # Errors
    /// Those of `work`; [`ApiError::Busy`] if the turn does not come in time, [`ApiError::TimedOut`] if `work`
    /// takes too long. Then it goes on alone, and still counts among those that run.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Oracle<OnTheSpot>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = timeout(self.patience, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::Busy)?.expect("turns are given until the end");
        let oracle = Arc::clone(&self.oracle);
        let working = spawn_blocking(move || {
            let answer = work(&oracle);
            drop(turn);
            answer
        });
        let answer = timeout(self.patience, working).await.map_err(|_| ApiError::TimedOut)?;
        answer.map_err(|_| ApiError::Internal)?
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    fn explorer(patience: Duration) -> Explorer {
        let limits = Limits { look_ups: 1, patience, ..Limits::default() };
        let three = "three".parse().expect("a ruleset");
        Explorer::open(Path::new("no such folder"), three, &limits).expect("no folder is needed")
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_for_ever() {
        let explorer = explorer(Duration::from_millis(100));
        let slow = explorer.look_up(|_| {
            std::thread::sleep(Duration::from_millis(500));
            Ok(())
        });
        let (first, second) = tokio::join!(slow, explorer.look_up(|_| Ok(())));
        assert!(matches!(first, Err(ApiError::TimedOut)), "{first:?}");
        assert!(matches!(second, Err(ApiError::Busy)), "{second:?}");
        // When it has come to its end, there is room again.
        while explorer.turns.available_permits() == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        assert!(explorer.look_up(|_| Ok(())).await.is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_fault_of_one_look_up_is_no_fault_of_others() {
        let explorer = explorer(Duration::from_secs(20));
        let failed = explorer.look_up::<()>(|_| panic!("as the test wants it")).await;
        assert!(matches!(failed, Err(ApiError::Internal)), "{failed:?}");
        assert!(explorer.look_up(|_| Ok(())).await.is_ok());
    }
}
