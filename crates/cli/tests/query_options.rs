//! Options of `merels query`: notations of positions, games, lines of best play, best moves,
//! symmetries.

mod common;

use serde_json::Value;

use common::{database, merels, stderr, stdout};

/// Figure 9 of Gasser's paper, in the plain form.
const FIGURE_9: &str = "w:d7,g7,g1 b:a4,g4,d5 move:b";

fn query(arguments: &[&str]) -> String {
    let mut command = merels(database());
    command.arg("query").args(arguments);
    command.assert().success();
    stdout(&mut command)
}

fn json(arguments: &[&str]) -> Value {
    let text = query(&[&["--format", "json"], arguments].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_position_may_be_several_words() {
    let words: Vec<_> = FIGURE_9.split(' ').collect();
    let expected = query(&[FIGURE_9]);
    assert_eq!(query(&words), expected);
    let fen = expected.lines().find(|line| line.contains('/')).unwrap();
    // Its fields -1 are no options.
    assert_eq!(query(&fen.split(' ').collect::<Vec<_>>()), expected);
    assert_eq!(query(&[".WWBW..B/......../.B......|B|9|9"]), expected);
}

#[test]
fn what_is_printed_can_be_asked_again() {
    let standard = [
        FIGURE_9,
        "w:a1,a4,a7 b:g7,d6,d5,b4 move:w remove:1",
        "w:a4,a7,d7,g7 b:g4,a1,b4,d6 move:w",
    ];
    for position in standard {
        let printed = query(&["--line", "--symmetries", position]);
        assert_eq!(query(&["--line", "--symmetries", &printed]), printed);
    }
    for (rules, position) in
        [("three", "w:a1 b: move:b hand:2,3"), ("four", "w:a1,a3,d2 b:b2,d3,e3 move:w hand:1,1")]
    {
        let first = query(&["--ruleset", rules, position]);
        assert_eq!(query(&["--ruleset", rules, &first]), first);
    }
}

#[test]
fn a_game_is_asked_about_where_it_stands() {
    let three = |arguments: &[&str]| json(&[&["--ruleset", "three"], arguments].concat());
    let game = "1. b2 a1 {a corner} 2. b3 *";
    let answer = three(&["--moves", game]);
    assert_eq!(answer["position"], "w:b2,b3 b:a1 move:b hand:1,2");
    assert_eq!(answer, three(&["w:b2,b3", "b:a1", "move:b", "hand:1,2"]));
    assert_eq!(three(&["--moves", ""])["position"], "w: b: move:w hand:3,3");

    let mut wrong = merels(database());
    wrong.args(["query", "--ruleset", "three", "--moves", "1. b2 a1 2. a1"]);
    wrong.assert().code(2);
    let told = stderr(&mut wrong);
    assert!(told.contains("move 2. a1: a1 is not empty"), "{told}");
    let mut both = merels(database());
    both.args(["query", "--moves", "d2", FIGURE_9]).assert().code(2);
}

#[test]
fn the_line_of_best_play() {
    let answer = json(&["--line", FIGURE_9]);
    let plies = answer["principal"]["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 26);
    assert_eq!(answer["principal"]["end"], "over");
    assert_eq!(plies[0]["move"], answer["moves"][0]["move"]);
    for (played, ply) in (1..).zip(plies) {
        let after = json(&[ply["after"]["position"].as_str().unwrap()]);
        for field in ["position", "outcome", "distance"] {
            assert_eq!(after[field], ply["after"][field]);
        }
        assert_eq!(after["distance"], 26 - played);
    }

    let text = query(&["--line", FIGURE_9]);
    let lines: Vec<_> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("Best play")).unwrap();
    assert!(lines[start + 1].starts_with(" 1. Black  d5-a7"), "{text}");
    assert!(lines[start + 1].ends_with("  win in 25 plies"), "{text}");
    assert!(lines[start + 26].starts_with("26. White"), "{text}");
    let last = "The game is over: Black has fewer than three stones and has lost.";
    assert_eq!(lines[start + 27..], [last]);

    let drawn = json(&["--line", "w:a4,d7,g1", "b:g7,d1,b4,c5", "move:w"]);
    assert_eq!(
        (&drawn["outcome"], &drawn["principal"]["end"]),
        (&"draw".into(), &"repeats".into())
    );
}

#[test]
fn the_best_moves_alone() {
    let rules = ["--ruleset", "three", "w:b2", "b:a1", "move:w", "hand:2,2"];
    let text = query(&[&["--all-best"], &rules[..]].concat());
    assert!(text.ends_with("\nwin in 7 plies     b3 c2\n"), "{text}");
    let answer = json(&[&["--all-best"], &rules[..]].concat());
    assert_eq!(answer["best"], Value::from(vec!["b3", "c2"]));
    // The other fields do not change.
    let without = json(&rules);
    for (field, value) in without.as_object().unwrap() {
        assert_eq!(&answer[field], value);
    }
}

#[test]
fn moves_that_are_the_same_by_symmetry() {
    let start = ["--symmetries", "--ruleset", "three", "w: b: move:w hand:3,3"];
    let text = query(&start);
    let expected = "\
win in 9 plies     b2
draw               a1=a3=c1=c3
loss in 8 plies    a2=b1=b3=c2
";
    assert!(text.ends_with(expected), "{text}");
    let classes: Vec<_> = json(&start)["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ranked| ranked["class"].as_u64().unwrap())
        .collect();
    assert_eq!(classes, [0, 1, 1, 1, 1, 2, 2, 2, 2]);
    // The empty board of 24 points: four classes.
    let twins = query(&["--symmetries", "--ruleset", "standard,stones=3", "w: b: move:w hand:3,3"]);
    assert!(twins.contains("a4=c4=d1=d3=d5=d7=e4=g4 b4=d2=d6=f4\n"), "{twins}");
    merels(database())
        .args(["query", "--symmetries", "--format", "csv", FIGURE_9])
        .assert()
        .code(2);
}

#[test]
fn an_edition_without_distances_is_told() {
    let whole = json(&[FIGURE_9]);
    assert_eq!((&whole["edition"], &whole["distance"]), (&"compact".into(), &26.into()));
    let text = query(&[FIGURE_9]);
    assert!(text.contains("Black (@) to move: loss in 26 plies\n"), "{text}");
    assert!(!text.contains("edition"), "{text}");
    // A pending removal, and a move that ends the game.
    let pending = "w:a1,a4,a7 b:g7,d6,d5,b4 move:w remove:1";
    assert_eq!(json(&[pending])["edition"], "compact");

    let dir = tempfile::tempdir().unwrap();
    let outcome = ["pack", "--edition", "outcome", "--no-progress", "--to"];
    merels(database()).args(outcome).arg(dir.path()).assert().success();
    let ask = |more: &[&str]| stdout(merels(dir.path()).args(["query", FIGURE_9]).args(more));
    let answer: Value = serde_json::from_str(&ask(&["--format", "json"])).unwrap();
    assert_eq!((&answer["edition"], &answer["outcome"]), (&"outcome".into(), &"loss".into()));
    assert_eq!(
        (&answer["distance"], &answer["moves"][0]["distance"]),
        (&Value::Null, &Value::Null)
    );
    let text = ask(&[]);
    assert!(text.contains("Black (@) to move: loss\n"), "{text}");
    assert!(text.contains("\n\nloss               a4-a1 a4-a7 "), "{text}");
    let said = stderr(merels(dir.path()).args(["query", FIGURE_9]));
    assert!(said.contains("the edition 'outcome' keeps no distances"), "{said}");
    assert_eq!(stderr(merels(dir.path()).args(["query", FIGURE_9, "--quiet"])), "");
    // The printed position can be looked up again.
    assert_eq!(stdout(merels(dir.path()).args(["query", &text])), text);
    let row = ask(&["--format", "csv"]);
    assert!(row.ends_with(",loss,,\n"), "{row}");

    // Solved on the spot.
    let nowhere = dir.path().join("nowhere");
    std::fs::create_dir(&nowhere).unwrap();
    let text = stdout(merels(&nowhere).args(["query", "--format", "jsonl", FIGURE_9]));
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&answer["edition"], &answer["distance"]), (&Value::Null, &26.into()));
    let text = stdout(merels(&nowhere).args(["query", FIGURE_9]));
    assert!(text.contains("loss in 26 plies\n") && !text.contains("edition"), "{text}");
}

#[test]
fn comma_separated_values() {
    let row = |arguments: &[&str]| query(&[&["--format", "csv"], arguments].concat());
    assert_eq!(
        row(&[FIGURE_9]),
        format!("line,position,outcome,distance,error\n,\"{FIGURE_9}\",loss,26,\n")
    );
    let three = ["--ruleset", "three", "--all-best", "--line", "--moves", "b2 a1 b3 b1 c1 a3"];
    assert_eq!(
        row(&three),
        "line,position,outcome,distance,best,principal,over,error\n\
         ,\"w:b2,b3,c1 b:a1,a3,b1 move:w hand:0,0\",win,3,b2-c2 b3-c3,b2-c2 a1-a2 b3-c3xa2,,\n"
    );
}

/// A game that a rule about its history ended.
#[test]
fn the_end_by_a_rule_about_history_is_told() {
    const GAME: &str = "1. a1 b1 2. c2 a3 3. b2 c1 4. b2-b3";
    let limited = |arguments: &[&str]| {
        query(&[&["--ruleset", "three,ply-limit=1", "--moves", GAME], arguments].concat())
    };
    let end = "The game is over: for 1 ply no stone was placed or removed, a draw.";
    for options in [&[][..], &["--line", "--all-best"]] {
        let text = limited(options);
        let (_, told) = text.split_once(end).unwrap_or_else(|| panic!("{text}"));
        // Neither moves nor a line follow.
        assert!(
            told.starts_with("\nWithout that rule, the value for the side to move is: "),
            "{text}"
        );
        assert_eq!(told.trim_end().lines().count(), 2, "{text}");
    }
    let options = ["--format", "json", "--line", "--all-best"];
    let answer: Value = serde_json::from_str(&limited(&options)).unwrap();
    let over = &answer["over"];
    assert_eq!((&over["reason"], &over["winner"]), (&"ply-limit".into(), &Value::Null));
    assert_eq!(answer["moves"], Value::Array(Vec::new()));
    assert_eq!(answer["best"], Value::Array(Vec::new()));
    assert_eq!(answer["principal"]["end"], "over");
    let csv = limited(&["--format", "csv", "--all-best"]);
    assert!(csv.starts_with("line,position,outcome,distance,best,over,error\n"), "{csv}");
    assert!(csv.ends_with(",,ply-limit,\n"), "{csv}");

    let twice = "a1 a3 b1 b3 c2 c1 b1-b2 b3-c3 b2-b1 c3-b3 b1-b2 b3-c3 b2-b1 c3-b3";
    let repeated = |rules: &str, moves: &str| {
        json(&["--ruleset", rules, "--moves", moves])["over"]["reason"].clone()
    };
    assert_eq!(repeated("three,repetition=threefold", twice), "repetition");
    let shorter = twice.strip_suffix(" c3-b3").unwrap();
    assert_eq!(repeated("three,repetition=threefold", shorter), Value::Null);
    assert_eq!(repeated("three", twice), Value::Null);
    // A game that ended by its stones.
    let lost = "1. b2 a1 2. a2 c1 3. c2xa1";
    assert_eq!(repeated("three", lost), "too-few-stones");
    let csv = query(&["--ruleset", "three", "--moves", lost, "--format", "csv"]);
    assert!(csv.ends_with(",too-few-stones,\n"), "{csv}");
}

#[test]
fn moves_are_no_name_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt");
    std::fs::write(&file, "1. b2 a1").unwrap();
    for command in ["query", "play"] {
        let mut command_line = merels(database());
        command_line.args([command, "--ruleset", "three", "--moves"]).arg(&file);
        command_line.assert().code(2);
        let said = stderr(&mut command_line);
        assert!(said.contains(&format!("\"$(cat {})\"", file.display())), "{said}");
    }
}
