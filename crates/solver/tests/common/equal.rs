//! Comparison of solved tables with the naive solver: every value and every count.

use merels_core::numbering::Index;
use merels_core::{Position, Subspace, Value};
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
    assert_entries(&what, table, |position| naive.value(position));
    let expected = naive.statistics(subspace);
    assert_eq!(counted_once(table), expected, "{what}");
    assert_header(&what, table, &expected);
}

/// Compares the value of every entry with `expected`.
#[track_caller]
pub(crate) fn assert_entries(
    what: &str,
    table: &Entries,
    expected: impl Fn(&Position) -> Option<Value> + Sync,
) {
    let wrong = |&i: &u64| Some(table.value_at(Index(i))) != expected(&table.position_at(Index(i)));
    let wrong: Vec<_> = (0..table.index.entries()).into_par_iter().filter(wrong).collect();
    if let Some(&first) = wrong.first() {
        let position = table.position_at(Index(first));
        let (found, expected) = (table.value_at(Index(first)), expected(&position));
        let count = wrong.len();
        panic!(
            "{what}: {count} entries differ; {first} is {found}, not {expected:?}: {position:?}"
        );
    }
}

/// Compares the statistics in the header of a table.
#[track_caller]
pub(crate) fn assert_header(what: &str, table: &Entries, expected: &Statistics) {
    let found = &table.statistics;
    let totals = (found.positions, found.wins, found.draws, found.losses);
    let expected_totals = (expected.positions, expected.wins, expected.draws, expected.losses);
    assert_eq!(totals, expected_totals, "{what}: the header");
    assert_eq!(found.longest_win, expected.longest_win(), "{what}: the header");
    assert_eq!(found.longest_loss, expected.longest_loss(), "{what}: the header");
}

/// Counts the values of a table, each position by its first entry.
pub(crate) fn counted_once(table: &Entries) -> Statistics {
    let entries = (0..table.index.entries()).map(Index);
    let first = |&index: &Index| {
        !table.is_in_symmetric_row(index) || table.twins(index).into_iter().min() == Some(index)
    };
    entries.filter(first).map(|index| table.value_at(index)).collect()
}
