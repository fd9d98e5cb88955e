//! Pages about small games, which the tests solve: the numbers are those of the headers in every
//! edition, and the same databases give the same bytes.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use merels_atlas::{Atlas, AtlasError, rulesets_in};
use merels_core::{Ruleset, Situation};
use merels_db::{Edition, Folder, TableSpec};
use merels_query::Oracle;
use merels_solver::{Observer, Options, Plan, Processor, Selection, run};

struct Silent;

impl Observer for Silent {}

fn solve(dir: &Path, plan: &Plan, edition: Edition) {
    let folder = Folder::create(dir, *plan.ruleset(), Some(edition)).unwrap();
    let level = TableSpec::DEFAULT_LEVEL;
    let options = Options { memory: 1 << 30, level, processor: Processor::detect() };
    run(&folder, plan, &options, &Silent, &AtomicBool::new(false)).unwrap();
}

fn rules(name: &str) -> Ruleset {
    name.parse().unwrap()
}

fn whole_game(name: &str) -> Plan {
    Plan::whole_game(&rules(name), &Selection::All).unwrap()
}

#[test]
fn a_page_about_whole_games() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["six,stones=4", "three", "six,stones=3"] {
        solve(dir.path(), &whole_game(name), Edition::Compact);
    }
    let rulesets = rulesets_in(dir.path()).unwrap();
    let names: Vec<_> = rulesets.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["four", "three", "standard,board=six,stones=3,flying=never"]);
    let atlas = Atlas::read(dir.path(), &rulesets).unwrap();
    let page = atlas.to_markdown();
    // Three Men's Morris.
    for line in [
        "The empty board is a win in 9 plies.",
        "| b2 | 1 | win in 9 plies | 8 of 8 |",
        "| a2 | 4 | loss in 8 plies | 1 of 8 |",
        "| moving | 1 | 228 | 130 (57.0 %) | 57 (25.0 %) | 41 (18.0 %) | 9 | 10 |",
        "| placing | 6 | 336 | 194 (57.7 %) | 105 (31.2 %) | 37 (11.0 %) | 9 | 8 |",
        "| together | 7 | 564 | 324 (57.4 %) | 162 (28.7 %) | 78 (13.8 %) | 9 | 10 |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    }
    let longest = page.lines().find(|line| line.starts_with("Longest win: 9 plies, in `3-3`"));
    let position = longest.unwrap().split('`').nth(3).unwrap();
    assert!(position.starts_with("w:") && position.contains(" move:w"), "{position}");
    assert!(page.contains("The game is over: "), "{page}");
    // Few stones come before many, although the folder comes later.
    let row =
        |name: &str, anchor: &str| page.find(&format!("\n| [`{name}`](#{anchor}) | ")).unwrap();
    let few = row("standard,board=six,stones=3,flying=never", "standardboardsixstones3flyingnever");
    assert!(few < row("four", "four"), "{page}");
    // The page has every game to which the table links.
    let html = atlas.to_html();
    let targets: Vec<_> =
        html.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(targets.len(), 3, "{html}");
    for target in targets {
        assert_eq!(html.matches(&format!("<h2 id=\"{target}\">")).count(), 1, "{target}");
    }
    assert!(!page.contains("part of this game"));

    let out = dir.path().join("docs");
    assert_eq!(atlas.write_markdown(&out).unwrap(), out.join("atlas.md"));
    assert_eq!(fs::read_to_string(out.join("atlas.md")).unwrap(), page);
    let plots: Vec<_> =
        page.split("](atlas/").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert_eq!(plots.len(), 3 * 5, "{plots:?}");
    for plot in &plots {
        let svg = fs::read_to_string(out.join("atlas").join(plot)).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("#FFFFFF"), "{plot}");
        assert!(atlas.to_html().contains(svg.trim_end()), "{plot}");
    }

    let again = Atlas::read(dir.path(), &rulesets).unwrap();
    assert_eq!((again.to_markdown(), again.to_html()), (page, atlas.to_html()));
}

#[test]
fn the_longest_games_are_positions_that_can_be_looked_up() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["four", "five", "three,stones=4,placing=mixed", "six,stones=4,placing=mixed"];
    for name in names {
        solve(dir.path(), &whole_game(name), Edition::Compact);
        let atlas = Atlas::read(dir.path(), &[rules(name)]).unwrap();
        let oracle = Oracle::open(dir.path(), rules(name)).unwrap();
        let page = atlas.to_markdown();
        let longest: Vec<_> = page.lines().filter(|line| line.starts_with("Longest ")).collect();
        assert_eq!(longest.len(), 2, "{page}");
        for line in longest {
            let text = line.split('`').nth(3).unwrap();
            let situation = Situation::parse(text, &rules(name)).unwrap();
            let mover = format!("{:?} to move", situation.position().side());
            assert!(line.contains(&mover), "{line}");
            let value = oracle.value(situation).unwrap();
            let plies = format!("{}: {} plies", value.outcome(), value.distance().unwrap());
            assert!(line.contains(&plies), "{line}: {value}");
        }
        assert_eq!(page.matches("a line of best play from it").count(), 2, "{page}");
    }
}

#[test]
fn every_edition_gives_the_same_numbers() {
    let plan = whole_game("standard,stones=4");
    let pages = [Edition::Full, Edition::Statistics].map(|edition| {
        let dir = tempfile::tempdir().unwrap();
        solve(dir.path(), &plan, edition);
        let page = Atlas::read(dir.path(), &[*plan.ruleset()]).unwrap();
        page.to_markdown().replace(edition.name(), "EDITION")
    });
    // The subspace of the longest win is small, and larger ones are solved on demand.
    assert_eq!(pages[0], pages[1]);
    assert!(pages[0].contains("The empty board is a "), "{}", pages[0]);
}

#[test]
fn a_part_of_a_game_is_called_one() {
    let dir = tempfile::tempdir().unwrap();
    let standard = Ruleset::STANDARD;
    solve(dir.path(), &Plan::moving(&standard, &Selection::UpTo(7)).unwrap(), Edition::Outcome);
    let page = Atlas::read(dir.path(), &[standard]).unwrap().to_markdown();
    assert!(page.contains("Only a part of this game is solved: 3 of its 318 subspaces."), "{page}");
    assert!(page.contains("| not solved | 1,690,422 | "), "{page}");
    assert!(page.contains("The edition `outcome` keeps no distances"), "{page}");
    assert!(!page.contains("The empty board is"), "{page}");
    // A folder without tables, and no folder at all.
    let empty = tempfile::tempdir().unwrap();
    Folder::create(empty.path(), standard, None).unwrap();
    let nothing = Atlas::read(empty.path(), &rulesets_in(empty.path()).unwrap());
    assert!(matches!(nothing, Err(AtlasError::Nothing { .. })));
    assert!(matches!(Atlas::read(empty.path(), &[rules("six")]), Err(AtlasError::Database(_))));
}
