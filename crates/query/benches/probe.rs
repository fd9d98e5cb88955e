//! The time of an answer.
//!
//! Most benches use a database of up to seven stones, which is solved into a temporary folder.
//! Those on the whole game use the folder in the environment variable `MERELS_DB`, like `merels`.
//! Without it they are skipped with a message:
//!
//! ```sh
//! MERELS_DB=db cargo bench -p merels-query
//! ```
//!
//! - *warm*: the block with the value is decoded.
//! - *cold*: no block is cached, so each probe decodes one. Run it twice for files in the cache of
//!   the operating system.
//! - *sorted*: a stream of positions in the order of the database, on all processors.

use std::env;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Position, Ruleset, Side, Subspace};
use merels_db::{Edition, Folder};
use merels_query::{OnTheSpot, Oracle, Source, TableSource};
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};
use rayon::prelude::*;
use tempfile::TempDir;

const RULES: Ruleset = Ruleset::STANDARD;

/// Positions of a sorted stream.
const STREAM: usize = 1_000_000;

/// The database of up to seven stones.
fn small_database() -> TempDir {
    struct Silent;
    impl Observer for Silent {}
    let dir = tempfile::tempdir().expect("a temporary folder");
    let plan = Plan::moving(&RULES, &Selection::UpTo(7)).expect("the standard game");
    let folder =
        Folder::create(dir.path(), RULES, Some(Edition::Full)).expect("a folder for the database");
    let options = Options { memory: 8 << 30, level: 1, processor: Processor::detect() };
    run(&folder, &plan, &options, &Silent, &AtomicBool::new(false)).expect("a solved game");
    dir
}

/// The folder of the whole game, if it has the tables that are needed.
fn whole_game() -> Option<PathBuf> {
    let dir = PathBuf::from(env::var_os("MERELS_DB")?);
    let present = Folder::open(&dir, RULES).ok()?.subspaces_present().ok()?;
    let needed = [Subspace::moving(8, 7), Subspace::placing(4, 4, 5, 5)];
    needed.iter().all(|subspace| present.contains(subspace)).then_some(dir)
}

fn oracle(dir: &Path, blocks: usize) -> Oracle {
    let source = TableSource::open(dir, RULES, blocks).expect("a database");
    Oracle::new(RULES, source)
}

/// The position of an entry. While stones are in hand, Black is to move if it has more of them.
fn position_at(index: &SubspaceIndex, number: u64) -> Position {
    let (mover, other) = index.stones_at(Index(number));
    let position = Position::of_subspace(index.subspace(), mover, other);
    let (mover, other) = (position.mover(), position.other());
    if mover.hand == other.hand { position } else { Position::new(other, mover, Side::Black) }
}

/// `count` positions of a subspace in which the game is not over, in the order of the database.
fn sorted_positions(subspace: Subspace, count: usize) -> Vec<Position> {
    let index = SubspaceIndex::new(RULES.board, subspace);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut numbers: Vec<_> = (0..count).map(|_| rng.u64(..index.entries())).collect();
    numbers.sort_unstable();
    let positions = numbers.into_iter().map(|number| position_at(&index, number));
    positions.filter(|position| RULES.ending(position).is_none()).collect()
}

fn warm<S: Source>(c: &mut Criterion, of: &str, oracle: &Oracle<S>, subspace: Subspace) {
    let position = sorted_positions(subspace, 100)[50];
    c.bench_function(&format!("warm probe, {subspace} {of}"), |b| {
        b.iter(|| oracle.value(black_box(position)).expect("a value"));
    });
    c.bench_function(&format!("warm list of moves, {subspace} {of}"), |b| {
        b.iter(|| oracle.analyse(black_box(position)).expect("values"));
    });
}

fn sorted(c: &mut Criterion, oracle: &Oracle, subspace: Subspace) {
    let positions = sorted_positions(subspace, STREAM);
    let mut group = c.benchmark_group("sorted stream");
    group.throughput(Throughput::Elements(positions.len() as u64)).sample_size(10);
    group.bench_function(format!("{} positions of {subspace}", positions.len()), |b| {
        b.iter(|| {
            let values = positions.par_iter().with_min_len(1024);
            values.map(|position| oracle.value(*position).expect("a value")).max()
        });
    });
}

/// Random positions of random tables; the chance of a table is proportional to its size.
fn cold(c: &mut Criterion, dir: &Path) {
    let folder = Folder::open(dir, RULES).expect("a database");
    let tables: Vec<_> = folder
        .subspaces_present()
        .expect("a list of files")
        .into_iter()
        .map(|subspace| SubspaceIndex::new(RULES.board, subspace))
        .collect();
    let entries: u64 = tables.iter().map(SubspaceIndex::entries).sum();
    let mut rng = fastrand::Rng::with_seed(2);
    let mut random = || {
        let mut number = rng.u64(..entries);
        for index in &tables {
            if number < index.entries() {
                return position_at(index, number);
            }
            number -= index.entries();
        }
        unreachable!("the number is below the sum")
    };
    let oracle = oracle(dir, 0);
    // Open the tables first, because the bench does not measure that.
    for index in &tables {
        oracle.value(position_at(index, index.entries() - 1)).expect("a value");
    }
    c.bench_function("cold random probe, whole game", |b| {
        b.iter_batched(
            &mut random,
            |position| oracle.value(position).expect("a value"),
            BatchSize::SmallInput,
        );
    });
}

fn benches(c: &mut Criterion) {
    let small = small_database();
    let files = oracle(small.path(), TableSource::DEFAULT_BLOCKS);
    warm(c, "from a file", &files, Subspace::moving(3, 4));
    let memory: Oracle<OnTheSpot> = Oracle::without_folder(RULES);
    warm(c, "solved in memory", &memory, Subspace::moving(3, 4));
    sorted(c, &files, Subspace::moving(3, 4));

    let Some(dir) = whole_game() else {
        eprintln!(
            "MERELS_DB names no folder with the whole standard game: benchmarks on it are left out"
        );
        return;
    };
    let files = oracle(&dir, TableSource::DEFAULT_BLOCKS);
    warm(c, "from a file", &files, Subspace::moving(8, 7));
    warm(c, "from a file", &files, Subspace::placing(4, 4, 5, 5));
    sorted(c, &files, Subspace::moving(8, 7));
    cold(c, &dir);
}

criterion_group!(probe, benches);
criterion_main!(probe);
