//! Values from files, and from small subspaces that are solved in memory.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use merels_core::numbering::{Codes, SubspaceIndex};
use merels_core::{Position, Ruleset, Subspace, Value};
use merels_db::{DbError, Edition, Table};
use merels_solver::{Known, Plan, Processor, SolvedCodes, SolverError, solve_in_memory};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::error::{Missing, QueryError};
use crate::source::Source;
use crate::tables::{Seldom, TableSource};

/// The databases of a folder. Small missing subspaces are solved in memory when they are needed. It
/// also works without a folder.
///
/// A missing subspace is solved if it and the missing subspaces that it depends on have at most
/// [`OnTheSpot::MOST_ENTRIES`] entries. For the standard game these are the positions with all
/// stones placed and at most eight of them left, which takes a second or two; small games are
/// solved to the empty board. A larger subspace is [`QueryError::Missing`].
///
/// Solved values stay in memory for later look-ups, one byte for each entry and at most
/// [`OnTheSpot::MOST_ENTRIES`] bytes in all. If another solve would exceed that, they are dropped
/// first. (Values beyond 253 plies take a second byte for each entry, which is known only after the
/// solve.) While one thread solves, other threads can look up what is already solved.
///
/// Planning what a missing subspace needs takes milliseconds. A refusal is cached for a second.
///
/// The source notices a new table: that of the subspace itself at once, that of a subspace it
/// depends on within a second. [`OnTheSpot::refresh`] notices a folder that is made after the
/// source, and files that are replaced or deleted.
#[derive(Debug)]
pub struct OnTheSpot {
    ruleset: Ruleset,
    /// The folder of the ruleset, whether it exists or not.
    folder: PathBuf,
    /// Where to look for a folder that is not there yet; none to do without.
    late: Option<LateFolder>,
    tables: OnceLock<TableSource>,
    most_entries: u64,
    solved: RwLock<Solved>,
    /// Held while subspaces are solved, so that two threads do not solve the same subspace.
    solving: Mutex<()>,
    /// The subspaces that are too large to solve, and when that was found. At most all subspaces of
    /// the game.
    too_large: RwLock<HashMap<Subspace, Instant>>,
}

/// A folder that may come.
#[derive(Debug)]
struct LateFolder {
    dir: PathBuf,
    blocks: usize,
    looking: Seldom,
}

/// How long a refusal is cached. New tables may leave less to solve.
const REMEMBERED: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
struct Solved {
    subspaces: HashMap<Subspace, Arc<SolvedSubspace>>,
    /// The bytes that they take.
    bytes: u64,
}

#[derive(Debug)]
struct SolvedSubspace {
    index: SubspaceIndex,
    codes: SolvedCodes,
}

impl OnTheSpot {
    /// The default of [`OnTheSpot::with_most_entries`]: the most entries to solve on the spot.
    pub const MOST_ENTRIES: u64 = 12_000_000;

    /// Opens the databases for `ruleset` in `dir`, if there are any, with a cache of at most
    /// `blocks` decoded blocks (see [`TableSource::open`]).
    ///
    /// # Errors
    /// Those of [`TableSource::open`], except that the folder need not exist.
    pub fn open(dir: &Path, ruleset: Ruleset, blocks: usize) -> Result<Self, DbError> {
        let tables = match TableSource::open(dir, ruleset, blocks) {
            Err(DbError::NoFolder { .. }) => OnceLock::new(),
            other => OnceLock::from(other?),
        };
        let late = LateFolder { dir: dir.to_owned(), blocks, looking: Seldom::default() };
        Ok(Self { tables, late: Some(late), ..Self::with_folder(dir, ruleset) })
    }

    /// A source without databases: everything is solved on the spot or refused.
    pub fn without_folder(ruleset: Ruleset) -> Self {
        // The default folder of the program, where it would make missing databases.
        Self::with_folder(Path::new("db"), ruleset)
    }

    fn with_folder(dir: &Path, ruleset: Ruleset) -> Self {
        Self {
            ruleset,
            folder: dir.join(ruleset.without_history().to_string()),
            late: None,
            tables: OnceLock::new(),
            most_entries: Self::MOST_ENTRIES,
            solved: RwLock::default(),
            solving: Mutex::default(),
            too_large: RwLock::default(),
        }
    }

    /// Sets the most entries to solve on the spot and to keep in memory. A million take some tenths
    /// of a second.
    #[must_use]
    pub fn with_most_entries(self, most: u64) -> Self {
        Self { most_entries: most, ..self }
    }

    /// The databases, if there is a folder.
    pub fn tables(&self) -> Option<&TableSource> {
        self.tables.get()
    }

    /// Looks, at most once a second, whether a folder has been made, and whether its files have
    /// been replaced or deleted. Programs that run long call it before each question.
    ///
    /// # Errors
    /// Those of [`TableSource::open`] if there is a folder by now that cannot be used.
    pub fn refresh(&self) -> Result<(), DbError> {
        if let Some(tables) = self.tables.get() {
            tables.refresh();
            return Ok(());
        }
        let Some(late) = self.late.as_ref().filter(|late| late.looking.is_due()) else {
            return Ok(());
        };
        match TableSource::open(&late.dir, self.ruleset, late.blocks) {
            Err(DbError::NoFolder { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(tables) => {
                // If another thread was faster, its tables are used.
                let _ = self.tables.set(tables);
                Ok(())
            }
        }
    }

    /// The solved subspaces in memory, in order.
    pub fn solved(&self) -> Vec<Subspace> {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let mut subspaces: Vec<_> = solved.subspaces.keys().copied().collect();
        subspaces.sort();
        subspaces
    }

    /// The edition of the databases that answer for positions of `subspace`; none if it was solved
    /// on the spot or if nothing is known about it yet.
    pub fn edition_of(&self, subspace: Subspace) -> Option<Edition> {
        if self.in_memory(subspace).is_some() {
            return None;
        }
        let answers = |tables: &&TableSource| {
            tables.has_table(subspace) && tables.folder().check_kept(subspace).is_ok()
        };
        let tables = self.tables.get().filter(answers);
        tables.map(|tables| tables.folder().edition())
    }

    fn in_memory(&self, subspace: Subspace) -> Option<Arc<SolvedSubspace>> {
        let solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        solved.subspaces.get(&subspace).cloned()
    }

    fn in_files(&self, position: &Position) -> Result<Value, QueryError> {
        let tables = self.tables.get().ok_or_else(|| self.missing(position.subspace()))?;
        tables.value(position)
    }

    fn missing(&self, subspace: Subspace) -> QueryError {
        Missing::no_table(subspace, Some(self.folder.clone())).into()
    }

    /// Refuses a subspace that was too large a moment ago.
    fn check_size(&self, subspace: Subspace) -> Result<(), QueryError> {
        let too_large = self.too_large.read().unwrap_or_else(PoisonError::into_inner);
        match too_large.get(&subspace) {
            Some(found) if found.elapsed() < REMEMBERED => Err(self.missing(subspace)),
            _ => Ok(()),
        }
    }

    /// Solves `subspace` and what it depends on, unless another thread has done so. None if there
    /// is a file by now.
    fn solve(&self, subspace: Subspace) -> Result<Option<Arc<SolvedSubspace>>, QueryError> {
        // Before the lock, too, so that a refusal does not wait for the solves of other threads.
        self.check_size(subspace)?;
        let _one_at_a_time = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solved) = self.in_memory(subspace) {
            return Ok(Some(solved));
        }
        self.check_size(subspace)?;
        let files = match self.tables.get() {
            Some(tables) => tables.folder().subspaces_present()?,
            None => Vec::new(),
        };
        // Only tables without gaps are inputs for other subspaces.
        let has_file = |subspace| {
            let is_whole = |tables: &TableSource| tables.folder().is_exact(subspace);
            files.binary_search(&subspace).is_ok() && self.tables.get().is_some_and(is_whole)
        };
        // The limit does not depend on what happens to be in memory, so that answers are
        // consistent.
        let from_files = Plan::missing(&self.ruleset, subspace, has_file)?;
        if from_files.entries() > self.most_entries {
            let mut too_large = self.too_large.write().unwrap_or_else(PoisonError::into_inner);
            too_large.insert(subspace, Instant::now());
            return Err(self.missing(subspace));
        }
        let mut solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
        let in_memory = |subspace| solved.subspaces.contains_key(&subspace);
        let mut plan = Plan::missing(&self.ruleset, subspace, |s| has_file(s) || in_memory(s))?;
        if solved.bytes + plan.entries() > self.most_entries {
            drop(solved);
            *self.solved.write().unwrap_or_else(PoisonError::into_inner) = Solved::default();
            solved = self.solved.read().unwrap_or_else(PoisonError::into_inner);
            plan = from_files;
        }
        let known = AllKnown { tables: self.tables.get(), solved: solved.subspaces.clone() };
        drop(solved);
        let found = solve_apart(&plan, &known)?;

        let mut solved = self.solved.write().unwrap_or_else(PoisonError::into_inner);
        for (subspace, codes) in found {
            let index = SubspaceIndex::new(self.ruleset.board, subspace);
            let bytes: usize = codes.as_ref().both().map(Vec::len).sum();
            let new = Arc::new(SolvedSubspace { index, codes });
            if solved.subspaces.insert(subspace, new).is_none() {
                solved.bytes += bytes as u64;
            }
        }
        Ok(solved.subspaces.get(&subspace).cloned())
    }
}

impl Source for OnTheSpot {
    fn value(&self, position: &Position) -> Result<Value, QueryError> {
        let subspace = position.subspace();
        if let Some(solved) = self.in_memory(subspace) {
            return Ok(solved.value(position));
        }
        let refusal = match self.in_files(position) {
            Err(error @ QueryError::Missing(_)) => error,
            other => return other,
        };
        match self.solve(subspace) {
            Ok(Some(solved)) => Ok(solved.value(position)),
            Ok(None) => self.in_files(position),
            // Too large. The error of the files says more.
            Err(QueryError::Missing(_)) => Err(refusal),
            Err(error) => Err(error),
        }
    }

    fn values(&self, positions: &[Position]) -> Vec<Result<Value, QueryError>> {
        let Some(tables) = self.tables.get() else {
            return positions.par_iter().map(|position| self.value(position)).collect();
        };
        let values = tables.values(positions).into_par_iter().zip(positions);
        let or_solve = |(value, position): (_, &Position)| match value {
            Err(QueryError::Missing(_)) => self.value(position),
            other => other,
        };
        values.map(or_solve).collect()
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.folder.clone())
    }
}

impl SolvedSubspace {
    fn value(&self, position: &Position) -> Value {
        let index = self.index.index_of(position.mover().board, position.other().board);
        let codes = self.codes.at(index.0 as usize);
        codes.expect("a solved subspace holds codes only").value()
    }
}

/// The known subspaces: those in files and those in memory.
struct AllKnown<'a> {
    tables: Option<&'a TableSource>,
    solved: HashMap<Subspace, Arc<SolvedSubspace>>,
}

impl AllKnown<'_> {
    fn open(&self, subspace: Subspace) -> Result<Table, DbError> {
        let tables = self.tables.expect("with no folder only what is in memory is known");
        tables.folder().open_table(subspace)
    }
}

impl Known for AllKnown<'_> {
    fn has_far_codes(&self, subspace: Subspace) -> Result<bool, DbError> {
        match self.solved.get(&subspace) {
            Some(solved) => Ok(solved.codes.has_far()),
            None => Ok(self.open(subspace)?.has_far_codes()),
        }
    }

    fn load(&self, subspace: Subspace, codes: Codes<&mut [u8]>) -> Result<(), DbError> {
        let Some(solved) = self.solved.get(&subspace) else {
            return self.open(subspace)?.decode_all(codes);
        };
        for (codes, solved) in codes.both().zip(solved.codes.as_ref().both()) {
            codes.copy_from_slice(solved);
        }
        Ok(())
    }
}

/// Solves in threads of its own. The threads of the caller's pool cannot be used: while a thread
/// waits for part of the work, it takes up other tasks, and such a task may look up a value and
/// wait for the lock that is held here.
fn solve_apart(
    plan: &Plan,
    known: &AllKnown<'_>,
) -> Result<BTreeMap<Subspace, SolvedCodes>, SolverError> {
    let work = || {
        let pool = ThreadPoolBuilder::new().build();
        let pool = pool.map_err(|error| SolverError::Threads(io::Error::other(error)))?;
        let never = AtomicBool::new(false);
        pool.install(|| solve_in_memory(plan, known, Processor::detect(), &never))
    };
    thread::scope(|scope| {
        let solving = thread::Builder::new().spawn_scoped(scope, work);
        let solving = solving.map_err(SolverError::Threads)?;
        solving.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
