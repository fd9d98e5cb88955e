//! Scratch folders, observers that record events, and solved tables in memory.
#![allow(dead_code, reason = "not every test uses everything")]

pub(crate) mod equal;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use merels_core::SymmetryId;
use merels_core::numbering::ValueCode;
use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_core::{Plies, Points, Position, Ruleset, Subspace, Value};
use merels_db::{Digest, Edition, Folder, Statistics, TableInfo};
use merels_solver::{
    Job, JobReport, Observer, Options, Plan, Processor, Selection, SolverError, Stage, Summary, run,
};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

/// The ruleset of this name.
#[track_caller]
pub(crate) fn rules(text: &str) -> Ruleset {
    text.parse().unwrap()
}

/// The subspaces with at most this many stones on the board.
#[track_caller]
pub(crate) fn plan_up_to(ruleset: &Ruleset, stones_on_board: u8) -> Plan {
    let selection = Selection::UpTo(stones_on_board);
    Plan::moving(ruleset, &selection).unwrap()
}

/// One subspace with its dependencies.
#[track_caller]
pub(crate) fn plan_of(ruleset: &Ruleset, subspace: &str) -> Plan {
    let selection = Selection::Only(vec![subspace.parse().unwrap()]);
    Plan::moving(ruleset, &selection).unwrap()
}

/// The whole game of this name.
#[track_caller]
pub(crate) fn whole_game(name: &str) -> Plan {
    Plan::whole_game(&rules(name), &Selection::All).unwrap()
}

/// All subspaces of a plan, in its order.
pub(crate) fn subspaces_of(plan: &Plan) -> Vec<Subspace> {
    plan.jobs().iter().flat_map(|pair| pair.subspaces()).collect()
}

/// Plenty of memory, the fastest compression, the best code.
pub(crate) fn options() -> Options {
    Options { memory: 8 << 30, level: 1, processor: Processor::detect() }
}

/// The calls of an observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Begin(Vec<Job>, u64),
    BeginPair(Job, u64),
    Stage(Stage),
    Layer(Plies, u64),
    Written(u64),
    EndPair(Job),
}

/// An observer that records events, and stops the run at one of them.
pub(crate) struct Log {
    events: Mutex<Vec<Event>>,
    /// The number of events before it stops the run; none for never.
    stop_after: Option<usize>,
    pub(crate) stop: AtomicBool,
}

impl Log {
    pub(crate) const fn new() -> Self {
        Self { events: Mutex::new(Vec::new()), stop_after: None, stop: AtomicBool::new(false) }
    }

    /// Stops the run at its event number `count`, counted from 1.
    pub(crate) fn stopping_after(count: usize) -> Self {
        Self { stop_after: Some(count), ..Self::new() }
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap().clone()
    }

    /// The jobs that began.
    pub(crate) fn begun(&self) -> Vec<Job> {
        let begun = |event| if let Event::BeginPair(pair, _) = event { Some(pair) } else { None };
        self.events().into_iter().filter_map(begun).collect()
    }

    /// The jobs that ended.
    pub(crate) fn ended(&self) -> Vec<Job> {
        let ended = |event| if let Event::EndPair(pair) = event { Some(pair) } else { None };
        self.events().into_iter().filter_map(ended).collect()
    }

    fn note(&self, event: Event) {
        let mut events = self.events.lock().unwrap();
        events.push(event);
        if self.stop_after == Some(events.len()) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for Log {
    fn begin(&self, to_solve: &[Job], entries: u64) {
        self.note(Event::Begin(to_solve.to_vec(), entries));
    }

    fn begin_job(&self, pair: Job, entries: u64) {
        self.note(Event::BeginPair(pair, entries));
    }

    fn stage(&self, stage: Stage) {
        self.note(Event::Stage(stage));
    }

    fn layer(&self, distance: Plies, decided: u64) {
        self.note(Event::Layer(distance, decided));
    }

    fn written(&self, entries: u64) {
        self.note(Event::Written(entries));
    }

    fn end_job(&self, pair: Job, report: &JobReport, _: &[TableInfo]) {
        assert!(report.entries > 0, "{pair}");
        self.note(Event::EndPair(pair));
    }
}

/// A folder in a directory that is removed at the end of the test.
pub(crate) struct Scratch {
    pub(crate) dir: TempDir,
    pub(crate) folder: Folder,
}

impl Scratch {
    pub(crate) fn new(ruleset: &Ruleset) -> Self {
        Self::of_edition(ruleset, Edition::Full)
    }

    pub(crate) fn of_edition(ruleset: &Ruleset, edition: Edition) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), *ruleset, Some(edition)).unwrap();
        Self { dir, folder }
    }

    /// Solves `plan` to the end.
    #[track_caller]
    pub(crate) fn solve(&self, plan: &Plan) -> Summary {
        self.solve_with(plan, &options()).unwrap()
    }

    /// Solves `plan` with these options.
    pub(crate) fn solve_with(
        &self,
        plan: &Plan,
        options: &Options,
    ) -> Result<Summary, SolverError> {
        run(&self.folder, plan, options, &(), &AtomicBool::new(false))
    }

    /// Solves `plan` in runs of at most `events` events. Returns the number of interruptions, too.
    #[track_caller]
    pub(crate) fn solve_in_parts(&self, plan: &Plan, events: usize) -> (Summary, usize) {
        let mut stops = 0;
        loop {
            let log = Log::stopping_after(events);
            match self.solve_logged(plan, &log) {
                Ok(summary) => return (summary, stops),
                // Such short runs never finish the longest job.
                Err(SolverError::Interrupted) if log.ended().is_empty() && events < 61 => {
                    return (self.solve(plan), stops + 1);
                }
                Err(SolverError::Interrupted) => stops += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Solves `plan` with `log` as observer, which may stop the run.
    pub(crate) fn solve_logged(&self, plan: &Plan, log: &Log) -> Result<Summary, SolverError> {
        run(&self.folder, plan, &options(), log, &log.stop)
    }

    /// All files but manifest and lock: name, time of last change, contents.
    pub(crate) fn files(&self) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        entries
            .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
            .filter(|(name, _)| name != "manifest.merels" && name != ".lock")
            .map(|(name, path)| {
                let changed = fs::metadata(&path).unwrap().modified().unwrap();
                (name, (changed, fs::read(&path).unwrap()))
            })
            .collect()
    }

    /// The contents of the files by name.
    pub(crate) fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        self.files().into_iter().map(|(name, (_, bytes))| (name, bytes)).collect()
    }

    /// The names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }
}

/// Solves `plan` in a new folder, on a pool with this number of threads.
pub(crate) fn solve_on(threads: usize, plan: &Plan, options: &Options) -> (Summary, Scratch) {
    let scratch = Scratch::new(plan.ruleset());
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let summary = pool.install(|| scratch.solve_with(plan, options).unwrap());
    (summary, scratch)
}

/// Solves a whole game with every form of the code and these numbers of threads.
#[track_caller]
pub(crate) fn assert_same_by_all_forms(name: &str, numbers_of_threads: &[usize]) {
    let plan = whole_game(name);
    let expected = Scratch::new(plan.ruleset()).solve(&plan).tables;
    for processor in Processor::available() {
        for &threads in numbers_of_threads {
            let found = solve_on(threads, &plan, &Options { processor, ..options() }).0.tables;
            assert_eq!(found, expected, "{name}, {}, {threads} threads", processor.name());
        }
    }
}

/// Stops a run of `plan` at its event number `count`, checks that the folder holds whole jobs only,
/// and resumes.
#[track_caller]
pub(crate) fn stop_and_resume(plan: &Plan, count: usize) -> (Summary, Scratch) {
    let scratch = Scratch::new(plan.ruleset());
    let log = Log::stopping_after(count);
    let result = scratch.solve_logged(plan, &log);
    let finished = log.ended();
    match result {
        Ok(_) => assert_eq!(finished, plan.jobs(), "{count}"),
        Err(SolverError::Interrupted) => {}
        Err(error) => panic!("{count}: {error}"),
    }
    assert_eq!(scratch.names(), names_of(&finished), "{count}");
    let log = Log::new();
    let summary = scratch.solve_logged(plan, &log).unwrap();
    assert_eq!(log.begun(), &plan.jobs()[finished.len()..], "{count}");
    (summary, scratch)
}

/// The names of the tables of `pairs`, as in [`Scratch::names`].
pub(crate) fn names_of(pairs: &[Job]) -> Vec<String> {
    let subspaces = pairs.iter().flat_map(|pair| pair.subspaces());
    let mut names: Vec<_> = subspaces.map(|subspace| format!("{subspace}.merels")).collect();
    names.sort();
    names
}

/// The digests of the tables of a run, by subspace.
pub(crate) fn digests(summary: &Summary) -> BTreeMap<Subspace, Digest> {
    summary.tables.iter().map(|info| (info.subspace, info.digest)).collect()
}

/// All tables of a solved plan, read back from their files.
pub(crate) struct Solved {
    pub(crate) ruleset: Ruleset,
    pub(crate) tables: BTreeMap<Subspace, Entries>,
}

/// A table in memory.
pub(crate) struct Entries {
    pub(crate) index: SubspaceIndex,
    pub(crate) statistics: Statistics,
    codes: Vec<u8>,
}

impl Solved {
    /// Solves `plan` in a temporary folder.
    #[track_caller]
    pub(crate) fn new(plan: &Plan) -> Self {
        let ruleset = *plan.ruleset();
        let scratch = Scratch::new(&ruleset);
        scratch.solve(plan);
        let read = |subspace| {
            let index = SubspaceIndex::new(ruleset.board, subspace);
            let table = scratch.folder.open_table(subspace).unwrap();
            let mut codes = vec![0; index.entries() as usize];
            table.decode_all(Codes::near(&mut codes)).unwrap();
            (subspace, Entries { index, statistics: table.header().statistics, codes })
        };
        Self { ruleset, tables: subspaces_of(plan).into_iter().map(read).collect() }
    }

    /// The value of a position of a solved subspace; none for other subspaces.
    pub(crate) fn value(&self, position: &Position) -> Option<Value> {
        let table = self.tables.get(&position.subspace())?;
        Some(table.value_of(position.mover().board, position.other().board))
    }
}

impl Entries {
    /// The value of the position with these stones.
    pub(crate) fn value_of(&self, mover: Points, other: Points) -> Value {
        self.value_at(self.index.index_of(mover, other))
    }

    /// The value of an entry.
    pub(crate) fn value_at(&self, index: Index) -> Value {
        ValueCode::from_byte(self.codes[index.0 as usize]).unwrap().value()
    }

    /// The position of an entry.
    pub(crate) fn position_at(&self, index: Index) -> Position {
        let (mover, other) = self.index.stones_at(index);
        Position::of_subspace(self.index.subspace(), mover, other)
    }

    /// All entries of the same position as this one.
    pub(crate) fn twins(&self, index: Index) -> Vec<Index> {
        let (key, other) = self.index.stones_at(index);
        let symmetries = self.index.board().geometry().symmetries();
        let row = index.0 - index.0 % u64::from(self.index.row_len());
        let twin = |id: SymmetryId| self.index.rank_in_row(key, symmetries.apply(id, other));
        symmetries.stabiliser(key).map(|id| Index(row + u64::from(twin(id)))).collect()
    }

    /// Whether several entries of this row are the same position.
    pub(crate) fn is_in_symmetric_row(&self, index: Index) -> bool {
        let class = (index.0 / u64::from(self.index.row_len())) as u32;
        !self.index.classes().stabiliser(merels_core::numbering::ClassId::new(class)).is_trivial()
    }
}

/// SplitMix64: well-mixed numbers, the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) const fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % limit
    }

    /// A subset of this size.
    pub(crate) fn subset(&mut self, of: Points, size: u8) -> Points {
        let points: Vec<_> = of.into_iter().collect();
        let mut chosen = Points::EMPTY;
        while chosen.len() < size {
            chosen = chosen.with(points[self.below(points.len() as u64) as usize]);
        }
        chosen
    }
}
