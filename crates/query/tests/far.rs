//! Values beyond the distances of one byte, in files or solved from such files.
//!
//! No small game has them, so the smallest subspace is made up and others are solved from it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex};
use merels_core::{Plies, Points, Position, Ruleset, Subspace, Value};
use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter};
use merels_query::{OnTheSpot, Oracle, Source, TableSource};
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};

const MADE_UP: Subspace = Subspace::moving(3, 3);

fn rules() -> Ruleset {
    "standard,stones=5".parse().unwrap()
}

/// A value for all images of a position.
fn made_up(mover: Points, other: Points) -> Value {
    let symmetries = rules().board.geometry().symmetries().iter();
    let images = symmetries.map(|(_, s)| (s.apply_set(mover).bits(), s.apply_set(other).bits()));
    let (mover, other) = images.min().unwrap();
    let mut rng = fastrand::Rng::with_seed(u64::from(mover) << 32 | u64::from(other));
    let late = 2 * rng.u16(..40);
    match rng.u8(..8) {
        0..3 => Value::Loss(Plies(300 + late)),
        3..5 => Value::Win(Plies(301 + late)),
        5 => Value::Draw,
        6 => Value::Loss(Plies(252)),
        _ => Value::Win(Plies(1 + late)),
    }
}

/// Makes a folder with the made-up table.
fn write_made_up(dir: &Path, edition: Edition) -> Folder {
    let folder = Folder::create(dir, rules(), Some(edition)).unwrap();
    let index = SubspaceIndex::new(rules().board, MADE_UP);
    let codes = (0..index.entries()).map(|entry| {
        let (mover, other) = index.stones_at(Index(entry));
        FarCodes::FILES.codes_of(made_up(mover, other)).unwrap()
    });
    let (near, far): (Vec<_>, Vec<_>) = codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
    let codes = Codes { near, far: Some(far) };
    let spec = TableSpec { subspace: MADE_UP, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    writer.write_slices(codes.slices()).unwrap();
    let counted = Distribution::of(codes.slices());
    folder.record(&[writer.finish(counted).unwrap().publish().unwrap()]).unwrap();
    folder
}

/// Solves everything up to 4-4 from the made-up table.
fn solve(folder: &Folder) {
    struct Silent;
    impl Observer for Silent {}
    let plan = Plan::moving(folder.ruleset(), &Selection::Only(vec![Subspace::moving(4, 4)]));
    let options = Options { memory: 8 << 30, level: 1, processor: Processor::detect() };
    run(folder, &plan.unwrap(), &options, &Silent, &AtomicBool::new(false)).unwrap();
}

/// Positions of all solved subspaces in which the game is not over.
fn positions(count: usize) -> Vec<Position> {
    let subspaces = [(3, 3), (3, 4), (4, 3), (4, 4)].map(|(a, b)| Subspace::moving(a, b));
    let indices = subspaces.map(|subspace| SubspaceIndex::new(rules().board, subspace));
    let mut rng = fastrand::Rng::with_seed(5);
    std::iter::repeat_with(|| {
        let index = &indices[rng.usize(..4)];
        let (mover, other) = index.stones_at(Index(rng.u64(..index.entries())));
        Position::of_subspace(index.subspace(), mover, other)
    })
    .filter(|position| rules().ending(position).is_none())
    .take(count)
    .collect()
}

#[test]
fn single_probes_and_batches_agree_in_all_editions() {
    let positions = positions(3000);
    let mut expected = None;
    for edition in [Edition::Full, Edition::Compact] {
        let dir = tempfile::tempdir().unwrap();
        solve(&write_made_up(dir.path(), edition));
        let kept = TableSource::open(dir.path(), rules(), TableSource::DEFAULT_BLOCKS).unwrap();
        let values: Vec<_> = positions.iter().map(|p| kept.value(p).unwrap()).collect();
        let late = values.iter().filter(|value| value.distance() > Some(Plies(253))).count();
        assert!((300..2700).contains(&late), "{edition}: {late}");
        let together: Vec<_> = kept.values(&positions).into_iter().map(Result::unwrap).collect();
        assert_eq!(together, values, "{edition}");
        let none_kept = TableSource::open(dir.path(), rules(), 0).unwrap();
        for (position, &value) in positions.iter().zip(&values).step_by(10) {
            assert_eq!(none_kept.value(position).unwrap(), value, "{edition}");
        }
        for (position, value) in positions.iter().zip(&values) {
            if position.subspace() == MADE_UP {
                assert_eq!(made_up(position.mover().board, position.other().board), *value);
            }
        }
        assert_eq!(*expected.get_or_insert_with(|| values.clone()), values, "{edition}");
    }
}

#[test]
fn what_is_missing_is_solved_exactly() {
    let solved_dir = tempfile::tempdir().unwrap();
    solve(&write_made_up(solved_dir.path(), Edition::Full));
    let files = Oracle::open(solved_dir.path(), rules()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    write_made_up(dir.path(), Edition::Full);
    let oracle = Oracle::new(rules(), OnTheSpot::open(dir.path(), rules(), 16).unwrap());
    let mut late = 0;
    // The made-up values do not follow from moves.
    let solved = |position: &Position| position.subspace() != MADE_UP;
    for position in positions(800).into_iter().filter(solved) {
        // Refuses a value that is not that of the best move.
        let value = oracle.analyse(position).unwrap().value();
        assert_eq!(value, files.value(position).unwrap(), "{position:?}");
        late += usize::from(value.distance() > Some(Plies(253)));
    }
    assert!(late > 60, "{late}");
    let names: Vec<_> = oracle.source().solved().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["3-4", "4-3", "4-4"]);
}
