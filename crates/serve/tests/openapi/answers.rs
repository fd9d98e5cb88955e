//! Real answers of every kind, each compared with the schema that the document has for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use merels_db::Edition;
use merels_serve::{Limits, Options};
use serde_json::{Value, json};

use crate::common::{Server, databases, solve_whole};
use crate::document::Document;

const FIGURE_9: &str = "w:d7,g7,g1 b:a4,g4,d5 move:b";
const PENDING: &str = "w:a1,a4,a7 b:g7,d6,d5,b4 move:w remove:1";

/// The kinds that a test cannot cause at every address: faults of files, of the system and of the
/// program, and too many requests.
const RARE: [&str; 6] = ["damaged", "system", "internal", "busy", "timed-out", "missing"];

/// Servers, the document of them, and what their answers were.
struct Comparison {
    document: Document,
    seen: BTreeSet<(String, String)>,
}

impl Comparison {
    fn get(&mut self, server: &Server, name: &str, parameters: &[(&str, &str)]) -> Value {
        let (status, answer) = server.get(name, parameters);
        self.note(name, "get", status, answer)
    }

    fn post(&mut self, server: &Server, name: &str, content_type: &str, body: &str) -> Value {
        let (status, answer) = server.post(name, content_type, body);
        self.note(name, "post", status, answer)
    }

    fn note(&mut self, address: &str, method: &str, status: u16, answer: Value) -> Value {
        let name = address.split('?').next().unwrap();
        self.document.check(name, method, status, &answer);
        let kind = answer["error"]["kind"].as_str().unwrap_or("answer");
        self.seen.insert((name.to_owned(), kind.to_owned()));
        answer
    }
}

#[test]
fn answers_are_as_described() {
    let standard = Server::start("standard");
    let mut compared = Comparison { document: Document::of(&standard), seen: BTreeSet::new() };
    let editions = tempfile::tempdir().unwrap();
    solve_whole(editions.path(), "three", Edition::Outcome);
    let with =
        |dir: &Path, rules: &str| Server::with(dir, rules, Limits::default(), Options::default());
    let servers = [
        Server::start("three"),
        Server::start("four"),
        Server::start("three,repetition=threefold"),
        Server::start("three,ply-limit=6"),
        with(editions.path(), "three"),
        with(Path::new("no such folder"), "three"),
        with(Path::new("no such folder"), "five"),
    ];
    let shuffle = "b1-b2 b3-c3 b2-b1 c3-b3 ".repeat(2);
    for server in servers.iter().chain([&standard]) {
        for name in ["rules", "stats", "openapi.json"] {
            compared.get(server, name, &[]);
            compared.get(server, name, &[("fnord", "x")]);
        }
        for name in ["position", "moves", "line", "best"] {
            for parameters in [
                &[][..],
                &[("fen", FIGURE_9)],
                &[("fen", PENDING)],
                &[("fen", PENDING), ("moves", "xd6")],
                &[("fen", "w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w")],
                &[("fen", "w:a7,d7,g7 b:d6,d5 move:w")],
                // Some moves have values.
                &[("fen", "w:a1,a4,d7,g1,f4 b:b4,d5,g4,c3 move:w")],
                // A removal is pending; a side has lost or is blocked; the history ends the game.
                &[("moves", "b2 a1 b1 c1 b3")],
                &[("moves", "b2 a1 b1 c1 b3xa1")],
                &[("fen", "w:a1,a2,b1 b:a3,b2,c1 move:w")],
                &[("fen", "w:a1,b1,c2 b:a3,b3,c1 move:w"), ("moves", &shuffle)],
                &[("moves", "1. d2 b4 2. a3")],
                &[("moves", "0"), ("points", "0")],
                &[("moves", "a1 a1")],
                &[("moves", "fnord")],
                &[("fen", "fnord")],
                &[("fen", "http://host/#fnord=1")],
                &[("fnord", "x")],
            ] {
                compared.get(server, name, parameters);
            }
        }
        for subspace in ["3-3", "3-4", "4-3", "1-1+2-2", "0-0+3-3", "9-9", "12-12", "fnord"] {
            compared.get(server, "histogram", &[("subspace", subspace)]);
            let sample = [("subspace", subspace), ("sample", "100"), ("seed", "1")];
            compared.get(server, "histogram", &sample);
            compared.get(server, "random", &[("subspace", subspace), ("seed", "1")]);
        }
        compared.get(server, "histogram", &[("subspace", "3-3"), ("sample", "0")]);
        compared.get(server, "histogram", &[]);
        for wanted in [
            &[("outcome", "win")][..],
            &[("outcome", "draw")],
            &[("outcome", "loss"), ("seed", "2")],
            &[("outcome", "victory")],
            &[("min", "300")],
            &[("min", "5"), ("max", "3")],
        ] {
            compared.get(server, "random", wanted);
        }
        for game in [
            "1. a1 b3 2. a2",
            "1. b2 a1 2. b1 c1 3. b3",
            "1. b2 a1 2. b1 c1 3. b3xa1",
            "1. d2 b4 * 1. a3 *",
            "1. d6 f4 2. d7 f2",
            "[FEN \"w:d7,g7,g1 b:a4,g4,d5 move:b\"] 1... d5-a7",
            "[FEN \"w:a1,b1,c2 b:a3,b3,c1 move:w\"] b1-b2 b3-c3",
            "1. a1 a1",
            "",
        ] {
            let body = json!({ "game": game }).to_string();
            compared.post(server, "annotate", "application/json", &body);
        }
        let long = json!({ "game": "b1-b2 b3-c3 b2-b1 c3-b3 ".repeat(600) }).to_string();
        let long = long.replacen("b1-b2", "[FEN \\\"w:a1,b1,c2 b:a3,b3,c1 move:w\\\"] b1-b2", 1);
        compared.post(server, "annotate", "application/json", &long);
        compared.post(server, "annotate", "application/json", "{}");
        compared.post(server, "annotate", "text/plain", "1. a1");
        compared.post(server, "annotate", "application/json", &" ".repeat(70_000));
        compared.post(server, "annotate?fnord=1", "application/json", "{}");
    }
    other_hosts(&mut compared, &standard);
    damaged_files(&mut compared);
    every_error_was_seen(&compared);
}

/// Asks every address by the name of another host.
fn other_hosts(compared: &mut Comparison, server: &Server) {
    let operations = compared.document.operations();
    let addresses = operations.into_iter().map(|it| (it.name.to_owned(), it.method.to_owned()));
    for (name, method) in addresses.collect::<Vec<_>>() {
        for hosts in ["", "Host: example.org\r\n"] {
            let line = format!("{} /api/{name} HTTP/1.1\r\n", method.to_uppercase());
            let head = format!("{hosts}Content-Length: 0\r\nConnection: close\r\n\r\n");
            let answer = server.raw(&(line + &head));
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let status: u16 = head["HTTP/1.1 ".len()..][..3].parse().unwrap();
            assert_eq!(status, if hosts.is_empty() { 400 } else { 421 }, "{name}");
            compared.note(&name, &method, status, serde_json::from_str(body).unwrap());
        }
    }
}

/// Damages one table, and then the manifest.
fn damaged_files(compared: &mut Comparison) {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (databases().join("standard"), dir.path().join("standard"));
    fs::create_dir(&to).unwrap();
    for entry in fs::read_dir(&from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    let table = to.join("3-3.merels");
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().for_each(|byte| *byte ^= 0x5a);
    fs::write(&table, bytes).unwrap();
    let server = Server::with(dir.path(), "standard", Limits::default(), Options::default());
    for name in ["position", "line", "best"] {
        compared.get(&server, name, &[("fen", FIGURE_9)]);
    }
    compared.get(&server, "histogram", &[("subspace", "3-3"), ("sample", "9")]);
    compared.get(&server, "random", &[("subspace", "3-3")]);
    let game = json!({ "game": format!("[FEN \"{FIGURE_9}\"] 1... d5-a7") }).to_string();
    compared.post(&server, "annotate", "application/json", &game);
    for kind in ["position", "line", "best", "histogram", "random", "annotate"] {
        let seen = (kind.to_owned(), "damaged".to_owned());
        assert!(compared.seen.contains(&seen), "{seen:?}");
    }
}

/// Each address had an answer, and each error that the document promises and a test can cause.
fn every_error_was_seen(compared: &Comparison) {
    for operation in compared.document.operations() {
        let seen =
            |kind: &str| compared.seen.contains(&(operation.name.to_owned(), kind.to_owned()));
        assert!(seen("answer"), "{}", operation.name);
        for (status, response) in operation.value["responses"].as_object().unwrap() {
            let schema = &response["content"]["application/json"]["schema"];
            let kinds = &schema["allOf"][1]["properties"]["error"]["properties"]["kind"]["enum"];
            for kind in kinds.as_array().into_iter().flatten() {
                let kind = kind.as_str().unwrap();
                assert!(seen(kind) || RARE.contains(&kind), "{} {status} {kind}", operation.name);
            }
        }
    }
    for kind in ["missing", "damaged"] {
        assert!(compared.seen.iter().any(|(_, seen)| seen == kind), "{kind}");
    }
}
