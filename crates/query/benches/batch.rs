//! The time of a million random positions, one at a time and together. It is measured once, because
//! it takes minutes.
//!
//! The environment variable `MERELS_DB` names the folder with the whole standard game:
//!
//! ```sh
//! MERELS_DB=db cargo bench -p merels-query --bench batch            # a million
//! MERELS_DB=db cargo bench -p merels-query --bench batch -- 100000  # fewer
//! ```
//!
//! Random entries of all subspaces are looked up, so that a larger subspace occurs more often. Run
//! it twice for files in the cache of the operating system.

use std::env;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Position, Ruleset, Side, Situation};
use merels_db::Folder;
use merels_query::{Oracle, TableSource};
use rayon::prelude::*;

const RULES: Ruleset = Ruleset::STANDARD;

/// Positions that are looked up alone, with an empty cache.
const ALONE: usize = 2_000;

fn main() {
    let Some(dir) = env::var_os("MERELS_DB") else {
        return println!("MERELS_DB names no folder with the whole standard game: nothing to do");
    };
    let count = env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let dir = Path::new(&dir);
    let folder = Folder::open(dir, RULES).expect("a database");
    let positions = random_positions(&folder, count);
    println!("edition {}, {count} random positions", folder.edition());
    println!("{:<52} {:>8.1} MiB", "resident before", resident());

    let blocks = TableSource::DEFAULT_BLOCKS;
    let source = TableSource::open(dir, RULES, blocks).expect("a database");
    let oracle = Oracle::new(RULES, source);
    // Other positions come first, so that opening tables is not measured.
    let (others, alone) = positions[..(2 * ALONE).min(count)].split_at(ALONE.min(count / 2));
    let look_up = |situations: &[Situation]| {
        situations.iter().for_each(|situation| {
            black_box(oracle.value(*situation).expect("a value"));
        });
    };
    look_up(others);
    let start = Instant::now();
    look_up(alone);
    let each = start.elapsed() / alone.len() as u32;
    println!("{:<52} {:>8.1} us", "one at a time, at random", each.as_nanos() as f64 / 1e3);
    println!("{:<52} {:>8.1} MiB", "resident, pages of the files among it", resident());

    let start = Instant::now();
    let values = oracle.values(&positions);
    let seconds = start.elapsed().as_secs_f64();
    assert!(values.par_iter().all(Result::is_ok));
    let each = seconds * 1e6 / count as f64;
    println!("{:<52} {seconds:>8.1} s, {each:.1} us each", "all together");
    println!("{:<52} {:>8.1} MiB", "resident, pages of the files among it", resident());
}

/// Random entries of random tables; the chance of a table is proportional to its size.
fn random_positions(folder: &Folder, count: usize) -> Vec<Situation> {
    let subspaces = folder.subspaces_present().expect("a list of files");
    let tables: Vec<_> =
        subspaces.into_iter().map(|subspace| SubspaceIndex::new(RULES.board, subspace)).collect();
    let entries: u64 = tables.iter().map(SubspaceIndex::entries).sum();
    let mut rng = fastrand::Rng::with_seed(3);
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
    let situations = std::iter::repeat_with(|| Situation::new(random(), &RULES));
    situations.flatten().take(count).collect()
}

/// The position of an entry. While stones are in hand, Black is to move if it has more of them.
fn position_at(index: &SubspaceIndex, number: u64) -> Position {
    let (mover, other) = index.stones_at(Index(number));
    let position = Position::of_subspace(index.subspace(), mover, other);
    let (mover, other) = (position.mover(), position.other());
    if mover.hand == other.hand { position } else { Position::new(other, mover, Side::Black) }
}

/// Mebibytes of memory of this process now, if the system reports them.
fn resident() -> f64 {
    let statistics = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = statistics.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) / 1024.0
}
