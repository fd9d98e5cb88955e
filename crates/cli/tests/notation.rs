//! Nothing is skipped in silence: what users pass is understood whole, or refused with a cause.

mod common;

use std::fs;
use std::path::Path;

use common::{database, merels, no_databases, stderr, stdout};
use serde_json::Value;

fn annotate(arguments: &[&str], game: &str) -> assert_cmd::Command {
    let mut command = merels(no_databases());
    command.arg("annotate").args(arguments).write_stdin(game.to_owned());
    command
}

#[test]
fn texts_that_are_no_games_are_refused() {
    for (text, words) in [
        ("", "no moves found"),
        ("{\"game\":\"1. d6 f4\"}", "not JSON"),
        ("[\"d6\",\"f4\"]", "is not understood"),
        ("[Event \"x\"]\n", "no moves found"),
        ("1. d6 f4 fnord", "line 1, column 10: 'fnord' is not understood"),
        ("1. d6 f4 2. d7 f2 3. d5 a7", "name the stone"),
    ] {
        let mut command = annotate(&[], text);
        command.assert().code(2);
        assert!(stdout(&mut command).is_empty(), "{text}");
        let said = stderr(&mut command);
        assert!(said.contains(words), "{text}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn numbers_name_points() {
    let game = |text: &str, arguments: &[&str]| -> Value {
        let arguments = [&["--json", "--ruleset", "three"], arguments].concat();
        serde_json::from_str(&stdout(&mut annotate(&arguments, text))).unwrap()
    };
    let moves = |game: &Value| -> Vec<String> {
        let plies = game["plies"].as_array().unwrap();
        plies.iter().map(|ply| ply["move"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(moves(&game("1. 5 1 2. 9", &[])), ["b2", "a3", "c1"]);
    assert_eq!(moves(&game("1. 4 0 2. 8", &["--points", "0"])), ["b2", "a3", "c1"]);
    assert_eq!(moves(&game("1. b2 a3 2. c1", &[])), ["b2", "a3", "c1"]);
    let mut beyond = annotate(&["--ruleset", "three"], "1. 5 10");
    assert!(stderr(&mut beyond).contains("--points 0"), "{}", stderr(&mut beyond));
}

#[test]
fn a_file_of_several_games() {
    let text = "[Ruleset \"three\"]\n1. b2 a1 1-0\n[Ruleset \"three\"]\n1. a1 b2 (1... c3) *";
    let said = stdout(&mut annotate(&[], text));
    assert!(said.contains("Game 1 of 2") && said.contains("Game 2 of 2"), "{said}");
    assert!(!said.contains("Variation"), "{said}");
    let second = stdout(&mut annotate(&["--game", "2", "--variations"], text));
    assert!(second.contains("Variation: 1. a1 c3") && !second.contains("Game"), "{second}");
    let games: Value = serde_json::from_str(&stdout(&mut annotate(&["--json"], text))).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 2);
    let mut third = annotate(&["--game", "3"], text);
    third.assert().code(2);
    assert!(stderr(&mut third).contains("the file has 2 games"));
}

/// What the format writes is read again as the same game.
#[test]
fn pgn_is_read_back() {
    let text =
        "[Event \"a \\\"b\\\"\"]\n[Ruleset \"three\"]\n1. b2 a1 (1... c3 2. c1 (2. a3)) 2. c1 1-0";
    let pgn = stdout(&mut annotate(&["--format", "pgn", "--variations"], text));
    assert!(pgn.contains("[Event \"a \\\"b\\\"\"]"), "{pgn}");
    let again = stdout(&mut annotate(&["--format", "pgn", "--variations"], &pgn));
    assert_eq!(again, pgn);
    assert!(pgn.contains("1. b2") && pgn.contains("( 1... c3") && pgn.contains("1-0"), "{pgn}");
}

#[test]
fn rules_in_the_text_count() {
    let saved = "; ruleset: no-flying\n1. d6 f4";
    let mut other = annotate(&["--ruleset", "standard"], saved);
    other.assert().code(2);
    assert!(stderr(&mut other).contains("the rules 'no-flying'"), "{}", stderr(&mut other));
    let mut own = annotate(&[], saved);
    own.assert().code(1);
    let said = stderr(&mut own);
    assert!(said.contains("merels solve") && said.contains("--ruleset no-flying"), "{said}");
}

#[test]
fn positions_as_people_have_them() {
    for text in [
        "w:d7,g7,g1 b:a4,g4,d5 move:b",
        "fen @*******/********/OO@O**@* b m s 3 0 3 0",
        "@*******/********/OO@O**@*_b_m_s_3_0_3_0",
        "MFEN/1.0 mill24-state-v1 .WWBW..B/......../.B...... b m m 0,0 - 12 40 -",
        "http://127.0.0.1:7878/#position=w%3Ad7%2Cg1%2Cg7+b%3Aa4%2Cd5%2Cg4+move%3Ab",
    ] {
        let said = stdout(merels(database()).args(["query", "--format", "csv", text]));
        assert!(said.contains("loss,26"), "{text}: {said}");
    }
    for (text, words) in [
        ("@*******/********/OO@O**@* b m s 3 0 3 0 0 0 1 fnord", "'fnord' does not belong here"),
        ("startpos moves d6 fnord", "'fnord' is not understood"),
        ("OOO*****/@@@*****/******** w", "write all, as in"),
    ] {
        let mut command = merels(database());
        command.args(["query", text]).assert().code(2);
        assert!(stderr(&mut command).contains(words), "{text}: {}", stderr(&mut command));
    }
}

#[test]
fn every_form_is_written() {
    let position = "w:d7,g1,g7 b:a4,d5,g4 move:b";
    let written =
        |form: &str| stdout(merels(no_databases()).args(["query", "--as", form, position]));
    for form in ["plain", "fen", "mfen", "letters", "picture"] {
        let text = written(form);
        let again =
            stdout(merels(no_databases()).args(["query", "--as", "plain", text.trim_end()]));
        assert_eq!(again.trim_end(), "w:d7,g1,g7 b:a4,d5,g4 move:b hand:0,0", "{form}: {text}");
    }
    let svg = written("svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("fill=\"#fff\"").count(), 3);
}

#[test]
fn a_saved_game_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt");
    let play = |arguments: &[&str]| {
        let mut command = merels(no_databases());
        command.args(["play", "--ruleset", "three", "--black", "person", "--save"]).arg(&file);
        command.args(arguments).write_stdin("b2\nquit\n");
        command
    };
    play(&[]).assert().success();
    let first = fs::read_to_string(&file).unwrap();
    let mut second = play(&[]);
    second.assert().failure();
    assert!(stderr(&mut second).contains("exists already"), "{}", stderr(&mut second));
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
    play(&["--force"]).assert().success();
}

#[test]
fn folders_that_cannot_be_meant() {
    let nested = database().join("standard");
    for arguments in [&["query", "startpos"][..], &["stats"], &["verify"], &["solve"], &["serve"]] {
        let mut command = merels(&nested);
        command.args(arguments).assert().failure();
        let said = stderr(&mut command);
        assert!(said.contains("is the folder of one ruleset; --db takes"), "{arguments:?}: {said}");
    }
    for arguments in [&["query", "startpos"][..], &["stats"], &["verify"], &["serve"]] {
        let mut command = merels(Path::new("no such folder"));
        command.args(arguments).assert().failure();
        let said = stderr(&mut command);
        assert!(said.contains("the folder no such folder does not exist"), "{arguments:?}: {said}");
    }
    // An empty name is none.
    let mut empty = merels(Path::new(""));
    empty.args(["query", "--ruleset", "three", "startpos"]).current_dir(no_databases());
    empty.assert().success();
}
