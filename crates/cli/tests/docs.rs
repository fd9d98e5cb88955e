//! Runs the examples of README.md and of docs/ and compares what they print.
//!
//! With `UPDATE_EXAMPLES=1` the tests write what the examples print into the pages instead: look at
//! the difference before you keep it. `TRYCMD=overwrite` does the same for docs/query.md.
#![cfg(unix)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of an example without times, speeds and memory.
fn comparable(line: &str) -> &str {
    if line.starts_with("solved ") {
        // solved 320 entries, 40 k entries/s
        line.split_once(", ").map_or(line, |(before, _)| before)
    } else if line.contains(" in db/") {
        // 687 B in db/three, 0.0 s, at most 4.7 MiB of memory
        line.split(", ").next().unwrap_or(line)
    } else {
        line
    }
}

/// A file of the repository.
fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Runs the examples of a page in a shell, one after another in one folder: later ones use the
/// files of earlier ones. There must be at least `expected_count`.
fn run_in_shell(name: &str, expected_count: usize) {
    let text = std::fs::read_to_string(page(name)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_merels"));
    let path = env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut count = 0;
    let mut updated = text.clone();
    for block in text.split("```console\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("an end of the block");
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ ").expect("a prompt");
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(dir.path()).env("PATH", &path);
        let output = shell.env_remove("MERELS_DB").output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        let found = String::from_utf8(output.stdout).unwrap();
        count += 1;
        let lines =
            |text: &str| text.lines().map(comparable).map(str::to_owned).collect::<Vec<_>>();
        if lines(&found) == lines(expected) {
            continue;
        }
        let new = format!("$ {command}\n{}", found.trim_end_matches('\n'));
        updated = updated.replacen(block, &new, 1);
        if env::var_os("UPDATE_EXAMPLES").is_none() {
            assert_eq!(lines(&found), lines(expected), "{command}");
        }
    }
    if updated != text {
        std::fs::write(page(name), updated).unwrap();
    }
    assert!(count >= expected_count, "only {count} examples were found in {name}");
}

#[test]
fn readme() {
    run_in_shell("README.md", 6);
}

#[test]
fn solving() {
    run_in_shell("docs/solving.md", 7);
}

#[test]
fn verifying() {
    run_in_shell("docs/verifying.md", 2);
}

/// A pipe brings the moves of games.
#[test]
fn playing() {
    run_in_shell("docs/play.md", 5);
}

#[test]
fn rules() {
    run_in_shell("docs/rules.md", 1);
}

#[test]
fn streams() {
    run_in_shell("docs/json.md", 1);
}

/// These examples need no shell and no database.
#[test]
fn looking_up() {
    trycmd::TestCases::new().env("MERELS_DB", "db").case(page("docs/query.md")).run();
}
