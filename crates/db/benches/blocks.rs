//! Encoding and decoding of blocks, on one thread, with the values of a subspace.
//!
//! The values are those of `3-4`, in which wins of up to 33 plies and draws are mixed: about the densest
//! that there are. The slow solver of the tests works them out first, which takes some seconds. Encoding
//! is timed with the whole table, which includes the digest and writing to the cache of the file system, but
//! not bringing the file to the disk. Decoding is timed for one block of 65536 (plain) or some 30000 entries.

use std::ops::Range;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use merels_core::numbering::{Codes, Index, Pair, SubspaceIndex, ValueCode};
use merels_core::{Board, Position, Ruleset, Subspace};
use merels_db::{Distribution, Edition, Folder, Statistics, TableKind, TableSpec, TableWriter};
use merels_naive::NaiveSolver;

const SUBSPACE: Subspace = Subspace::moving(3, 4);

/// The codes of all entries of the subspace.
fn values() -> Vec<u8> {
    let mut solver = NaiveSolver::new(Ruleset::STANDARD);
    solver.solve(Pair::of(SUBSPACE));
    let order = SubspaceIndex::new(Board::Nine, SUBSPACE);
    let value = |index| {
        let (mover, other) = order.stones_at(Index(index));
        let value = solver.value(&Position::of_subspace(SUBSPACE, mover, other));
        let code = value.and_then(ValueCode::from_value);
        code.expect("a value of a solved subspace").byte()
    };
    (0..order.entries()).map(value).collect()
}

/// Tables that are coded in different ways.
const FORMS: [(&str, Edition, TableKind); 4] = [
    ("plain blocks", Edition::Full, TableKind::Final),
    ("plain blocks of a work table", Edition::Compact, TableKind::Work),
    ("sorted blocks", Edition::Compact, TableKind::Final),
    ("sorted blocks of outcomes", Edition::Outcome, TableKind::Final),
];

fn blocks(c: &mut Criterion) {
    let values = values();
    c.benchmark_group("statistics")
        .throughput(Throughput::Elements(values.len() as u64))
        .bench_function("sums", |b| b.iter(|| Statistics::of_bytes(&values)));
    for (name, edition, kind) in FORMS {
        blocks_of(c, &values, name, edition, kind);
    }
}

fn blocks_of(c: &mut Criterion, values: &[u8], name: &str, edition: Edition, kind: TableKind) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let folder =
        Folder::create(dir.path(), Ruleset::STANDARD, Some(edition)).expect("a new folder");
    let entries = values.len() as u64;
    let spec = TableSpec { subspace: SUBSPACE, level: TableSpec::DEFAULT_LEVEL, kind };
    let source = |range: Range<u64>, bytes: &mut [u8]| {
        bytes.copy_from_slice(&values[range.start as usize..range.end as usize]);
    };
    let new_writer = || TableWriter::create(&folder, spec).expect("a new table");
    let write = |writer: &mut TableWriter| {
        pool.install(|| writer.write_all(&source, &|_| ())).expect("room for a table");
    };

    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(entries));
    group.bench_function("encode a table", |b| {
        b.iter_batched_ref(new_writer, write, BatchSize::PerIteration);
    });

    let mut writer = new_writer();
    write(&mut writer);
    let counted = Distribution::of(Codes::near(values));
    let pending = writer.finish(counted).expect("a whole table");
    pending.publish().expect("a name for the table");
    let table = match kind {
        TableKind::Final => folder.map_table(SUBSPACE),
        TableKind::Work => folder.map_work_table(SUBSPACE),
    };
    let table = table.expect("the table just written");
    let mut codes = Codes::default();
    let indices = table.indices_of(7);
    group.throughput(Throughput::Elements(indices.end - indices.start));
    group.bench_function("decode a block", |b| {
        b.iter(|| table.decode_block(7, &mut codes).expect("a sound block"));
    });
    if kind == TableKind::Final {
        let table = folder.open_table(SUBSPACE).expect("the table just written");
        group.bench_function("decode a block, read at its place", |b| {
            b.iter(|| table.decode_block(7, &mut codes).expect("a sound block"));
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("look up a value", |b| {
        b.iter(|| table.value(500_000).expect("a sound block"));
    });
}

/// Less time than usual for each bench: there are few, and their times vary little.
fn config() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! {
    name = benches;
    config = config();
    targets = blocks
}
criterion_main!(benches);
