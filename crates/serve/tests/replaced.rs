//! Databases that change under a running server: it answers from the new files, or says which file
//! is wrong, and goes on.

mod common;

use std::fs::{self, File};
use std::thread::sleep;
use std::time::Duration;

use merels_db::Edition;
use merels_serve::{Limits, Options};
use serde_json::Value;

use common::{Server, solve_whole};

/// White wins in three plies.
const POSITION: [(&str, &str); 1] = [("fen", "w:a1,b2,c2 b:a3,b3,c1 move:w")];

fn a_while() {
    sleep(Duration::from_millis(1100));
}

#[test]
fn a_server_outlives_its_files() {
    let dir = tempfile::tempdir().unwrap();
    solve_whole(dir.path(), "three", Edition::Full);
    let server = Server::with(dir.path(), "three", Limits::default(), Options::default());
    let right = server.answer("position", &POSITION);
    assert_eq!(right["edition"], "full");
    let file = dir.path().join("three/3-3.merels");
    let whole = fs::read(&file).unwrap();
    for cut in [0, 300, whole.len() / 2, whole.len() - 1] {
        File::options().write(true).open(&file).unwrap().set_len(cut as u64).unwrap();
        a_while();
        for _ in 0..2 {
            let (status, kind, message) = server.error("position", &POSITION);
            assert_eq!((status, kind.as_str()), (500, "damaged"), "{cut}: {message}");
            assert!(message.contains("3-3.merels"), "{cut}: {message}");
        }
        fs::write(&file, &whole).unwrap();
        assert_eq!(server.answer("position", &POSITION), right);
    }
    // Another folder in its place, then none, then the first one again.
    let (folder, away) = (dir.path().join("three"), dir.path().join("away"));
    fs::rename(&folder, &away).unwrap();
    solve_whole(dir.path(), "three", Edition::Outcome);
    a_while();
    let answer = server.answer("position", &POSITION);
    assert_eq!(
        (&answer["edition"], &answer["outcome"]),
        (&Value::from("outcome"), &right["outcome"])
    );
    fs::remove_dir_all(&folder).unwrap();
    a_while();
    // Small games are solved on the spot.
    let answer = server.answer("position", &POSITION);
    assert_eq!((&answer["edition"], &answer["moves"]), (&Value::Null, &right["moves"]));
    assert_eq!(server.answer("stats", &[])["totals"]["positions"], 0);
    fs::rename(&away, &folder).unwrap();
    a_while();
    assert_eq!(server.answer("stats", &[])["edition"], "full");
}

#[test]
fn databases_that_come_later_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::with(dir.path(), "three", Limits::default(), Options::default());
    assert_eq!(server.answer("stats", &[])["edition"], Value::Null);
    solve_whole(dir.path(), "three", Edition::Compact);
    a_while();
    assert_eq!(server.answer("stats", &[])["edition"], "compact");
}

/// A position of nine stones without a database: the removals lead to eight, which are solved on
/// the spot.
#[test]
fn partial_answers() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::with(dir.path(), "standard", Limits::default(), Options::default());
    let position = [("fen", "w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w")];
    let answer = server.answer("position", &position);
    assert_eq!((&answer["outcome"], &answer["distance"]), (&Value::Null, &Value::Null));
    let missing = answer["missing"].as_array().unwrap();
    let missing: Vec<_> = missing.iter().map(|one| one["subspace"].as_str().unwrap()).collect();
    assert_eq!(missing, ["4-5", "5-4"]);
    let (valued, unvalued) = answer["moves"].as_array().unwrap().split_at(4);
    assert!(valued.iter().all(|mv| mv["outcome"].is_string() && mv.get("missing").is_none()));
    assert!(valued.iter().all(|mv| mv["removes"].as_array().unwrap().len() == 1));
    assert_eq!(unvalued.len(), 8);
    assert!(unvalued.iter().all(|mv| mv["outcome"].is_null()));
    assert!(unvalued.iter().all(|mv| mv["missing"]["subspace"] == "4-5"));
    // Where nothing is known, the answer is an error.
    let (status, kind, message) = server.error("position", &[]);
    assert_eq!((status, kind.as_str()), (404, "missing"), "{message}");
}
