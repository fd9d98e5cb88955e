//! Numbering positions: ranks of sets, classes of sets, indices of positions and back.
//!
//! Each run goes through the same random positions of a subspace that is too large for any cache,
//! so look-ups cost as much as in real use.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use merels_core::numbering::{Classes, Index, Ranking, SubspaceIndex};
use merels_core::{Board, Points, Subspace};

/// The number of random inputs of a run.
const INPUTS: usize = 10_000;

/// Numbers below `limit` that are the same in every run (a linear congruential generator).
fn numbers_below(limit: u64) -> Vec<u64> {
    let mut state: u64 = 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(state) * u128::from(limit)) >> 64) as u64
    };
    (0..INPUTS).map(|_| next()).collect()
}

fn ranking(c: &mut Criterion) {
    let mut group = c.benchmark_group("ranking");
    group.throughput(Throughput::Elements(INPUTS as u64));
    for size in [3, 6, 9] {
        let ranking = Ranking::new(12, 12, size);
        let ranks: Vec<_> =
            numbers_below(ranking.count().into()).iter().map(|&rank| rank as u32).collect();
        let masks: Vec<_> = ranks.iter().map(|&rank| ranking.unrank(rank)).collect();
        group.bench_function(BenchmarkId::new("rank", size), |b| {
            b.iter(|| masks.iter().fold(0, |sum, &mask| sum ^ ranking.rank(black_box(mask))));
        });
        group.bench_function(BenchmarkId::new("unrank", size), |b| {
            b.iter(|| ranks.iter().fold(0, |sum, &rank| sum ^ ranking.unrank(black_box(rank))));
        });
    }
}

fn classes(c: &mut Criterion) {
    let mut group = c.benchmark_group("classes");
    group.throughput(Throughput::Elements(INPUTS as u64));
    let symmetries = Board::Nine.geometry().symmetries();
    for size in [3, 6, 9] {
        let classes = Classes::of(Board::Nine, size);
        let ranking = classes.ranking();
        let sets: Vec<_> = numbers_below(ranking.count().into())
            .iter()
            .map(|&rank| Points::from_bits(ranking.unrank(rank as u32)))
            .collect();
        group.bench_function(BenchmarkId::new("canonical", size), |b| {
            b.iter(|| {
                for &set in &sets {
                    black_box(symmetries.canonical(set));
                }
            });
        });
        group.bench_function(BenchmarkId::new("locate", size), |b| {
            b.iter(|| {
                for &set in &sets {
                    black_box(classes.locate(set));
                }
            });
        });
    }
}

fn index(c: &mut Criterion) {
    let mut group = c.benchmark_group("index");
    group.throughput(Throughput::Elements(INPUTS as u64));
    let symmetries = Board::Nine.geometry().symmetries();
    let ids: Vec<_> = symmetries.ids().collect();
    for subspace in [Subspace::moving(3, 3), Subspace::moving(6, 5), Subspace::moving(9, 9)] {
        let order = SubspaceIndex::new(Board::Nine, subspace);
        let indices = numbers_below(order.entries());
        // Turned, so that the look-up of an entry has to turn them back.
        let turned: Vec<_> = indices
            .iter()
            .zip(ids.iter().cycle())
            .map(|(&index, &id)| {
                let (mover, other) = order.stones_at(Index(index));
                (symmetries.apply(id, mover), symmetries.apply(id, other))
            })
            .collect();
        group.bench_function(BenchmarkId::new("index_of", subspace), |b| {
            b.iter(|| {
                for &(mover, other) in &turned {
                    black_box(order.index_of(mover, other));
                }
            });
        });
        group.bench_function(BenchmarkId::new("stones_at", subspace), |b| {
            b.iter(|| {
                for &index in &indices {
                    black_box(order.stones_at(Index(index)));
                }
            });
        });
    }
}

/// Less time than usual for each bench, so that all of them take a minute.
fn config() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! {
    name = benches;
    config = config();
    targets = ranking, classes, index
}
criterion_main!(benches);
