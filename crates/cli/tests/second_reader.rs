//! What `scripts/read_merels.py`, a reader made from `docs/format.md` alone, finds in databases of every
//! edition is what the program says.
//!
//! It needs Python 3.10 and a zstd package; without them these tests pass with a message.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

mod common;

use common::{database, merels};

/// What the script exits with if Python or its packages lack something.
const UNABLE: i32 = 3;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the script on a folder. None, with a message, where it cannot run.
fn read(folder: &Path, args: &[&OsStr]) -> Option<Output> {
    let mut command = Command::new("python3");
    command.arg(repository().join("scripts/read_merels.py")).arg(folder).args(args);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: python3 does not run: {error}");
            return None;
        }
    };
    if output.status.code() == Some(UNABLE) {
        eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr).trim_end());
        return None;
    }
    Some(output)
}

/// What the script says of one position.
fn value(folder: &Path, position: &str) -> Option<String> {
    let output = read(folder, &[position.as_ref()])?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
}

/// Compares random positions of a folder with the answers of the program.
fn compare(folder: &Path, expected_end: &str) {
    let program = env!("CARGO_BIN_EXE_merels");
    let args = ["--probe", "300", "--seed", "7", "--merels", program].map(OsStr::new);
    let Some(output) = read(folder, &args) else { return };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.starts_with("300 of 300 positions"), "{text}");
    assert!(text.trim_end().ends_with(expected_end), "{text}");
}

fn solved(ruleset: &str, edition: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "--no-progress", "--ruleset", ruleset, "--edition", edition];
    merels(dir.path()).args(solve).assert().success();
    dir
}

#[test]
fn whole_games_of_every_edition() {
    for edition in ["full", "compact", "outcome"] {
        let dir = solved("four", edition);
        compare(&dir.path().join("four"), &format!("from 18 tables agree (edition {edition})"));
    }
}

#[test]
fn the_standard_board() {
    compare(&database().join("standard"), "from 6 tables agree (edition compact)");
    let dir = tempfile::tempdir().unwrap();
    let pack = ["pack", "--edition", "outcome", "--no-progress", "--to"];
    merels(database()).args(pack).arg(dir.path()).assert().success();
    compare(&dir.path().join("standard"), "from 6 tables agree (edition outcome)");
}

#[test]
fn positions_in_both_notations() {
    let folder = database().join("standard");
    let figure_9 = ["w:d7,g7,g1 b:a4,g4,d5 move:b", "@*******/********/OO@O**@* b m s 3 0 3 0"];
    for position in figure_9 {
        let Some(found) = value(&folder, position) else { return };
        assert_eq!(found, "loss 26");
    }
    let pending = "w:a1,a4,a7 b:g7,d6,d5,b4 move:w remove:1";
    assert_eq!(value(&folder, pending).unwrap(), "loss 24");
    let output = read(&folder, &["w:d7 b:a4".as_ref()]).unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// The positions that `docs/format.md` looks up by hand.
#[test]
fn the_worked_examples() {
    let plain = repository().join("crates/db/tests/data/standard");
    let Some(found) = value(&plain, "w:a1,d3,g4 b:b6,e5,f4 move:w") else { return };
    assert_eq!(found, "win 3");
    let dir = solved("three", "compact");
    let sorted = "w:b3,c1 b:c3,a1 move:w hand:1,1";
    assert_eq!(value(&dir.path().join("three"), sorted).unwrap(), "win 3");
}

#[test]
fn other_answers_and_damage_are_noticed() {
    let dir = solved("three", "compact");
    let folder = dir.path().join("three");
    let program = dir.path().join("program");
    fs::write(&program, "#!/bin/sh\necho line,position,outcome,distance,error\necho 1,x,draw,1,\n")
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["--probe", "5", "--merels"].map(OsStr::new);
    let Some(output) = read(&folder, &[&args[..], &[program.as_os_str()]].concat()) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("0 of 5 positions"), "{text}");

    let table = folder.join("2-2+1-1.merels");
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    let output = read(&folder, &["w:b3,c1 b:c3,a1 move:w hand:1,1".as_ref()]).unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("block 0: its checksum is wrong"), "{text}");
}
