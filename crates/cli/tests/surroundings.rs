//! Unusual surroundings: a standard error that refuses output, and a folder that contains pipes and
//! folders.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::process::{Command, Stdio};

use common::{copy_of_database, database, files, merels, stderr};

/// A run must not end because standard error refuses its notes. `/dev/full` refuses every byte.
#[cfg(target_os = "linux")]
#[test]
fn notes_that_nobody_takes_cost_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let unheard = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.args(arguments).env("MERELS_DB", dir.path()).stdout(Stdio::null());
        let full = File::options().write(true).open("/dev/full").unwrap();
        command.stderr(full).status().unwrap().code()
    };
    assert_eq!(unheard(&["solve", "--up-to", "7"]), Some(0));
    assert_eq!(files(dir.path()).iter().filter(|(name, _)| name.contains("3-")).count(), 2);
    assert_eq!(unheard(&["query", "nonsense"]), Some(2));
}

/// Every kind of output reports that it cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let figure = "w:d7,g7,g1 b:a4,g4,d5 move:b";
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["--version"],
        &["query", "--help"],
        &["help", "solve"],
        &["man"],
        &["completions", "bash"],
        &["query", figure],
        &["query", "--format", "csv", figure],
        &["stats"],
    ];
    for arguments in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.args(arguments).env("MERELS_DB", database());
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {told}");
        assert!(told.starts_with("merels: cannot write"), "{arguments:?}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

/// Opening a pipe would wait for a writer.
#[test]
fn a_closed_output_is_an_error_before_anything_is_done() {
    for arguments in ["rules", "--help", "solve --ruleset three --quiet"] {
        let dir = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        let command = format!("\"$0\" {arguments} >&-");
        shell.args(["-c", &command, env!("CARGO_BIN_EXE_merels")]).env("MERELS_DB", dir.path());
        let output = shell.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{arguments}: {told}");
        assert!(told.contains("standard output is closed"), "{arguments}: {told}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_pipe_is_no_table() {
    let dir = copy_of_database();
    for name in ["4-4.merels", "manifest.merels"] {
        let path = dir.path().join("standard").join(name);
        std::fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        for command in [&["stats"][..], &["verify", "--quick"], &["solve", "--up-to", "8"]] {
            let output = merels(dir.path()).args(command).output().unwrap();
            let told = [output.stdout, output.stderr].concat();
            let told = String::from_utf8(told).unwrap();
            let is_named = told.contains(name) && told.contains("not a regular file");
            // Counts come from the tables, not from the manifest.
            assert!(
                is_named || (command == ["stats"] && name != "4-4.merels"),
                "{command:?}: {told}"
            );
        }
    }
}

/// The command that a message names works.
#[test]
fn commands_in_messages_name_folder_and_ruleset() {
    let dir = tempfile::tempdir().unwrap();
    let complaint = stderr(merels(dir.path()).args(["stats", "--ruleset", "no-flying"]));
    let command = format!("merels solve --ruleset no-flying --db {}", dir.path().display());
    assert!(complaint.contains(&command), "{complaint}");
}

/// Runs `solve` under a limit of the shell's; returns its exit code and what it prints to standard
/// error.
#[cfg(target_os = "linux")]
fn solve_under(limit: &str, threads: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let script = format!(r#"ulimit {limit} && exec "$0" "$@""#);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_merels"), "solve", "--up-to", "7"]);
    command.args(["--no-progress", "--threads", threads]).env("MERELS_DB", dir.path());
    let output = command.stdout(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Whether the system can load the program under a limit.
#[cfg(target_os = "linux")]
fn loads_under(limit: &str) -> bool {
    let script = format!(r#"ulimit {limit} && exec "$0" --version"#);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_merels")]);
    command.output().unwrap().status.success()
}

/// Wherever memory runs out - for a table, a buffer, the stack of a thread - the program prints one
/// line.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error() {
    let mut refused = 0;
    for kibibytes in (12_000..44_000).step_by(4_000) {
        let limit = format!("-v {kibibytes}");
        if !loads_under(&limit) {
            continue;
        }
        for threads in ["1", "2", "16"] {
            let (code, complaint) = solve_under(&limit, threads);
            if code == Some(0) {
                continue;
            }
            refused += 1;
            let context = format!("{kibibytes} KiB, {threads} threads: {code:?} {complaint}");
            assert_eq!(code, Some(5), "{context}");
            assert!(complaint.starts_with("merels: "), "{context}");
            assert_eq!(complaint.lines().count(), 1, "{context}");
        }
    }
    assert!(refused > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let (code, complaint) = solve_under("-f 1", "1");
    assert_eq!(code, Some(5), "{complaint}");
    assert!(complaint.starts_with("merels: cannot write"), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
}
