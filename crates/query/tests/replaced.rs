//! Databases whose files are cut off, overwritten, replaced, deleted or swapped while a source is
//! open: every answer is a right value or an error that names the file, and what is there again is
//! found again.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use merels_core::numbering::{Codes, Index, SubspaceIndex, ValueCode};
use merels_core::{Plies, Position, Ruleset, Subspace, Value};
use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter};
use merels_naive::NaiveSolver;
use merels_query::{OnTheSpot, Oracle, QueryError, Source, TableSource};
use tempfile::TempDir;

const SUBSPACE: Subspace = Subspace::moving(3, 3);

/// Longer than the time in which a source looks at its files once.
const A_WHILE: Duration = Duration::from_millis(1100);

/// Three Men's Morris, whose values are right, or all distances two plies too long: another
/// database that this program takes for sound.
struct Database {
    dir: TempDir,
    positions: Vec<(Position, Value)>,
}

fn rules() -> Ruleset {
    "three".parse().unwrap()
}

fn later(value: Value) -> Value {
    match value {
        Value::Win(Plies(plies)) => Value::Win(Plies(plies + 2)),
        Value::Loss(Plies(plies)) => Value::Loss(Plies(plies + 2)),
        other => other,
    }
}

impl Database {
    fn new(edition: Edition) -> Self {
        let mut solver = NaiveSolver::new(rules());
        solver.solve_up_to(6);
        let dir = tempfile::tempdir().unwrap();
        let over = |position: &Position| rules().ending(position).is_some();
        let positions = solver
            .positions(SUBSPACE)
            .map(|(mover, other, value)| (Position::of_subspace(SUBSPACE, mover, other), value));
        let positions = positions.filter(|(position, _)| !over(position)).collect();
        let database = Self { dir, positions };
        database.write(edition, &solver, |value| value);
        database
    }

    fn write(&self, edition: Edition, solver: &NaiveSolver, changed: impl Fn(Value) -> Value) {
        let order = SubspaceIndex::new(rules().board, SUBSPACE);
        let code = |index: u64| {
            let (mover, other) = order.stones_at(Index(index));
            let value = solver.value(&Position::of_subspace(SUBSPACE, mover, other)).unwrap();
            ValueCode::from_value(changed(value)).unwrap()
        };
        let codes: Vec<_> = (0..order.entries()).map(|index| code(index).byte()).collect();
        let folder = Folder::create(self.dir.path(), rules(), Some(edition)).unwrap();
        let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
        let mut writer = TableWriter::create(&folder, spec).unwrap();
        writer.write_slices(Codes::near(&codes)).unwrap();
        let counted = Distribution::of(Codes::near(&codes));
        folder.record(&[writer.finish(counted).unwrap().publish().unwrap()]).unwrap();
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("three/3-3.merels")
    }

    fn source(&self) -> TableSource {
        TableSource::open(self.dir.path(), rules(), 0).unwrap()
    }

    fn check_right(&self, source: &impl Source) {
        for (position, value) in &self.positions {
            assert_eq!(source.value(position).unwrap(), *value);
        }
        let positions: Vec<_> = self.positions.iter().map(|(position, _)| *position).collect();
        for (found, (_, value)) in source.values(&positions).into_iter().zip(&self.positions) {
            assert_eq!(found.unwrap(), *value);
        }
    }

    /// The one error that all look-ups give.
    fn error(&self, source: &impl Source) -> QueryError {
        let (first, _) = self.positions[0];
        let (last, _) = self.positions[self.positions.len() - 1];
        let errors = source.values(&[first, last]).into_iter().map(|value| value.unwrap_err());
        let errors: Vec<_> = errors.map(|error| error.to_string()).collect();
        let error = source.value(&first).unwrap_err();
        assert_eq!(errors, [error.to_string(), error.to_string()]);
        error
    }
}

/// Writes into the file itself, as `cp` does.
fn overwrite(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Puts another file in its place, as `mv` does.
fn replace(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("new");
    fs::write(&new, bytes).unwrap();
    fs::rename(&new, path).unwrap();
}

#[test]
fn a_file_that_is_cut_off_or_overwritten_is_an_error_until_it_is_whole_again() {
    let database = Database::new(Edition::Full);
    let whole = fs::read(database.file()).unwrap();
    let garbage = vec![0x55; whole.len()];
    let mut damaged = whole.clone();
    damaged[700] ^= 1;
    let cases: [(&str, &[u8]); 6] = [
        ("empty", b""),
        ("the header alone", &whole[..512]),
        ("half", &whole[..whole.len() / 2]),
        ("all but a byte", &whole[..whole.len() - 1]),
        ("other bytes", &garbage),
        ("one other byte", &damaged),
    ];
    for (name, bytes) in cases {
        for how in [overwrite, replace] {
            let source = database.source();
            database.check_right(&source);
            how(&database.file(), bytes);
            sleep(A_WHILE);
            source.refresh();
            let error = database.error(&source);
            assert!(error.to_string().contains("three/3-3.merels "), "{name}: {error}");
            assert!(matches!(error, QueryError::Database(_)), "{name}: {error}");
            how(&database.file(), &whole);
            database.check_right(&source);
        }
    }
}

#[test]
fn what_cannot_be_read_is_noticed_at_once() {
    let database = Database::new(Edition::Full);
    let whole = fs::read(database.file()).unwrap();
    let source = database.source();
    database.check_right(&source);
    // Without a call of `refresh`.
    overwrite(&database.file(), &whole[..600]);
    let error = database.error(&source);
    assert!(error.to_string().contains("three/3-3.merels is damaged"), "{error}");
    overwrite(&database.file(), &whole);
    database.check_right(&source);
}

#[test]
fn another_table_in_its_place_answers() {
    let database = Database::new(Edition::Full);
    let mut solver = NaiveSolver::new(rules());
    solver.solve_up_to(6);
    for cached in [0, 64] {
        database.write(Edition::Full, &solver, |value| value);
        let source = TableSource::open(database.dir.path(), rules(), cached).unwrap();
        database.check_right(&source);
        database.write(Edition::Full, &solver, later);
        sleep(A_WHILE);
        source.refresh();
        for (position, value) in &database.positions {
            assert_eq!(source.value(position).unwrap(), later(*value));
        }
    }
}

#[test]
fn a_deleted_table_is_missing_until_it_is_there_again() {
    let database = Database::new(Edition::Full);
    let whole = fs::read(database.file()).unwrap();
    let source = database.source();
    database.check_right(&source);
    fs::remove_file(database.file()).unwrap();
    sleep(A_WHILE);
    source.refresh();
    for _ in 0..2 {
        let error = database.error(&source);
        assert!(matches!(error, QueryError::Missing(_)), "{error}");
    }
    fs::write(database.file(), &whole).unwrap();
    database.check_right(&source);
    // The whole folder.
    let away = database.dir.path().join("away");
    fs::rename(database.dir.path().join("three"), &away).unwrap();
    sleep(A_WHILE);
    source.refresh();
    let error = database.error(&source);
    assert!(matches!(error, QueryError::Missing(_)), "{error}");
    fs::rename(&away, database.dir.path().join("three")).unwrap();
    database.check_right(&source);
}

#[test]
fn a_folder_of_another_edition_in_its_place_answers() {
    let full = Database::new(Edition::Full);
    let outcomes = Database::new(Edition::Outcome);
    let source = OnTheSpot::open(full.dir.path(), rules(), 16).unwrap();
    full.check_right(&source);
    assert_eq!(source.edition_of(SUBSPACE), Some(Edition::Full));
    let path = full.dir.path().join("three");
    fs::rename(&path, full.dir.path().join("old")).unwrap();
    fs::rename(outcomes.dir.path().join("three"), &path).unwrap();
    sleep(A_WHILE);
    source.refresh().unwrap();
    for (position, value) in &full.positions {
        let found = source.value(position).unwrap();
        assert_eq!(found.outcome(), value.outcome());
        assert!(found.agrees_with(*value), "{found} {value}");
    }
    assert_eq!(source.edition_of(SUBSPACE), Some(Edition::Outcome));
}

#[test]
fn a_folder_that_comes_later_answers() {
    let database = Database::new(Edition::Full);
    let path = database.dir.path().join("three");
    let away = database.dir.path().join("away");
    fs::rename(&path, &away).unwrap();
    let nothing = OnTheSpot::open(database.dir.path(), rules(), 16).unwrap().with_most_entries(0);
    let oracle = Oracle::new(rules(), nothing);
    let (position, value) = database.positions[0];
    assert!(matches!(oracle.value(position), Err(QueryError::Missing(_))));
    fs::rename(&away, &path).unwrap();
    sleep(A_WHILE);
    oracle.source().refresh().unwrap();
    assert_eq!(oracle.value(position).unwrap(), value);
}

#[test]
fn no_answer_is_wrong_while_the_file_changes() {
    let database = Database::new(Edition::Full);
    let whole = fs::read(database.file()).unwrap();
    let source = database.source();
    let stop = AtomicBool::new(false);
    let ask = || {
        let (mut right, mut refused) = (0_u64, 0_u64);
        while !stop.load(Ordering::Relaxed) {
            for (position, value) in &database.positions {
                match source.value(position) {
                    Ok(found) => {
                        assert_eq!(found, *value);
                        right += 1;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("3-3"), "{error}");
                        refused += 1;
                    }
                }
            }
            source.refresh();
        }
        (right, refused)
    };
    let counts = thread::scope(|scope| {
        let asking = [scope.spawn(ask), scope.spawn(ask)];
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(3) {
            // In steps, so that look-ups meet half-written files.
            let mut file = File::create(database.file()).unwrap();
            for piece in whole.chunks(whole.len() / 5) {
                file.write_all(piece).unwrap();
                sleep(Duration::from_millis(2));
            }
            drop(file);
            sleep(Duration::from_millis(10));
            fs::remove_file(database.file()).unwrap();
            sleep(Duration::from_millis(2));
            replace(&database.file(), &whole);
            sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::Relaxed);
        asking.map(|thread| thread.join().unwrap())
    });
    for (right, refused) in counts {
        assert!(right > 100 && refused > 0, "{right} right values, {refused} errors");
    }
    database.check_right(&source);
}
