//! Positions without a file: solved in memory if that is little work, and refused otherwise.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Choice, KnownResult, Plies, Position, Ruleset, Situation, Subspace, Value};
use merels_db::{Edition, Folder};
use merels_query::{OnTheSpot, Oracle, QueryError, Source};
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};
use rayon::prelude::*;

fn rules(text: &str) -> Ruleset {
    text.parse().unwrap()
}

fn subspaces(names: &[&str]) -> Vec<Subspace> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// Solves into `dir`.
fn solve(dir: &Path, plan: &Plan) {
    struct Silent;
    impl Observer for Silent {}
    let folder = Folder::create(dir, *plan.ruleset(), Some(Edition::Full)).unwrap();
    let options = Options { memory: 8 << 30, level: 1, processor: Processor::detect() };
    run(&folder, plan, &options, &Silent, &AtomicBool::new(false)).unwrap();
}

/// `count` positions of a subspace in which the game is not over; the same ones every time.
fn random_positions(ruleset: &Ruleset, subspace: Subspace, count: usize) -> Vec<Position> {
    let index = SubspaceIndex::new(ruleset.board, subspace);
    let mut rng = fastrand::Rng::with_seed(7);
    std::iter::repeat_with(|| index.stones_at(Index(rng.u64(..index.entries()))))
        .map(|(mover, other)| Position::of_subspace(subspace, mover, other))
        .filter(|position| ruleset.ending(position).is_none())
        .take(count)
        .collect()
}

#[test]
fn three_mens_morris_from_nothing() {
    let rules = rules("three");
    let oracle = Oracle::without_folder(rules);
    let start = Position::start(&rules);
    let analysis = oracle.analyse(start).unwrap();
    assert_eq!(analysis.value(), Value::Win(Plies(9)));
    // The centre, four corners, four sides.
    let groups: Vec<_> = analysis.groups().map(|group| (group[0].value, group.len())).collect();
    let expected = [(Value::Win(Plies(9)), 1), (Value::Draw, 4), (Value::Loss(Plies(8)), 4)];
    assert_eq!(groups, expected);
    assert_eq!(analysis.classes(), [0, 1, 1, 1, 1, 2, 2, 2, 2]);

    let line = oracle.line(start, 0).unwrap();
    assert_eq!(line.steps.len(), 9);
    let last = line.steps.last().unwrap();
    assert_eq!(last.value, Value::LOST);
    let placed = line
        .steps
        .iter()
        .filter(|step| matches!(step.choice, Choice::Move(mv) if mv.from.is_none()));
    assert_eq!(placed.count(), 6);

    // Black's eight replies to the centre all lose, some sooner than others.
    let temptations = oracle.temptations(&analysis).unwrap();
    let after = oracle.analyse(temptations[0].choice.position).unwrap();
    assert_eq!((temptations[0].replies, after.choices().len()), (8, 8));
    let sooner = after.choices().iter().filter(|reply| reply.value < Value::Loss(Plies(8)));
    assert_eq!(temptations[0].mistakes, sooner.count());
}

/// Random games to the end. In every phase the value of a position is that of its best move
/// (`analyse` refuses anything else), and a line is as long as its value says.
#[test]
fn whole_games_from_nothing() {
    for name in ["three", "three,flying=three", "standard,stones=3", "four", "five,double-mill=two"]
    {
        let rules = rules(name);
        let oracle = Oracle::without_folder(rules);
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..20 {
            let mut situation = Situation::start(&rules);
            for _ in 0..60 {
                let analysis = oracle.analyse(situation).unwrap();
                let line = oracle.line(situation, 4).unwrap();
                if let Some(Plies(plies)) = analysis.value().distance() {
                    assert_eq!(line.steps.len(), usize::from(plies), "{name}");
                }
                let Some(next) = rng.choice(analysis.choices()) else { break };
                assert_eq!(oracle.value(next.position).unwrap().before(), next.value);
                situation = situation.after(&next.choice);
            }
        }
    }
}

/// The known results of small games are right.
#[test]
fn known_results_are_found_again() {
    let mut found = 0;
    for (rules, known) in KnownResult::all() {
        let oracle = Oracle::without_folder(rules);
        // The large games are not solved on the spot.
        let Ok(value) = oracle.value(Position::start(&rules)) else { continue };
        assert_eq!(value, known.value, "{rules}");
        assert!(known.evidence.is_computed(), "{rules}");
        found += 1;
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn the_small_end_of_the_standard_game() {
    let rules = Ruleset::STANDARD;
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), &Plan::moving(&rules, &Selection::UpTo(8)).unwrap());
    let files = Oracle::open(dir.path(), rules).unwrap();
    let memory = Oracle::without_folder(rules);
    for name in ["3-3", "4-4", "3-5", "5-3", "3-4", "4-3"] {
        for position in random_positions(&rules, name.parse().unwrap(), 500) {
            assert_eq!(memory.value(position).unwrap(), files.value(position).unwrap(), "{name}");
        }
    }
    let all = subspaces(&["3-3", "3-4", "3-5", "4-3", "4-4", "5-3"]);
    assert_eq!(memory.source().solved(), all);

    // Too much: no solve begins.
    let nine = random_positions(&rules, Subspace::moving(5, 4), 1)[0];
    let error = memory.value(nine).unwrap_err();
    assert_eq!(error.to_string(), "there is no database for 5-4 yet");
    let error = memory.value(Position::start(&rules)).unwrap_err();
    assert!(matches!(error, QueryError::Missing(_)), "{error}");
    assert_eq!(memory.source().solved(), all);

    // A folder without some of the files: these subspaces are solved again, and no others.
    for lost in ["3-4", "4-4"] {
        fs::remove_file(dir.path().join(format!("standard/{lost}.merels"))).unwrap();
    }
    let mixed = Oracle::open_or_solve(dir.path(), rules).unwrap();
    for name in ["3-3", "4-3"] {
        random_positions(&rules, name.parse().unwrap(), 50).into_iter().for_each(|position| {
            assert_eq!(mixed.value(position).unwrap(), memory.value(position).unwrap());
        });
    }
    assert!(mixed.source().solved().is_empty());
    let edition_of = |name: &str| mixed.source().edition_of(name.parse().unwrap());
    assert_eq!(edition_of("3-3"), Some(Edition::Full));
    assert_eq!(edition_of("4-4"), None);
    for position in random_positions(&rules, Subspace::moving(4, 4), 500) {
        assert_eq!(mixed.value(position).unwrap(), memory.value(position).unwrap());
    }
    assert_eq!(mixed.source().solved(), subspaces(&["3-4", "4-3", "4-4"]));
    assert_eq!((edition_of("4-4"), edition_of("3-5")), (None, Some(Edition::Full)));
    assert_eq!(memory.source().edition_of(Subspace::moving(3, 3)), None);
}

#[test]
fn a_missing_subspace_with_stones_in_hand() {
    let rules = rules("standard,stones=3");
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), &Plan::whole_game(&rules, &Selection::All).unwrap());
    let start = Position::start(&rules);
    fs::remove_file(dir.path().join("standard,stones=3/0-0+3-3.merels")).unwrap();
    let missing = Oracle::open(dir.path(), rules).unwrap().value(start).unwrap_err();
    assert!(matches!(missing, QueryError::Missing(_)), "{missing}");
    // Existing files are not solved again, so a small limit suffices.
    let source = OnTheSpot::open(dir.path(), rules, 16).unwrap().with_most_entries(1);
    let oracle = Oracle::new(rules, source);
    assert_eq!(oracle.value(start).unwrap(), Value::Win(Plies(23)));
    assert_eq!(oracle.source().solved(), subspaces(&["0-0+3-3"]));
}

/// A refusal of a subspace is computed once, not for each of its positions.
#[test]
fn many_positions_of_a_missing_subspace_are_refused_at_once() {
    let rules = Ruleset::STANDARD;
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), &Plan::moving(&rules, &Selection::UpTo(6)).unwrap());
    let some = Oracle::open_or_solve(dir.path(), rules).unwrap();
    for oracle in [some, Oracle::without_folder(rules)] {
        for name in ["1-2+8-7", "9-9"] {
            let positions = random_positions(&rules, name.parse().unwrap(), 4000);
            let positions: Vec<_> =
                positions.into_iter().filter_map(|p| Situation::new(p, &rules).ok()).collect();
            let before = Instant::now();
            for value in oracle.values(&positions) {
                let error = value.unwrap_err();
                assert!(matches!(error, QueryError::Missing(_)), "{error}");
            }
            // Milliseconds for each would add up to some ten seconds.
            assert!(before.elapsed() < Duration::from_secs(3), "{name}: {:?}", before.elapsed());
        }
    }
}

/// A refusal ends soon after new tables leave less to solve.
#[test]
fn tables_that_are_made_later_are_noticed() {
    let rules = Ruleset::STANDARD;
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), &Plan::moving(&rules, &Selection::UpTo(6)).unwrap());
    let source = OnTheSpot::open(dir.path(), rules, 16).unwrap().with_most_entries(4_000_000);
    let oracle = Oracle::new(rules, source);
    let position = random_positions(&rules, Subspace::moving(4, 4), 1)[0];
    assert!(matches!(oracle.value(position), Err(QueryError::Missing(_))));
    solve(dir.path(), &Plan::moving(&rules, &Selection::UpTo(7)).unwrap());
    std::thread::sleep(Duration::from_millis(1100));
    oracle.value(position).unwrap();
    assert_eq!(oracle.source().solved(), subspaces(&["4-4"]));
}

#[test]
fn memory_is_bounded() {
    let rules = Ruleset::STANDARD;
    let source = OnTheSpot::without_folder(rules).with_most_entries(8_000_000);
    let oracle = Oracle::new(rules, source);
    let ask = |name: &str| oracle.value(random_positions(&rules, name.parse().unwrap(), 1)[0]);
    ask("4-4").unwrap();
    assert_eq!(oracle.source().solved(), subspaces(&["3-3", "3-4", "4-3", "4-4"]));
    // 11.6 million together: the first ones are dropped.
    ask("3-5").unwrap();
    assert_eq!(oracle.source().solved(), subspaces(&["3-3", "3-4", "3-5", "4-3", "5-3"]));
    let none = Oracle::new(rules, OnTheSpot::without_folder(rules).with_most_entries(200_000));
    let position = random_positions(&rules, Subspace::moving(3, 3), 1)[0];
    assert!(matches!(none.value(position), Err(QueryError::Missing(_))));
}

/// All threads of a pool need unsolved subspaces. A waiting thread must not take up a task that
/// waits for it.
#[test]
fn many_threads_at_once() {
    let rules = rules("standard,stones=3");
    let oracle = Oracle::without_folder(rules);
    let value_after_six_plies = |oracle: &Oracle<OnTheSpot>, seed: u32| {
        let mut rng = fastrand::Rng::with_seed(seed.into());
        let mut position = Position::start(&rules);
        for _ in 0..6 {
            let Some(next) = rng.choice(rules.legal_moves(&position)) else { break };
            position = next.apply(&position);
        }
        oracle.value(position).unwrap()
    };
    let seeds = (0..200).into_par_iter().with_max_len(1);
    let values: Vec<_> = seeds.map(|seed| value_after_six_plies(&oracle, seed)).collect();
    let again = Oracle::without_folder(rules);
    let expected: Vec<_> = (0..200).map(|seed| value_after_six_plies(&again, seed)).collect();
    assert_eq!(values, expected);
}

#[test]
fn the_folder_is_known_before_it_exists() {
    let source = OnTheSpot::without_folder(rules("six"));
    assert_eq!(source.folder(), Some("db/six".into()));
    let source = OnTheSpot::open(Path::new("/nowhere"), Ruleset::STANDARD, 16).unwrap();
    assert_eq!(source.folder(), Some("/nowhere/standard".into()));
    assert!(source.tables().is_none());
}
