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

/// Entries by subspace: the classes of the mover's stones times the arrangements of the other
/// side's.
const ENTRIES: [&str; 4] = ["210140", "862980", "945630", "3667665"];

/// A row without the size and the digest, which depend on the edition.
fn without_size(row: &str) -> &str {
    row.rsplitn(3, ',').last().unwrap()
}

#[test]
fn histograms_are_of_one_subspace_or_of_all() {
    let rows = |arguments: &[&str]| {
        let csv = stdout(merels(database()).args(["stats", "--histogram"]).args(arguments));
        csv.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let one = rows(&["3-3", "-f", "csv"]);
    assert_eq!(one[0], "subspace,outcome,distance,positions");
    assert!(one.contains(&"3-3,draw,,269".to_owned()), "{one:?}");
    let positions = |rows: &[String]| {
        let count = |row: &String| row.rsplit(',').next().unwrap().parse::<u64>().unwrap();
        rows[1..].iter().map(count).sum::<u64>()
    };
    let text = stdout(merels(database()).args(["stats", "3-3", "-f", "json"]));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["totals"]["positions"], positions(&one));
    let all = rows(&["-f", "csv"]);
    let text = stdout(merels(database()).args(["stats", "-f", "json"]));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["totals"]["positions"], positions(&all));
    // As one document and for people, all subspaces are added up.
    let text = stdout(merels(database()).args(["stats", "--histogram", "-f", "json"]));
    let document: Value = serde_json::from_str(&text).unwrap();
    let sums = document["histogram"].as_array().unwrap();
    let sum: u64 = sums.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    assert_eq!(report["totals"]["positions"], sum);
    assert_eq!(rows(&[]).len(), sums.len() + 1);
    merels(database()).args(["stats", "--histogram", "9-9"]).assert().code(3);
}

#[test]
fn csv_has_the_published_counts() {
    let csv = stdout(merels(database()).args(["stats", "--format", "csv"]));
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some(
            "subspace,entries,positions,wins,draws,losses,longest_win,longest_loss,size_bytes,digest"
        )
    );
    let rows: Vec<_> = lines.map(without_size).collect();
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
    let json = stdout(merels(database()).args(["stats", "--format", "json"]));
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
    command.args(["stats", "--format", "csv"]).assert().code(4);
    assert!(stderr(&mut command).contains("3-4.merels"));
    assert_eq!(stdout(&mut command).lines().count(), 3);
}

#[test]
fn the_placing_phase_by_plies() {
    let dir = tempfile::tempdir().unwrap();
    merels(dir.path()).args(["solve", "--ruleset", "three"]).assert().success();
    let stats =
        |more: &[&str]| stdout(merels(dir.path()).args(["stats", "--ruleset", "three"]).args(more));
    let csv = stats(&["--by-ply", "-f", "csv"]);
    let numbers: Vec<_> = csv.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
    assert_eq!(
        numbers.join("\n"),
        "ply,subspaces,entries,positions,wins,draws,losses,longest_win,longest_loss\n\
         0,1,1,1,1,0,0,9,\n\
         1,1,9,3,1,1,1,7,8\n\
         2,1,24,12,5,6,1,9,6\n\
         3,1,84,38,15,20,3,7,8\n\
         4,1,168,108,68,30,10,9,6\n\
         5,1,280,174,104,48,22,9,8"
    );
    let report: Value = serde_json::from_str(&stats(&["--by-ply", "-f", "json"])).unwrap();
    assert_eq!(report["plies"][4]["ply"], 4);
    assert_eq!(report["plies"][4]["wins"], 68);
    assert_eq!(report["totals"]["positions"], 336);
    let text = stats(&["--by-ply"]);
    assert!(text.starts_with("ply  ") && text.contains("\ntotal          6 "), "{text}");
    // Subspace by subspace: moving first, then from the last stone back.
    let csv = stats(&["-f", "csv"]);
    let names: Vec<_> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    let expected = ["3-3", "2-3+1-0", "2-2+1-1", "1-2+2-1", "1-1+2-2", "0-1+3-2", "0-0+3-3"];
    assert_eq!(names, expected);
    let mut nothing = merels(database());
    nothing.args(["stats", "--by-ply"]).assert().code(3);
    assert!(stderr(&mut nothing).contains("no databases of the placing phase"));
}
