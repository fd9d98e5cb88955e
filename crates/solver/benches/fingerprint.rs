//! The fingerprint of a build: one line that two builds can compare.
//!
//! `cargo bench -p merels-solver --bench fingerprint` solves a small game, placing included, on one
//! thread and prints
//!
//! ```text
//! fingerprint 1f0c5a2b9e774d31 avx512: begin 0.112 s, propagate 0.871 s, ...
//! ```
//!
//! The first word is a digest of the values of all subspaces in their order. It depends on the
//! rules only: a change that moves it changes a value. The times are those of the stages, each the
//! least of three runs. They depend on the machine: run the two builds in turn, twice, before you
//! compare them. Quote both lines in a commit that says that nothing changes, or that something is
//! faster.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::Ruleset;
use merels_db::{Edition, Folder, TableSpec};
use merels_solver::{JobReport, Options, Plan, Processor, Selection, run};

/// The game that is solved.
const RULESET: Ruleset = Ruleset { stones: 5, ..Ruleset::STANDARD };

/// How often it is solved.
const ROUNDS: usize = 3;

/// A stage: its name and its time.
type Stage = (&'static str, fn(&JobReport) -> Duration);

const STAGES: [Stage; 6] = [
    ("begin", |report| report.times.begin),
    ("propagate", |report| report.times.propagate),
    ("store", |report| report.times.store),
    ("place", |report| report.times.place),
    ("count", |report| report.times.count),
    ("write", |report| report.times.write),
];

/// Solves the game. Returns the digest of its values, and the times of the stages and of decoding.
fn solve(processor: Processor) -> (blake3::Hash, [Duration; STAGES.len() + 1]) {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let folder = Folder::create(dir.path(), RULESET, Some(Edition::Full)).expect("a new folder");
    let plan = Plan::whole_game(&RULESET, &Selection::All).expect("a game");
    let options = Options { memory: 1 << 30, level: TableSpec::DEFAULT_LEVEL, processor };
    let summary = run(&folder, &plan, &options, &(), &AtomicBool::new(false)).expect("a solve");

    let mut times = [Duration::ZERO; STAGES.len() + 1];
    for (_, report) in &summary.solved {
        for (time, (_, of)) in times.iter_mut().zip(&STAGES) {
            *time += of(report);
        }
    }
    let mut subspaces = folder.subspaces_present().expect("the tables");
    subspaces.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    let mut codes = merels_core::numbering::Codes::default();
    for subspace in subspaces {
        let table = folder.open_table(subspace).expect("a table");
        for block in 0..table.blocks() {
            let start = Instant::now();
            table.decode_block(block, &mut codes).expect("a block");
            times[STAGES.len()] += start.elapsed();
            codes.as_ref().both().for_each(|codes| {
                hasher.update(codes);
            });
        }
    }
    (hasher.finalize(), times)
}

fn main() {
    let processor = Processor::detect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let rounds: Vec<_> = (0..ROUNDS).map(|_| pool.install(|| solve(processor))).collect();
    let digest = rounds[0].0;
    assert!(rounds.iter().all(|(other, _)| *other == digest), "two runs differ");
    let names = STAGES.map(|(name, _)| name).into_iter().chain(["decode"]);
    let times: Vec<_> = names
        .enumerate()
        .map(|(i, name)| {
            let least = rounds.iter().map(|(_, times)| times[i]).min().expect("a round");
            format!("{name} {:.3} s", least.as_secs_f64())
        })
        .collect();
    println!("fingerprint {} {}: {}", &digest.to_hex()[..16], processor.name(), times.join(", "));
}
