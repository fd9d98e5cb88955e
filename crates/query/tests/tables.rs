//! An oracle on real database files: Three Men's Morris, whose moving phase has 228 positions up to
//! symmetry, solved by the naive solver.

use std::fs;
use std::path::Path;
use std::thread;

use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex, ValueCode};
use merels_core::{Plies, Position, Ruleset, Subspace, Value};
use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter, ValueHistogram};
use merels_naive::NaiveSolver;
use merels_query::{Oracle, QueryError, Source, TableSource};

const SUBSPACE: Subspace = Subspace::moving(3, 3);

fn rules() -> Ruleset {
    "three".parse().unwrap()
}

/// Solves the game and writes its database into `dir`.
fn write_database(dir: &Path) -> NaiveSolver {
    let rules = rules();
    let mut solver = NaiveSolver::new(rules);
    solver.solve_up_to(6);
    let order = SubspaceIndex::new(rules.board, SUBSPACE);
    let code = |index: u64| {
        let (mover, other) = order.stones_at(Index(index));
        let value = solver.value(&Position::of_subspace(SUBSPACE, mover, other)).unwrap();
        ValueCode::from_value(value).unwrap()
    };
    let folder = Folder::create(dir, rules, Some(Edition::Full)).unwrap();
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    let codes: Vec<_> = (0..order.entries()).map(|index| code(index).byte()).collect();
    writer.write_slices(Codes::near(&codes)).unwrap();
    let mut counted = Distribution::of(Codes::near(&codes));
    counted.histogram = ValueHistogram::default();
    for (_, _, value) in solver.positions(SUBSPACE) {
        counted.histogram.add(ValueCode::from_value(value).unwrap());
    }
    let info = writer.finish(counted).unwrap().publish().unwrap();
    folder.record(&[info]).unwrap();
    solver
}

#[test]
fn every_position_is_answered_from_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let solver = write_database(dir.path());
    let oracle = Oracle::open(dir.path(), rules()).unwrap();
    let symmetries = rules().board.geometry().symmetries();
    let work = || {
        for (mover, other, value) in solver.positions(SUBSPACE) {
            for (_, symmetry) in symmetries.iter() {
                let (mover, other) = (symmetry.apply_set(mover), symmetry.apply_set(other));
                let position = Position::of_subspace(SUBSPACE, mover, other);
                assert_eq!(oracle.value(position).unwrap(), value);
                assert_eq!(oracle.analyse(position).unwrap().value(), value);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// The database with all distances but the shortest ones 400 plies longer, beyond one byte.
#[test]
fn distances_beyond_one_code_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let solver = write_database(dir.path());
    let late = |value: Value| match value {
        Value::Loss(Plies(plies)) if plies > 2 => Value::Loss(Plies(plies + 400)),
        Value::Win(Plies(plies)) if plies > 1 => Value::Win(Plies(plies + 400)),
        other => other,
    };
    let order = SubspaceIndex::new(rules().board, SUBSPACE);
    let codes = (0..order.entries()).map(|index| {
        let (mover, other) = order.stones_at(Index(index));
        let value = solver.value(&Position::of_subspace(SUBSPACE, mover, other)).unwrap();
        FarCodes::FILES.codes_of(late(value)).unwrap()
    });
    let (near, far): (Vec<_>, Vec<_>) = codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
    let folder = Folder::open(dir.path(), rules()).unwrap();
    let codes = Codes { near, far: Some(far) };
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    writer.write_slices(codes.slices()).unwrap();
    let counted = Distribution::of(codes.slices());
    folder.record(&[writer.finish(counted).unwrap().publish().unwrap()]).unwrap();

    let oracle = Oracle::open(dir.path(), rules()).unwrap();
    let all = solver.positions(SUBSPACE);
    let (positions, expected): (Vec<_>, Vec<_>) = all
        .map(|(mover, other, value)| (Position::of_subspace(SUBSPACE, mover, other), late(value)))
        .unzip();
    assert!(expected.iter().any(|value| value.distance() > Some(Plies(400))));
    for (&position, &value) in positions.iter().zip(&expected) {
        assert_eq!(oracle.value(position).unwrap(), value);
    }
    let source = TableSource::open(dir.path(), rules(), 16).unwrap();
    let together: Vec<_> =
        source.values(&positions).into_iter().map(|value| value.unwrap()).collect();
    assert_eq!(together, expected);
}

#[test]
fn the_cache_may_be_tiny() {
    let dir = tempfile::tempdir().unwrap();
    let solver = write_database(dir.path());
    let oracle = Oracle::new(rules(), TableSource::open(dir.path(), rules(), 0).unwrap());
    for (mover, other, value) in solver.positions(SUBSPACE) {
        let position = Position::of_subspace(SUBSPACE, mover, other);
        assert_eq!(oracle.value(position).unwrap(), value);
    }
}

#[test]
fn missing_and_damaged_files_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let nothing = Oracle::open(dir.path(), rules()).unwrap_err();
    assert!(matches!(nothing, QueryError::Database(_)), "{nothing}");
    let solver = write_database(dir.path());
    let (mover, other, value) = solver
        .positions(SUBSPACE)
        .find(|(_, _, value)| matches!(value, Value::Win(Plies(3))))
        .unwrap();
    let position = Position::of_subspace(SUBSPACE, mover, other);
    assert_eq!(Oracle::open(dir.path(), rules()).unwrap().value(position).unwrap(), value);

    let file = dir.path().join("three/3-3.merels");
    let bytes = fs::read(&file).unwrap();
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let replace = |bytes: &[u8]| {
        fs::remove_file(&file).unwrap();
        fs::write(&file, bytes).unwrap();
    };
    replace(&damaged);
    let error = Oracle::open(dir.path(), rules()).unwrap().value(position).unwrap_err();
    assert!(error.to_string().contains("3-3.merels is damaged"), "{error}");

    fs::remove_file(&file).unwrap();
    let error = Oracle::open(dir.path(), rules()).unwrap().value(position).unwrap_err();
    let QueryError::Missing(missing) = error else { panic!("{error}") };
    assert_eq!(missing.folder, Some(dir.path().join("three")));
}
