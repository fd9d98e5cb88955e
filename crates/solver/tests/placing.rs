//! Whole games, from the last stones back to the empty board: every value of the placing phase equal
//! to that of the slowest way to find it, whatever did the work.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

use common::{
    Event, Log, Scratch, Silent, Solved, digests, names_of, options, plan_of, rules, subspaces_of,
};
use merels_core::{Board, Index, Outcome, Plies, Points, Position, Ruleset, Subspace, Value};
use merels_naive::{NaiveSolver, Statistics, canonical, expand};
use merels_solver::{Job, Options, Plan, Processor, Selection, SolverError, run};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

fn whole_game(ruleset: &Ruleset) -> Plan {
    Plan::whole_game(ruleset, &Selection::All).unwrap()
}

/// The values of a game's placing phase by the definition of a value: subspace by subspace from the
/// last stone back, every legal move of every position. Of the solver's foundations it uses the
/// board, its symmetries and the rules.
struct NaivePlacing<M> {
    ruleset: Ruleset,
    /// The values of the moving phase.
    moving: M,
    /// By subspace, the values of its positions up to symmetry.
    values: HashMap<Subspace, HashMap<(Points, Points), Value>>,
}

impl<M: Fn(&Position) -> Value + Sync> NaivePlacing<M> {
    fn solve(ruleset: Ruleset, moving: M) -> Self {
        let mut naive = Self { ruleset, moving, values: HashMap::new() };
        for subspace in Subspace::placing_layers(&ruleset).into_iter().rev().flatten() {
            let positions: Vec<_> = positions(ruleset.board, subspace).collect();
            let value = |sets: (Points, Points)| {
                let position = Position::of_subspace(subspace, sets.0, sets.1);
                let moves = expand(&ruleset, &position).into_iter();
                let best = moves.map(|(_, next)| naive.value(&next).before()).max();
                (sets, best.expect("a stone in hand can be placed"))
            };
            let values = positions.into_par_iter().map(value).collect();
            naive.values.insert(subspace, values);
        }
        naive
    }

    fn value(&self, position: &Position) -> Value {
        let (mover, other) = (position.mover(), position.other());
        if mover.total() < Ruleset::MIN_STONES {
            return Value::LOST;
        }
        if position.subspace().is_moving() {
            return (self.moving)(position);
        }
        let sets = canonical(self.ruleset.board, mover.board, other.board);
        self.values[&position.subspace()][&sets]
    }
}

/// The positions of a subspace up to symmetry.
fn positions(board: Board, subspace: Subspace) -> impl Iterator<Item = (Points, Points)> {
    let sets_of = move |size: u8| -> Vec<Points> {
        let masks = 0..1_u32 << board.geometry().point_count();
        masks.map(Points::from_bits).filter(|set| set.len() == size).collect()
    };
    let symmetries = board.geometry().symmetries();
    let least = move |set: Points| symmetries.canonical(set).0 == set;
    let movers: Vec<_> = sets_of(subspace.mover()).into_iter().filter(|&set| least(set)).collect();
    let others = sets_of(subspace.other());
    movers.into_iter().flat_map(move |mover| {
        let stays: Vec<_> = symmetries.stabiliser(mover).collect();
        let others = others.iter().copied().filter(|other| !other.intersects(mover));
        let first = |other: &Points| stays.iter().all(|&id| symmetries.apply(id, *other) >= *other);
        others.filter(first).map(|other| (mover, other)).collect::<Vec<_>>()
    })
}

/// Compares every entry of every subspace with stones in hand, and what its header counts.
#[track_caller]
fn assert_equal<M: Fn(&Position) -> Value + Sync>(naive: &NaivePlacing<M>, solved: &Solved) {
    for (&subspace, values) in &naive.values {
        let what = format!("{} {subspace}", naive.ruleset);
        let table = &solved.tables[&subspace];
        let wrong = |&i: &u64| {
            let position = table.position_at(Index(i));
            table.value_at(Index(i)) != naive.value(&position)
        };
        // Entries of one position among them: each is looked at.
        let wrong: Vec<_> = (0..table.index.entries()).into_par_iter().filter(wrong).collect();
        if let Some(&first) = wrong.first() {
            let position = table.position_at(Index(first));
            let (found, expected) = (table.value_at(Index(first)), naive.value(&position));
            panic!(
                "{what}: {} entries differ; {first} is {found}, not {expected}: {position:?}",
                wrong.len()
            );
        }
        let expected: Statistics = values.values().copied().collect();
        let found = &table.statistics;
        assert_eq!(table.index.positions(), expected.positions, "{what}");
        let totals = (found.positions, found.wins, found.draws, found.losses);
        let expected_totals = (expected.positions, expected.wins, expected.draws, expected.losses);
        assert_eq!(totals, expected_totals, "{what}: the header");
        assert_eq!(found.longest_win, expected.longest_win(), "{what}: the header");
        assert_eq!(found.longest_loss, expected.longest_loss(), "{what}: the header");
    }
    let placing = solved.tables.keys().filter(|subspace| !subspace.is_moving()).count();
    assert_eq!(placing, naive.values.len(), "{}", naive.ruleset);
}

/// Solves a whole game by both ways and compares everything of the placing phase. Gives the value of
/// the empty board.
#[track_caller]
fn compare(ruleset: &str) -> Value {
    let ruleset = rules(ruleset);
    let solved = Solved::new(&whole_game(&ruleset));
    let mut moving = NaiveSolver::new(ruleset);
    moving.solve_up_to(2 * ruleset.stones);
    let value = |position: &Position| moving.value(position).expect("the moving phase is solved");
    assert_equal(&NaivePlacing::solve(ruleset, value), &solved);
    solved.value(&Position::start(&ruleset)).unwrap()
}

/// The value of a position by nothing but its definition, with all that was seen on the way.
fn explore(
    ruleset: &Ruleset,
    moving: &NaiveSolver,
    seen: &mut HashMap<Position, Value>,
    position: &Position,
) -> Value {
    if let Some(value) = seen.get(position) {
        return *value;
    }
    let value = if position.mover().total() < Ruleset::MIN_STONES {
        Value::LOST
    } else if position.subspace().is_moving() {
        moving.value(position).unwrap()
    } else {
        let moves = expand(ruleset, position);
        moves.iter().map(|(_, next)| explore(ruleset, moving, seen, next).before()).max().unwrap()
    };
    seen.insert(*position, value);
    value
}

/// No use is made of symmetry or of subspaces: what play comes to is solved, and found.
#[test]
fn all_that_play_comes_to() {
    for name in ["three", "three,stones=4,flying=three"] {
        let ruleset = rules(name);
        let solved = Solved::new(&whole_game(&ruleset));
        let mut moving = NaiveSolver::new(ruleset);
        moving.solve_up_to(8);
        let mut seen = HashMap::new();
        explore(&ruleset, &moving, &mut seen, &Position::start(&ruleset));
        let mut subspaces = BTreeMap::new();
        for (position, &value) in &seen {
            if position.mover().total() < Ruleset::MIN_STONES {
                continue;
            }
            assert_eq!(solved.value(position), Some(value), "{name}: {position:?}");
            *subspaces.entry(position.subspace()).or_insert(0) += 1;
        }
        assert!(subspaces.len() > 6, "{name}: {subspaces:?}");
    }
}

#[test]
fn three_stones_on_nine_points() {
    assert_eq!(compare("three"), Value::Win(Plies(9)));
    for change in ["flying=three", "removal=free", "stones=4", "stones=4,removal=strict"] {
        compare(&format!("three,{change}"));
    }
}

/// Published: four, five and six men on two rings are drawn.
#[test]
fn two_rings() {
    for name in ["four", "five", "six"] {
        assert_eq!(compare(name), Value::Draw, "{name}");
    }
    for change in ["removal=free", "removal=strict", "flying=three"] {
        compare(&format!("four,{change}"));
    }
}

/// Seven stones are too many for the naive solver; four close every kind of mill, the two of four in a row
/// as well.
#[test]
fn two_rings_with_a_cross() {
    for change in ["", ",flying=never", ",removal=free", ",removal=strict"] {
        compare(&format!("seven,stones=4{change}"));
    }
}

/// A placing on a corner closes two mills. Each rule about what may go makes another game.
#[test]
fn two_removals_on_two_rings() {
    let mut digests_of_games = Vec::new();
    for change in ["removal=protected", "removal=free", "removal=strict"] {
        let game = format!("five,{change},double-mill=two");
        compare(&game);
        let solved = |game: &str| {
            let ruleset = rules(game);
            digests(&Scratch::new(&ruleset).solve(&whole_game(&ruleset)))
        };
        let (two, one) = (solved(&game), solved(&format!("five,{change}")));
        assert!(one.iter().any(|(subspace, digest)| two[subspace] != *digest), "{game}");
        // No slide closes two mills here.
        let moving = |(subspace, _): &(&Subspace, _)| subspace.is_moving();
        assert!(one.iter().filter(moving).eq(two.iter().filter(moving)), "{game}");
        digests_of_games.push(two);
    }
    digests_of_games.dedup();
    assert_eq!(digests_of_games.len(), 3);
}

/// Where four in a row are two mills, a slide into the row closes both.
#[test]
fn two_removals_on_two_rings_with_a_cross() {
    for change in ["flying=never", "removal=free", "removal=strict"] {
        compare(&format!("seven,stones=4,double-mill=two,{change}"));
    }
}

#[test]
fn three_stones_on_the_standard_board() {
    assert_eq!(compare("standard,stones=3").outcome(), Outcome::Win);
    compare("eleven,stones=3");
}

/// A stone in hand can keep a side from having lost, and from jumping. The moving phase, equal to the
/// naive solver's by another test, is taken from the tables.
#[test]
fn four_stones_on_the_standard_board() {
    let ruleset = rules("standard,stones=4");
    let solved = Solved::new(&whole_game(&ruleset));
    let moving = |position: &Position| solved.value(position).unwrap();
    assert_equal(&NaivePlacing::solve(ruleset, moving), &solved);
}

#[test]
fn the_same_by_any_number_of_threads_and_form_of_the_code() {
    for (name, numbers) in
        [("standard,stones=3", &[1, 2, 3][..]), ("five", &[4]), ("five,double-mill=two", &[2])]
    {
        let plan = whole_game(&rules(name));
        let expected = Scratch::new(plan.ruleset()).solve(&plan).tables;
        for processor in Processor::available() {
            for &threads in numbers {
                let scratch = Scratch::new(plan.ruleset());
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let options = Options { processor, ..options() };
                let never = AtomicBool::new(false);
                let work = || run(&scratch.folder, &plan, &options, &Silent, &never).unwrap();
                let found = pool.install(work).tables;
                assert_eq!(found, expected, "{name}, {}, {threads} threads", processor.name());
            }
        }
    }
}

#[test]
fn a_game_stopped_in_its_placing_phase() {
    let plan = whole_game(&rules("four"));
    let scratch = Scratch::new(plan.ruleset());
    let log = Log::new();
    let expected = scratch.solve_logged(&plan, &log).unwrap();
    let files = |scratch: &Scratch| -> BTreeMap<_, _> {
        scratch.files().into_iter().map(|(name, (_, bytes))| (name, bytes)).collect()
    };
    let expected_files = files(&scratch);
    let events = log.events();
    let is_placing = |event: &Event| matches!(event, Event::BeginPair(Job::Placing(_), _));
    let first = events.iter().position(is_placing).unwrap();
    // Every fifth: of the eight events of a job each kind has its turn.
    for count in (first + 1..=events.len()).step_by(5) {
        let what = format!("stopped at {:?}", events[count - 1]);
        let scratch = Scratch::new(plan.ruleset());
        let log = Log::stopping_after(count);
        let result = scratch.solve_logged(&plan, &log);
        let finished = log.ended();
        match result {
            Ok(_) => assert_eq!(finished, plan.jobs(), "{what}"),
            Err(SolverError::Interrupted) => {}
            Err(error) => panic!("{what}: {error}"),
        }
        assert_eq!(scratch.names(), names_of(&finished), "{what}");
        let log = Log::new();
        let summary = scratch.solve_logged(&plan, &log).unwrap();
        assert_eq!(log.begun(), &plan.jobs()[finished.len()..], "{what}");
        assert_eq!(summary.tables, expected.tables, "{what}");
        assert!(files(&scratch) == expected_files, "{what}: other files");
    }
}

#[test]
fn a_lost_subspace_is_made_again_alone() {
    let plan = whole_game(&rules("three"));
    let scratch = Scratch::new(plan.ruleset());
    let expected = digests(&scratch.solve(&plan));
    for subspace in subspaces_of(&plan) {
        std::fs::remove_file(scratch.folder.path_of(subspace)).unwrap();
        let log = Log::new();
        assert_eq!(digests(&scratch.solve_logged(&plan, &log).unwrap()), expected);
        assert_eq!(log.begun(), [Job::of(plan.ruleset(), subspace)]);
    }
}

/// Only what a subspace depends on is planned with it.
#[test]
fn a_part_of_the_placing_phase() {
    let ruleset = rules("five");
    let only = "4-4+1-1".parse().unwrap();
    let plan = Plan::whole_game(&ruleset, &Selection::Only(vec![only])).unwrap();
    let subspaces = subspaces_of(&plan);
    assert!(subspaces.contains(&"4-5+1-0".parse().unwrap()), "{subspaces:?}");
    assert!(!subspaces.contains(&"3-3+2-2".parse().unwrap()), "{subspaces:?}");
    let solved = Scratch::new(&ruleset).solve(&plan);
    let all = Scratch::new(&ruleset).solve(&whole_game(&ruleset));
    let all = digests(&all);
    for (subspace, digest) in digests(&solved) {
        assert_eq!(all[&subspace], digest, "{subspace}");
    }
    // The moving phase is no other by itself.
    let moving = Scratch::new(&ruleset).solve(&plan_of(&ruleset, "5-5"));
    for (subspace, digest) in digests(&moving) {
        assert_eq!(all[&subspace], digest, "{subspace}");
    }
}
