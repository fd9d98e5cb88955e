//! `merels play`, by its standard input and output.

mod common;

use std::fs;

use assert_cmd::Command;
use common::{merels, stderr, stdout};

/// A game with three stones a side, which is solved when it begins.
fn three(arguments: &[&str]) -> Command {
    let mut command = merels(common::no_databases());
    command.args(["play", "--ruleset", "three", "--seed", "1"]).args(arguments);
    command
}

/// The output of the program for these lines of input.
fn dialogue(arguments: &[&str], lines: &str) -> String {
    let mut command = three(arguments);
    command.write_stdin(lines.replace(' ', "\n"));
    command.assert().success();
    stdout(&mut command)
}

/// The lines after the prompt with `typed`, up to the next prompt.
fn reply<'a>(said: &'a str, typed: &str) -> Vec<&'a str> {
    let prompt = |line: &&str| line.contains("> ") && !line.starts_with(' ');
    let mut lines = said.lines().skip_while(|line| !line.ends_with(&format!("> {typed}")));
    assert!(lines.next().is_some(), "'{typed}' was not read: {said}");
    lines.take_while(|line| !prompt(line)).collect()
}

#[test]
fn perfect_play_against_itself() {
    let said = stdout(&mut three(&["--white", "perfect", "--show-values"]));
    assert!(said.starts_with("White: perfect play. Black: perfect play. Seed 1.\n"), "{said}");
    // Under best play the distance falls by one with each ply.
    let moves: Vec<_> = said.lines().filter(|line| line.contains(" plays ")).collect();
    assert_eq!(moves.len(), 9, "{said}");
    for (left, line) in (0..9).rev().zip(moves) {
        let plies = if left == 1 { "1 ply".to_owned() } else { format!("{left} plies") };
        assert!(line.ends_with(&format!(" in {plies}")), "{line}");
    }
    assert!(said.contains("The game is over: Black has fewer than three stones and has lost."));
    assert!(said.trim_end().ends_with(" 1-0"), "{said}");
    // The same seed makes the same game.
    assert_eq!(stdout(&mut three(&["--white", "perfect", "--show-values"])), said);
}

#[test]
fn a_drawn_game_against_itself_comes_to_an_end() {
    let draw = ["--white", "perfect", "--moves", "b2 a1 a2 c2"];
    let said = stdout(&mut three(&draw));
    assert!(said.contains("the position has occurred three times"), "{said}");
    assert!(said.trim_end().ends_with("1/2-1/2"), "{said}");
    let cut = stdout(&mut three(&[&draw[..], &["--max-plies", "8"]].concat()));
    assert!(cut.contains("The game is over: stopped after 8 plies."), "{cut}");
    assert!(cut.trim_end().ends_with('*'), "{cut}");
}

#[test]
fn rules_about_history_end_games() {
    // Two people move back and forth.
    let shuffle = |rules: &str| {
        let mut command = merels(common::no_databases());
        command.args(["play", "--ruleset", rules, "--black", "person"]);
        command.arg("w:a1,b1,c2 b:a3,b3,c1 move:w");
        command.write_stdin("b1-b2\nb3-c3\nb2-b1\nc3-b3\n".repeat(2));
        stdout(&mut command)
    };
    let third = shuffle("three,repetition=threefold");
    assert!(
        third.contains("The game is over: the position has occurred three times, a draw."),
        "{third}"
    );
    assert!(third.contains("1/2-1/2"), "{third}");
    let limit = shuffle("three,ply-limit=5");
    assert!(
        limit.contains("The game is over: for 5 plies no stone was placed or removed, a draw."),
        "{limit}"
    );
    assert!(!shuffle("three").contains("The game is over"));
}

#[test]
fn wrong_moves_are_explained_in_a_line_and_change_nothing() {
    let said = dialogue(&["--black", "person"], "b2 b2 z9 a1-a2 b2xa1 a1");
    for (typed, words) in
        [("z9", "not a point"), ("a1-a2", "in hand"), ("b2xa1", "b2 is not empty")]
    {
        let told = reply(&said, typed);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(words), "{told:?}");
    }
    // Black's wrong move, then the right one.
    assert!(
        said.contains("Black> b2\nmove 'b2': b2 is not empty: White has a stone there\nBlack> z9"),
        "{said}"
    );
    assert!(said.contains("White (O) 2, Black (@) 2"), "{said}");
}

#[test]
fn a_mill_asks_for_the_stone_to_remove() {
    let mill = ["--black", "person", "w:a1,a2,b3 b:c1,c2,b1 move:w"];
    let said = dialogue(&mill, "b3-a3 b3-a3xc2");
    assert!(
        reply(&said, "b3-a3")[0].contains("name the stone to remove, as in b3-a3xb1"),
        "{said}"
    );
    assert!(said.contains("The game is over: Black has fewer than three stones"), "{said}");
}

#[test]
fn moves_are_taken_back_to_the_last_choice_of_a_person() {
    let said = dialogue(&[], "undo b2 undo b2 resign undo undo");
    let expected = [
        "You have no move to take back.",
        "2 plies are taken back.",
        "The resignation is taken back.",
        "2 plies are taken back.",
    ];
    let found: Vec<_> = said.lines().filter(|line| line.ends_with("back.")).collect();
    assert_eq!(found, expected, "{said}");
    // The program's first move is not Black's to take back.
    let said = dialogue(&["--white", "perfect", "--black", "person"], "undo");
    assert_eq!(reply(&said, "undo"), ["You have no move to take back."]);
    // Between people, one ply at a time.
    let said = dialogue(&["--black", "person"], "b2 a1 undo");
    assert_eq!(reply(&said, "undo")[0], "One ply is taken back.");
}

#[test]
fn hints_and_values() {
    let said = dialogue(&[], "hint values moves b2 hint");
    assert_eq!(reply(&said, "hint"), ["b2: win in 9 plies"]);
    assert_eq!(
        reply(&said, "values"),
        [
            "win in 9 plies     b2",
            "draw               a1 a3 c1 c3",
            "loss in 8 plies    a2 b1 b3 c2"
        ]
    );
    assert_eq!(reply(&said, "moves"), ["a1 a2 a3 b1 b2 b3 c1 c2 c3"]);
    // A hint does not change what the program plays.
    let first = |lines: &str| {
        let said = dialogue(&["--show-values"], lines);
        said.lines().find(|line| line.starts_with("Black plays")).unwrap().to_owned()
    };
    assert_eq!(first("b2"), first("hint hint b2"));
}

#[test]
fn games_are_saved_and_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let (by_command, by_option) = (dir.path().join("a.txt"), dir.path().join("b.txt"));
    let mut command = three(&["--save", by_option.to_str().unwrap()]);
    command.write_stdin(format!("b2\nsave\nsave {}\nresign\nquit\n", by_command.display()));
    let said = stdout(&mut command);
    assert!(reply(&said, "save")[0].contains("save game.txt"), "{said}");
    let open = fs::read_to_string(&by_command).unwrap();
    assert!(
        open.starts_with(
            "; ruleset: three\n; white: person\n; black: perfect play, seed 1\n1. b2 "
        )
    );
    assert!(open.ends_with(" *\n"), "{open}");
    let ended = fs::read_to_string(&by_option).unwrap();
    assert!(ended.contains("\n; end: The game is over: White has resigned.\n"), "{ended}");
    assert!(ended.ends_with(" 0-1\n"), "{ended}");
    // A saved game can be continued, and its moves taken back.
    let again = dialogue(&["--moves", &ended], "undo");
    assert!(again.contains("White (O) 2, Black (@) 2"), "{again}");
    assert_eq!(reply(&again, "undo")[0], "2 plies are taken back.");
    // So can one that began with another position.
    let third = dir.path().join("c.txt");
    let mut command =
        three(&["w:a1,a2,b3", "b:c1,c2,b1", "move:w", "--save", third.to_str().unwrap()]);
    command.write_stdin("b3-a3xc2\n").assert().success();
    let text = fs::read_to_string(&third).unwrap();
    let end = "\n[position \"w:a1,a2,b3 b:b1,c1,c2 move:w hand:0,0\"]\n1. b3-a3xc2 1-0\n";
    assert!(text.ends_with(end), "{text}");
    let over = dialogue(&["--moves", &text], "");
    assert!(over.contains("The game is over"), "{over}");
    // A file that cannot be written is reported and does not end the game.
    let mut command = three(&[]);
    command.write_stdin(format!("save {}\nb2\n", dir.path().join("no/such").display()));
    let said = stdout(&mut command);
    assert!(said.contains("cannot write") && said.contains("Black plays"), "{said}");
}

#[test]
fn the_edition_of_the_databases_is_told() {
    for (edition, told) in [
        ("compact", "Databases: edition compact."),
        ("outcome", "Databases: edition outcome: no distances."),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let solve = ["solve", "--no-progress", "--ruleset", "three", "--edition", edition];
        merels(dir.path()).args(solve).assert().success();
        let mut command = merels(dir.path());
        command.args(["play", "--ruleset", "three", "--seed", "1"]).write_stdin("hint\n");
        let said = stdout(&mut command);
        let first = format!(
            "White: person. Black: perfect play. Seed 1. {told} `help` lists the commands.\n"
        );
        assert!(said.starts_with(&first), "{said}");
        let hint = if edition == "outcome" { "b2: win" } else { "b2: win in 9 plies" };
        assert_eq!(reply(&said, "hint"), [hint]);
    }
}

#[test]
fn a_missing_database_is_told_before_the_first_move() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = merels(dir.path());
    command.arg("play").write_stdin("d2\n").assert().code(3).stdout("");
    let told = stderr(&mut command);
    assert!(told.contains("no database for 0-0+9-9 yet; make it with `merels solve"), "{told}");
    assert_eq!(told.lines().count(), 1);
    // Two people need no database, and a question without an answer does not end the game.
    let mut command = merels(dir.path());
    command.args(["play", "--black", "person"]).write_stdin("d2\nhint\nf2\n").assert().success();
    let said = stdout(&mut command);
    assert!(reply(&said, "hint")[0].contains("merels solve"), "{said}");
    assert!(said.contains("White (O) 8, Black (@) 8"), "{said}");
}
