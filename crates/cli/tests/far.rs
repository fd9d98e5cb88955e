//! Databases with values beyond 253 plies, which are in two files.

mod common;

use std::fs;

use bytesize::ByteSize;
use merels_db::{Edition, Folder};

use common::far::write_made_up;
use common::{merels, stderr, stdout};

/// The bytes of both files of the table.
fn size(folder: &Folder) -> u64 {
    let sizes = ["3-3.merels", "3-3.far.merels"]
        .map(|name| fs::metadata(folder.path().join(name)).unwrap().len());
    assert!(sizes.iter().all(|&size| size > 10_000), "{sizes:?}");
    sizes.iter().sum()
}

#[test]
fn sizes_are_those_of_both_files() {
    let dir = tempfile::tempdir().unwrap();
    let full = write_made_up(dir.path(), Edition::Full);
    for command in [&["stats", "--json"][..], &["solve", "--only", "3-3", "--json"]] {
        let json = stdout(merels(dir.path()).args(command));
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(report["totals"]["size_bytes"], size(&full), "{json}");
        assert_eq!(report["subspaces"][0]["size_bytes"], size(&full), "{json}");
        assert_eq!(report["totals"]["longest_loss"], 398, "{json}");
    }
    let shown = ByteSize::b(size(&full)).display().iec().to_string();
    let text = stdout(merels(dir.path()).arg("stats"));
    assert!(text.contains(&shown), "{shown}: {text}");
    let text = stdout(merels(dir.path()).args(["solve", "--only", "3-3"]));
    assert!(text.contains(&format!("{shown} in ")), "{shown}: {text}");

    let packed = tempfile::tempdir().unwrap();
    let pack = ["pack", "--edition", "compact", "--no-progress", "--to"];
    let text = stdout(merels(dir.path()).args(pack).arg(packed.path()));
    let packed = Folder::open(packed.path(), *full.ruleset()).unwrap();
    let shown = ByteSize::b(size(&packed)).display().iec().to_string();
    assert!(text.starts_with(&format!("1 tables, {shown} in ")), "{shown}: {text}");
}

#[test]
fn a_table_that_has_lost_its_far_codes_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = write_made_up(dir.path(), Edition::Compact);
    let far = folder.path().join("3-3.far.merels");
    fs::remove_file(&far).unwrap();
    let position = "w:d7,g7,g1 b:a4,g4,d5 move:b";
    let said = stderr(merels(dir.path()).args(["query", position]));
    let fault = format!(
        "{}, which belongs to {}, does not exist; ",
        far.display(),
        folder.path().join("3-3.merels").display()
    );
    assert!(said.contains(&fault), "{said}");
    assert!(said.contains("make both again with `merels solve --only 3-3"), "{said}");
    let solve = ["solve", "--only", "3-3", "--no-progress"];
    let said = stderr(merels(dir.path()).args(solve));
    assert_eq!(said, format!("{fault}it is made again where it is needed\n"));
    // In truth nothing takes so long there.
    assert!(!far.exists());
    let answer = stdout(merels(dir.path()).args(["query", position]));
    assert!(answer.contains("loss in 26"), "{answer}");
    assert_eq!(stderr(merels(dir.path()).args(solve)), "");
}
