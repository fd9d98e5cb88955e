//! What all requests share: the databases, and how much is looked up at once.

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

/// The databases of one ruleset, ready to be asked by many.
///
/// Clones share everything.
#[derive(Clone, Debug)]
pub struct Explorer {
    ruleset: Ruleset,
    source: Arc<OnTheSpot>,
    turns: Arc<Semaphore>,
    /// For what needs no databases, and so does not wait for those who do.
    quick_turns: Arc<Semaphore>,
    patience: Duration,
}

/// The databases as one request asks them.
pub(crate) type Lookup = Oracle<Asked>;

/// Positions that are looked up together before it is seen whether somebody still waits.
const PIECE: usize = 4096;

/// The databases, which answer a request only as long as it waits.
#[derive(Debug)]
pub(crate) struct Asked {
    source: Arc<OnTheSpot>,
    is_over: Arc<AtomicBool>,
}

impl Asked {
    /// What answers.
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

/// Tells a look-up that its request is over, be it answered, given up, or gone.
struct TellsEnd(Arc<AtomicBool>);

impl Drop for TellsEnd {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Explorer {
    /// Opens the databases for `ruleset` in `dir`. Tables are opened when first needed, so this takes
    /// no time, however large they are. Without databases small games are solved on the spot.
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

    /// Whether distances are known: not where the edition of the databases keeps none.
    pub(crate) fn has_distances(&self) -> bool {
        self.source.tables().is_none_or(|tables| tables.folder().edition().has_distances())
    }

    /// Lets `work` look something up on a thread where it may take its time.
    ///
    /// # Errors
    /// Those of `work`; [`ApiError::Busy`] if the turn does not come in time, [`ApiError::TimedOut`] if `work`
    /// takes too long. Then, or if the client has gone, the next value that it looks up is refused; until it ends
    /// it counts among those that run.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lookup) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let _tells_end = TellsEnd(Arc::clone(&is_over));
        let asked = Asked { source: Arc::clone(&self.source), is_over };
        let oracle = Oracle::new(self.ruleset, asked);
        self.take_turn(&self.turns, move || work(&oracle)).await
    }

    /// Lets `work` do what needs the rules alone, on such a thread too. It does not wait for look-ups.
    ///
    /// # Errors
    /// As of [`Explorer::look_up`].
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
        let turn = turn.map_err(|_| ApiError::Busy)?.expect("turns are given until the end");
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
    async fn what_nobody_waits_for_stops() {
        let explorer = explorer(Duration::from_millis(200));
        let (told, end) = std::sync::mpsc::channel();
        let endless = explorer.look_up::<()>(move |oracle| {
            let start = Position::start(oracle.ruleset());
            loop {
                if let Err(error) = oracle.value(start) {
                    let many = oracle.values(&[merels_core::Situation::start(oracle.ruleset()); 3]);
                    told.send((error, many)).expect("somebody to tell");
                    return Ok(());
                }
            }
        });
        // What needs no databases is answered meanwhile.
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
    async fn a_fault_of_one_look_up_is_no_fault_of_others() {
        let explorer = explorer(Duration::from_secs(20));
        let failed = explorer.look_up::<()>(|_| panic!("as the test wants it")).await;
        assert!(matches!(failed, Err(ApiError::Internal)), "{failed:?}");
        assert!(explorer.look_up(|_| Ok(())).await.is_ok());
    }
}
