//! The interface for programs, by requests to a real server on small databases.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Server, agent, databases};
use merels_core::{Ruleset, Situation};
use merels_db::Edition;
use merels_query::Oracle;
use merels_serve::{Limits, Options};
use serde_json::{Value, json};

const FIGURE_9: &str = "w:d7,g7,g1 b:a4,g4,d5 move:b";

#[test]
fn a_published_position() {
    let server = Server::start("standard");
    for notation in
        [FIGURE_9, "@*******/********/OO@O**@* b m s 3 0 3 0", ".WWBW..B/......../.B......|B|9|9"]
    {
        let answer = server.answer("position", &[("fen", notation)]);
        assert_eq!((&answer["outcome"], &answer["distance"]), (&json!("loss"), &json!(26)));
        assert_eq!(answer["subspace"], "3-3");
        assert_eq!(answer["side"], "black");
        assert_eq!(answer["edition"], "compact");
        assert_eq!(answer["white"], json!({"points": ["g7", "g1", "d7"], "hand": 0}));
        assert_eq!(answer["forms"]["letters"], ".WWBW..B/......../.B......|B|9|9");
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 54);
        assert_eq!((&moves[0]["move"], &moves[0]["distance"]), (&json!("d5-a7"), &json!(26)));
        assert_eq!((&moves[0]["from"], &moves[0]["to"]), (&json!("d5"), &json!("a7")));
    }
}

/// Every move has the value of the position that it leads to, one ply on. The first move is the
/// best.
#[test]
fn moves_agree_with_the_positions_that_they_lead_to() {
    let server = Server::start("four");
    let rules: Ruleset = "four".parse().unwrap();
    let oracle = Oracle::open(databases(), rules).unwrap();
    let answer = server.answer("position", &[("moves", "1. d2 b4 2. a3")]);
    let moves = answer["moves"].as_array().unwrap();
    assert!(!moves.is_empty());
    for one in moves {
        let after = one["position"].as_str().unwrap();
        let value = oracle.value(Situation::parse(after, &rules).unwrap()).unwrap().before();
        assert_eq!(one["outcome"], value.outcome().to_string());
        assert_eq!(one["distance"], json!(value.distance().map(|plies| plies.0)));
    }
    assert_eq!(
        (&moves[0]["outcome"], &moves[0]["distance"]),
        (&answer["outcome"], &answer["distance"])
    );
    // Without values, the same moves.
    let bare = server.answer("moves", &[("moves", "1. d2 b4 2. a3")]);
    let names = |answer: &Value| {
        let moves = answer["moves"].as_array().unwrap().iter();
        let mut names: Vec<_> = moves.map(|one| one["move"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&bare), names(&answer));
    assert_eq!((&bare["outcome"], &bare["moves"][0]["outcome"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_removal_that_is_pending() {
    let server = Server::start("standard");
    let fen = "w:a1,a4,a7 b:g7,d6,d5,b4 move:w remove:1";
    let answer = server.answer("position", &[("fen", fen)]);
    assert_eq!(
        (&answer["outcome"], &answer["distance"], &answer["remove"]),
        (&json!("loss"), &json!(24), &json!(1))
    );
    assert_eq!(answer["edition"], "compact");
    let first = &answer["moves"][0];
    assert_eq!(
        (&first["move"], &first["to"], &first["removes"]),
        (&json!("xd6"), &Value::Null, &json!(["d6"]))
    );
}

#[test]
fn the_line_of_best_play() {
    let server = Server::start("standard");
    let line = server.answer("line", &[("fen", "w:a4,c4,c5 b:b4,d1,g4 move:b")]);
    assert_eq!(
        (&line["end"], &line["outcome"], &line["distance"]),
        (&json!("over"), &json!("loss"), &json!(8))
    );
    let plies = line["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 8);
    assert_eq!(plies[7]["after"]["distance"], 0);
}

#[test]
fn the_move_that_the_program_plays() {
    let server = Server::start("three");
    let best = server.answer("best", &[("seed", "1")]);
    assert_eq!(
        (&best["move"], &best["outcome"], &best["distance"]),
        (&json!("b2"), &json!("win"), &json!(9))
    );
    assert_eq!(
        (&best["seed"], &best["replies"], &best["mistakes"]),
        (&json!(1), &json!(8), &json!(0))
    );
    let (status, kind, message) = server.error("best", &[("moves", "b2 a1 a2 c1 c2xa1")]);
    assert_eq!((status, kind.as_str()), (400, "request"), "{message}");
}

#[test]
fn positions_to_practise_with() {
    let server = Server::start("standard");
    for seed in ["1", "2", "3"] {
        let wanted = [("outcome", "win"), ("min", "15"), ("subspace", "3-3"), ("seed", seed)];
        let found = server.answer("random", &wanted);
        assert!(found["distance"].as_u64().unwrap() >= 15, "{found}");
        assert_eq!((&found["outcome"], &found["subspace"]), (&json!("win"), &json!("3-3")));
        // The same number finds the same position, and it has that value.
        assert_eq!(server.answer("random", &wanted), found);
        let fen = found["position"].as_str().unwrap();
        let asked = server.answer("position", &[("fen", fen)]);
        assert_eq!(
            (&asked["outcome"], &asked["distance"]),
            (&found["outcome"], &found["distance"])
        );
    }
    // The table names the longest win, which random attempts may miss.
    let longest = server.answer("random", &[("subspace", "3-4"), ("min", "33"), ("seed", "1")]);
    assert_eq!((&longest["outcome"], &longest["distance"]), (&json!("win"), &json!(33)));
    // The header excludes such a position.
    let (status, kind, _) =
        server.error("random", &[("subspace", "4-3"), ("outcome", "win"), ("min", "3")]);
    assert_eq!((status, kind.as_str()), (404, "none-found"));
    // If the counts exclude a position, the server refuses at once.
    let before = Instant::now();
    let impossible: [&[(&str, &str)]; 3] = [
        &[("min", "300")],
        &[("outcome", "loss"), ("max", "1")],
        &[("outcome", "loss"), ("subspace", "3-4")],
    ];
    for wanted in impossible {
        let (status, kind, _) = server.error("random", wanted);
        assert_eq!((status, kind.as_str()), (404, "none-found"), "{wanted:?}");
    }
    let (status, kind, _) = server.error("random", &[("outcome", "win"), ("max", "0")]);
    assert_eq!((status, kind.as_str()), (400, "request"));
    assert!(before.elapsed() < Duration::from_secs(2), "{:?}", before.elapsed());
    let (status, kind, _) = server.error("random", &[("outcome", "draw"), ("min", "3")]);
    assert_eq!((status, kind.as_str()), (400, "request"));
    // While stones are being placed, the hands decide whose turn it is.
    let three = Server::start("three");
    for seed in 0..20 {
        let seed = seed.to_string();
        let found = three.answer("random", &[("seed", seed.as_str())]);
        let fen = found["position"].as_str().unwrap();
        assert_eq!(three.answer("position", &[("fen", fen)])["outcome"], found["outcome"]);
    }
}

/// The server reports a missing database at once, however many positions need it.
#[test]
fn a_missing_database_costs_little() {
    let limits = Limits { look_ups: 1, ..Limits::default() };
    let server = Server::with(databases(), "standard", limits, Options::default());
    let before = Instant::now();
    for subspace in ["1-2+8-7", "9-9"] {
        for name in ["histogram", "random"] {
            let (status, kind, message) = server.error(name, &[("subspace", subspace)]);
            assert_eq!((status, kind.as_str()), (404, "missing"), "{name} {subspace}: {message}");
        }
    }
    // Looking many thousand positions up one by one would take a minute.
    assert!(before.elapsed() < Duration::from_secs(5), "{:?}", before.elapsed());
}

/// Without distances, the server refuses limits of the distance and says why.
#[test]
fn practice_without_distances() {
    let dir = tempfile::tempdir().unwrap();
    common::solve_whole(dir.path(), "three", Edition::Outcome);
    let server = Server::with(dir.path(), "three", Limits::default(), Options::default());
    assert_eq!(server.answer("rules", &[])["distances"], false);
    for limit in ["min", "max"] {
        let (status, kind, message) = server.error("random", &[("outcome", "win"), (limit, "5")]);
        assert_eq!((status, kind.as_str()), (400, "request"), "{message}");
        assert!(message.contains("no distances"), "{message}");
    }
    let found = server.answer("random", &[("outcome", "win")]);
    // A win in one ply still has its distance.
    assert_eq!(found["outcome"], "win");
    assert!(found["distance"].is_null() || found["distance"] == 1, "{found}");
    assert_eq!(Server::start("three").answer("rules", &[])["distances"], true);
}

#[test]
fn counts_and_histograms() {
    let server = Server::start("standard");
    let stats = server.answer("stats", &[]);
    assert_eq!(stats["edition"], "compact");
    let of = |name: &str| {
        let subspaces = stats["subspaces"].as_array().unwrap().iter();
        subspaces.clone().find(|counts| counts["subspace"] == name).unwrap().clone()
    };
    assert_eq!((&of("3-3")["wins"], &of("3-3")["longest_loss"]), (&json!(140_621), &json!(26)));
    assert_eq!((&of("4-3")["draws"], &of("4-3")["mover"]), (&json!(681_906), &json!(4)));
    assert_eq!(stats["totals"]["positions"], 169_626 + 2 * 760_398);

    let sampled =
        server.answer("histogram", &[("subspace", "3-4"), ("sample", "500"), ("seed", "1")]);
    assert_eq!((&sampled["complete"], &sampled["positions"]), (&json!(false), &json!(500)));
    assert_eq!(sampled["losses"]["total"], 0);
    let whole = server.answer("histogram", &[("subspace", "3-4")]);
    assert_eq!((&whole["complete"], &whole["seed"]), (&json!(true), &Value::Null));
    assert_eq!((&whole["wins"]["total"], &whole["draws"]), (&json!(102_281), &json!(658_117)));
    // A subspace solved on the spot is counted entry by entry, each position once.
    let dir = Path::new("no such folder");
    let spot = Server::with(dir, "three", Limits::default(), Options::default());
    assert_eq!(
        spot.answer("histogram", &[("subspace", "3-3")]),
        Server::start("three").answer("histogram", &[("subspace", "3-3")])
    );
    let three = Server::start("three");
    let all = three.answer("histogram", &[("subspace", "3-3")]);
    assert_eq!((&all["complete"], &all["positions"]), (&json!(true), &json!(228)));
    let wins = all["wins"]["by_distance"].as_object().unwrap();
    let sum: u64 = wins.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(json!(sum), all["wins"]["total"]);
    assert!(wins.contains_key("9"), "{wins:?}");
}

#[test]
fn games_are_judged() {
    let server = Server::start("three");
    let (status, game) = server.annotate("1. a1 b3 2. a2");
    assert_eq!(status, 200);
    let plies = game["plies"].as_array().unwrap();
    assert_eq!(
        (&plies[0]["verdict"], &plies[1]["verdict"]),
        (&json!("blunder"), &json!("blunder"))
    );
    assert_eq!((&plies[2]["verdict"], &plies[2]["lost_plies"]), (&json!("slip"), &json!(2)));
    assert_eq!(plies[0]["before"], json!({"outcome": "win", "distance": 9}));
    assert_eq!(plies[0]["after"], json!({"outcome": "draw", "distance": null}));
    assert_eq!(plies[0]["better"], json!([{"move": "b2", "outcome": "win", "distance": 9}]));
    assert_eq!((&plies[1]["number"], &plies[1]["side"]), (&json!(1), &json!("black")));
    // A byte order mark is not a move.
    assert_eq!(server.annotate("\u{feff}1. a1 b3 2. a2"), (200, game));
    let (status, error) = server.annotate("1. a1 a2 2. a1");
    assert_eq!((status, &error["error"]["kind"]), (400, &json!("game")));
    assert_eq!(error["error"]["move"], json!({"number": 2, "side": "white"}));
    assert_eq!((&error["error"]["line"], &error["error"]["column"]), (&json!(1), &json!(13)));
    assert_eq!(error["error"]["problem"], "a1 is not empty: White has a stone there");
    // If a game needs a missing database, the server judges the other moves.
    let standard = Server::start("standard");
    let (status, game) = standard.annotate("1. d6 f4");
    assert_eq!((status, &game["plies"][0]["verdict"]), (200, &Value::Null));
    assert_eq!(game["missing"][0]["subspace"], "0-0+9-9");
}

/// The body of a game is JSON, also by its content type.
#[test]
fn bodies() {
    let server = Server::start("three");
    let game = r#"{"game": "1. a1 b3"}"#;
    for content_type in ["application/json", "Application/JSON ; charset=utf-8"] {
        assert_eq!(server.post("annotate", content_type, game).0, 200, "{content_type}");
    }
    let types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""];
    for content_type in types {
        let (status, answer) = server.post("annotate", content_type, game);
        assert_eq!((status, &answer["error"]["kind"]), (415, &json!("body")), "{content_type}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(r#"{"game": "1. d6 f4"}"#), "{message}");
    }
    for (body, words) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("1. a1 b3", "invalid number at line 1 column 3"),
        ("{\"game\": \"1. a1 b3\"", "EOF while parsing an object at line 1 column 19"),
        ("{\"game\": \"1. a1\nb3\"}", "line 2 column 0"),
        (r#"{"game": "1. a1 b3"} {}"#, "trailing characters at line 1 column 22"),
        ("{}", "missing field `game` at line 1 column 2"),
        ("\"1. a1 b3\"", "an object with the field `game` at line 1 column 10"),
        ("[\"1. a1 b3\"]", "expected an object at line 1 column 1"),
        ("{\"game\": null}", "game: invalid type: null, expected a string at line 1 column 13"),
        ("{\"game\": [\"a1\"]}", "game: invalid type: sequence, expected a string"),
        ("{\"game\": \"a1\", \"fnord\": 1}", "fnord: unknown field `fnord`, expected `game` or"),
        ("{\"game\": \"a1\", \"points\": 2}", "the number 0 or 1, not 2 at line 1 column 27"),
        ("{\"game\": \"a1\", \"points\": \"0\"}", "points: invalid type: string"),
        ("{\"game\": \"a1\", \"points\": null}", "points: invalid type: null"),
        ("{\"game\": \"a1\", \"game\": \"b1\"}", "duplicate field `game`"),
    ] {
        let (status, answer) = server.post("annotate", "application/json", body);
        assert_eq!((status, &answer["error"]["kind"]), (400, &json!("body")), "{body}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("the body: ") && message.contains(words), "{body}: {message}");
    }
}

/// Numbers name points from 1, or from 0 with `points=0`.
#[test]
fn numbers_of_points() {
    let server = Server::start("three");
    let (fen, link) = ("w: b: move:w hand:3,3", "http://host/#moves=2+8");
    for name in ["position", "moves", "line", "best"] {
        let field = if name == "best" { "before" } else { "position" };
        let after = |parameters: &[(&str, &str)]| server.answer(name, parameters)[field].clone();
        let expected = after(&[("moves", "c3 c1")]);
        assert_eq!(after(&[("moves", "3 9")]), expected, "{name}");
        assert_eq!(after(&[("moves", "3 9"), ("points", "1")]), expected, "{name}");
        assert_eq!(after(&[("moves", "2 8"), ("points", "0")]), expected, "{name}");
        let in_game = [("fen", fen), ("moves", "1. 2 8"), ("points", "0")];
        assert_eq!(after(&in_game), expected, "{name}");
        assert_eq!(after(&[("fen", link), ("points", "0")]), expected, "{name}");
        for wrong in ["2", "-1", "x", ""] {
            let (status, kind, message) = server.error(name, &[("points", wrong)]);
            assert_eq!((status, kind.as_str()), (400, "parameters"), "{name}: {message}");
        }
    }
    let judged = |body: Value| {
        let (status, answer) = server.post("annotate", "application/json", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        answer["position"].clone()
    };
    let expected = judged(json!({ "game": "1. c3 c1" }));
    assert_eq!(judged(json!({ "game": "1. 3 9" })), expected);
    assert_eq!(judged(json!({ "game": "1. 3 9", "points": 1 })), expected);
    assert_eq!(judged(json!({ "game": "1. 2 8", "points": 0 })), expected);
}

#[test]
fn rules_and_the_board() {
    for (name, points, lines) in [("three", 9, 8), ("four", 16, 8), ("standard", 24, 16)] {
        let rules = Server::start(name).answer("rules", &[]);
        assert_eq!(rules["board"]["points"].as_array().unwrap().len(), points);
        assert_eq!(rules["board"]["lines"].as_array().unwrap().len(), lines);
        assert_eq!(rules["ruleset"], name);
        assert_eq!(rules["fields"]["double-mill"], "one");
        assert_eq!(rules["sections"][0]["title"], "The board");
    }
}

#[test]
fn rules_about_history_end_games() {
    let server = Server::start("three,repetition=threefold");
    let fen = "w:a1,b1,c2 b:a3,b3,c1 move:w";
    let shuffle = "b1-b2 b3-c3 b2-b1 c3-b3 ".repeat(2);
    let answer = server.answer("position", &[("fen", fen), ("moves", &shuffle)]);
    assert_eq!(
        (&answer["over"]["reason"], &answer["occurrences"]),
        (&json!("repetition"), &json!(3))
    );
    assert_eq!((&answer["outcome"], &answer["moves"]), (&json!("draw"), &json!([])));
}

#[test]
fn errors_say_what_is_wrong() {
    let server = Server::start("standard");
    type Parameters = &'static [(&'static str, &'static str)];
    let cases: [(&str, Parameters, u16, &str, &str); 12] = [
        ("position", &[("fen", "w:a1,d4 b:a4 move:w")], 400, "position", "not a point"),
        ("position", &[("fen", "w:a7,d7,g7 b:d6,d5 move:w")], 400, "position", "lost already"),
        (
            "position",
            &[("fen", "w: b: move:w hand:9,9"), ("moves", "a1 a1")],
            400,
            "game",
            "not empty",
        ),
        (
            "position",
            &[("fen", FIGURE_9), ("moves", "d5-a7 d7-z9")],
            400,
            "game",
            "line 1, column 7, move 2. d7-z9",
        ),
        ("position", &[("fnord", "x")], 400, "parameters", "fnord"),
        ("rules", &[("fnord", "x")], 400, "parameters", "fnord"),
        ("stats", &[("fnord", "x")], 400, "parameters", "fnord"),
        ("position", &[], 404, "missing", "merels solve"),
        ("line", &[("fen", "w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w")], 200, "", ""),
        ("random", &[("outcome", "victory")], 400, "parameters", "victory"),
        ("histogram", &[("subspace", "12-12")], 400, "request", "12-12"),
        ("nonsense", &[], 404, "address", "http-api.md"),
    ];
    for (name, parameters, expected, kind, words) in cases {
        let (status, body) = server.get(name, parameters);
        assert_eq!(status, expected, "{name} {parameters:?}: {body}");
        if expected != 200 {
            assert_eq!(body["error"]["kind"], kind, "{body}");
            assert!(body["error"]["message"].as_str().unwrap().contains(words), "{body}");
        }
    }
    let (_, body) = server.get("position", &[]);
    assert_eq!(body["error"]["subspace"], "0-0+9-9");
    assert_eq!(server.get("annotate", &[]).0, 405);
}

/// The server reports a damaged file and returns no value from it.
#[test]
fn a_damaged_file_is_an_error_of_the_server() {
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
    let (status, kind, message) = server.error("position", &[("fen", FIGURE_9)]);
    assert_eq!((status, kind.as_str()), (500, "damaged"), "{message}");
    assert!(message.contains("3-3.merels"), "{message}");
}

#[test]
fn limits() {
    let limits = Limits { body: 1000, head: 16 * 1024, ..Limits::default() };
    let server = Server::with(databases(), "three", limits, Options::default());
    let (status, error) = server.annotate(&"b2 ".repeat(1000));
    assert_eq!((status, &error["error"]["kind"]), (413, &json!("body")));
    // The server cuts off a head that is too long, with or without an answer.
    let address = server.base.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request =
        format!("GET /api/position?fen={} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(64 * 1024));
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(request.as_bytes());
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let response = String::from_utf8_lossy(&response);
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{response}");
    // A head has at most a hundred lines.
    let mut stream = TcpStream::connect(address).unwrap();
    let lines = "x: y\r\n".repeat(101);
    write!(stream, "GET /api/rules HTTP/1.1\r\nHost: x\r\n{lines}\r\n").unwrap();
    let mut response = String::new();
    let _ = stream.read_to_string(&mut response);
    assert!(response.starts_with("HTTP/1.1 431"), "{response}");
    // The server still answers.
    assert_eq!(server.answer("position", &[])["outcome"], "win");
}

#[test]
fn headers_for_safety_and_for_other_origins() {
    let server = Server::start("three");
    let response = agent().get(format!("{}/", server.base)).call().unwrap();
    let header = |name: &str| response.headers().get(name).unwrap().to_str().unwrap().to_owned();
    assert!(header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    assert!(!header("content-security-policy").contains("unsafe"));
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("x-frame-options"), "DENY");
    assert_eq!(header("referrer-policy"), "no-referrer");
    assert_eq!(header("content-type"), "text/html; charset=utf-8");
    for (address, status) in [("moves", 200), ("random?fnord", 400), ("fnord", 404)] {
        let response = agent().get(format!("{}/api/{address}", server.base)).call().unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(response.headers().get("merels-ruleset").unwrap(), "three", "{address}");
    }
    let origin = |server: &Server| {
        let request = agent().get(format!("{}/api/rules", server.base));
        let response = request.header("origin", "http://localhost:8000").call().unwrap();
        let allowed = response.headers().get("access-control-allow-origin");
        allowed.map(|allowed| allowed.to_str().unwrap().to_owned())
    };
    assert_eq!(origin(&server), None);
    let mut options = Options::default();
    options.allow_origin("http://localhost:8000").unwrap();
    let open = Server::with(databases(), "three", Limits::default(), options);
    assert_eq!(origin(&open).as_deref(), Some("http://localhost:8000"));
}

#[test]
fn files_of_the_page_are_kept_by_browsers() {
    let server = Server::start("three");
    let address = format!("{}/assets/board.js", server.base);
    let response = agent().get(&address).call().unwrap();
    let tag = response.headers().get("etag").unwrap().to_str().unwrap().to_owned();
    assert_eq!(response.headers().get("content-type").unwrap(), "text/javascript; charset=utf-8");
    let again = agent().get(&address).header("if-none-match", &tag).call().unwrap();
    assert_eq!(again.status(), 304);
    assert_eq!(
        agent().get(format!("{}/assets/../src/lib.rs", server.base)).call().unwrap().status(),
        404
    );
}

/// The server starts at once, even without databases, and finishes pending requests when it stops.
#[test]
fn it_starts_at_once_and_stops_gently() {
    let before = Instant::now();
    let mut server =
        Server::with(Path::new("no such folder"), "three", Limits::default(), Options::default());
    assert!(before.elapsed() < Duration::from_secs(1), "{:?}", before.elapsed());
    assert_eq!(server.answer("stats", &[])["subspaces"], json!([]));
    assert_eq!(server.answer("position", &[])["edition"], Value::Null);
    let base = server.base.clone();
    server.stop();
    assert!(agent().get(format!("{base}/api/rules")).call().is_err());
}

#[test]
fn many_at_once() {
    let limits = Limits { look_ups: 2, connections: 8, ..Limits::default() };
    let server = Server::with(databases(), "four", limits, Options::default());
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let server = &server;
            scope.spawn(move || {
                for _ in 0..10 {
                    let moves = ["d2", "a1", "b4", "e3"][thread % 4];
                    let answer = server.answer("position", &[("moves", moves)]);
                    assert_eq!(answer["side"], "black");
                }
            });
        }
    });
}

#[test]
fn positions_and_games_as_people_have_them() {
    let server = Server::start("standard");
    for text in [
        "fen @*******/********/OO@O**@* b m s 3 0 3 0",
        "@*******/********/OO@O**@*_b_m_s_3_0_3_0",
        "MFEN/1.0 mill24-state-v1 .WWBW..B/......../.B...... b m m 0,0 - 12 40 -",
    ] {
        let answer = server.answer("position", &[("fen", text)]);
        assert_eq!(answer["distance"], json!(26), "{text}");
    }
    let (status, kind, message) = server.error("position", &[("fen", "http://host/#fnord=1")]);
    assert_eq!((status, kind.as_str()), (400, "position"), "{message}");
    for (text, words) in [
        ("", "no moves found"),
        ("{\"game\":\"1. d6 f4\"}", "not JSON"),
        ("[\"d6\",\"f4\"]", "is not understood"),
        ("; ruleset: no-flying\n1. d6", "the rules 'no-flying'"),
    ] {
        let (status, answer) = server.annotate(text);
        assert_eq!(status, 400, "{text}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{text}: {message}");
    }
    let (status, answer) = Server::start("four").annotate("1. d2 b4 * 1. a3 *");
    assert_eq!((status, &answer["games"]), (200, &json!(2)));
    assert_eq!(answer["plies"].as_array().unwrap().len(), 2);
}
