//! `merels annotate`: judges games in a file or on standard input.

mod common;

use assert_cmd::Command;
use common::{database, merels, stderr, stdout};
use serde_json::{Value, json};

/// The game with three stones a side, which is solved on the spot.
fn three(arguments: &[&str], game: &str) -> Command {
    let mut command = merels(common::no_databases());
    command.args(["annotate", "--ruleset", "three"]).args(arguments).write_stdin(game);
    command
}

#[test]
fn mistakes_are_named() {
    let said = stdout(&mut three(&[], "1. a1 b3 2. a2"));
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].trim_start().starts_with("side   move"), "{said}");
    assert_eq!(
        lines[1],
        "1. White  a1    win in 9 plies     draw               BLUNDER, win to draw; better: b2"
    );
    assert!(lines[2].starts_with("1. Black  b3    draw               loss in "), "{said}");
    assert!(lines[2].contains("BLUNDER, draw to loss; better: "), "{said}");
    assert!(said.contains("White: 1 blunder, 1 slip\n"), "{said}");
    assert!(said.contains("Black: 1 blunder, no slips"), "{said}");
    // An option omits the others.
    let mistakes = stdout(&mut three(&["--mistakes"], "1. b2 b3 2. c2"));
    let listed: Vec<_> = mistakes.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    assert_eq!(listed.len(), 1, "{mistakes}");
    assert!(listed[0].starts_with("2. White  c2    win in 7 plies     draw  "), "{mistakes}");
}

#[test]
fn perfect_play_is_not_found_fault_with() {
    let game = "1. b2 b3 2. a1 c3 3. a3 a2 4. a1-b1 c3-c2 5. b1-c1xb3 1-0";
    let mut command = three(&["--mistakes"], game);
    command.assert().success();
    let said = stdout(&mut command);
    assert!(
        said.contains("White: no blunders, no slips\nBlack: no blunders, no slips\n"),
        "{said}"
    );
    assert!(said.contains("The game is over: Black has fewer than three stones"), "{said}");
    assert_eq!(said.lines().count(), 5, "{said}");
}

#[test]
fn as_json() {
    let text = stdout(&mut three(&["--json"], "1. a1 a2"));
    let game: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&game["ruleset"], &game["start"]),
        (&json!("three"), &json!("w: b: move:w hand:3,3"))
    );
    let first = &game["plies"][0];
    assert_eq!(
        (&first["number"], &first["side"], &first["move"]),
        (&json!(1), &json!("white"), &json!("a1"))
    );
    assert_eq!(first["before"], json!({"outcome": "win", "distance": 9}));
    assert_eq!(
        (&first["verdict"], &first["choices"], &first["holding"]),
        (&json!("blunder"), &json!(9), &json!(1))
    );
    assert_eq!((&game["over"], &game["missing"]), (&Value::Null, &json!([])));
    assert_eq!(
        game["value"]["outcome"],
        game["plies"][1]["after"]["outcome"]
            .as_str()
            .map(|outcome| if outcome == "loss" { "win" } else { "draw" })
            .unwrap()
    );
}

#[test]
fn a_saved_game_is_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt");
    let mut play = merels(common::no_databases());
    play.args(["play", "--ruleset", "three", "--white", "perfect", "--seed", "1", "--save"]);
    play.arg(&file).assert().success();
    let mut command = merels(common::no_databases());
    command.args(["annotate", "--ruleset", "three"]).arg(&file).assert().success();
    let said = stdout(&mut command);
    assert!(said.contains("5. White  b1-c1xb3  win in 1 ply"), "{said}");
}

#[test]
fn what_is_wrong_is_told_in_a_line() {
    let mut wrong = three(&[], "1. a1 a1");
    wrong.assert().code(2);
    assert_eq!(stderr(&mut wrong).lines().count(), 1);
    assert!(stderr(&mut wrong).contains("move 1... a1: a1 is not empty"));
    let mut absent = three(&["no such file"], "");
    absent.assert().code(2);
    assert!(stderr(&mut absent).contains("there is no file no such file"));
    // Without databases of the opening its moves have no judgement.
    let mut opening = merels(database());
    opening.args(["annotate"]).write_stdin("1. d6 f4");
    opening.assert().code(1);
    let told = stderr(&mut opening);
    assert!(told.contains("merels solve"), "{told}");
    let mut named: Vec<_> = told.lines().collect();
    named.dedup();
    assert_eq!(named.len(), told.lines().count(), "{told}");
    let said = stdout(&mut opening);
    assert!(said.contains("1. White  d6    not known\n1. Black  f4    not known\n"), "{said}");
    assert!(said.contains("White: not known\nBlack: not known\n"), "{said}");
    assert!(!said.contains("no blunders"), "{said}");
    // `annotate` judges the moves from the first one with a database on.
    let text = r#"[position "w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w"] 1. d7-a7xb4 d5-e5"#;
    let mut part = merels(database());
    part.args(["annotate"]).write_stdin(text);
    part.assert().code(1);
    let said = stdout(&mut part);
    assert!(said.contains("1. White  d7-a7xb4  not known"), "{said}");
    assert!(stderr(&mut part).contains("there is no database for 5-4 yet"));
}
