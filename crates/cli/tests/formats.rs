//! Every command that prints results has the same formats, and can write them to a file.

mod common;

use std::fs;

use common::{database, merels, stderr, stdout};
use serde_json::Value;

/// Commands that print results, with what they need.
const COMMANDS: [&[&str]; 9] = [
    &["stats"],
    &["stats", "--histogram", "3-3"],
    &["query", "w:d7,g7,g1 b:a4,g4,d5 move:b"],
    &["list", "--subspace", "3-3", "--sample", "9", "--seed", "1"],
    &["rules"],
    &["rules", "lasker"],
    &["solve", "--only", "3-3", "--quiet"],
    &["verify", "--quick", "--quiet"],
    &["verify", "--digests"],
];

fn run(command: &[&str], more: &[&str]) -> String {
    let mut program = merels(database());
    program.args(command).args(more).assert().success();
    stdout(&mut program)
}

#[test]
fn the_formats_have_the_same_rows() {
    for command in COMMANDS {
        let text = run(command, &["--format", "text"]);
        assert!(!text.starts_with(['{', '[']), "{command:?}: {text}");
        let json = run(command, &["--format", "json"]);
        serde_json::from_str::<Value>(&json).unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let lines = run(command, &["--format", "jsonl"]);
        let objects: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(objects.iter().all(Value::is_object), "{command:?}: {lines}");
        let csv = run(command, &["--format", "csv"]);
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(rows.records().map(Result::unwrap).count(), objects.len(), "{command:?}");
        assert!(!rows.headers().unwrap().is_empty(), "{command:?}");
        // The older names.
        let comparable = |text: &str| {
            text.lines()
                .filter(|line| !line.contains("\"seconds\"") && !line.contains("memory"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(comparable(&run(command, &["--json"])), comparable(&json), "{command:?}");
        assert_eq!(run(command, &["--csv"]), csv, "{command:?}");
        merels(database()).args(command).args(["--json", "--format", "csv"]).assert().code(2);
    }
}

#[test]
fn results_go_to_a_file_when_they_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("results");
    let name = file.to_str().unwrap();
    for command in COMMANDS {
        assert_eq!(run(command, &["--format", "csv", "--output", name]), "", "{command:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), run(command, &["-f", "csv"]));
    }
    let before = fs::read(&file).unwrap();
    // A failed command leaves the file as it is, and no other file beside it.
    let mut fails = merels(database());
    fails.args(["list", "--subspace", "9-9", "-o", name]).assert().code(3);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let nowhere = dir.path().join("no/folder");
    let mut fails = merels(database());
    fails.args(["rules", "-o"]).arg(&nowhere).assert().code(5);
    assert!(stderr(&mut fails).contains("cannot write"), "{}", stderr(&mut fails));
    // Bytes of binary formats stay as they are.
    let list = ["list", "--subspace", "3-3", "--format", "parquet"];
    run(&list, &["-o", name]);
    let written = merels(database()).args(list).output().unwrap().stdout;
    assert!(fs::read(&file).unwrap() == written && written.ends_with(b"PAR1"));
    // Devices are written to.
    assert_eq!(run(&["rules"], &["-o", "/dev/stdout"]), run(&["rules"], &[]));
    // Colours are for terminals.
    run(&["rules"], &["-o", name, "--color", "always"]);
    assert!(!fs::read_to_string(&file).unwrap().contains('\u{1b}'));
    assert!(run(&["rules"], &["--color", "always"]).contains('\u{1b}'));
}

#[test]
fn positions_come_from_a_file_too() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("positions.txt");
    let line = "w:d7,g7,g1 b:a4,g4,d5 move:b";
    fs::write(&file, format!("{line}\n# a remark\n{line}\n")).unwrap();
    let from_file = run(&["query", file.to_str().unwrap()], &["-f", "csv"]);
    assert_eq!(from_file.lines().count(), 3);
    for arguments in [&["query", "-", "-f", "csv"][..], &["query", "-f", "csv"]] {
        let mut program = merels(database());
        program.args(arguments).write_stdin(fs::read(&file).unwrap());
        assert_eq!(stdout(&mut program), from_file);
    }
    let refused = |text: &str| {
        let mut program = merels(database());
        program.args(["query", text]).assert().code(2);
        stderr(&mut program)
    };
    let told = refused("absent.txt");
    assert!(told.contains("'absent.txt' is not a position, and there is no file"), "{told}");
    let game = dir.path().join("game.pgn");
    fs::write(&game, "[Event \"a\"]\n\n1. d6 f4 *\n").unwrap();
    let told = refused(game.to_str().unwrap());
    assert!(told.contains("merels annotate ") && told.contains("--moves"), "{told}");
    merels(database()).args(["annotate", "absent.pgn"]).assert().code(2);
    let mut annotate = merels(database());
    annotate.args(["annotate", "-"]).write_stdin("1. d6 f4").assert().code(1);
}
