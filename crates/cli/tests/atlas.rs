//! `merels atlas`: where it writes, and how it refuses.

mod common;

use std::fs;

use common::{merels, stderr};

#[test]
fn a_page_with_plots_and_a_page_that_needs_none() {
    let dir = tempfile::tempdir().unwrap();
    for ruleset in ["three", "four"] {
        let solve = ["solve", "--no-progress", "--ruleset", ruleset];
        merels(dir.path()).args(solve).assert().success();
    }
    let atlas = |args: &[&str]| {
        let mut command = merels(dir.path());
        command.current_dir(dir.path()).arg("atlas").args(args).assert().success();
    };
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    atlas(&[]);
    let page = read("docs/atlas.md");
    assert!(page.contains("\n## four\n") && page.contains("\n## three\n"), "{page}");
    assert!(read("docs/atlas/three-distances-moving.svg").starts_with("<svg"));

    atlas(&["--html", "page.html", "three"]);
    let html = read("page.html");
    assert!(html.contains("<h2>three</h2>") && !html.contains("<h2>four</h2>"), "{html}");
    assert!(html.contains("<svg") && !html.contains("src="), "{html}");

    atlas(&["--ruleset", "four", "--out", "other"]);
    assert!(read("other/atlas.md").contains("The empty board is a draw."));
    assert!(!dir.path().join("other/atlas/three-distances-moving.svg").exists());
}

#[test]
fn what_is_not_there_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let missing = stderr(merels(dir.path()).args(["atlas", "six", "--html", "x"]));
    assert!(
        missing.starts_with("merels: there are no databases for the ruleset 'six'"),
        "{missing}"
    );
    let mut nothing = merels(dir.path());
    nothing.arg("atlas").assert().code(3);
    assert!(stderr(&mut nothing).starts_with("merels: there are no databases in "), "{missing}");
}

#[test]
fn what_is_wrong_with_one_game_is_told_and_the_others_are_written() {
    let dir = tempfile::tempdir().unwrap();
    for ruleset in ["three", "four"] {
        let solve = ["solve", "--no-progress", "--ruleset", ruleset];
        merels(dir.path()).args(solve).assert().success();
    }
    let atlas = |args: &[&str]| {
        let mut command = merels(dir.path());
        let output = command.current_dir(dir.path()).arg("atlas").args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let page = || fs::read_to_string(dir.path().join("docs/atlas.md")).unwrap();
    assert_eq!(atlas(&["four", "four"]), (Some(0), String::new()));
    assert_eq!(page().matches("\n## four\n").count(), 1);

    // A file that is listed and gone.
    fs::remove_file(dir.path().join("four/4-4.merels")).unwrap();
    let gone = "4-4: the manifest lists it, but the file is gone";
    let (code, said) = atlas(&["four"]);
    assert!(code == Some(3) && said.contains(&format!("four: {gone}")), "{said}");
    let mut stats = merels(dir.path());
    stats.args(["stats", "--ruleset", "four"]).assert().code(3);
    assert!(stderr(&mut stats).contains(gone));

    // A damaged one.
    fs::write(dir.path().join("three/3-3.merels"), "damaged").unwrap();
    let (code, said) = atlas(&[]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("merels: three: ") && said.contains("3-3.merels"), "{said}");
    assert!(page().contains("\n## four\n") && !page().contains("\n## three\n"));
}
