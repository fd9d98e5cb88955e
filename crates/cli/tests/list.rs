//! `merels list`: positions of a subspace with their values.

mod common;

use std::collections::BTreeSet;

use common::{database, merels, no_databases, stderr, stdout};
use serde_json::Value;

/// The rows of a list as CSV, without the heading.
fn rows(arguments: &[&str]) -> Vec<[String; 3]> {
    let text = stdout(merels(database()).arg("list").args(arguments));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), &["position", "outcome", "distance"][..]);
    let row = |row: csv::StringRecord| [&row[0], &row[1], &row[2]].map(str::to_owned);
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn classes_and_arrangements() {
    let of = |more: &[&str]| rows(&[&["--subspace", "3-3"], more].concat());
    assert_eq!(of(&["--outcome", "draw"]).len(), 269);
    assert_eq!(of(&["--outcome", "draw", "--symmetric"]).len(), 269);
    assert_eq!(of(&["--outcome", "draw", "--all"]).len(), 4112);
    let all = of(&[]);
    let different: BTreeSet<_> = all.iter().map(|[position, ..]| position).collect();
    assert_eq!(different.len(), all.len());
}

/// The rows of every outcome are as many as `merels stats` counts.
#[test]
fn as_many_as_are_counted() {
    are_as_many_as_counted(&["3-3"]);
}

fn are_as_many_as_counted(subspaces: &[&str]) {
    let counts = stdout(merels(database()).args(["stats", "--json"]));
    let counts: Value = serde_json::from_str(&counts).unwrap();
    let mut compared = 0;
    for counted in counts["subspaces"].as_array().unwrap() {
        let name = counted["subspace"].as_str().unwrap();
        if !subspaces.contains(&name) {
            continue;
        }
        compared += 1;
        let found = rows(&["--subspace", name]);
        for (outcome, field) in [("win", "wins"), ("draw", "draws"), ("loss", "losses")] {
            let listed = found.iter().filter(|[_, found, _]| found == outcome).count();
            assert_eq!(counted[field], listed, "{name} {outcome}");
        }
        let longest = rows(&["--subspace", name, "--longest"]);
        assert!(!longest.is_empty());
        for [_, outcome, distance] in longest {
            let field = if outcome == "win" { "longest_win" } else { "longest_loss" };
            assert_eq!(counted[field].to_string(), distance, "{name}");
        }
    }
    assert_eq!(compared, subspaces.len());
}

#[test]
fn values_are_those_of_queries() {
    let list = ["--subspace", "3-3", "--distance", "22..", "--format", "jsonl"];
    let text = stdout(merels(database()).arg("list").args(list));
    let listed: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let positions: Vec<_> = listed.iter().map(|row| row["position"].as_str().unwrap()).collect();
    let mut query = merels(database());
    query.args(["query", "--format", "jsonl"]).write_stdin(positions.join("\n"));
    let answers = stdout(&mut query);
    let mut count = 0;
    for (row, answer) in listed.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        for field in ["position", "outcome", "distance"] {
            assert_eq!(answer[field], row[field], "{row}");
        }
        assert!(row["distance"].as_u64() >= Some(22));
        count += 1;
    }
    assert!(count > 0 && count == listed.len());
    let lines = rows(&list[..4]);
    assert_eq!(lines.len(), count);
    let wins = rows(&["--subspace", "3-3", "--distance", "22..", "--outcome", "win"]).len();
    let losses = rows(&["--subspace", "3-3", "--distance", "22..", "--outcome", "loss"]).len();
    assert_eq!(wins + losses, count);
}

#[test]
fn samples() {
    let sample = |more: &[&str]| rows(&[&["--subspace", "3-3"], more].concat());
    let whole = sample(&[]);
    let drawn = sample(&["--sample", "100", "--seed", "7"]);
    assert_eq!(drawn.len(), 100);
    assert_eq!(drawn, sample(&["--sample", "100", "--seed", "7"]));
    assert_ne!(drawn, sample(&["--sample", "100", "--seed", "8"]));
    // In the order of the list, and each a part of it; so is a sample that leaves few out.
    let almost = (whole.len() - 100).to_string();
    for part in [drawn, sample(&["--sample", &almost, "--seed", "7"])] {
        let mut rest = whole.iter();
        assert!(part.iter().all(|row| rest.any(|other| other == row)));
    }
    let draws = sample(&["--sample", "50", "--seed", "7", "--outcome", "draw"]);
    assert_eq!(draws.len(), 50);
    assert!(draws.iter().all(|[_, outcome, _]| outcome == "draw"));
    assert_eq!(sample(&["--sample", "1000", "--outcome", "draw"]).len(), 269);
    assert_eq!(sample(&["--sample", "999999"]), whole);
}

#[test]
fn refusals() {
    let refused = |arguments: &[&str], code: i32| {
        let mut command = merels(no_databases());
        command.arg("list").args(arguments).assert().code(code);
        stderr(merels(no_databases()).arg("list").args(arguments))
    };
    let text = refused(&["--subspace", "12-3"], 2);
    assert!(text.contains("the game by the rules 'standard' has no subspace 12-3"), "{text}");
    let text = refused(&["--subspace", "9-8"], 3);
    assert!(text.contains("there is no database for 9-8 yet; make it with"), "{text}");
    let text = refused(&["--subspace", "3-3", "--outcome", "draw", "--distance", "3"], 2);
    assert!(text.contains("a draw has no distance"), "{text}");
    for odd in ["5..3", "x", "-1..", ""] {
        refused(&["--subspace", "3-3", &format!("--distance={odd}")], 2);
    }
    refused(&["--subspace", "3-3", "--all", "--sample", "5"], 2);
    refused(&["--subspace", "3-3", "--seed", "5"], 2);
    refused(&[], 2);
}

/// The rest of the cases, which take long.
mod long {
    use super::*;

    #[test]
    #[ignore = "long: just test-long"]
    fn as_many_as_are_counted() {
        are_as_many_as_counted(&["3-4", "4-3"]);
    }
}
