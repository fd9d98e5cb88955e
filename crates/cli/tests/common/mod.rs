//! Runs the program, and makes a database for the tests.

// Every test program uses a part of this.
#![allow(dead_code)]

pub(crate) mod far;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use assert_cmd::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_merels");

/// The program, with its databases in `db`.
pub(crate) fn merels(db: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("MERELS_DB", db);
    command
}

/// A folder without databases.
pub(crate) fn no_databases() -> &'static Path {
    static EMPTY: LazyLock<PathBuf> = LazyLock::new(|| {
        let empty = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
        fs::create_dir_all(&empty).expect("a folder");
        empty
    });
    &EMPTY
}

/// Databases of all subspaces with at most 8 stones on the board. This build of the program makes
/// them once for all test processes.
pub(crate) fn database() -> &'static Path {
    static DATABASE: LazyLock<PathBuf> = LazyLock::new(make_database);
    &DATABASE
}

fn make_database() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("databases");
    fs::create_dir_all(&root).expect("a folder for databases");
    // Held until the databases exist; then `solve` has nothing to do.
    let lock = File::create(root.join("lock")).expect("a lock file");
    lock.lock().expect("a lock");
    let built = fs::metadata(PROGRAM).and_then(|metadata| metadata.modified());
    let built = built.expect("the program's date").duration_since(UNIX_EPOCH).expect("a date");
    let dir = root.join(built.as_nanos().to_string());
    for entry in fs::read_dir(&root).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path != dir {
            fs::remove_dir_all(path).expect("databases of an older build are removed");
        }
    }
    merels(&dir).args(["solve", "--up-to", "8", "--no-progress"]).assert().success();
    dir
}

/// What a command writes to standard output.
pub(crate) fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

/// What a command writes to standard error.
pub(crate) fn stderr(command: &mut Command) -> String {
    let output = command.output().expect("the program runs");
    String::from_utf8(output.stderr).expect("text")
}

/// A copy of [`database`] that may be changed.
pub(crate) fn copy_of_database() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let standard = dir.path().join("standard");
    fs::create_dir(&standard).expect("a folder");
    for entry in fs::read_dir(database().join("standard")).expect("the databases") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, standard.join(path.file_name().expect("a name"))).expect("a copy");
    }
    dir
}

/// Names of the files of the standard rules in `db`, in order, with their dates in nanoseconds.
pub(crate) fn files(db: &Path) -> Vec<(String, u128)> {
    let Ok(entries) = fs::read_dir(db.join("standard")) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            // A temporary file may be gone by now.
            let date = entry.metadata().and_then(|metadata| metadata.modified()).ok()?;
            let date = date.duration_since(UNIX_EPOCH).ok()?.as_nanos();
            Some((entry.file_name().into_string().ok()?, date))
        })
        .collect();
    files.sort();
    files
}
