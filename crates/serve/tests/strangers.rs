//! What strangers may do to a server: other hosts, odd requests, and connections that wait.

mod common;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::raw::read_to_end;
use common::{Server, databases};
use merels_serve::{Limits, Options};
use serde_json::json;

const SECOND: Duration = Duration::from_secs(1);

/// A server that needs no database.
fn server(limits: Limits, options: Options) -> Server {
    Server::with(Path::new("no such folder"), "three", limits, options)
}

#[test]
fn other_hosts_are_refused() {
    let mut options = Options::default();
    options.allow_host("Merels.example.org").unwrap();
    let server = server(Limits::default(), options);
    for host in ["localhost", "127.0.0.1:7878", "[::1]", "a.localhost:1", "MERELS.example.org:99"] {
        for target in ["/", "/assets/main.js", "/api/moves", "http://localhost/api/moves"] {
            assert_eq!(server.status(target, &format!("Host: {host}\r\n")), 200, "{host} {target}");
        }
    }
    for host in ["example.org", "merels.example.org.evil.net", "192.0.2.1", "localhost.evil.net"] {
        for target in ["/", "/assets/main.js", "/api/moves", "/fnord", "http://localhost/"] {
            assert_eq!(server.status(target, &format!("Host: {host}\r\n")), 421, "{host} {target}");
        }
        // The name in the target counts likewise.
        let target = format!("http://{host}/api/moves");
        assert_eq!(server.status(&target, "Host: localhost\r\n"), 421, "{host}");
    }
    let odd = ["", "Host: localhost\r\nHost: localhost\r\n", "Host: \r\n", "Host: a@localhost\r\n"];
    for headers in odd {
        assert_eq!(server.status("/api/moves", headers), 400, "{headers:?}");
    }
    let answer = server.raw("GET /api/moves HTTP/1.1\r\nHost: evil.net\r\n\r\n");
    assert!(answer.contains(r#""kind":"host""#), "{answer}");
    assert!(answer.contains("--allow-host evil.net"), "{answer}");
    assert!(answer.contains("connection: close\r\n"), "{answer}");
    assert!(answer.contains("x-content-type-options: nosniff\r\n"), "{answer}");
}

#[test]
fn a_server_can_answer_to_all_hosts() {
    let mut options = Options::default();
    options.allow_host("*").unwrap();
    let server = server(Limits::default(), options);
    assert_eq!(server.status("/api/moves", "Host: example.org\r\n"), 200);
    assert_eq!(server.status("/api/moves", ""), 400);
}

/// Two programs could disagree about where a request ends, and one would see a second request
/// where the other sees a body.
#[test]
fn the_length_of_a_request_is_clear() {
    let server = server(Limits::default(), Options::default());
    let hidden = "0\r\n\r\nGET /api/rules HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let length = format!("Content-Length: {}\r\n", hidden.len());
    for (headers, status) in [
        (format!("Transfer-Encoding: chunked\r\n{length}"), "411"),
        (format!("{length}Transfer-Encoding: chunked\r\n"), "411"),
        ("Transfer-Encoding: chunked\r\n".to_owned(), "411"),
        ("Transfer-Encoding: gzip, chunked\r\n".to_owned(), "411"),
        (format!("{length}Content-Length: 3\r\n"), "400"),
        ("Content-Length: 3, 4\r\n".to_owned(), "400"),
        ("Content-Length: +3\r\n".to_owned(), "400"),
        ("Transfer-Encoding: chunked, gzip\r\n".to_owned(), "400"),
    ] {
        for (method, address) in [("POST", "annotate"), ("GET", "moves")] {
            let head = format!("{method} /api/{address} HTTP/1.1\r\nHost: localhost\r\n{headers}");
            let answer = server.raw(&format!("{head}\r\n{hidden}"));
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{headers}: {answer}");
            assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{headers}: {answer}");
            assert!(status == "400" || answer.contains(r#""kind":"body""#), "{answer}");
        }
    }
}

/// Sends requests until the server takes no more, and reads nothing.
fn stuck(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    stream.set_write_timeout(Some(SECOND / 10)).unwrap();
    let request = "GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    // The system keeps some megabytes of answers.
    for _ in 0..100 {
        if stream.write_all(request.as_bytes()).is_err() {
            return stream;
        }
    }
    panic!("the server takes requests without end");
}

/// Whether the server closes the connection. Sending shows it without reading.
fn is_closed(stream: &mut TcpStream) -> bool {
    let refused = stream.write(b"G").map_err(|error| error.kind());
    matches!(refused, Err(ErrorKind::ConnectionReset | ErrorKind::BrokenPipe))
}

#[test]
fn a_client_that_does_not_read_loses_its_connection() {
    let receiving = SECOND * 2;
    let server = server(Limits { receiving, ..Limits::default() }, Options::default());
    let mut stream = stuck(&server);
    let begin = Instant::now();
    while !is_closed(&mut stream) {
        assert!(begin.elapsed() < receiving * 5, "the connection is still open");
        thread::sleep(SECOND / 10);
    }
    // A client that reads slowly, but reads, keeps its connection.
    let mut slow = server.connect();
    let request = "GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut last = request.replace("Host", "Connection: close\r\nHost");
    last.insert_str(0, &request.repeat(600));
    let mut writer = slow.try_clone().unwrap();
    let sender = thread::spawn(move || writer.write_all(last.as_bytes()));
    let (begin, mut answers) = (Instant::now(), Vec::new());
    let mut piece = vec![0; 1 << 20];
    while let Ok(count @ 1..) = slow.read(&mut piece) {
        answers.extend_from_slice(&piece[..count]);
        if begin.elapsed() < receiving * 2 {
            thread::sleep(receiving / 4);
        }
    }
    sender.join().unwrap().unwrap();
    let answers = String::from_utf8_lossy(&answers);
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 601);
}

#[test]
fn an_idle_client_loses_its_connection() {
    let server = server(Limits { sending: SECOND / 2, ..Limits::default() }, Options::default());
    let begin = Instant::now();
    // Before the first request, within it, and after it.
    let pieces = ["", "GET / HTTP/1.1\r\nHo", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"];
    for piece in pieces {
        let mut stream = server.connect();
        stream.write_all(piece.as_bytes()).unwrap();
        read_to_end(&mut stream);
    }
    assert!(begin.elapsed() < SECOND * 10, "{:?}", begin.elapsed());
}

/// Neither clients that read nothing nor idle ones stop the others.
#[test]
fn others_are_answered_beside_stuck_and_idle_clients() {
    let server = server(Limits::default(), Options::default());
    let stuck: Vec<_> = (0..8).map(|_| stuck(&server)).collect();
    let idle: Vec<_> = (0..300).map(|_| server.connect()).collect();
    let begin = Instant::now();
    assert_eq!(server.answer("position", &[])["outcome"], "win");
    assert!(begin.elapsed() < SECOND * 5, "{:?}", begin.elapsed());
    drop((stuck, idle));
}

#[test]
fn one_address_has_few_connections() {
    let limits =
        Limits { connections_per_address: 3, loopback_is_exempt: false, ..Limits::default() };
    let server = server(limits, Options::default());
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let answered = |stream: &mut TcpStream| {
        let mut first = [0; 12];
        let sent = stream.write_all(request.as_bytes());
        sent.and_then(|()| stream.read_exact(&mut first)).is_ok() && &first == b"HTTP/1.1 200"
    };
    let mut open: Vec<_> = (0..3).map(|_| server.connect()).collect();
    assert!(open.iter_mut().all(answered));
    // One more is closed at once, without an answer.
    let begin = Instant::now();
    assert_eq!(server.raw(request), "");
    assert!(begin.elapsed() < SECOND * 3, "{:?}", begin.elapsed());
    // When another ends, there is a place.
    open.pop();
    let begin = Instant::now();
    while !answered(&mut server.connect()) {
        assert!(begin.elapsed() < SECOND * 10, "no place");
        thread::sleep(SECOND / 20);
    }
    // Programs on the same machine, such as a proxy, have any number.
    let limits = Limits { connections_per_address: 3, ..Limits::default() };
    let server = self::server(limits, Options::default());
    let mut open: Vec<_> = (0..10).map(|_| server.connect()).collect();
    assert!(open.iter_mut().all(answered));
}

/// A histogram ends in time, and says how far it came.
#[test]
fn histograms_take_bounded_time() {
    let limits = Limits { counting: Duration::ZERO, ..Limits::default() };
    let server = Server::with(databases(), "standard", limits, Options::default());
    let cut = server.answer("histogram", &[("subspace", "4-3"), ("sample", "40000")]);
    assert_eq!(cut["complete"], false);
    let counted = cut["positions"].as_u64().unwrap();
    assert!((1..=1024).contains(&counted), "{counted}");
    // The counts of the table need no time.
    assert_eq!(server.answer("histogram", &[("subspace", "4-3")])["complete"], true);
    // A whole subspace that does not fit in the time is a sample, too, with a seed.
    let four = Server::with(databases(), "four", limits, Options::default());
    let parameters = [("subspace", "3-3"), ("sample", "40000"), ("seed", "7")];
    let cut = four.answer("histogram", &parameters);
    assert_eq!((&cut["complete"], &cut["seed"]), (&json!(false), &json!(7)));
    let counted = cut["positions"].as_u64().unwrap();
    assert!((1..=1024).contains(&counted), "{counted}");
    assert_eq!(four.answer("histogram", &parameters), cut);
    let whole = Server::with(databases(), "four", Limits::default(), Options::default());
    let whole = whole.answer("histogram", &parameters);
    assert_eq!(whole["complete"], true);
    assert!(whole["positions"].as_u64().unwrap() > 1024, "{whole}");
    assert!(whole["seed"].is_null(), "{whole}");
}

/// Look-ups do not wait for long ones.
#[test]
fn positions_are_answered_beside_histograms() {
    let server = Server::with(databases(), "standard", Limits::default(), Options::default());
    let figure_9 = [("fen", "w:d7,g7,g1 b:a4,g4,d5 move:b")];
    server.answer("position", &figure_9);
    thread::scope(|scope| {
        let server = &server;
        for seed in 0..12 {
            scope.spawn(move || {
                let seed = seed.to_string();
                let parameters = [("subspace", "4-3"), ("sample", "40000"), ("seed", &seed)];
                let (status, answer) = server.get("histogram", &parameters);
                assert_eq!(status, 200, "{answer}");
            });
        }
        thread::sleep(SECOND / 10);
        for _ in 0..20 {
            let begin = Instant::now();
            server.answer("position", &figure_9);
            assert!(begin.elapsed() < SECOND, "{:?}", begin.elapsed());
        }
    });
}
