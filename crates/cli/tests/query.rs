//! `merels query` on a database made by `merels solve`.

mod common;

use merels_core::{Board, Points, Position, Ruleset, Side, Situation, Stones};
use serde_json::Value;

use common::{database, merels, stderr, stdout};

const FIGURE_9: &str = "@*******/********/OO@O**@* b m s 3 0 3 0";

/// The FEN-like string of a position with these stones.
fn fen(mover: &str, other: &str, side: Side, pending: u8) -> String {
    let nine = Board::Nine.geometry();
    let stones = |names: &str| {
        let points = names.split_whitespace().map(|name| nine.point_named(name).unwrap());
        Stones { board: points.collect::<Points>(), hand: 0 }
    };
    let (white, black) = match side {
        Side::White => (stones(mover), stones(other)),
        Side::Black => (stones(other), stones(mover)),
    };
    let position = Position::new(white, black, side);
    let situation = Situation::pending_removal(position, pending, &Ruleset::STANDARD).unwrap();
    situation.fen(&Ruleset::STANDARD).unwrap().to_string()
}

fn json(position: &str) -> Value {
    let text = stdout(merels(database()).args(["query", "--format", "json", position]));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn published_values() {
    let cases = [
        ("a4 g4 d5", "d7 g7 g1", "loss", Some(26)),
        ("a4 a7 g7", "d7 d1 a1", "win", Some(25)),
        ("g7 g4 b6 c4", "d7 g1 d6", "loss", Some(32)),
        ("a4 a7 d7 g7", "g4 a1 b4 d6", "loss", Some(0)),
        ("d7 g4 g1 b4", "a4 a7 g7 a1", "win", Some(1)),
        ("a4 a7 d7", "g7 g4 g1", "win", Some(1)),
        ("a4 d7 g1", "g7 d1 b4 c5", "draw", None),
    ];
    for (mover, other, outcome, distance) in cases {
        for side in [Side::White, Side::Black] {
            let answer = json(&fen(mover, other, side, 0));
            assert_eq!(answer["outcome"], outcome, "{mover} | {other}");
            assert_eq!(answer["distance"], Value::from(distance), "{mover} | {other}");
        }
    }
}

#[test]
fn an_answer_in_json() {
    let answer = json(FIGURE_9);
    assert_eq!(answer["ruleset"], "standard");
    assert_eq!(answer["position"], format!("{FIGURE_9} 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 54);
    assert_eq!(
        (&moves[0]["outcome"], &moves[0]["distance"]),
        (&answer["outcome"], &answer["distance"])
    );
    // A move's value is the reversed value of the position after it.
    let after = json(moves[0]["position"].as_str().unwrap());
    assert_eq!((&after["outcome"], &after["distance"]), (&"win".into(), &25.into()));
}

#[test]
fn a_game_that_is_over() {
    let answer = json(&fen("d6 d5", "a7 d7 g7", Side::Black, 0));
    assert_eq!(answer["distance"], 0);
    assert_eq!(answer["moves"], Value::Array(Vec::new()));
    let blocked = fen("a4 a7 d7 g7", "g4 a1 b4 d6", Side::White, 0);
    let text = stdout(merels(database()).args(["query", &blocked]));
    assert!(text.contains("White (O) to move: loss in 0 plies"), "{text}");
    assert!(text.contains("The game is over: White cannot move and has lost."), "{text}");
}

#[test]
fn a_pending_removal_is_answered_by_its_choices() {
    let answer = json(&fen("a1 a4 a7", "g7 d6 d5 b4", Side::White, 1));
    assert_eq!(answer["pending_removal"], true);
    let moves: Vec<_> =
        answer["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 4);
    assert!(moves.iter().all(|name| name.starts_with('x')), "{moves:?}");
    for choice in answer["moves"].as_array().unwrap() {
        let after = json(choice["position"].as_str().unwrap());
        let plies = |value: &Value| value["distance"].as_u64();
        assert_eq!(plies(choice), plies(&after).map(|plies| plies + 1));
    }
}

#[test]
fn an_answer_for_people() {
    let text = stdout(merels(database()).args(["query", FIGURE_9]));
    let expected = "\
7  .-----------O-----------O
   |           |           |
6  |   .-------.-------.   |
   |   |       |       |   |
5  |   |   .---@---.   |   |
   |   |   |       |   |   |
4  @---.---.       .---.---@
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   |       |       |   |
2  |   .-------.-------.   |
   |           |           |
1  .-----------.-----------O
   a   b   c   d   e   f   g

Black (@) to move: loss in 26 plies
@*******/********/OO@O**@* b m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes

loss in 26 plies  ";
    assert!(text.contains(expected), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
}

#[test]
fn lines_are_answered_in_order_and_bad_ones_reported() {
    let drawn = fen("a4 d7 g1", "g7 d1 b4 c5", Side::White, 0);
    let input = format!("# a comment\n\n{FIGURE_9}\nnonsense\n{drawn}\n");
    let mut command = merels(database());
    command.args(["query", "--format", "jsonl"]).write_stdin(input);
    command.assert().code(1);
    let answers: Vec<Value> =
        stdout(&mut command).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<_> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5]);
    assert_eq!(answers[0]["distance"], 26);
    assert!(answers[1]["error"].as_str().unwrap().contains("'nonsense' is in none of"));
    assert_eq!(answers[2]["outcome"], "draw");
    assert_eq!(answers[2]["distance"], Value::Null);
    assert!(stderr(&mut command).starts_with("merels: line 4: "));
}

#[test]
fn many_lines_make_one_array() {
    for (input, count) in [(String::new(), 0), (format!("{FIGURE_9}\n{FIGURE_9}"), 2)] {
        let mut command = merels(database());
        command.args(["query", "--format", "json"]).write_stdin(input).assert().success();
        let answers: Value = serde_json::from_str(&stdout(&mut command)).unwrap();
        assert_eq!(answers.as_array().unwrap().len(), count);
    }
}

#[test]
fn refusals_have_a_line_and_a_code() {
    let too_large = fen("a7 d7 g1 b4 b6", "d6 d5 f4 c3", Side::White, 0);
    let start = Situation::start(&Ruleset::STANDARD);
    let start = start.fen(&Ruleset::STANDARD).unwrap().to_string();
    let cases = [
        ("nonsense", 2, "position: 'nonsense' is in none of the known forms; write it plainly"),
        ("@*******/n", 2, "position, column 10, board: 'n' is not a stone"),
        ("@*******/********/OO@O**@* b m s 4 0 3 0", 2, "says 4, but the board shows 3"),
        (too_large.as_str(), 3, "merels solve --only 5-4"),
        (start.as_str(), 3, "no database for 0-0+9-9 yet; make it with `merels solve --db "),
        (
            "********/********/OO***O** w p p 3 6 0 6",
            2,
            "column 36, white stones in hand: White has lost 0",
        ),
    ];
    for (position, code, message) in cases {
        let mut command = merels(database());
        command.args(["query", position]).assert().code(code).stdout("");
        let found = stderr(&mut command);
        assert!(found.starts_with("merels: ") && found.contains(message), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

/// A whole game with three stones a side on the standard board, opening included.
#[test]
fn positions_with_stones_in_hand() {
    let dir = tempfile::tempdir().unwrap();
    let rules = "standard,stones=3";
    merels(dir.path()).args(["solve", "--ruleset", rules]).assert().success();
    let query =
        |more: &[&str]| stdout(merels(dir.path()).args(["query", "--ruleset", rules]).args(more));
    let start = "********/********/******** w p p 0 3 0 3";
    let text = query(&[start]);
    let expected = "\
In hand: White (O) 3, Black (@) 3
White (O) to move: win in 23 plies
********/********/******** w p p 0 3 0 3 0 0 -1 -1 -1 -1 0 0 1 ids:nodes

win in 23 plies    a4 b4 c4 d1 d2 d3 d5 d6 d7 e4 f4 g4
win in 27 plies    a1 a7 b2 b6 c3 c5 e3 e5 f2 f6 g1 g7
";
    assert!(text.ends_with(expected), "{text}");
    // Along the line of best play the value changes by one ply with each move.
    let mut position = start.to_owned();
    for plies in (0..=23_u64).rev() {
        let text = query(&["--format", "json", &position]);
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["distance"], plies, "{text}");
        assert_eq!(answer["outcome"], if plies % 2 == 1 { "win" } else { "loss" });
        if plies > 0 {
            assert_eq!(answer["moves"][0]["distance"], plies);
            position = answer["moves"][0]["position"].as_str().unwrap().to_owned();
        }
    }
    // White's last stone has closed a mill. Black has two stones on the board and one in hand: if
    // it loses one, it has two left and has lost.
    let closed = "********/********/OO**@@*O w p r 3 0 2 1 1 0";
    let answer: Value = serde_json::from_str(&query(&["--format", "json", closed])).unwrap();
    assert_eq!((&answer["outcome"], &answer["distance"]), (&"win".into(), &1.into()));
    assert_eq!(answer["pending_removal"], true);
    let names: Vec<_> =
        answer["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
    assert_eq!(names, ["xa1", "xd1"]);
}

#[test]
fn wrong_arguments() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [&[&str]; 5] = [
        &["query", "--ruleset", "chess"],
        &["query", "--format", "xml"],
        &["query", "nonsense"],
        &["solve", "--only", "2"],
        &["conquer"],
    ];
    for arguments in cases {
        merels(dir.path()).args(arguments).assert().code(2);
    }
    let help = stdout(merels(dir.path()).arg("--help"));
    assert!(help.contains("Exit codes:"), "{help}");
}

/// A move that leads to a small subspace has a value even without a database; the others and the
/// position itself say what they lack, in all formats.
#[test]
fn partial_answers() {
    let nowhere = tempfile::tempdir().unwrap();
    let position = "w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w";
    let ask = |arguments: &[&str]| {
        let mut command = merels(nowhere.path());
        let output = command.arg("query").args(arguments).arg(position).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            errors.contains("merels: there is no database for 5-4 yet; make it with"),
            "{errors}"
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let text = ask(&[]);
    assert!(text.contains("\nWhite (O) to move: unknown\n"), "{text}");
    assert!(text.contains("d7-a7xb4 d7-a7xc3 d7-a7xd5 d7-a7xg4\n"), "{text}");
    let rest = "\nunknown            a1-d1 a4-a7 d7-d6 d7-g7 f4-e4 f4-f2 f4-f6 g1-d1\n";
    assert!(text.contains(rest), "{text}");
    assert!(text.contains("\nUnknown: there is no database for 4-5 yet; make it with "), "{text}");

    let answer: Value = serde_json::from_str(&ask(&["--format", "json", "--line"])).unwrap();
    assert_eq!((&answer["outcome"], &answer["distance"]), (&Value::Null, &Value::Null));
    let lacks = |value: &Value| value["subspace"].as_str().map(str::to_owned);
    let missing: Vec<_> = answer["missing"].as_array().unwrap().iter().filter_map(lacks).collect();
    assert_eq!(missing, ["5-4", "4-5"]);
    assert_eq!(answer["principal"], Value::Null);
    let moves = answer["moves"].as_array().unwrap();
    let (valued, unvalued) = moves.split_at(4);
    assert!(valued.iter().all(|mv| mv["outcome"].is_string() && mv.get("missing").is_none()));
    for mv in unvalued {
        assert_eq!((&mv["outcome"], lacks(&mv["missing"])), (&Value::Null, Some("4-5".into())));
        assert!(mv["missing"]["command"].as_str().unwrap().starts_with("merels solve --only 4-5"));
    }

    let csv = ask(&["--format", "csv", "--all-best"]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let row = rows.records().next().unwrap().unwrap();
    assert_eq!((&row[1], &row[2], &row[3], &row[4]), (position, "", "", ""));
    assert!(row[5].contains("for 5-4 yet") && row[5].contains("for 4-5 yet"), "{csv}");

    // A line of standard input keeps its answer, and is reported.
    let mut command = merels(nowhere.path());
    command.args(["query", "--format", "jsonl"]);
    let output = command.write_stdin(format!("{position}\n")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["moves"].as_array().unwrap().len(), 12);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("merels: line 1: there is no database for 5-4 yet"), "{errors}");
}
