//! Positions of which some databases are missing: what can be valued is, and the rest says what it
//! lacks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use merels_core::{Outcome, Ruleset, Situation, Subspace, Value};
use merels_db::{Edition, Folder};
use merels_query::{OnTheSpot, Oracle, QueryError, Survey};
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};

/// Solves the standard game up to eight stones on the board.
fn solve(dir: &Path, edition: Edition) {
    struct Silent;
    impl Observer for Silent {}
    let rules = Ruleset::STANDARD;
    let plan = Plan::moving(&rules, &Selection::Only(vec![Subspace::moving(4, 4)])).unwrap();
    let folder = Folder::create(dir, rules, Some(edition)).unwrap();
    let options = Options { memory: 2 << 30, level: 1, processor: Processor::detect() };
    run(&folder, &plan, &options, &Silent, &AtomicBool::new(false)).unwrap();
}

fn situation(text: &str) -> Situation {
    Situation::parse(text, &Ruleset::STANDARD).unwrap()
}

fn unvalued(survey: &Survey) -> BTreeSet<String> {
    let geometry = Ruleset::STANDARD.board.geometry();
    let names = survey.unvalued().iter().map(|one| one.choice.display(geometry).to_string());
    names.collect()
}

/// White can close a mill with d7-a7, or move without one.
const MILL: &str = "w:a1,a4,d7,f4 b:b4,d5,g4,c3 move:w";

#[test]
fn a_missing_child_leaves_the_others_their_values() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), Edition::Full);
    let rules = Ruleset::STANDARD;
    let whole = Oracle::open(dir.path(), rules).unwrap();
    let complete = whole.analyse(situation(MILL)).unwrap();
    let survey = whole.survey(situation(MILL)).unwrap();
    assert!(survey.unvalued().is_empty());
    assert_eq!(survey.value(), Ok(complete.value()));
    assert_eq!((survey.choices(), survey.best()), (complete.choices(), complete.best()));
    assert_eq!(survey.classes(), complete.classes());

    // After a removal three stones are to move against four.
    fs::remove_file(dir.path().join("standard/3-4.merels")).unwrap();
    let partial = Oracle::open(dir.path(), rules).unwrap();
    let survey = partial.survey(situation(MILL)).unwrap();
    let removals = ["b4", "c3", "d5", "g4"].map(|point| format!("d7-a7x{point}"));
    assert_eq!(unvalued(&survey), BTreeSet::from(removals));
    assert_eq!(survey.value(), Ok(complete.value()));
    let kept = complete
        .choices()
        .iter()
        .filter(|ranked| survey.unvalued().iter().all(|one| one.choice != ranked.choice));
    assert!(kept.copied().eq(survey.choices().iter().copied()));
    for one in survey.unvalued() {
        assert_eq!(one.missing.subspace, Subspace::moving(3, 4));
        assert_eq!(one.missing.folder, Some(dir.path().join("standard")));
    }
    // A complete answer names what is missing.
    let error = partial.analyse(situation(MILL)).unwrap_err();
    assert!(matches!(&error, QueryError::Missing(missing) if missing.subspace.other() == 4));
    assert!(partial.line(situation(MILL), 10).is_err());

    // In the middle of the move nothing has a value.
    let pending = "w:a1,a4,a7,f4 b:b4,d5,g4,c3 move:w remove:1";
    let error = partial.survey(situation(pending)).unwrap_err();
    assert!(matches!(error, QueryError::Missing(_)), "{error}");
    assert!(whole.survey(situation(pending)).unwrap().unvalued().is_empty());
}

#[test]
fn a_missing_table_leaves_the_moves_that_others_value() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), Edition::Full);
    let rules = Ruleset::STANDARD;
    let complete = Oracle::open(dir.path(), rules).unwrap().analyse(situation(MILL)).unwrap();
    fs::remove_file(dir.path().join("standard/4-4.merels")).unwrap();
    let survey = Oracle::open(dir.path(), rules).unwrap().survey(situation(MILL)).unwrap();
    assert_eq!(survey.value().unwrap_err().subspace, Subspace::moving(4, 4));
    assert_eq!(survey.choices().len(), 4);
    for ranked in survey.choices() {
        assert!(complete.choices().contains(ranked));
    }
    assert_eq!(survey.unvalued().len() + 4, complete.choices().len());
    // Nothing is certainly best without the value of the position.
    assert!(survey.best().is_empty());
    assert!(survey.complete().is_err());
}

#[test]
fn nothing_known_is_an_error_and_so_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), Edition::Full);
    let rules = Ruleset::STANDARD;
    let start = Oracle::open(dir.path(), rules).unwrap().survey(Situation::start(&rules));
    assert!(matches!(start, Err(QueryError::Missing(_))));
    let file = dir.path().join("standard/3-4.merels");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let error = Oracle::open(dir.path(), rules).unwrap().survey(situation(MILL)).unwrap_err();
    assert!(error.to_string().contains("3-4.merels is damaged"), "{error}");
}

/// Without any database the moves that lead to small subspaces have values.
#[test]
fn what_can_be_solved_on_the_spot_is_valued() {
    let rules = Ruleset::STANDARD;
    let oracle = Oracle::new(rules, OnTheSpot::without_folder(rules));
    let nine = situation("w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w");
    let survey = oracle.survey(nine).unwrap();
    assert_eq!(survey.value().unwrap_err().subspace, Subspace::moving(5, 4));
    let values: Vec<Value> = survey.choices().iter().map(|ranked| ranked.value).collect();
    assert_eq!(values.len(), 4);
    for (ranked, value) in survey.choices().iter().zip(&values) {
        assert_eq!(oracle.value(ranked.position).unwrap().before(), *value);
    }
    assert!(values.iter().any(|value| value.outcome() != Outcome::Loss));
    assert!(survey.unvalued().iter().all(|one| one.missing.subspace == Subspace::moving(4, 5)));
}
