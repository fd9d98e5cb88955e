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
    let counts = stdout(merels(database()).args(["stats", "--json"]));
    let counts: Value = serde_json::from_str(&counts).unwrap();
    for counted in counts["subspaces"].as_array().unwrap() {
        let name = counted["subspace"].as_str().unwrap();
        if !["3-3", "3-4", "4-3"].contains(&name) {
            continue;
        }
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
}

#[test]
fn values_are_those_of_queries() {
    let list = ["--subspace", "4-3", "--distance", "28..", "--format", "jsonl"];
    let text = stdout(merels(database()).arg("list").args(list));
    let mut count = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let position = row["position"].as_str().unwrap();
        let answer = stdout(merels(database()).args(["query", "--format", "json", position]));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        for field in ["position", "outcome", "distance"] {
            assert_eq!(answer[field], row[field], "{position}");
        }
        assert!(row["distance"].as_u64() >= Some(28));
        count += 1;
    }
    assert!(count > 0);
    let lines = rows(&list[..4]);
    assert_eq!(lines.len(), count);
    let wins = rows(&["--subspace", "4-3", "--distance", "28..", "--outcome", "win"]).len();
    let losses = rows(&["--subspace", "4-3", "--distance", "28..", "--outcome", "loss"]).len();
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
