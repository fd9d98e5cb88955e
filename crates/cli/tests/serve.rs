//! `merels serve`: prints its address, answers, and stops on a signal.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::{merels, stderr};
use rustix::process::{Pid, Signal, kill_process};

/// A server for a small game with these arguments.
struct Running {
    program: Child,
    /// The first line of the output.
    line: String,
    address: String,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_merels")), arguments)
    }

    fn of(mut command: Command, arguments: &[&str]) -> Self {
        let mut program = command
            .args(["serve", "--ruleset", "three", "--addr", "127.0.0.1:0", "--db"])
            .arg(common::no_databases())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.strip_prefix("merels is at http://").and_then(|rest| rest.split_once('/'));
        let (address, _) = address.unwrap_or_else(|| panic!("{line}"));
        let address = address.to_owned();
        Self { program, line, address }
    }

    /// The answer to a request with this name of the server.
    fn ask(&self, host: &str, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let end = "Connection: close\r\n\r\n";
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\n{end}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Stops the server. Returns its exit code and what it has written to standard error.
    fn stop(mut self, signal: Signal) -> (Option<i32>, String) {
        kill_process(Pid::from_child(&self.program), signal).unwrap();
        let mut said = String::new();
        self.program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.program.wait().unwrap().code(), said)
    }
}

#[test]
fn it_answers_until_it_is_stopped() {
    for signal in [Signal::INT, Signal::TERM] {
        let server = Running::start(&[]);
        let address = &server.address;
        assert_eq!(
            server.line,
            format!("merels is at http://{address}/ (three); Ctrl-C stops it\n")
        );
        let answer = server.ask(address, "/api/position");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains(r#""outcome":"win","distance":9"#), "{answer}");
        assert!(server.ask("merels.example.org", "/").starts_with("HTTP/1.1 421 "));
        assert!(server.ask(address, "/metrics").starts_with("HTTP/1.1 404 "));
        assert_eq!(server.stop(signal), (Some(0), String::new()));
    }
}

#[test]
fn options_for_other_machines() {
    let server = Running::start(&[
        "--base=mill",
        "--allow-host=Merels.example.org:80",
        "--connections-per-address=2",
        "--metrics",
        "--access-log",
    ]);
    let address = &server.address;
    assert_eq!(
        server.line,
        format!("merels is at http://{address}/mill/ (three); Ctrl-C stops it\n")
    );
    for (host, target, status) in [
        ("merels.example.org", "/mill/", "200"),
        ("MERELS.example.org:7878", "/mill/api/rules?x=\u{9b}", "400"),
        ("example.org", "/mill/", "421"),
        ("example.org", "/mill/healthz", "200"),
        ("localhost", "/mill/metrics", "200"),
    ] {
        let answer = server.ask(host, target);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host} {target}: {answer}");
    }
    let (code, said) = server.stop(Signal::TERM);
    assert_eq!(code, Some(0));
    let lines: Vec<_> = said.lines().map(|line| line.split(' ').collect::<Vec<_>>()).collect();
    let shown: Vec<_> = lines.iter().map(|line| line[1..5].join(" ")).collect();
    assert_eq!(
        shown,
        [
            "127.0.0.1 GET /mill/ 200",
            r"127.0.0.1 GET /mill/api/rules?x=\xc2\x9b 400",
            "127.0.0.1 GET /mill/ 421",
            "127.0.0.1 GET /mill/healthz 200",
            "127.0.0.1 GET /mill/metrics 200",
        ]
    );
    assert!(lines.iter().all(|line| line.len() == 7 && line[6].ends_with("ms")), "{said}");
    assert_eq!(lines[3][5], "2");
}

/// The server raises the limit of open files as far as it may, and has fewer connections otherwise.
#[test]
fn few_open_files() {
    for limits in ["ulimit -Sn 64", "ulimit -n 64"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{limits}; exec \"$@\""), "sh"]);
        shell.arg(env!("CARGO_BIN_EXE_merels"));
        let server = Running::of(shell, &[]);
        let idle: Vec<_> = (0..40).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
        // The idle connections end after ten seconds at the latest.
        let answer = server.ask("localhost", "/healthz");
        assert!(answer.ends_with("ok"), "{limits}: {answer}");
        drop(idle);
        // No file was refused.
        assert_eq!(server.stop(Signal::TERM), (Some(0), String::new()), "{limits}");
    }
}

#[test]
fn what_is_wrong_is_told_in_a_line() {
    let mut origin = merels(common::no_databases());
    origin.args(["serve", "--ruleset", "three", "--cors", "example.org"]).assert().code(2);
    assert!(stderr(&mut origin).contains("'example.org' is not an origin"));
    for (option, words) in [
        ("--base=/a b/", "'/a b/' is not a path"),
        ("--allow-host=a/b", "'a/b' is not the name of a host"),
        ("--connections-per-address=0", "--connections-per-address"),
    ] {
        let mut wrong = merels(common::no_databases());
        wrong.args(["serve", "--ruleset", "three", option]).assert().code(2);
        let said = stderr(&mut wrong);
        assert!(said.contains(words), "{said}");
    }
    for address in ["7878", "localhost", "localhost:http", ":7878"] {
        let mut wrong = merels(common::no_databases());
        wrong.args(["serve", "--ruleset", "three", "--addr", address]).assert().code(2);
        let said = stderr(&mut wrong);
        assert!(said.contains("write HOST:PORT"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut busy = merels(common::no_databases());
    busy.args(["serve", "--ruleset", "three", "--addr", &address]).assert().code(5);
    let said = stderr(&mut busy);
    assert!(said.contains(&format!("cannot listen at {address}")), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
