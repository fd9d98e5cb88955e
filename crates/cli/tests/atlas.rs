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
