//! A mapped table that is cut off while it is read: the process ends with a line that names the
//! file, and with the exit code that the program chose.
#![cfg(unix)]

mod common;

use std::env;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use merels_core::Ruleset;
use merels_core::numbering::Codes;
use merels_db::{Folder, report_cut_files};

use common::{ENTRIES, SUBSPACE, Scratch, made_up};

const VARIABLE: &str = "MERELS_TEST_CUT_FOLDER";

/// What [`the_last_line_names_the_file`] does in a process of its own.
fn read_a_cut_file(dir: &Path) -> ! {
    report_cut_files(77, "test", "; restore it");
    let folder = Folder::open(dir, Ruleset::STANDARD).unwrap();
    let table = folder.map_table(SUBSPACE).unwrap();
    let file = File::options().write(true).open(table.path()).unwrap();
    file.set_len(0).unwrap();
    let _ = table.decode_block(0, &mut Codes::default());
    unreachable!("the block cannot be read");
}

/// The test starts itself as another process, and tells it the folder.
#[test]
fn the_last_line_names_the_file() {
    if let Some(dir) = env::var_os(VARIABLE) {
        read_a_cut_file(dir.as_ref());
    }
    let scratch = Scratch::new();
    scratch.write(&made_up(1, ENTRIES));
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "the_last_line_names_the_file", "--nocapture"])
        .env(VARIABLE, scratch.dir.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(77), "{errors}");
    let last = errors.lines().last().unwrap();
    assert!(last.contains("standard/1-2+8-7.merels was cut short"), "{errors}");
}
