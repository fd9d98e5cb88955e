//! Runs that are stopped or killed, or that find some of their files: they solve nothing twice,
//! leave no unfinished file under a final name, and end with the same files.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use common::{
    Event, Log, Scratch, digests, names_of, options, plan_of, plan_up_to, rules, subspaces_of,
};
use merels_core::numbering::{Codes, SubspaceIndex, ValueCode};
use merels_core::{Plies, Ruleset, Subspace};
use merels_db::{DbError, Distribution, Table, TableInfo, TableKind, TableSpec, TableWriter};
use merels_solver::{Job, Plan, SolverError, Stage, run};

/// A small game with several pairs.
fn small_plan() -> Plan {
    plan_up_to(&rules("six,stones=4"), 8)
}

#[track_caller]
fn pair_of(subspace: &str) -> Job {
    Job::of(small_plan().ruleset(), subspace.parse().unwrap())
}

/// The results of a run without interruption.
struct Expected {
    plan: Plan,
    tables: Vec<TableInfo>,
    contents: BTreeMap<String, Vec<u8>>,
    events: Vec<Event>,
}

fn times(scratch: &Scratch) -> BTreeMap<String, SystemTime> {
    scratch.files().into_iter().map(|(name, (time, _))| (name, time)).collect()
}

impl Expected {
    fn of(plan: Plan) -> Self {
        let scratch = Scratch::new(plan.ruleset());
        let log = Log::new();
        let tables = scratch.solve_logged(&plan, &log).unwrap().tables;
        Self { plan, tables, contents: scratch.contents(), events: log.events() }
    }

    /// Runs the plan again over the contents of `scratch`. Checks that the run works on `missing`
    /// only, leaves the files of other pairs alone, and ends as expected.
    #[track_caller]
    fn resume(&self, scratch: &Scratch, missing: &[Job]) {
        let before = times(scratch);
        let log = Log::new();
        let summary = scratch.solve_logged(&self.plan, &log).unwrap();
        let entries = missing.iter().map(|job| job.entries(self.plan.ruleset())).sum();
        let begin = Event::Begin(missing.to_vec(), entries);
        assert!(log.events().contains(&begin), "{missing:?}: {:?}", log.events());
        assert_eq!(log.begun(), missing);
        assert_eq!(log.ended(), missing);
        let solved: Vec<_> = summary.solved.iter().map(|&(pair, _)| pair).collect();
        assert_eq!(solved, missing);
        assert_eq!(summary.tables, self.tables);
        assert!(scratch.contents() == self.contents, "other files than without interruption");
        let after = times(scratch);
        for (name, time) in before {
            assert_eq!(after[&name], time, "{name} was written again");
        }
        for info in &self.tables {
            let table = scratch.folder.open_table(info.subspace).unwrap();
            table.check_digest().unwrap();
        }
        let manifest = scratch.folder.load_manifest().unwrap();
        assert_eq!(manifest.len(), self.tables.len());
        assert!(self.tables.iter().all(|info| manifest.get(info.subspace) == Some(info)));
    }

    /// Stops a run at its event number `count`, checks the folder, and resumes.
    #[track_caller]
    fn stop_and_resume(&self, count: usize) {
        let scratch = Scratch::new(self.plan.ruleset());
        let log = Log::stopping_after(count);
        let result = scratch.solve_logged(&self.plan, &log);
        let events = log.events();
        let (before, after) = events.split_at(count);
        let what = format!("stopped at {:?}", before[count - 1]);
        let finished = log.ended();
        match result {
            Ok(_) => assert_eq!(finished, self.plan.jobs(), "{what}"),
            Err(SolverError::Interrupted) => {}
            Err(error) => panic!("{what}: {error}"),
        }
        // The run stops at the next opportunity: no other pair, no other layer.
        let works_on = |event: &Event| matches!(event, Event::BeginPair(..) | Event::Layer(..));
        assert!(!after.iter().any(works_on), "{what}, and then came {after:?}");
        assert_eq!(scratch.names(), names_of(&finished), "{what}");
        let unfinished = &self.plan.jobs()[finished.len()..];
        assert!(self.plan.jobs().starts_with(&finished), "{what}");
        self.resume(&scratch, unfinished);
    }
}

#[test]
fn the_calls_of_an_observer() {
    let expected = Expected::of(small_plan());
    let mut events = expected.events.iter();
    let pairs = expected.plan.jobs().to_vec();
    let ruleset = *expected.plan.ruleset();
    let entries = pairs.iter().map(|job| job.entries(&ruleset)).sum();
    assert_eq!(events.next(), Some(&Event::Stage(Stage::CheckFiles)));
    assert_eq!(events.next(), Some(&Event::Begin(pairs.clone(), entries)));
    let events: Vec<_> = events.cloned().collect();
    let parts: Vec<_> = events.split_inclusive(|e| matches!(e, Event::EndPair(_))).collect();
    assert_eq!(parts.len(), pairs.len());
    for (&pair, events) in pairs.iter().zip(parts) {
        let entries = pair.entries(&ruleset);
        assert_eq!(events.first(), Some(&Event::BeginPair(pair, entries)));
        assert_eq!(events.last(), Some(&Event::EndPair(pair)));
        let mut stages = Vec::new();
        let (mut layers, mut written) = (Vec::new(), Vec::new());
        for event in events {
            match *event {
                Event::Stage(stage) if !stages.contains(&stage) => stages.push(stage),
                Event::Layer(distance, decided) => layers.push((distance, decided)),
                Event::Written(entries) => written.push(entries),
                _ => {}
            }
        }
        use Stage::{Begin, Check, Count, Layers, Load, Write};
        assert_eq!(stages, [Load, Begin, Layers, Check, Count, Write], "{pair}");
        let distances: Vec<_> = layers.iter().map(|&(distance, _)| distance).collect();
        let in_order: Vec<_> = (0..).take(layers.len()).map(Plies).collect();
        assert_eq!(distances, in_order, "{pair}");
        assert!(layers.is_sorted_by_key(|&(_, decided)| decided), "{pair}: {layers:?}");
        assert!(layers.last().is_some_and(|&(_, decided)| decided <= entries), "{pair}");
        assert!(written.is_sorted() && written.last() == Some(&entries), "{pair}: {written:?}");
    }
}

#[test]
fn a_small_game_stopped_at_every_event() {
    let expected = Expected::of(small_plan());
    let is_layer = |event: &Event| matches!(event, Event::Layer(..));
    let mut layers = 0;
    for (i, event) in expected.events.iter().enumerate() {
        // Some of the layers: the run does the same between all of them.
        layers += usize::from(is_layer(event));
        if !is_layer(event) || layers % 4 == 1 {
            expected.stop_and_resume(i + 1);
        }
    }
    assert!(layers > 20);
}

#[test]
fn the_standard_game_stopped_in_its_second_pair() {
    let expected = Expected::of(plan_up_to(&Ruleset::STANDARD, 7));
    let second = expected.plan.jobs()[1];
    let number_of = |wanted: &dyn Fn(&Event) -> bool| {
        let start = expected
            .events
            .iter()
            .position(|e| matches!(e, Event::BeginPair(p, _) if *p == second));
        let start = start.unwrap();
        start + expected.events[start..].iter().position(wanted).unwrap() + 1
    };
    expected.stop_and_resume(number_of(
        &|event| matches!(event, Event::Layer(plies, _) if *plies == Plies(20)),
    ));
    expected.stop_and_resume(number_of(&|event| *event == Event::Stage(Stage::Write)));
}

#[test]
fn a_run_that_is_to_stop_before_it_starts() {
    let plan = small_plan();
    let scratch = Scratch::new(plan.ruleset());
    let stopped = run(&scratch.folder, &plan, &options(), &(), &AtomicBool::new(true));
    assert!(matches!(stopped, Err(SolverError::Interrupted)));
    assert!(scratch.names().is_empty());
}

#[test]
fn what_is_there_is_not_solved_again() {
    let expected = Expected::of(small_plan());
    let scratch = Scratch::new(expected.plan.ruleset());
    // A part of the plan first, as a run of its own.
    let part = plan_of(expected.plan.ruleset(), "3-4");
    scratch.solve(&part);
    assert_eq!(scratch.names(), names_of(part.jobs()));
    expected.resume(&scratch, &[pair_of("4-4")]);
    expected.resume(&scratch, &[]);
    // The manifest can be lost, too.
    fs::remove_file(scratch.folder.manifest_path()).unwrap();
    expected.resume(&scratch, &[]);
}

/// A run that was killed after the first of two files had its final name, before the manifest
/// listed it.
#[test]
fn a_run_killed_between_the_files_of_a_pair() {
    let expected = Expected::of(small_plan());
    let scratch = Scratch::new(expected.plan.ruleset());
    scratch.solve(&plan_of(expected.plan.ruleset(), "3-3"));
    let manifest = fs::read(scratch.folder.manifest_path()).unwrap();
    scratch.solve(&expected.plan);
    for name in ["3-4", "4-4"] {
        fs::remove_file(scratch.folder.path_of(name.parse().unwrap())).unwrap();
    }
    fs::write(scratch.folder.manifest_path(), manifest).unwrap();
    let path = scratch.folder.path_of("4-3".parse().unwrap());
    let kept = fs::metadata(path).unwrap().modified().unwrap();
    expected.resume(&scratch, &[pair_of("4-3"), pair_of("4-4")]);
    assert_eq!(times(&scratch)["4-3.merels"], kept);
}

#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let plan = small_plan();
    let scratch = Scratch::new(plan.ruleset());
    fs::write(scratch.folder.path().join(".tmp-half"), b"half a table").unwrap();
    scratch.solve(&plan);
    assert_eq!(scratch.names(), names_of(plan.jobs()));
}

#[test]
fn any_one_file_that_is_lost_is_made_again() {
    let expected = Expected::of(small_plan());
    let scratch = Scratch::new(expected.plan.ruleset());
    scratch.solve(&expected.plan);
    for subspace in subspaces_of(&expected.plan) {
        fs::remove_file(scratch.folder.path_of(subspace)).unwrap();
        expected.resume(&scratch, &[Job::of(expected.plan.ruleset(), subspace)]);
    }
}

/// Replaces the table of `subspace` by one in which everything is drawn.
fn make_up(scratch: &Scratch, subspace: Subspace) -> TableInfo {
    let entries = SubspaceIndex::new(scratch.folder.ruleset().board, subspace).entries();
    let spec = TableSpec { subspace, level: TableSpec::DEFAULT_LEVEL, kind: TableKind::Final };
    let mut writer = TableWriter::create(&scratch.folder, spec).unwrap();
    let draws = vec![ValueCode::DRAW.byte(); entries as usize];
    writer.write_slices(Codes::near(&draws)).unwrap();
    writer.finish(Distribution::of(Codes::near(&draws))).unwrap().publish().unwrap()
}

#[test]
fn a_kept_file_that_is_another_table_is_an_error() {
    let expected = Expected::of(small_plan());
    for (lost, kept) in [("3-4", "4-3"), ("4-3", "3-4")] {
        let scratch = Scratch::new(expected.plan.ruleset());
        scratch.solve(&expected.plan);
        let [lost, kept] = [lost, kept].map(|name| name.parse::<Subspace>().unwrap());
        let info = make_up(&scratch, kept);
        // The manifest lists another table.
        let error = scratch.solve_logged(&expected.plan, &Log::new()).unwrap_err();
        assert!(matches!(error, SolverError::Db(DbError::Disagreement { .. })), "{error}");
        // Now it lists this one, but the pair comes out different.
        scratch.folder.record(&[info]).unwrap();
        fs::remove_file(scratch.folder.path_of(lost)).unwrap();
        let before = scratch.contents();
        let log = Log::new();
        let error = scratch.solve_logged(&expected.plan, &log).unwrap_err();
        let SolverError::Differs { subspace, path } = &error else { panic!("{error}") };
        assert_eq!((*subspace, path), (kept, &scratch.folder.path_of(kept)));
        assert_eq!(log.begun(), [Job::of(expected.plan.ruleset(), kept)]);
        assert!(log.ended().is_empty());
        assert!(scratch.contents() == before, "something was written");
        // The advice of the message helps.
        fs::remove_file(scratch.folder.path_of(kept)).unwrap();
        expected.resume(&scratch, &[Job::of(expected.plan.ruleset(), kept)]);
    }
}

#[test]
fn damage_is_found_before_any_work() {
    let expected = Expected::of(small_plan());
    let scratch = Scratch::new(expected.plan.ruleset());
    scratch.solve(&plan_of(expected.plan.ruleset(), "4-3"));
    let path = scratch.folder.path_of("3-3".parse().unwrap());
    let sound = fs::read(&path).unwrap();
    let mut altered = sound.clone();
    *altered.last_mut().unwrap() ^= 1;
    for damaged in [&altered[..], &sound[..sound.len() - 1], &sound[..100], b""] {
        fs::write(&path, damaged).unwrap();
        let log = Log::new();
        let error = scratch.solve_logged(&expected.plan, &log).unwrap_err();
        assert!(matches!(error, SolverError::Db(_)), "{error}");
        assert!(error.to_string().contains("3-3.merels"), "{error}");
        assert!(log.begun().is_empty());
    }
    fs::write(&path, &sound).unwrap();
    expected.resume(&scratch, &[pair_of("4-4")]);
}

#[test]
fn summaries_list_the_plan_in_its_order() {
    let plan = small_plan();
    let scratch = Scratch::new(plan.ruleset());
    let first = scratch.solve(&plan);
    let again = scratch.solve(&plan);
    let listed: Vec<_> = first.tables.iter().map(|info| info.subspace).collect();
    assert_eq!(listed, subspaces_of(&plan));
    assert_eq!(first.tables, again.tables);
    assert!(again.solved.is_empty());
    // A smaller plan in the same folder lists its own tables only.
    let part = scratch.solve(&plan_of(plan.ruleset(), "3-3"));
    assert_eq!(
        digests(&part).into_iter().collect::<Vec<_>>(),
        [(Subspace::moving(3, 3), first.tables[0].digest)]
    );
    for info in &first.tables {
        let table: Table = scratch.folder.open_table(info.subspace).unwrap();
        assert_eq!(table.info(), *info);
    }
}
