//! The stages of solving a pair, and of a subspace with stones in hand, on one thread, for each
//! form of the code that this processor runs.
//!
//! The pair is `6-3, 3-6`: one side slides, the other jumps, and a fifth of the positions are
//! decided. Its dependencies are solved first. Every sample solves the whole pair and takes the
//! time of one stage from the report: working back within rows (`propagate`), per un-move; the
//! scattered stores (`store`), per value; counters and removal values (`begin`), per entry. The
//! subspace is `4-5+1-0` of a game with five stones: computing and storing the values of placings
//! (`place`), per entry.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use merels_core::{Ruleset, Subspace};
use merels_db::{Edition, Folder, TableSpec};
use merels_solver::{Job, JobReport, Options, Plan, Processor, Selection, run};

const PAIR: Subspace = Subspace::moving(6, 3);
const PLACING: Subspace = Subspace::placing(4, 5, 1, 0);

/// A stage: its name, its time, and the amount of its work.
type StageOf = (&'static str, fn(&JobReport) -> Duration, fn(&JobReport) -> u64);

const PAIR_STAGES: [StageOf; 3] = [
    ("begin", |report| report.times.begin, |report| report.entries),
    ("propagate", |report| report.times.propagate, |report| report.edges),
    ("store", |report| report.times.store, |report| report.stores),
];

const PLACING_STAGES: [StageOf; 1] =
    [("place", |report| report.times.place, |report| report.entries)];

/// A folder in which one job runs again and again.
struct Bench {
    job: Job,
    folder: Folder,
    plan: Plan,
    pool: rayon::ThreadPool,
    _dir: tempfile::TempDir,
}

impl Bench {
    fn new(ruleset: Ruleset, subspace: Subspace) -> Self {
        let dir = tempfile::tempdir().expect("a folder for temporary files");
        let folder =
            Folder::create(dir.path(), ruleset, Some(Edition::Full)).expect("a new folder");
        let selection = Selection::Only(vec![subspace]);
        let plan = Plan::whole_game(&ruleset, &selection).expect("a subspace of the game");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        Self { job: Job::of(&ruleset, subspace), folder, plan, pool, _dir: dir }
    }

    /// Runs the job, and first its dependencies that are missing.
    fn solve(&self, processor: Processor) -> JobReport {
        for subspace in self.job.subspaces() {
            // The file is missing the first time only.
            let _ = fs::remove_file(self.folder.path_of(subspace));
        }
        let options = Options { memory: 1 << 30, level: TableSpec::DEFAULT_LEVEL, processor };
        let stop = AtomicBool::new(false);
        let summary = self.pool.install(|| run(&self.folder, &self.plan, &options, &(), &stop));
        let summary = summary.expect("a job that can be done");
        summary.solved.last().expect("its tables were not there").1
    }
}

fn stages(c: &mut Criterion) {
    bench(c, &Bench::new(Ruleset::STANDARD, PAIR), &PAIR_STAGES);
    let five_stones = Ruleset { stones: 5, ..Ruleset::STANDARD };
    bench(c, &Bench::new(five_stones, PLACING), &PLACING_STAGES);
}

fn bench(c: &mut Criterion, bench: &Bench, stages: &[StageOf]) {
    let work = bench.solve(Processor::detect());
    for (name, time, count) in stages {
        let mut group: BenchmarkGroup<'_, WallTime> = c.benchmark_group(*name);
        // Each iteration runs the whole job.
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_millis(1));
        group.throughput(Throughput::Elements(count(&work)));
        for processor in Processor::available() {
            group.bench_function(BenchmarkId::from_parameter(processor.name()), |b| {
                b.iter_custom(|times| (0..times).map(|_| time(&bench.solve(processor))).sum());
            });
        }
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
