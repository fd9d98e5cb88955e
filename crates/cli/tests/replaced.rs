//! Databases that change under a running `query`: it answers or says which file is wrong, and goes
//! on.

mod common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::copy_of_database;

/// Black is to move, with three stones against three.
const POSITION: &str = "w:d7,g7,g1 b:a4,g4,d5 move:b";

/// A `query` that waits for lines.
struct Query {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Query {
    fn start(db: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_merels"))
            .args(["query", "--format", "csv"])
            .env("MERELS_DB", db)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut query = Self { child, input, output: BufReader::new(output) };
        query.line();
        query
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the program has ended");
        line
    }

    fn ask(&mut self) -> String {
        writeln!(self.input, "{POSITION}").unwrap();
        self.line()
    }

    fn is_right(&mut self) -> bool {
        self.ask().ends_with(",loss,26,\n")
    }
}

#[test]
fn a_stream_outlives_its_files() {
    let database = copy_of_database();
    let file = database.path().join("standard/3-3.merels");
    let whole = fs::read(&file).unwrap();
    let a_while = || sleep(Duration::from_millis(1100));
    let mut query = Query::start(database.path());
    assert!(query.is_right());
    for cut in [0, 300, whole.len() / 2, whole.len() - 1] {
        // Cut off in place.
        File::options().write(true).open(&file).unwrap().set_len(cut as u64).unwrap();
        a_while();
        for _ in 0..2 {
            let answer = query.ask();
            assert!(answer.contains("3-3.merels") && answer.contains(",,,"), "{cut}: {answer}");
        }
        fs::write(&file, &whole).unwrap();
        assert!(query.is_right());
    }
    // Replaced by a table of another subspace.
    fs::copy(database.path().join("standard/4-3.merels"), &file).unwrap();
    a_while();
    let answer = query.ask();
    assert!(answer.contains("3-3.merels holds the subspace 4-3, not 3-3"), "{answer}");
    let new = file.with_extension("new");
    fs::write(&new, &whole).unwrap();
    fs::rename(&new, &file).unwrap();
    assert!(query.is_right());
    // Without its file the subspace is solved on the spot; so it is without a folder.
    fs::remove_file(&file).unwrap();
    a_while();
    assert!(query.is_right());
    fs::remove_dir_all(database.path().join("standard")).unwrap();
    a_while();
    assert!(query.is_right());
    drop(query.input);
    assert_eq!(query.child.wait().unwrap().code(), Some(1));
}
