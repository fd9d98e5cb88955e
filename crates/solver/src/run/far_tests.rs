//! Games with distances beyond those of near codes, against the naive solver.
//!
//! Small games have no such distances. So here near codes end early, and all code for far values
//! runs.

use std::sync::atomic::AtomicBool;

use merels_core::numbering::{Codes, FarCodes, Index, Pair, SubspaceIndex, ValueCode};
use merels_core::{Plies, Position, Ruleset, Subspace};
use merels_db::DbError;
use merels_naive::NaiveSolver;
use merels_simd::Processor;
use rayon::prelude::*;

use crate::job::Job;
use crate::plan::jobs::{Plan, Selection};
use crate::run::in_memory::solve_with_codes;
use crate::store::memory::{Known, SolvedCodes};

/// No known subspaces.
struct Nothing;

impl Known for Nothing {
    fn has_far_codes(&self, subspace: Subspace) -> Result<bool, DbError> {
        panic!("{subspace} is in the plan")
    }

    fn load(&self, subspace: Subspace, _: Codes<&mut [u8]>) -> Result<(), DbError> {
        panic!("{subspace} is in the plan")
    }
}

/// The far values of a game.
#[derive(Default)]
struct Seen {
    /// Subspaces with far codes, of pairs and of placings only.
    pairs: usize,
    placings: usize,
    longest: Plies,
}

/// Solves `plan` with near codes that end at `first`, and compares every value with that of
/// `naive`.
#[track_caller]
fn compare(plan: &Plan, naive: &NaiveSolver, first: u16, processors: &[Processor]) -> Seen {
    let ruleset = plan.ruleset();
    let codes = FarCodes::new(Plies(first));
    let mut seen = Seen::default();
    let mut before = None;
    for &processor in processors {
        let never = AtomicBool::new(false);
        let solved = solve_with_codes(plan, &Nothing, processor, &never, codes).unwrap();
        let subspaces = plan.jobs().iter().flat_map(|job| job.subspaces());
        assert_eq!(solved.len(), subspaces.count());
        if before.is_none() {
            for (&subspace, solved) in &solved {
                compare_subspace(naive, codes, subspace, solved, &mut seen);
            }
        }
        let expected = before.get_or_insert_with(|| solved.clone());
        assert!(*expected == solved, "{ruleset} {}", processor.name());
    }
    seen
}

#[track_caller]
fn compare_subspace(
    naive: &NaiveSolver,
    codes: FarCodes,
    subspace: Subspace,
    solved: &SolvedCodes,
    seen: &mut Seen,
) {
    let ruleset = naive.ruleset();
    let index = SubspaceIndex::new(ruleset.board, subspace);
    let Codes { near, far } = solved;
    assert_eq!(near.len() as u64, index.entries());
    let code = |bytes: &[u8], i: u64| ValueCode::from_byte(bytes[i as usize]).unwrap();
    let value_of = |i: u64| {
        let (mover, other) = index.stones_at(Index(i));
        naive.value(&Position::of_subspace(subspace, mover, other)).unwrap()
    };
    let values: Vec<_> = (0..index.entries()).into_par_iter().map(value_of).collect();
    let expected = |i: u64| values[i as usize];
    let differs = |&i: &u64| {
        let (near_code, far_code) = codes.codes_of(expected(i)).unwrap();
        codes.value(solved.at(i as usize).unwrap()) != expected(i)
            || code(near, i) != near_code
            || far.as_ref().is_some_and(|far| code(far, i) != far_code)
    };
    let wrong: Vec<_> = (0..index.entries()).into_par_iter().filter(differs).collect();
    if let Some(&i) = wrong.first() {
        let far = far.as_ref().map(|far| code(far, i));
        panic!(
            "{ruleset} {subspace}, far from {}: {} entries of {} differ; {i} is {:?} {far:?}, not {}",
            codes.first(),
            wrong.len(),
            index.entries(),
            code(near, i),
            expected(i)
        );
    }
    let longest = values.iter().filter_map(|value| value.distance()).max();
    let longest = longest.unwrap_or_default();
    assert_eq!(far.is_some(), longest >= codes.first_beyond(), "{ruleset} {subspace} {longest}");
    seen.longest = seen.longest.max(longest);
    if far.is_some() {
        match Job::of(ruleset, subspace) {
            Job::Pair(_) => seen.pairs += 1,
            Job::Placing(_) => seen.placings += 1,
        }
    }
}

/// The forms of the code to compare: all of them once, then the best one.
fn processors() -> impl Iterator<Item = Vec<Processor>> {
    let all: Vec<_> = Processor::available().into_iter().collect();
    std::iter::once(all).chain(std::iter::repeat_with(|| vec![Processor::detect()]))
}

/// Solves the moving phase up to a number of stones on the board, with near codes that end at each
/// of `firsts`.
#[track_caller]
fn moving(ruleset: &str, up_to: u8, firsts: &[u16]) {
    let ruleset: Ruleset = ruleset.parse().unwrap();
    let plan = Plan::moving(&ruleset, &Selection::UpTo(up_to)).unwrap();
    let mut naive = NaiveSolver::new(ruleset);
    naive.solve_up_to(up_to);
    for (&first, processors) in firsts.iter().zip(processors()) {
        let seen = compare(&plan, &naive, first, &processors);
        assert!(seen.pairs > 0, "{ruleset}: nothing beyond {first}, but {}", seen.longest);
    }
}

/// Solves the whole game.
#[track_caller]
fn whole_game(ruleset: &str, firsts: &[u16]) -> Seen {
    let ruleset: Ruleset = ruleset.parse().unwrap();
    let plan = Plan::whole_game(&ruleset, &Selection::All).unwrap();
    let mut naive = NaiveSolver::new(ruleset);
    for job in plan.jobs() {
        job.subspaces().into_iter().for_each(|subspace| naive.solve(Pair::of(subspace)));
    }
    let mut all = Seen::default();
    for (&first, processors) in firsts.iter().zip(processors()) {
        let Seen { pairs, placings, longest } = compare(&plan, &naive, first, &processors);
        assert!(pairs + placings > 0, "{ruleset}: nothing beyond {first}, but {longest}");
        all.pairs += pairs;
        all.placings += placings;
        all.longest = all.longest.max(longest);
    }
    all
}

#[test]
fn jumps_and_slides() {
    moving("standard", 6, &[4, 12, 20]);
    moving("six,stones=4", 8, &[4, 6, 8]);
    moving("no-flying", 6, &[4, 12]);
}

#[test]
fn removals_of_every_kind() {
    moving("six,stones=4,removal=strict", 8, &[4, 6]);
    moving("six,stones=4,removal=free", 8, &[4, 6]);
}

#[test]
fn two_stones_for_two_mills() {
    moving("seven,stones=4,double-mill=two", 8, &[4, 6]);
}

/// Counts subspaces with far codes that are of placings only.
fn placings(games: &[(&str, &[u16])]) -> usize {
    games.iter().map(|(ruleset, firsts)| whole_game(ruleset, firsts).placings).sum()
}

#[test]
fn values_of_placings() {
    let found = placings(&[("six,stones=4", &[4, 8]), ("three", &[4, 6]), ("four", &[4, 6, 10])]);
    assert!(found > 20, "{found}");
}

#[test]
fn placings_and_moves_in_turn() {
    whole_game("six,placing=mixed,stones=3", &[4, 6]);
    whole_game("seven,placing=mixed,stones=4,double-mill=two", &[4]);
}

/// Larger games, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn removals_of_every_kind() {
        moving("strict-removal", 6, &[4, 12]);
        moving("six,stones=5,removal=strict", 10, &[4, 6, 12]);
        moving("six,stones=5,removal=free", 10, &[4, 8]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn two_stones_for_two_mills() {
        moving("seven,stones=5,double-mill=two", 9, &[4, 6, 10]);
        moving("six,stones=5,double-mill=two", 10, &[4, 8]);
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn values_of_placings() {
        let found = placings(&[
            ("standard,stones=3", &[4, 12, 20]),
            ("six,stones=4", &[6, 12]),
            ("seven,stones=4,double-mill=two", &[4, 6, 8]),
        ]);
        assert!(found > 10, "{found}");
    }

    #[test]
    #[ignore = "long: just test-long"]
    fn placings_and_moves_in_turn() {
        whole_game("lasker,stones=3", &[4, 12, 20]);
        whole_game("six,placing=mixed,stones=4", &[4, 6, 8]);
        whole_game("seven,placing=mixed,stones=4,double-mill=two", &[8]);
    }
}
