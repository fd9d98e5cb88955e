//! `merels stats` on a database made by `merels solve`.

mod common;

use serde_json::Value;

use common::{database, merels, stderr, stdout};

/// Published counts: wins, draws, losses, longest win, longest loss.
const PUBLISHED: [&str; 4] = [
    "3-3,,169626,140621,269,28736,25,26",
    "4-3,,760398,75397,681906,3095,1,32",
    "3-4,,760398,102281,658117,0,33,",
    "4-4,,3225597,159,3225409,29,9,8",
];

/// Entries by subspace: the classes of the mover's stones times the places of the other side's.
const ENTRIES: [&str; 4] = ["210140", "862980", "945630", "3667665"];

#[test]
fn csv_has_the_published_counts() {
    let csv = stdout(merels(database()).args(["stats", "--csv"]));
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("subspace,entries,positions,wins,draws,losses,longest_win,longest_loss")
    );
    let rows: Vec<_> = lines.collect();
    for (row, entries) in PUBLISHED.iter().zip(ENTRIES) {
        let row = row.replacen(",,", &format!(",{entries},"), 1);
        assert!(rows.contains(&row.as_str()), "{row} is not in\n{csv}");
    }
    assert_eq!(rows[0].split(',').next(), Some("3-3"));
    // 3-3, both orders of 4-3 and of 5-3, and 4-4.
    assert_eq!(rows.len(), 6);
}

#[test]
fn json_tells_the_same_and_more() {
    let json = stdout(merels(database()).args(["stats", "--json"]));
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["ruleset"], "standard");
    let rows = report["subspaces"].as_array().unwrap();
    let row = rows.iter().find(|row| row["subspace"] == "3-4").unwrap();
    assert_eq!(row["wins"], 102_281);
    assert_eq!(row["longest_win"], 33);
    assert_eq!(row["longest_loss"], Value::Null);
    assert_eq!(row["digest"].as_str().unwrap().len(), 64);
    let size: u64 = rows.iter().map(|row| row["size_bytes"].as_u64().unwrap()).sum();
    assert_eq!(report["totals"]["size_bytes"], size);
    assert!(size > 10_000);
}

#[test]
fn text_is_aligned_and_has_totals() {
    let text = stdout(merels(database()).arg("stats"));
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("subspace"));
    assert!(lines.last().unwrap().starts_with("total"));
    assert!(text.contains("3,225,409"), "{text}");
}

#[test]
fn a_folder_without_databases() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = merels(dir.path());
    command.args(["stats", "--ruleset", "lasker"]).assert().code(3).stdout("");
    let message = stderr(&mut command);
    assert!(message.starts_with("merels: ") && message.contains("lasker"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_damaged_file_is_named_and_the_others_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("standard");
    std::fs::create_dir(&folder).unwrap();
    for name in ["3-3.merels", "4-3.merels"] {
        std::fs::copy(database().join("standard").join(name), folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("3-4.merels"), b"not a database").unwrap();
    let mut command = merels(dir.path());
    command.args(["stats", "--csv"]).assert().code(4);
    assert!(stderr(&mut command).contains("3-4.merels"));
    assert_eq!(stdout(&mut command).lines().count(), 3);
}
