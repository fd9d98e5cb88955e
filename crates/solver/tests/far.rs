//! Values beyond the distances of one byte, in folders.
//!
//! No small game has them. So the test makes up the values of the smallest subspace, and checks
//! what is solved from it by plain moves.

mod common;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use common::{Log, Random, Scratch, plan_of, rules, subspaces_of};
use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex};
use merels_core::{Plies, Points, Position, Ruleset, Subspace, Value};
use merels_db::{
    DbError, Distribution, Edition, Folder, Statistics, TableInfo, TableKind, TableSpec,
    TableWriter,
};
use merels_solver::{
    Known, Plan, Processor, Selection, SolverError, far_memory_of, memory_of, solve_in_memory,
};
use rayon::prelude::*;

const MADE_UP: Subspace = Subspace::moving(3, 3);

/// A value that all images of a position share.
fn made_up(ruleset: &Ruleset, mover: Points, other: Points) -> Value {
    let symmetries = ruleset.board.geometry().symmetries().iter();
    let images = symmetries.map(|(_, s)| (s.apply_set(mover).bits(), s.apply_set(other).bits()));
    let (mover, other) = images.min().unwrap();
    let mut random = Random(u64::from(mover) << 32 | u64::from(other));
    let late = 2 * random.below(40) as u16;
    match random.below(10) {
        0..3 => Value::Loss(Plies(300 + late)),
        3..5 => Value::Win(Plies(301 + late)),
        5 => Value::Draw,
        6 => Value::Loss(Plies(252)),
        7 => Value::Win(Plies(253)),
        8 => Value::Loss(Plies(248 + late % 4)),
        _ => Value::Win(Plies(1 + late)),
    }
}

/// A folder with the made-up table.
fn folder(ruleset: &Ruleset, edition: Edition) -> Scratch {
    let scratch = Scratch::of_edition(ruleset, edition);
    let index = SubspaceIndex::new(ruleset.board, MADE_UP);
    let codes = (0..index.entries()).map(|i| {
        let (mover, other) = index.stones_at(Index(i));
        FarCodes::FILES.codes_of(made_up(ruleset, mover, other)).unwrap()
    });
    let (near, far): (Vec<_>, Vec<_>) = codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
    let codes = Codes { near, far: Some(far) };
    let spec = TableSpec { subspace: MADE_UP, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&scratch.folder, spec).unwrap();
    writer.write_slices(codes.slices()).unwrap();
    let pending = writer.finish(Distribution::of(codes.slices())).unwrap();
    scratch.folder.record(&[pending.publish().unwrap()]).unwrap();
    scratch
}

/// All values of solved subspaces in a folder of the edition `full`.
fn read(
    scratch: &Scratch,
    subspaces: Vec<Subspace>,
) -> BTreeMap<Subspace, (SubspaceIndex, Vec<Value>)> {
    let read = |subspace| {
        let index = SubspaceIndex::new(scratch.folder.ruleset().board, subspace);
        let table = scratch.folder.open_table(subspace).unwrap();
        let mut codes = table.buffers(index.entries() as usize);
        table.decode_all(codes.slices_mut()).unwrap();
        let values = (0..codes.near.len()).map(|i| codes.at(i).unwrap().value());
        (subspace, (index, values.collect()))
    };
    subspaces.into_iter().map(read).collect()
}

/// Compares samples of all subspaces, apart from the made-up one, with the values after their
/// moves.
#[track_caller]
fn check(scratch: &Scratch, plan: &Plan) -> BTreeMap<Subspace, Plies> {
    let ruleset = plan.ruleset();
    let tables = read(scratch, subspaces_of(plan));
    let value_of = |position: &Position| {
        ruleset.ending(position).unwrap_or_else(|| {
            let (index, values) = &tables[&position.subspace()];
            let at = index.index_of(position.mover().board, position.other().board);
            values[at.0 as usize]
        })
    };
    let mut longest = BTreeMap::new();
    let mut random = Random(7);
    for (&subspace, (index, values)) in &tables {
        let last = values.iter().filter_map(|value| value.distance()).max();
        longest.extend(last.map(|plies| (subspace, plies)));
        let samples = if subspace == MADE_UP { 0 } else { 30_000 };
        for _ in 0..samples {
            let i = Index(random.below(index.entries()));
            let (mover, other) = index.stones_at(i);
            let position = Position::of_subspace(subspace, mover, other);
            let best = ruleset.ending(&position).or_else(|| {
                let moves = ruleset.legal_moves(&position);
                moves.iter().map(|mv| value_of(&mv.apply(&position)).before()).max()
            });
            assert_eq!(Some(values[i.0 as usize]), best, "{ruleset} {subspace} {position:?}");
        }
    }
    longest
}

fn sums(tables: &[TableInfo]) -> Vec<(Subspace, String)> {
    let sum = |info: &TableInfo| {
        let far = info.far;
        (info.subspace, format!("{} {far:?} {}", info.digest, info.statistics))
    };
    tables.iter().map(sum).collect()
}

/// Solves `plan` in folders of all editions, in runs of `stop_after` events, and compares the
/// results.
#[track_caller]
fn in_all_editions(plan: &Plan, stop_after: usize) -> BTreeMap<Subspace, Plies> {
    let scratch = folder(plan.ruleset(), Edition::Full);
    let tables = scratch.solve(plan).tables;
    let longest = check(&scratch, plan);
    for info in &tables {
        let is_far = longest.get(&info.subspace).is_some_and(|&plies| plies >= Plies(254));
        assert_eq!(info.far.is_some(), is_far, "{}", info.subspace);
        let statistics = &info.statistics;
        let last = statistics.longest_win.max(statistics.longest_loss);
        assert_eq!(last, longest.get(&info.subspace).copied(), "{}", info.subspace);
    }
    let expected = sums(&tables);
    for edition in [Edition::Compact, Edition::Statistics] {
        let scratch = folder(plan.ruleset(), edition);
        let mut stops = 0;
        let summary = loop {
            match scratch.solve_logged(plan, &Log::stopping_after(stop_after)) {
                Ok(summary) => break summary,
                Err(SolverError::Interrupted) => stops += 1,
                Err(error) => panic!("{edition}: {error}"),
            }
        };
        assert!(stops > 0, "{edition}");
        assert_eq!(sums(&summary.tables), expected, "{edition}");
        for subspace in subspaces_of(plan) {
            scratch.folder.open_table(subspace).unwrap().check_digest().unwrap();
        }
        for subspace in scratch.folder.work_tables_present().unwrap() {
            let table = scratch.folder.map_work_table(subspace).unwrap();
            assert_eq!(table.has_far_codes(), longest[&subspace] >= Plies(254), "{subspace}");
        }
    }
    longest
}

#[test]
fn pairs() {
    let plan = plan_of(&rules("standard,stones=5"), "4-4");
    // More than the layers of any pair.
    let longest = in_all_editions(&plan, 450);
    // 4-3 leads to the made-up table through 3-4 only.
    assert!(longest[&"3-4".parse().unwrap()] > Plies(253), "{longest:?}");
    assert!(longest.values().filter(|plies| **plies > Plies(253)).count() > 2, "{longest:?}");
}

#[test]
fn placings() {
    let plan = Plan::whole_game(&rules("standard,stones=3"), &Selection::All).unwrap();
    let longest = in_all_editions(&plan, 30);
    assert!(longest.len() == 7 && longest.values().all(|plies| *plies > Plies(253)), "{longest:?}");
}

/// The memory suffices for the job, but not for far codes.
#[test]
fn too_little_memory_for_far_codes() {
    let plan = plan_of(&rules("standard,stones=5"), "4-3");
    let scratch = folder(plan.ruleset(), Edition::Full);
    let job = *plan.jobs().last().unwrap();
    let threads = rayon::current_num_threads();
    let needed = memory_of(plan.ruleset(), job, threads) + far_memory_of(plan.ruleset(), job);
    let solve = |memory| {
        let options = merels_solver::Options { memory, ..common::options() };
        scratch.solve_with(&plan, &options)
    };
    let refused = solve(needed - 1).unwrap_err();
    assert!(
        matches!(refused, SolverError::Budget { needed: named, .. } if named == needed),
        "{refused}"
    );
    solve(needed).unwrap();
}

/// The codes are those of files.
#[test]
fn in_memory_far_values_are_exact() {
    struct Files<'a>(&'a Folder);
    impl Known for Files<'_> {
        fn has_far_codes(&self, subspace: Subspace) -> Result<bool, DbError> {
            Ok(self.0.open_table(subspace)?.has_far_codes())
        }

        fn load(&self, subspace: Subspace, codes: Codes<&mut [u8]>) -> Result<(), DbError> {
            self.0.open_table(subspace)?.decode_all(codes)
        }
    }
    let ruleset = rules("standard,stones=4");
    let wanted = "4-4".parse().unwrap();
    let plan = Plan::missing(&ruleset, wanted, |subspace| subspace == MADE_UP).unwrap();
    let scratch = folder(&ruleset, Edition::Full);
    scratch.solve(&plan);
    let never = AtomicBool::new(false);
    let known = Files(&scratch.folder);
    let solved = solve_in_memory(&plan, &known, Processor::detect(), &never).unwrap();
    assert!(solved.len() == 3 && solved.values().any(|codes| codes.far.is_some()));
    let expected = read(&scratch, subspaces_of(&plan));
    for (subspace, codes) in solved {
        let values = &expected[&subspace].1;
        let wrong = (0..values.len()).find(|&i| codes.at(i).map(Codes::value) != Some(values[i]));
        assert_eq!((wrong, codes.near.len()), (None, values.len()), "{subspace}");
    }
}

/// Larger games, which take long.
mod long {
    use super::*;

    /// A real game with such distances: checks all of its late values by plain moves.
    #[test]
    #[ignore = "long: just test-long"]
    fn six_stones_win_in_301_plies_where_mills_are_never_taken() {
        let ruleset = rules("strict-removal");
        let plan = plan_of(&ruleset, "6-4");
        let job = *plan.jobs().last().unwrap();
        let scratch = Scratch::new(&ruleset);
        let tables = scratch.solve(&plan).tables;
        let longest = |name: &str| {
            let is_it = |info: &&TableInfo| info.subspace == name.parse().unwrap();
            let Statistics { longest_win, longest_loss, .. } =
                tables.iter().find(is_it).unwrap().statistics;
            [longest_win, longest_loss].map(Option::unwrap)
        };
        assert_eq!(longest("6-4"), [Plies(301), Plies(2)]);
        assert_eq!(longest("4-6"), [Plies(3), Plies(300)]);

        let mut needed = job.subspaces();
        needed.extend(job.children(&ruleset));
        let tables = read(&scratch, needed);
        let value_of = |position: &Position| {
            ruleset.ending(position).unwrap_or_else(|| {
                let (index, values) = &tables[&position.subspace()];
                let at = index.index_of(position.mover().board, position.other().board);
                values[at.0 as usize]
            })
        };
        for subspace in job.subspaces() {
            let (index, values) = &tables[&subspace];
            let late = |i: &usize| values[*i].distance() >= Some(Plies(248));
            let late: Vec<_> = (0..values.len()).into_par_iter().filter(late).collect();
            let beyond = late.iter().filter(|i| values[**i].distance() >= Some(Plies(254)));
            assert!(beyond.count() > 1000, "{subspace}: {}", late.len());
            late.into_par_iter().for_each(|i| {
                let (mover, other) = index.stones_at(Index(i as u64));
                let position = Position::of_subspace(subspace, mover, other);
                let moves = ruleset.legal_moves(&position);
                let best = moves.iter().map(|mv| value_of(&mv.apply(&position)).before()).max();
                assert_eq!(Some(values[i]), best, "{subspace} {position:?}");
            });
        }
    }
}
