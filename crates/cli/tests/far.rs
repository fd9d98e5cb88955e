//! Databases with values beyond 253 plies.

mod common;

use std::fs;

use bytesize::ByteSize;
use merels_db::{Edition, Folder};

use common::far::write_made_up;
use common::{merels, stdout};

/// The bytes of the table.
fn size(folder: &Folder) -> u64 {
    fs::metadata(folder.path().join("3-3.merels")).unwrap().len()
}

#[test]
fn sizes_and_distances_are_printed() {
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
