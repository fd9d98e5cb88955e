//! `scripts/read_merels.py`, a reader written from `docs/format.md` alone, agrees with the program on
//! databases of every edition.
//!
//! The script needs Python 3.10 and the package zstandard, so `cargo test` leaves these tests out.
//! `just test-all` runs them, and they fail where the script cannot run.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use merels_db::Edition;
use tempfile::TempDir;

mod common;

use common::far::write_made_up;
use common::{database, merels};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Fails unless the script can run here.
fn demand_python() {
    let needs = "import sys, zstandard; assert sys.version_info >= (3, 10), 'Python is too old'";
    let output = Command::new("python3").args(["-c", needs]).output();
    let output = output.unwrap_or_else(|error| panic!("python3 does not run: {error}"));
    let reason = String::from_utf8_lossy(&output.stderr);
    let reason = reason.lines().last().unwrap_or_default();
    assert!(output.status.success(), "Python 3.10 with zstandard is needed: {reason}");
}

/// Runs the script on a folder.
fn read(folder: &Path, args: &[&OsStr]) -> Output {
    static PYTHON: LazyLock<()> = LazyLock::new(demand_python);
    LazyLock::force(&PYTHON);
    let mut command = Command::new("python3");
    command.arg(repository().join("scripts/read_merels.py")).arg(folder).args(args);
    command.output().unwrap()
}

/// The script's value of one position.
fn value(folder: &Path, position: &str) -> String {
    let output = read(folder, &[position.as_ref()]);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Compares random positions of a folder with the answers of the program.
fn compare(folder: &Path, tables: usize) {
    let output = read(folder, &["300", env!("CARGO_BIN_EXE_merels")].map(OsStr::new));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, format!("300 positions from {tables} tables agree\n"));
}

fn solved(ruleset: &str, edition: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "--no-progress", "--ruleset", ruleset, "--edition", edition];
    merels(dir.path()).args(solve).assert().success();
    dir
}

#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn whole_games_of_every_edition() {
    for edition in ["full", "compact", "outcome"] {
        let dir = solved("standard,stones=4", edition);
        let folder = dir.path().join("standard,stones=4");
        compare(&folder, 18);
        assert_eq!(value(&folder, "w: b: move:w hand:4,4"), "draw");
        let lasker = "standard,stones=4,placing=mixed";
        compare(&solved(lasker, edition).path().join(lasker), 35);
    }
}

/// Rules about removals and jumps, and two stones for two mills.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn other_rules() {
    for (rules, edition) in [
        ("standard,stones=4,removal=strict", "compact"),
        ("standard,stones=4,removal=free", "full"),
        ("standard,stones=4,flying=never", "compact"),
    ] {
        compare(&solved(rules, edition).path().join(rules), 18);
    }
    // Two mills are closed by one move where there are five stones.
    let dir = tempfile::tempdir().unwrap();
    let rules = "standard,stones=5,double-mill=two";
    let solve = ["solve", "--no-progress", "--ruleset", rules, "--only", "5-4"];
    merels(dir.path()).args(solve).assert().success();
    compare(&dir.path().join(rules), 8);
}

/// Five stones against three and four against four.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn the_end_of_the_standard_game() {
    let folder = database().join("standard");
    compare(&folder, 6);
    assert_eq!(value(&folder, "w:d7,g7,g1 b:a4,g4,d5 move:b"), "loss 26");
    let dir = tempfile::tempdir().unwrap();
    let pack = ["pack", "--edition", "outcome", "--no-progress", "--to"];
    merels(database()).args(pack).arg(dir.path()).assert().success();
    let folder = dir.path().join("standard");
    compare(&folder, 6);
    assert_eq!(value(&folder, "w:d7,g7,g1 b:a4,g4,d5 move:b"), "loss");
}

/// Values beyond the distances of one byte.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn far_codes() {
    for edition in [Edition::Full, Edition::Compact] {
        let dir = tempfile::tempdir().unwrap();
        let folder = write_made_up(dir.path(), edition);
        compare(folder.path(), 1);
    }
}

/// The table from which `docs/format.md` takes a value by hand.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn the_worked_example() {
    let folder = repository().join("crates/db/tests/data/standard");
    assert_eq!(value(&folder, "w:a1,d3,g4 b:b6,e5,f4 move:w"), "win 3");
}

#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn other_answers_other_games_and_damage_are_noticed() {
    let refused = |output: Output, words: &str| {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(words), "{text}");
    };
    let dir = solved("standard,stones=3", "compact");
    let folder = dir.path().join("standard,stones=3");
    let program = dir.path().join("program");
    let echo = "#!/bin/sh\necho line,position,outcome,distance,error\necho 1,x,draw,1,\n";
    fs::write(&program, echo).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    refused(read(&folder, &["1".as_ref(), program.as_os_str()]), "('draw', '1') there");

    let table = folder.join("2-2+1-1.merels");
    let mut bytes = fs::read(&table).unwrap();
    // The first byte of block 0.
    bytes[532] ^= 1;
    fs::write(&table, bytes).unwrap();
    let damaged = read(&folder, &["w:b4,d1 b:d3,a1 move:w hand:1,1".as_ref()]);
    refused(damaged, "2-2+1-1.merels: block 0 is damaged");

    let dir = solved("three", "compact");
    let other = read(&dir.path().join("three"), &["w: b: move:w hand:3,3".as_ref()]);
    refused(other, "another format, game or edition");
}
