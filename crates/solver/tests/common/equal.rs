//! Solved tables compared with the naive solver, every value and every count.

use merels_core::{Index, Position, Subspace};
use merels_naive::{NaiveSolver, Statistics};
use rayon::prelude::*;

use super::{Entries, Solved};

/// Compares every position of the naive solver with its entry, and every entry with its position.
#[track_caller]
pub(crate) fn assert_equal(naive: &NaiveSolver, solved: &Solved, subspace: Subspace) {
    let what = format!("{} {subspace}", solved.ruleset);
    let table = &solved.tables[&subspace];
    let mut positions = 0;
    for (mover, other, value) in naive.positions(subspace) {
        let found = table.value_of(mover, other);
        assert_eq!(found, value, "{what}: {:?}", Position::of_subspace(subspace, mover, other));
        positions += 1;
    }
    assert_eq!(table.index.positions(), positions, "{what}");
    let wrong = |&i: &u64| {
        let position = table.position_at(Index(i));
        Some(table.value_at(Index(i))) != naive.value(&position)
    };
    let wrong: Vec<_> = (0..table.index.entries()).into_par_iter().filter(wrong).collect();
    if let Some(&first) = wrong.first() {
        let position = table.position_at(Index(first));
        let (found, expected) = (table.value_at(Index(first)), naive.value(&position));
        panic!(
            "{what}: {} entries differ; {first} is {found}, not {expected:?}: {position:?}",
            wrong.len()
        );
    }
    let expected = naive.statistics(subspace);
    assert_eq!(counted_once(table), expected, "{what}");
    let header = &table.statistics;
    let totals = (header.positions, header.wins, header.draws, header.losses);
    let expected_totals = (expected.positions, expected.wins, expected.draws, expected.losses);
    assert_eq!(totals, expected_totals, "{what}: the header");
    assert_eq!(header.longest_win, expected.longest_win(), "{what}: the header");
    assert_eq!(header.longest_loss, expected.longest_loss(), "{what}: the header");
}

/// Counts the values of a table, each position by the first of its entries.
pub(crate) fn counted_once(table: &Entries) -> Statistics {
    let entries = (0..table.index.entries()).map(Index);
    let first = |&index: &Index| {
        !table.is_in_symmetric_row(index) || table.twins(index).into_iter().min() == Some(index)
    };
    entries.filter(first).map(|index| table.value_at(index)).collect()
}
