//! `merels rules`, and databases of games with rules about their history.

mod common;

use merels_core::Ruleset;
use serde_json::Value;

use common::{merels, stderr, stdout};

fn rules(arguments: &[&str]) -> String {
    let mut command = merels("no such folder".as_ref());
    command.arg("rules").args(arguments).assert().success();
    stdout(&mut command)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&rules(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn every_name_has_a_line() {
    let list = rules(&[]);
    for preset in Ruleset::PRESETS {
        let line = list.lines().find(|line| line.split(' ').next() == Some(preset.name));
        let line = line.unwrap_or_else(|| panic!("{} is not in {list}", preset.name));
        assert!(line.ends_with(preset.summary), "{line}");
    }
    let line = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line("standard").contains("  draw (p, c) "), "{list}");
    assert!(line("three").contains("  win in 9 plies (p, c) "), "{list}");
    assert!(line("morabaraba").contains("  win in 49 plies (p, c) "), "{list}");
}

#[test]
fn prints_any_ruleset_in_words() {
    let three = rules(&["show", "three"]);
    assert!(three.starts_with("three: Three Men's Morris"), "{three}");
    assert!(
        three.contains("\n- Stones never jump, even if their side has only three.\n"),
        "{three}"
    );
    assert!(three.lines().all(|line| line.chars().count() <= 80), "{three}");
    let changed = rules(&["show", "standard,flying=never,double-mill=two"]);
    assert!(changed.starts_with("standard,flying=never,double-mill=two\n"), "{changed}");
    let words = changed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("removes two stones") && words.contains("Stones never jump"));
    assert!(changed.contains("board=nine stones=9 flying=never"), "{changed}");
    // Without a name, the ruleset of the option.
    assert_eq!(rules(&["show", "--ruleset", "three"]), three);
    let mut command = merels("no such folder".as_ref());
    command.args(["rules", "show", "four,full-board=draw"]).assert().code(2);
    assert!(stderr(&mut command).contains("full-board=draw has no meaning here"));
}

#[test]
fn rules_as_json() {
    let list = json(&[]);
    assert_eq!(list.as_array().unwrap().len(), Ruleset::PRESETS.len());
    let three = list.as_array().unwrap().iter().find(|rules| rules["ruleset"] == "three").unwrap();
    assert_eq!(three["result"]["distance"], 9);
    assert_eq!(three["fields"]["flying"], "never");
    assert!(three.get("rules").is_none());
    let one = json(&["show", "three,stones=4,ply-limit=100"]);
    assert_eq!(one["summary"], Value::Null);
    assert_eq!(one["fields"]["ply-limit"], "100");
    assert_eq!(
        (&one["result"]["outcome"], &one["result"]["published"]),
        (&"win".into(), &false.into())
    );
    let titles: Vec<_> =
        one["rules"].as_array().unwrap().iter().map(|part| &part["title"]).collect();
    assert_eq!(titles[0], "The board");
    assert_eq!(titles.len(), 6);
}

#[test]
fn rules_about_history_share_the_databases_of_those_without() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = merels(dir.path());
        command.args(arguments).assert().success();
        stdout(&mut command)
    };
    let solved = run(&["solve", "--no-progress", "--ruleset", "three,repetition=threefold"]);
    assert!(solved.contains(&dir.path().join("three").display().to_string()), "{solved}");
    let names: Vec<_> =
        dir.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["three"]);
    let again = run(&["solve", "--no-progress", "--ruleset", "three"]);
    assert!(again.contains("nothing to do"), "{again}");
    for rules in ["three", "three,ply-limit=9", "three,repetition=threefold,ply-limit=50"] {
        let found = run(&["query", "--ruleset", rules, "w: b: move:w hand:3,3"]);
        assert!(found.contains("win in 9 plies\n"), "{rules}: {found}");
        let counted = run(&["stats", "--ruleset", rules, "--json"]);
        assert!(counted.contains("\"ruleset\": \"three\""), "{rules}: {counted}");
        let verified = run(&["verify", "--full", "--no-progress", "--ruleset", rules]);
        assert!(verified.contains("have the value of their best move"), "{rules}: {verified}");
        let mut play = merels(dir.path());
        play.args(["play", "--ruleset", rules]).write_stdin("quit\n");
        let said = stdout(&mut play);
        assert!(said.contains("Databases: edition compact."), "{rules}: {said}");
    }
}

/// Every command reads, answers and writes the positions of every board.
#[test]
fn small_boards_are_asked_about_as_the_large_one_is() {
    let dir = tempfile::tempdir().unwrap();
    for (rules, position, best) in [
        ("three", "w:b2 b:a1 move:w hand:2,2", "b3"),
        ("six,stones=3", "w:a1,a3 b:e1,e3 move:w hand:1,1", "a5xe1"),
        ("seven,stones=3", "w:c1,c2 b:e1,e3 move:w hand:1,1", "c3xe1"),
    ] {
        let run = |arguments: &[&str]| {
            let mut command = merels(dir.path());
            command.args(arguments).args(["--ruleset", rules]).assert().success();
            stdout(&mut command)
        };
        run(&["solve", "--no-progress"]);
        let text = run(&["query", position]);
        assert!(text.contains(&format!("\n{position}\n")), "{text}");
        // Printed positions can be read again, and so can the picture alone.
        assert_eq!(run(&["query", &text]), text);
        let (picture, _) = text.split_once(&format!("\n{position}")).unwrap();
        assert_eq!(run(&["query", picture]), text);
        let json: Value =
            serde_json::from_str(&run(&["query", position, "--format", "json"])).unwrap();
        assert_eq!(
            (&json["position"], &json["moves"][0]["move"]),
            (&position.into(), &best.into())
        );
        assert_eq!(json["edition"], "compact");
        let csv = run(&["query", position, "--format", "csv", "--line"]);
        assert!(csv.lines().nth(1).unwrap().contains(best), "{csv}");
        assert!(run(&["stats", "--by-ply"]).contains("total"));
        assert!(run(&["verify", "--full", "--no-progress"]).starts_with("subspace"));
        let mut play = merels(dir.path());
        play.args(["play", "--ruleset", rules, position, "--black", "person"]);
        let said = stdout(play.write_stdin(format!("hint\n{best}\nquit\n")));
        assert!(said.contains(": win in ") || said.contains(": draw"), "{said}");
        assert!(!said.contains("move '"), "{said}");
    }
}

#[test]
fn the_known_result_is_that_without_rules_about_history() {
    let dir = tempfile::tempdir().unwrap();
    let show = |rules: &str| {
        let mut command = merels(dir.path());
        command.args(["rules", "show", rules]).assert().success();
        let text = stdout(&mut command);
        let json: Value = serde_json::from_str(&stdout(command.arg("--json"))).unwrap();
        (text.split_whitespace().collect::<Vec<_>>().join(" "), json["result"].clone())
    };
    let (text, result) = show("three,ply-limit=1");
    assert!(text.contains("without the rule of the limit of plies, White wins"), "{text}");
    assert!(!text.contains("1 plies"), "{text}");
    assert_eq!((&result["outcome"], &result["without_history"]), (&"win".into(), &true.into()));
    let (text, result) = show("three");
    assert!(!text.contains("without the rule of"), "{text}");
    assert_eq!(result["without_history"], false);
}
