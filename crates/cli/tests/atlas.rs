//! `merels atlas`: its files and its refusals.

mod common;

use std::fs;
use std::path::Path;

use common::{merels, stderr};
use tempfile::TempDir;

/// A folder with the whole games of three and of four stones.
fn two_games() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for ruleset in ["three", "four"] {
        let solve = ["solve", "--no-progress", "--ruleset", ruleset];
        merels(dir.path()).args(solve).assert().success();
    }
    dir
}

/// Runs the command in the folder `dir` on the databases there. Returns its exit code, standard
/// output and standard error.
fn atlas(dir: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = merels(dir).current_dir(dir).arg("atlas").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The output of a run that wrote a page into `dir` without problems.
fn written(dir: &str) -> (Option<i32>, String, String) {
    let out = format!("wrote {dir}/atlas.md, with its plots in {dir}/atlas\n");
    (Some(0), out, String::new())
}

#[test]
fn a_page_with_plots_and_a_page_that_needs_none() {
    let dir = two_games();
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(atlas(dir.path(), &[]), written("."));
    let page = read("atlas.md");
    assert!(page.contains("\n## four\n") && page.contains("\n## three\n"), "{page}");
    assert!(read("atlas/three-distances-moving.svg").starts_with("<svg"));

    let html = atlas(dir.path(), &["--html", "page.html", "three"]);
    assert_eq!(html, (Some(0), "wrote page.html\n".into(), String::new()));
    let html = read("page.html");
    assert!(html.contains(">three</h2>") && !html.contains(">four</h2>"), "{html}");
    assert!(html.contains("<svg") && !html.contains("src="), "{html}");
    assert_eq!(read("atlas.md"), page, "no other page with --html");

    assert_eq!(atlas(dir.path(), &["--ruleset", "four", "--out", "other"]), written("other"));
    assert!(read("other/atlas.md").contains("The empty board is a draw."));
    assert!(!dir.path().join("other/atlas/three-distances-moving.svg").exists());
}

#[test]
fn what_is_not_there_is_told() {
    let dir = tempfile::tempdir().unwrap();
    for (args, words) in [
        (&["six", "--html", "x"][..], "there are no databases for the ruleset 'six'"),
        (&[], "there are no databases in "),
    ] {
        let (code, out, told) = atlas(dir.path(), args);
        assert_eq!((code, out), (Some(3), String::new()), "{told}");
        assert!(told.starts_with(&format!("merels: {words}")), "{told}");
    }
}

#[test]
fn what_is_wrong_with_one_game_is_told_and_the_others_are_written() {
    let dir = two_games();
    let page = || fs::read_to_string(dir.path().join("atlas.md")).unwrap();
    assert_eq!(atlas(dir.path(), &["four", "four"]), written("."));
    assert_eq!(page().matches("\n## four\n").count(), 1);

    // A file that the manifest lists, and that is missing.
    fs::remove_file(dir.path().join("four/4-4.merels")).unwrap();
    let gone = "4-4: the manifest lists it, but the file is gone";
    let (code, _, told) = atlas(dir.path(), &["four"]);
    assert!(code == Some(3) && told.contains(&format!("four: {gone}")), "{told}");
    let mut stats = merels(dir.path());
    stats.args(["stats", "--ruleset", "four"]).assert().code(3);
    assert!(stderr(&mut stats).contains(gone));

    // A damaged one.
    fs::write(dir.path().join("three/3-3.merels"), "damaged").unwrap();
    let (code, _, told) = atlas(dir.path(), &[]);
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("merels: three: ") && told.contains("3-3.merels"), "{told}");
    assert!(page().contains("\n## four\n") && !page().contains("\n## three\n"));
}
