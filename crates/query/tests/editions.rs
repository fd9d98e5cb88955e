//! Folders of all editions return the same answers, as far as they keep them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use merels_core::numbering::{Index, SubspaceIndex};
use merels_core::{Outcome, Position, Ruleset, Situation, Subspace, Value};
use merels_db::{Edition, Folder, TableSpec};
use merels_query::{LineEnd, OnTheSpot, Oracle};
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};

struct Silent;

impl Observer for Silent {}

fn solve(dir: &Path, rules: Ruleset, edition: Edition) -> Oracle {
    let plan = Plan::whole_game(&rules, &Selection::All).unwrap();
    let folder = Folder::create(dir, rules, Some(edition)).unwrap();
    let level = TableSpec::DEFAULT_LEVEL;
    let options = Options { memory: 1 << 30, level, processor: Processor::detect() };
    run(&folder, &plan, &options, &Silent, &AtomicBool::new(false)).unwrap();
    assert_eq!(folder.work_tables_present().unwrap(), []);
    Oracle::open(dir, rules).unwrap()
}

/// Positions of every subspace of a game, spread over its entries.
fn positions(rules: &Ruleset) -> Vec<Position> {
    let moving = Subspace::all_moving(rules).into_iter();
    let all = moving.chain(Subspace::placing_layers(rules).concat());
    let of_subspace = |subspace| {
        let index = SubspaceIndex::new(rules.board, subspace);
        let step = 1 + index.entries() as usize / 60;
        let at = move |i| {
            let (mover, other) = index.stones_at(Index(i));
            Position::of_subspace(subspace, mover, other)
        };
        (0..SubspaceIndex::new(rules.board, subspace).entries()).step_by(step).map(at)
    };
    all.flat_map(of_subspace).filter(|position| position.check(rules).is_ok()).collect()
}

#[test]
fn all_editions_answer_alike() {
    answer_alike(&[
        "standard,stones=3",
        "six,stones=4",
        "three",
        "five,double-mill=two",
        "four,placing=mixed",
        "three,placing=mixed,flying=three",
    ]);
}

fn answer_alike(games: &[&str]) {
    for name in games {
        let rules: Ruleset = name.parse().unwrap();
        let dirs = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let editions = [Edition::Full, Edition::Compact, Edition::Outcome];
        let [full, compact, outcome] = [0, 1, 2].map(|i| solve(dirs[i].path(), rules, editions[i]));
        let positions = positions(&rules);
        assert!(positions.len() > 100);
        let all = positions.iter();
        let together: Vec<_> = all.map(|&p| Situation::new(p, &rules).unwrap()).collect();
        for oracle in [&full, &compact, &outcome] {
            for (value, situation) in oracle.values(&together).into_iter().zip(&together) {
                assert_eq!(value.unwrap(), oracle.value(*situation).unwrap(), "{situation:?}");
            }
        }
        for position in positions {
            let exact = full.value(position).unwrap();
            assert_eq!(compact.value(position).unwrap(), exact, "{rules} {position:?}");
            let known = outcome.value(position).unwrap();
            assert!(known.agrees_with(exact), "{rules} {position:?}: {known}, not {exact}");
            let [exact, same, known] =
                [&full, &compact, &outcome].map(|oracle| oracle.analyse(position).unwrap());
            assert_eq!(exact.choices(), same.choices());
            assert!(known.value().agrees_with(exact.value()));
            for choice in known.choices() {
                let exact = exact.choices().iter().find(|exact| exact.choice == choice.choice);
                assert!(choice.value.agrees_with(exact.unwrap().value), "{rules} {position:?}");
            }
        }
    }
}

#[test]
fn what_is_only_counted_is_refused_and_the_rest_is_exact() {
    let rules: Ruleset = "standard,stones=4".parse().unwrap();
    let dirs = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let full = solve(dirs[0].path(), rules, Edition::Full);
    let counted = solve(dirs[1].path(), rules, Edition::Statistics);
    let not_kept = Subspace::moving(4, 4);
    let positions = positions(&rules);
    let all = positions.iter();
    let together: Vec<_> = all.map(|&p| Situation::new(p, &rules).unwrap()).collect();
    let mut refused = 0;
    for (position, value) in positions.iter().zip(counted.values(&together)) {
        match (counted.value(*position), value) {
            (Ok(value), Ok(together)) => {
                assert_eq!((value, together), (full.value(*position).unwrap(), value));
                assert!(position.subspace() != not_kept || rules.ending(position).is_some());
            }
            (Err(alone), Err(together)) => {
                assert_eq!(
                    (position.subspace(), alone.to_string()),
                    (not_kept, together.to_string())
                );
                let expected = "the values of 4-4 are not kept in ";
                assert!(alone.to_string().starts_with(expected), "{alone}");
                refused += 1;
            }
            (alone, together) => panic!("{position:?}: {alone:?}, but {together:?}"),
        }
    }
    assert!(refused > 10);

    // Small subspaces are solved on the spot; for others the refusal is the same.
    let position = positions.iter().find(|position| position.subspace() == not_kept).unwrap();
    let oracle = Oracle::open_or_solve(dirs[1].path(), rules).unwrap();
    assert_eq!(oracle.source().edition_of(not_kept), None);
    assert_eq!(oracle.value(*position).unwrap(), full.value(*position).unwrap());
    let source = OnTheSpot::open(dirs[1].path(), rules, 16).unwrap().with_most_entries(1_000_000);
    let refusal = Oracle::new(rules, source).value(*position).unwrap_err().to_string();
    assert_eq!(refusal, counted.value(*position).unwrap_err().to_string());
}

#[test]
fn without_distances_a_line_ends_all_the_same() {
    let rules: Ruleset = "standard,stones=3".parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let oracle = solve(dir.path(), rules, Edition::Outcome);
    let line = oracle.line(Position::start(&rules), 30).unwrap();
    assert_eq!((line.value.outcome(), line.value.distance()), (Outcome::Win, None));
    assert!(line.steps.len() <= 30);
    assert!(matches!(line.end, LineEnd::Over | LineEnd::Repeats | LineEnd::Cut));
    for (i, step) in line.steps.iter().enumerate() {
        let expected = if i % 2 == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(step.value.outcome(), expected);
        assert_ne!(step.value, Value::Draw);
    }
}

#[test]
fn what_cannot_be_read_concerns_only_those_who_need_it() {
    let rules: Ruleset = "standard,stones=4".parse().unwrap();
    let dir = tempfile::tempdir().unwrap();
    drop(solve(dir.path(), rules, Edition::Compact));
    let folder = Folder::open(dir.path(), rules).unwrap();
    // One table is gone; another one has a damaged block.
    let (gone, damaged) = (Subspace::moving(3, 3), Subspace::moving(3, 4));
    std::fs::remove_file(folder.path_of(gone)).unwrap();
    let mut bytes = std::fs::read(folder.path_of(damaged)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.path_of(damaged), bytes).unwrap();
    let oracle = Oracle::open(dir.path(), rules).unwrap();
    let all = positions(&rules).into_iter();
    let positions: Vec<_> = all.map(|p| Situation::new(p, &rules).unwrap()).collect();
    let (mut values, mut refusals) = (0, 0);
    for (together, situation) in oracle.values(&positions).into_iter().zip(&positions) {
        match (together, oracle.value(*situation)) {
            (Ok(together), Ok(alone)) => {
                assert_eq!(together, alone);
                values += 1;
            }
            (Err(together), Err(alone)) => {
                assert_eq!(together.to_string(), alone.to_string());
                refusals += 1;
            }
            (together, alone) => panic!("{situation:?}: {together:?}, but {alone:?}"),
        }
    }
    assert!(values > 50 && refusals > 50, "{values} {refusals}");
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn all_editions_answer_alike() {
        answer_alike(&[
            "standard,stones=4",
            "six",
            "no-flying,stones=4",
            "eleven,stones=3",
            "seven,stones=5",
            "lasker,stones=3",
        ]);
    }
}
