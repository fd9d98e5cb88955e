//! What all requests share: the databases, and the number of look-ups at once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use merels_core::{Position, Ruleset, Value};
use merels_query::{OnTheSpot, Oracle, QueryError, Source, TableSource};
use merels_solver::SolverError;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::ApiError;
use crate::limits::Limits;
use crate::turns::Turns;

/// The databases of one ruleset, for many requests at once.
///
/// Clones share everything.
#[derive(Clone, Debug)]
pub struct Explorer {
    ruleset: Ruleset,
    source: Arc<OnTheSpot>,
    turns: Turns,
    /// For look-ups of thousands of positions, for which the others do not wait.
    long_turns: Turns,
    /// For work without databases, which does not wait for look-ups.
    quick_turns: Turns,
    /// The threads of long look-ups.
    pool: Arc<ThreadPool>,
    counting: Duration,
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
    /// The threads that look many positions up; without it, all processors do.
    pool: Option<Arc<ThreadPool>>,
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
                Ok(()) => values.extend(match &self.pool {
                    // Piece by piece, so that the long look-ups take turns on these threads.
                    Some(pool) => pool.install(|| self.source.values(piece)),
                    None => self.source.values(piece),
                }),
                Err(_) => values.extend(piece.iter().map(|_| Err(QueryError::Stopped))),
            }
        }
        values
    }

    fn folder(&self) -> Option<PathBuf> {
        self.source.folder()
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
    /// If there is a folder for these rules that cannot be used, or the system refuses a thread.
    pub fn open(dir: &Path, ruleset: Ruleset, limits: &Limits) -> Result<Self, QueryError> {
        let source = Arc::new(OnTheSpot::open(dir, ruleset, limits.blocks)?);
        let pool = ThreadPoolBuilder::new().num_threads(limits.long_threads).build();
        let pool = pool.map_err(|error| SolverError::Threads(io::Error::other(error)))?;
        let turns = |count| Turns::new(count, limits.patience);
        Ok(Self {
            ruleset,
            source,
            turns: turns(limits.look_ups),
            long_turns: turns(limits.long_look_ups),
            quick_turns: turns(limits.look_ups),
            pool: Arc::new(pool),
            counting: limits.counting,
        })
    }

    /// How many tables of a ruleset may be open at the same time, each of them a file.
    pub fn most_files(ruleset: &Ruleset) -> usize {
        TableSource::most_files(ruleset)
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Whether distances are known, which depends on the edition of the databases.
    pub(crate) fn has_distances(&self) -> bool {
        self.source.tables().is_none_or(|tables| tables.folder().edition().has_distances())
    }

    /// The longest time in which a histogram counts a sample.
    pub(crate) const fn counting(&self) -> Duration {
        self.counting
    }

    /// The turns of each kind of work, with its name.
    pub(crate) fn all_turns(&self) -> [(&'static str, &Turns); 3] {
        [("look-up", &self.turns), ("long", &self.long_turns), ("quick", &self.quick_turns)]
    }

    /// Runs `work`, which looks a few positions up, on a thread where it may take long.
    ///
    /// # Errors
    /// Those of `work` and of [`Turns::take`]. If `work` takes too long or the client has gone, the
    /// next look-up of `work` fails.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lookup) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask(&self.turns, None, work).await
    }

    /// Runs `work`, which looks thousands of positions up. It has turns and threads of its own, so
    /// that other look-ups never wait for it.
    ///
    /// # Errors
    /// Those of [`Explorer::look_up`].
    pub(crate) async fn look_up_many<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lookup) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask(&self.long_turns, Some(Arc::clone(&self.pool)), work).await
    }

    /// Runs `work`, which needs only the rules, on such a thread. It does not wait for look-ups.
    ///
    /// # Errors
    /// Those of [`Turns::take`].
    pub(crate) async fn work_out<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Ruleset) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let ruleset = self.ruleset;
        self.quick_turns.take(move || work(&ruleset)).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        turns: &Turns,
        pool: Option<Arc<ThreadPool>>,
        work: impl FnOnce(&Lookup) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let _end_on_drop = EndOnDrop(Arc::clone(&is_over));
        let asked = Asked { source: Arc::clone(&self.source), is_over, pool };
        let oracle = Oracle::new(self.ruleset, asked);
        let work = move || {
            oracle.source().databases().refresh()?;
            work(&oracle)
        };
        turns.take(work).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explorer(patience: Duration) -> Explorer {
        let limits = Limits { look_ups: 1, long_look_ups: 1, patience, ..Limits::default() };
        let three = "three".parse().expect("a ruleset");
        Explorer::open(Path::new("no such folder"), three, &limits).expect("no folder is needed")
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
        // Work without databases runs at the same time, and so do long look-ups.
        let quick = async {
            let rules = explorer.work_out(|ruleset| Ok(*ruleset)).await.expect("the rules");
            explorer.look_up_many(|_| Ok(())).await.expect("a turn of its own");
            (rules, explorer.turns.free())
        };
        let (answer, quick) = tokio::join!(endless, quick);
        assert_eq!(quick, (*explorer.ruleset(), 0));
        assert!(matches!(answer, Err(ApiError::TimedOut)), "{answer:?}");
        let (error, many) = end.recv_timeout(Duration::from_secs(20)).expect("an end");
        assert!(matches!(error, QueryError::Stopped), "{error}");
        assert!(many.iter().all(|value| matches!(value, Err(QueryError::Stopped))));
        assert_eq!(many.len(), 3);
    }

    /// However many long look-ups wait, one of a few positions is answered at once.
    #[tokio::test(flavor = "multi_thread")]
    async fn look_ups_do_not_wait_for_long_ones() {
        let explorer = explorer(Duration::from_secs(20));
        let (hold, held) = std::sync::mpsc::channel::<()>();
        let first = explorer.clone();
        let first = tokio::spawn(async move {
            first.look_up_many(move |_| Ok(held.recv().is_err())).await.expect("a turn")
        });
        let waiting: Vec<_> = (0..12)
            .map(|_| {
                let explorer = explorer.clone();
                tokio::spawn(async move { explorer.look_up_many(|_| Ok(())).await })
            })
            .collect();
        while explorer.long_turns.waiting.get() < 12 {
            tokio::task::yield_now().await;
        }
        let start = Position::start(explorer.ruleset());
        assert!(explorer.look_up(move |oracle| Ok(oracle.value(start)?)).await.is_ok());
        assert_eq!((explorer.long_turns.running.get(), explorer.long_turns.waiting.get()), (1, 12));
        drop(hold);
        assert!(first.await.expect("no panic"));
        for work in waiting {
            work.await.expect("no panic").expect("a turn");
        }
    }
}
