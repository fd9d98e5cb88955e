//! `merels serve`: prints its address, answers, and stops on a signal.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use common::{merels, stderr};
use rustix::process::{Pid, Signal, kill_process};

#[test]
fn it_answers_until_it_is_stopped() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_merels"))
            .args([
                "serve",
                "--ruleset",
                "three",
                "--db",
                common::no_databases().to_str().unwrap(),
                "--addr",
                "127.0.0.1:0",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.strip_prefix("merels is at http://").and_then(|rest| rest.split_once('/'));
        let (address, rest) = address.unwrap_or_else(|| panic!("{line}"));
        assert_eq!(rest, " (three); Ctrl-C stops it\n");
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET /api/position HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains(r#""outcome":"win","distance":9"#), "{answer}");
        kill_process(Pid::from_child(&program), signal).unwrap();
        assert_eq!(program.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn what_is_wrong_is_told_in_a_line() {
    let mut origin = merels(common::no_databases());
    origin.args(["serve", "--ruleset", "three", "--cors", "example.org"]).assert().code(2);
    assert!(stderr(&mut origin).contains("'example.org' is not an origin"));
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
