//! `merels query` with positions on standard input: order, batches, bad lines, answers at once.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use merels_core::{Board, Points, Position, Ruleset, Side, Stones};

use common::{database, merels};

/// `count` pseudo-random positions of three stones a side, one a line.
fn positions(count: usize) -> String {
    let points: Vec<_> = Board::Nine.geometry().points().into_iter().collect();
    let mut lines = String::new();
    let mut state = 1_u64;
    let mut written = 0;
    while written < count {
        let mut stones = Vec::new();
        while stones.len() < 6 {
            // The constants of Knuth's generator.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let point = points[(state >> 33) as usize % points.len()];
            if !stones.contains(&point) {
                stones.push(point);
            }
        }
        let of = |range: &[_]| Stones { board: range.iter().copied().collect::<Points>(), hand: 0 };
        let position = Position::new(of(&stones[..3]), of(&stones[3..]), Side::White);
        if written % 2 == 0 {
            lines += &position.fen(&Ruleset::STANDARD).unwrap().to_string();
        } else {
            lines += &position.plain(&Ruleset::STANDARD).to_string();
        }
        lines.push('\n');
        written += 1;
    }
    lines
}

#[test]
fn thousands_of_lines_are_answered_in_order() {
    // More than a batch, with a line that has no answer in the middle, on one thread and on
    // several.
    let mut input = positions(20_000);
    input += "nonsense\n# a remark\n\n";
    input += &positions(10);
    let run = |threads: &str| {
        let mut command = merels(database());
        command.args(["query", "--format", "csv", "--threads", threads]);
        let output = command.write_stdin(input.clone()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.starts_with("merels: line 20001: position: 'nonsense'"), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
        String::from_utf8(output.stdout).unwrap()
    };
    let (one, four) = (run("1"), run("4"));
    assert!(one == four, "the answers depend on the number of threads");
    let mut lines = one.lines();
    assert_eq!(lines.next(), Some("line,position,outcome,distance,error"));
    let given: Vec<_> = input.lines().collect();
    let mut answered = 0;
    for line in lines {
        let (number, rest) = line.split_once(',').unwrap();
        let number: usize = number.parse().unwrap();
        let position = given[number - 1];
        assert!(rest.trim_start_matches('"').starts_with(position), "{line}");
        assert_eq!(rest.contains(",,,"), position == "nonsense", "{line}");
        answered += 1;
    }
    assert_eq!(answered, 20_011);
    // The first and the last ten positions are the same.
    let value = |line: &str| line.split_once(',').unwrap().1.to_owned();
    let all: Vec<_> = one.lines().collect();
    for (first, last) in all[1..=10].iter().zip(&all[all.len() - 10..]) {
        assert_eq!(value(first), value(last));
    }
}

#[test]
fn formats_agree() {
    let input = positions(200);
    let run = |format: &str| {
        let mut command = merels(database());
        command.args(["query", "--format", format]).write_stdin(input.clone());
        common::stdout(&mut command)
    };
    let array: Vec<serde_json::Value> = serde_json::from_str(&run("json")).unwrap();
    let objects: Vec<serde_json::Value> =
        run("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, objects);
    let csv = run("csv");
    for (row, object) in csv.lines().skip(1).zip(&objects) {
        let distance = object["distance"].as_u64().map(|plies| plies.to_string());
        let outcome = object["outcome"].as_str().unwrap();
        let end = format!(",{outcome},{},", distance.unwrap_or_default());
        assert!(row.ends_with(&end), "{row}: {object}");
    }
    assert_eq!(csv.lines().count(), 1 + objects.len());
    assert_eq!(run("text").matches("to move: ").count(), 200);
}

#[test]
fn every_line_is_answered_before_the_next_is_waited_for() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_merels"));
    program.args(["query", "--format", "csv"]).env("MERELS_DB", database());
    let mut program = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = program.stdin.take().unwrap();
    let mut answers = BufReader::new(program.stdout.take().unwrap()).lines();
    assert_eq!(answers.next().unwrap().unwrap(), "line,position,outcome,distance,error");
    for line in 1..=3 {
        writeln!(questions, "w:d7,g7,g1 b:a4,g4,d5 move:b").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert_eq!(answer, format!("{line},\"w:d7,g7,g1 b:a4,g4,d5 move:b\",loss,26,"));
    }
    drop(questions);
    assert!(answers.next().is_none());
    assert!(program.wait().unwrap().success());
}

#[test]
fn lines_that_are_no_text_or_far_too_long() {
    let mut input = vec![0xff, 0xfe, b'\n'];
    input.extend(vec![b'w'; 1_000_000]);
    input.extend(b"\nw:d7,g7,g1 b:a4,g4,d5 move:b");
    let mut command = merels(database());
    let output = command.args(["query", "--format", "jsonl"]).write_stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<serde_json::Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors: Vec<_> = answers.iter().map(|answer| answer["error"].as_str()).collect();
    assert!(errors[0].is_some());
    assert_eq!(errors[1], Some("the line is longer than 16384 bytes"));
    assert_eq!((errors[2], &answers[2]["distance"]), (None, &26.into()));
}
