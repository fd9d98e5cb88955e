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

/// Runs the script on a folder: that of one ruleset, or the one above it with `--ruleset` in
/// `args`.
fn read(folder: &Path, args: &[&OsStr]) -> Output {
    static PYTHON: LazyLock<()> = LazyLock::new(demand_python);
    LazyLock::force(&PYTHON);
    let mut command = Command::new("python3");
    command.arg(repository().join("scripts/read_merels.py")).arg("--db").arg(folder).args(args);
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
    let arguments = ["--compare", "300", "--program", env!("CARGO_BIN_EXE_merels")];
    let output = read(folder, &arguments.map(OsStr::new));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, format!("300 positions from {tables} tables agree\n"));
}

/// That the script ends with one line that has these words, and with this exit code.
fn refused(output: &Output, code: i32, words: &str) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains(words), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("read_merels.py: "), "{text}");
}

fn solved(ruleset: &str, edition: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "--quiet", "--ruleset", ruleset, "--edition", edition];
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
    let solve = ["solve", "--quiet", "--ruleset", rules, "--only", "5-4"];
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
    let pack = ["pack", "--edition", "outcome", "--quiet", "--to"];
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

/// Every board, in small games and small parts of large ones.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn every_board() {
    for (rules, edition, arguments, tables) in [
        ("three", "compact", &[][..], 7),
        ("three", "statistics", &[], 7),
        ("three,stones=4", "outcome", &[], 18),
        ("four", "compact", &[], 18),
        ("five", "full", &["--up-to", "7"], 3),
        ("seven", "compact", &["--up-to", "7"], 3),
        ("seven,flying=never", "compact", &["--only", "4-4"], 4),
        ("eleven,stones=4", "compact", &["--up-to", "7"], 3),
        ("morabaraba", "outcome", &["--up-to", "6"], 1),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let solve = ["solve", "--quiet", "--ruleset", rules, "--edition", edition];
        merels(dir.path()).args(solve).args(arguments).assert().success();
        let folder = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        compare(&folder, tables);
    }
}

/// The folder that the program takes, by several names of its rules.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn the_folder_of_all_rulesets() {
    let dir = solved("three,stones=4", "compact");
    let ask = |rules: &str| {
        let arguments = ["--ruleset", rules, "w: b: move:w hand:4,4"];
        read(dir.path(), &arguments.map(OsStr::new))
    };
    for rules in ["three,stones=4", "standard,board=three,stones=4,flying=never"] {
        let output = ask(rules);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "win 13\n", "{output:?}");
    }
    refused(&ask("four"), 3, "has no databases of the ruleset 'four'; it has those of: standard,");
    refused(&ask("chess"), 2, "'chess' is not a ruleset; the presets are standard ");
    refused(&ask("three,stones=13"), 2, "'stones=13' is not a rule");
    let folder = dir.path().join("standard,board=three,stones=4,flying=never");
    let other = ["--ruleset", "three", "w: b: move:w hand:3,3"];
    refused(&read(&folder, &other.map(OsStr::new)), 4, "is the folder of another ruleset");
    let gone = dir.path().join("gone");
    refused(&read(&gone, &["w: b: move:w".as_ref()]), 3, "gone does not exist");
}

#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn wrong_positions_and_arguments() {
    let dir = solved("three", "compact");
    let folder = dir.path().join("three");
    for (position, words) in [
        ("w:a1 b:b2", "it needs w:, b: and move:w or move:b"),
        ("a1 b2", "'a1' is not one of w:, b:, move: and hand:"),
        ("w:a1 b:d2 move:w hand:2,2", "the board 'three' has no point 'd2'"),
        ("w:a1 b:a1 move:w hand:2,2", "a1 holds a stone of both sides"),
        ("w:a1,a1 b:b2 move:w hand:2,2", "w: has a point twice"),
        ("w:a1 b:b2 move:w hand:2", "hand: takes two numbers"),
        ("w:a1 b:b2 move:w hand:9,2", "each side has at most 3 stones"),
    ] {
        refused(&read(&folder, &[position.as_ref()]), 2, words);
    }
    // A side without its stones: no game has such a table.
    let none = read(&folder, &["w: b: move:w hand:3,2".as_ref()]);
    refused(&none, 3, "there is no table of 0-0+3-2: ");
    for arguments in [&[][..], &["--compare", "many"], &["--compare", "3", "w: b: move:w"]] {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        refused(&read(&folder, &arguments), 2, "; --help shows the usage");
    }
    // Python without the package: no site packages, and none of the user.
    let mut alone = Command::new("python3");
    alone.args(["-I", "-S"]).arg(repository().join("scripts/read_merels.py"));
    refused(&alone.args(["w: b: move:w"]).output().unwrap(), 5, "pip install zstandard");
}

#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn other_answers_missing_values_and_damage_are_noticed() {
    let dir = solved("standard,stones=3", "compact");
    let folder = dir.path().join("standard,stones=3");
    let program = dir.path().join("program");
    let echo = "#!/bin/sh\necho line,position,outcome,distance,error\necho 1,x,draw,1,\n";
    fs::write(&program, echo).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let with = |program: &Path| {
        let compare = ["--compare", "1", "--program"].map(OsStr::new);
        read(&folder, &[&compare[..], &[program.as_os_str()]].concat())
    };
    refused(&with(&program), 6, " here, draw 1 there");
    refused(&with(&dir.path().join("none")), 5, "none does not answer");

    let position = "w:b4,d1 b:d3,a1 move:w hand:1,1";
    let table = folder.join("2-2+1-1.merels");
    let sound = fs::read(&table).unwrap();
    for (place, words) in [
        // The first byte of block 0.
        (532, "2-2+1-1.merels is damaged in block 0: its checksum differs"),
        (520, "2-2+1-1.merels is damaged in its block table"),
        (100, "2-2+1-1.merels is damaged in its header"),
        (8, "2-2+1-1.merels has another format version than 1"),
        (0, "2-2+1-1.merels is not a finished table"),
    ] {
        let mut bytes = sound.clone();
        bytes[place] ^= 64;
        fs::write(&table, bytes).unwrap();
        refused(&read(&folder, &[position.as_ref()]), 4, words);
    }
    fs::write(&table, &sound[..40]).unwrap();
    refused(&read(&folder, &[position.as_ref()]), 4, "2-2+1-1.merels is damaged in its header");
    fs::remove_file(&table).unwrap();
    let words = "there is no table of 2-2+1-1: ";
    refused(&read(&folder, &[position.as_ref()]), 3, words);
    fs::create_dir(&table).unwrap();
    refused(&read(&folder, &[position.as_ref()]), 5, "cannot read ");

    let manifest = folder.join("manifest.merels");
    let mut bytes = fs::read(&manifest).unwrap();
    bytes[30] ^= 1;
    fs::write(&manifest, bytes).unwrap();
    refused(&read(&folder, &[position.as_ref()]), 4, "manifest.merels is damaged");
}

/// A folder of the edition `statistics` keeps no values of large subspaces.
#[test]
#[ignore = "needs Python with zstandard: just test-all"]
fn values_that_are_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "--quiet", "--edition", "statistics", "--up-to", "8"];
    merels(dir.path()).args(solve).assert().success();
    let folder = dir.path().join("standard");
    // Of the six subspaces only 3-3, 4-3 and 3-4 have at most 2^20 entries.
    compare(&folder, 3);
    let output = read(&folder, &["w:a1,a4,d6,g1 b:b2,b4,c3,c5 move:w".as_ref()]);
    refused(&output, 3, "keeps no values of 4-4, because its edition is 'statistics'");
}
