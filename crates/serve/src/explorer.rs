//! What all requests share: the databases, and the number of look-ups at once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use merels_core::{Position, Ruleset, Subspace, Value};
use merels_query::{OnTheSpot, Oracle, QueryError, Source, TableSource};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::limits::Limits;

/// The databases of one ruleset, for many requests at once.
///
/// Clones share everything.
#[derive(Clone, Debug)]
pub struct Explorer {
    ruleset: Ruleset,
    source: Arc<OnTheSpot>,
    turns: Arc<Semaphore>,
    /// For work without databases, which does not wait for look-ups.
    quick_turns: Arc<Semaphore>,
    patience: Duration,
}

/// The oracle of one request.
pub(crate) type Lookup = Oracle<Asked>;

/// Positions that are looked up together. After each piece the source checks whether its request is
/// over.
const PIECE: usize = 4096;

/// The databases, which answer a request until it is over.
#[derive(Debug)]
pub(crate) struct Asked {
    source: Arc<OnTheSpot>,
    is_over: Arc<AtomicBool>,
}

impl Asked {
    /// The databases themselves.
    pub(crate) fn databases(&self) -> &OnTheSpot {
        &self.source
    }

    fn check(&self) -> Result<(), QueryError> {
        if self.is_over.load(Ordering::Relaxed) { Err(QueryError::Stopped) } else { Ok(()) }
    }
}

impl Source for Asked {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        self.check()?;
        self.source.value(position)
    }

    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        let mut values = Vec::with_capacity(positions.len());
        for piece in positions.chunks(PIECE) {
            match self.check() {
                Ok(()) => values.extend(self.source.values(piece)),
                Err(_) => values.extend(piece.iter().map(|_| Err(QueryError::Stopped))),
            }
        }
        values
    }

    fn command_for(&self, subspace: Subspace) -> String {
        self.source.command_for(subspace)
    }
}

/// Ends a look-up when it is dropped, because its request was answered, timed out, or is gone.
struct EndOnDrop(Arc<AtomicBool>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Explorer {
    /// Opens the databases for `ruleset` in `dir`. A table is opened when it is first needed, so
    /// this takes no time for databases of any size. Without databases small games are solved on
    /// the spot.
    ///
    /// # Errors
    /// If there is a folder for these rules that cannot be used.
    pub fn open(dir: &Path, ruleset: Ruleset, limits: &Limits) -> Result<Self, QueryError> {
        let source = Arc::new(OnTheSpot::open(dir, ruleset, TableSource::DEFAULT_BLOCKS)?);
        let turns = || Arc::new(Semaphore::new(limits.look_ups));
        let patience = limits.patience;
        Ok(Self { ruleset, source, turns: turns(), quick_turns: turns(), patience })
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Whether distances are known, which depends on the edition of the databases.
    pub(crate) fn has_distances(&self) -> bool {
        self.source.tables().is_none_or(|tables| tables.folder().edition().has_distances())
    }

    /// Runs `work`, which looks positions up, on a thread where it may take long.
    ///
    /// # Errors
    /// Those of `work`; [`ApiError::Busy`] if its turn does not come in time,
    /// [`ApiError::TimedOut`] if `work` takes too long. Then, or if the client has gone, the next
    /// look-up of `work` fails. `work` keeps its turn until it ends.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lookup) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let _end_on_drop = EndOnDrop(Arc::clone(&is_over));
        let asked = Asked { source: Arc::clone(&self.source), is_over };
        let oracle = Oracle::new(self.ruleset, asked);
        self.take_turn(&self.turns, move || work(&oracle)).await
    }

    /// Runs `work`, which needs only the rules, on such a thread. It does not wait for look-ups.
    ///
    /// # Errors
    /// Those of [`Explorer::look_up`].
    pub(crate) async fn work_out<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ruleset) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let ruleset = self.ruleset;
        self.take_turn(&self.quick_turns, move || work(&ruleset)).await
    }

    async fn take_turn<T: Send + 'static>(
        &self,
        turns: &Arc<Semaphore>,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = timeout(self.patience, Arc::clone(turns).acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::Busy)?.expect("the semaphore is never closed");
        let working = spawn_blocking(move || {
            let answer = work();
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
    async fn waiting_is_bounded() {
        let explorer = explorer(Duration::from_millis(100));
        let slow = explorer.look_up(|_| {
            std::thread::sleep(Duration::from_millis(500));
            Ok(())
        });
        let (first, second) = tokio::join!(slow, explorer.look_up(|_| Ok(())));
        assert!(matches!(first, Err(ApiError::TimedOut)), "{first:?}");
        assert!(matches!(second, Err(ApiError::Busy)), "{second:?}");
        // After its end there is room again.
        while explorer.turns.available_permits() == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        assert!(explorer.look_up(|_| Ok(())).await.is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn abandoned_work_stops() {
        let explorer = explorer(Duration::from_millis(200));
        let (told, end) = std::sync::mpsc::channel();
        let endless = explorer.look_up::<()>(move |oracle| {
            let start = Position::start(oracle.ruleset());
            loop {
                if let Err(error) = oracle.value(start) {
                    let many = oracle.values(&[merels_core::Situation::start(oracle.ruleset()); 3]);
                    told.send((error, many)).expect("a receiver");
                    return Ok(());
                }
            }
        });
        // Work without databases runs at the same time.
        let quick = async {
            let rules = explorer.work_out(|ruleset| Ok(*ruleset)).await.expect("the rules");
            (rules, explorer.turns.available_permits())
        };
        let (answer, quick) = tokio::join!(endless, quick);
        assert_eq!(quick, (*explorer.ruleset(), 0));
        assert!(matches!(answer, Err(ApiError::TimedOut)), "{answer:?}");
        let (error, many) = end.recv_timeout(Duration::from_secs(20)).expect("an end");
        assert!(matches!(error, QueryError::Stopped), "{error}");
        assert!(many.iter().all(|value| matches!(value, Err(QueryError::Stopped))));
        assert_eq!(many.len(), 3);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_ends_one_look_up_only() {
        let explorer = explorer(Duration::from_secs(20));
        let failed = explorer.look_up::<()>(|_| panic!("on purpose")).await;
        assert!(matches!(failed, Err(ApiError::Internal)), "{failed:?}");
        assert!(explorer.look_up(|_| Ok(())).await.is_ok());
    }
}
