//! Samples of larger pairs: each value follows from the values after plain moves.
//!
//! These pairs show faults that the smallest subspaces hide: rows keyed by sets with many
//! symmetries, removals into pairs of two shapes, layers long enough for threads to meet.

mod common;

use std::sync::LazyLock;

use common::{Entries, Random, Solved, plan_of, rules};
use merels_core::numbering::{ClassId, Index, SubspaceIndex};
use merels_core::{Geometry, Points, Position, Ruleset, Subspace, Value};
use merels_naive::check_position;
use rayon::prelude::*;

/// 6-4 and 4-6 with their dependencies: up to ten stones on the board.
static STANDARD: LazyLock<Solved> =
    LazyLock::new(|| Solved::new(&plan_of(&Ruleset::STANDARD, "6-4")));

/// 5-3 and 3-5 of a game in which a slide can close two mills at once.
static DIAGONALS: LazyLock<Solved> =
    LazyLock::new(|| Solved::new(&plan_of(&rules("morabaraba"), "5-3")));

#[track_caller]
fn check(solved: &Solved, position: &Position) {
    let lookup = |position: &Position| solved.value(position);
    if let Err(mismatch) = check_position(&solved.ruleset, position, lookup) {
        panic!("{} {}: {mismatch}", solved.ruleset, position.subspace());
    }
}

#[track_caller]
fn check_entries(solved: &Solved, table: &Entries, indices: &[Index]) {
    indices.par_iter().for_each(|&index| check(solved, &table.position_at(index)));
}

fn random_entries(table: &Entries, count: usize, seed: u64) -> Vec<Index> {
    let mut random = Random(seed);
    (0..count).map(|_| Index(random.below(table.index.entries()))).collect()
}

/// The classes of the mover's stones that have symmetries.
fn symmetric_classes(index: &SubspaceIndex) -> Vec<usize> {
    let classes = index.classes();
    let is_symmetric =
        |&class: &usize| !classes.stabiliser(ClassId::new(class as u32)).is_trivial();
    (0..classes.len()).filter(is_symmetric).collect()
}

/// The most mills that a slide or jump of the mover closes.
fn mills_closed(ruleset: &Ruleset, position: &Position) -> usize {
    let geometry = ruleset.board.geometry();
    let mover = position.mover().board;
    let moves = ruleset.legal_moves(position);
    let closed = moves.iter().filter_map(|mv| {
        let from = mv.from?;
        Some(geometry.mills_at(mover.without(from).with(mv.to), mv.to))
    });
    closed.max().unwrap_or(0)
}

/// The sets of `size` stones that are all in mills.
fn all_in_mills(geometry: &Geometry, size: u8) -> Vec<Points> {
    let lines = geometry.lines();
    let mut found: Vec<_> = lines
        .iter()
        .flat_map(|&one| lines.iter().map(move |&other| one.union(other)))
        .filter(|set| set.len() == size)
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn random_positions() {
    for (&subspace, table) in &STANDARD.tables {
        let count = if subspace.on_board() == 10 { 60_000 } else { 20_000 };
        check_entries(&STANDARD, table, &random_entries(table, count, 1));
    }
    for table in DIAGONALS.tables.values() {
        check_entries(&DIAGONALS, table, &random_entries(table, 20_000, 2));
    }
}

#[test]
fn positions_in_which_the_movers_stones_are_symmetric() {
    for solved in [&STANDARD, &DIAGONALS] {
        for (subspace, table) in &solved.tables {
            let row_len = u64::from(table.index.row_len());
            let classes = symmetric_classes(&table.index);
            assert!(classes.len() > 20, "{subspace}");
            let mut random = Random(3);
            let samples = 1 + 20_000 / classes.len();
            let of_class = |class: &usize| {
                let ranks: Vec<_> = (0..samples).map(|_| random.below(row_len)).collect();
                let first = *class as u64 * row_len;
                ranks.into_iter().map(move |rank| Index(first + rank))
            };
            let indices: Vec<_> = classes.iter().flat_map(of_class).collect();
            check_entries(solved, table, &indices);
        }
    }
}

/// The other side moves next, from rows keyed by its stones.
#[test]
fn positions_in_which_the_other_sides_stones_are_symmetric() {
    let geometry = Ruleset::STANDARD.board.geometry();
    for (&subspace, table) in &STANDARD.tables {
        let swapped = &STANDARD.tables[&subspace.swapped()].index;
        let mut random = Random(4);
        for class in symmetric_classes(swapped) {
            let other = swapped.classes().representative(ClassId::new(class as u32));
            for _ in 0..10 {
                let rank = random.below(u64::from(swapped.row_len()));
                let index = Index(class as u64 * u64::from(swapped.row_len()) + rank);
                let (_, mover) = swapped.stones_at(index);
                let position = Position::of_subspace(subspace, mover, other);
                check(&STANDARD, &position);
                let value = table.value_of(mover, other);
                for (_, symmetry) in geometry.symmetries().iter() {
                    let (mover, other) = (symmetry.apply_set(mover), symmetry.apply_set(other));
                    assert_eq!(table.value_of(mover, other), value, "{position:?}");
                }
            }
        }
    }
}

#[test]
fn all_entries_of_a_position_agree() {
    for solved in [&STANDARD, &DIAGONALS] {
        for (subspace, table) in &solved.tables {
            let row_len = u64::from(table.index.row_len());
            symmetric_classes(&table.index).into_par_iter().for_each(|class| {
                for rank in 0..row_len {
                    let index = Index(class as u64 * row_len + rank);
                    let value = table.value_at(index);
                    for twin in table.twins(index) {
                        assert_eq!(table.value_at(twin), value, "{subspace} {index:?} {twin:?}");
                    }
                }
            });
        }
    }
}

#[test]
fn positions_in_which_a_mill_can_be_closed() {
    for solved in [&STANDARD, &DIAGONALS] {
        for table in solved.tables.values() {
            let mut indices = random_entries(table, 40_000, 5);
            indices.retain(|&index| mills_closed(&solved.ruleset, &table.position_at(index)) > 0);
            assert!(indices.len() > 2_000, "{}", indices.len());
            check_entries(solved, table, &indices);
        }
    }
}

#[test]
fn positions_in_which_two_mills_can_be_closed_at_once() {
    let subspace = Subspace::moving(5, 3);
    let table = &DIAGONALS.tables[&subspace];
    let mut indices = random_entries(table, 400_000, 6);
    indices.retain(|&index| mills_closed(&DIAGONALS.ruleset, &table.position_at(index)) > 1);
    assert!(indices.len() > 100, "{}", indices.len());
    check_entries(&DIAGONALS, table, &indices);
}

#[test]
fn positions_in_which_two_mills_remove_two_stones() {
    // Against three stones the first removal ends the game.
    two_mills_remove_two_stones(&[("flying=never", "5-3")]);
}

fn two_mills_remove_two_stones(cases: &[(&str, &str)]) {
    for (change, name) in cases {
        let ruleset = format!("eleven,stones=5,double-mill=two,{change}");
        let solved = Solved::new(&plan_of(&rules(&ruleset), name));
        let subspace = name.parse().unwrap();
        let table = &solved.tables[&subspace];
        check_entries(&solved, table, &random_entries(table, 20_000, 7));
        let mut indices = random_entries(table, 400_000, 8);
        indices.retain(|&index| mills_closed(&solved.ruleset, &table.position_at(index)) > 1);
        assert!(indices.len() > 100, "{}", indices.len());
        check_entries(&solved, table, &indices);
        // The other side's stones all in mills, or all but one.
        let geometry = solved.ruleset.board.geometry();
        let mut closing = 0;
        for other in sets_around_mills(geometry, subspace.other()) {
            let mut random = Random(u64::from(other.bits()));
            for _ in 0..50 {
                let free = geometry.points().difference(other);
                let mover = random.subset(free, subspace.mover());
                let position = Position::of_subspace(subspace, mover, other);
                closing += usize::from(mills_closed(&solved.ruleset, &position) > 1);
                check(&solved, &position);
            }
        }
        assert!(closing > 0);
    }
}

/// The sets of `size` stones of which at most two are outside of mills.
fn sets_around_mills(geometry: &Geometry, size: u8) -> Vec<Points> {
    let with_one_more = |set: &Points| {
        let free = geometry.points().difference(*set).into_iter();
        let set = *set;
        free.map(move |point| set.with(point)).collect::<Vec<_>>()
    };
    let mut found = all_in_mills(geometry, size);
    let mut sets: Vec<Points> = geometry.lines().to_vec();
    while sets.first().is_some_and(|set| set.len() < size) {
        sets = sets.iter().flat_map(with_one_more).collect();
    }
    found.extend(sets);
    found.sort();
    found.dedup();
    found
}

/// Then the rules allow the removal of any of them.
#[test]
fn positions_in_which_all_stones_stand_in_mills() {
    for solved in [&STANDARD, &DIAGONALS] {
        let geometry = solved.ruleset.board.geometry();
        for &subspace in solved.tables.keys() {
            for (i, other) in all_in_mills(geometry, subspace.other()).into_iter().enumerate() {
                let mut random = Random(i as u64);
                for _ in 0..200 {
                    let free = geometry.points().difference(other);
                    let mover = random.subset(free, subspace.mover());
                    check(solved, &Position::of_subspace(subspace, mover, other));
                }
            }
        }
    }
    assert!(!all_in_mills(Ruleset::STANDARD.board.geometry(), 6).is_empty());
}

/// The layers start from the blocked positions: they, and no others, are lost in 0 plies.
#[test]
fn blocked_positions_are_lost_at_once() {
    let geometry = Ruleset::STANDARD.board.geometry();
    for (subspace, table) in &STANDARD.tables {
        let lost = |&i: &u64| table.value_at(Index(i)) == Value::LOST;
        let found: Vec<_> = (0..table.index.entries()).into_par_iter().filter(lost).collect();
        let is_blocked = |i| Ruleset::STANDARD.legal_moves(&table.position_at(Index(i))).is_empty();
        let count = found.len();
        assert!(found.into_iter().all(is_blocked), "{subspace}");
        // Block the mover if there are enough stones, and put the others anywhere.
        let mut random = Random(7);
        let mut blocked = 0;
        for &mover in table.index.classes().representatives() {
            let beside = mover.into_iter().fold(Points::EMPTY, |all, point| {
                all.union(geometry.neighbours(point).difference(mover))
            });
            if subspace.mover() == 3 || beside.len() > subspace.other() {
                continue;
            }
            let free = geometry.points().difference(mover.union(beside));
            let other = beside.union(random.subset(free, subspace.other() - beside.len()));
            assert_eq!(table.value_of(mover, other), Value::LOST, "{mover:?} {other:?}");
            blocked += 1;
        }
        assert!(count >= blocked && (count > 0) == (blocked > 0), "{subspace}: {count} {blocked}");
        assert!(blocked > 0 || !["4-4", "4-5", "4-6"].contains(&&*subspace.to_string()));
    }
}

/// A subspace has the number of positions that Burnside's lemma counts.
#[test]
fn every_position_is_counted_once() {
    for solved in [&STANDARD, &DIAGONALS] {
        for (subspace, table) in &solved.tables {
            assert_eq!(table.statistics.positions, table.index.positions(), "{subspace}");
        }
    }
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn positions_in_which_two_mills_remove_two_stones() {
        two_mills_remove_two_stones(&[("removal=protected", "5-5"), ("removal=strict", "5-4")]);
    }
}
