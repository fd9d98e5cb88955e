//! Measures a server beside many bad clients: 256 that never read, 1,000 idle ones, and 12
//! histograms at a time. It needs a quiet machine and two minutes, so `Cargo.toml` takes it out of
//! the tests; `just load` runs it.
//!
//! `MERELS_LOAD_DB` names a folder with databases of the standard game. Without it, look-ups are
//! limited to small ones. The clients run on the same processors.

mod common;

use std::env;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Server, databases};
use fastrand::Rng;
use merels_core::{Ruleset, Situation};
use merels_serve::{Limits, Options};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The time of each measurement.
const TIME: Duration = Duration::from_secs(5);
/// Clients that measure at the same time.
const CLIENTS: u64 = 16;

/// A client that keeps its connection, and sends a request when it has read an answer.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    fn new(server: &Server) -> Self {
        Self { stream: server.connect(), buffer: vec![0; 1 << 18] }
    }

    /// Asks for an address. Returns whether the answer is a good one.
    fn ask(&mut self, address: &str) -> bool {
        let request = format!("GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.stream.write_all(request.as_bytes()).unwrap();
        let mut read = 0;
        loop {
            read += self.stream.read(&mut self.buffer[read..]).unwrap();
            let text = &self.buffer[..read];
            let Some(end) = text.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
            let head = str::from_utf8(&text[..end]).unwrap();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().unwrap();
            if read == end + 4 + length {
                return head.starts_with("HTTP/1.1 200 ");
            }
        }
    }
}

/// Good answers in a second, and the time of the slowest hundredth, of addresses that `address`
/// makes.
fn measure(server: &Server, address: impl Fn(&mut Rng) -> String + Sync) -> (f64, Duration) {
    let good = AtomicU64::new(0);
    let times = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|seed| {
                let (good, address) = (&good, &address);
                scope.spawn(move || {
                    let (mut client, mut rng) = (Client::new(server), Rng::with_seed(seed));
                    let (begin, mut times) = (Instant::now(), Vec::new());
                    while begin.elapsed() < TIME {
                        let before = Instant::now();
                        let is_good = client.ask(&address(&mut rng));
                        times.push(before.elapsed());
                        good.fetch_add(is_good.into(), Ordering::Relaxed);
                    }
                    times
                })
            })
            .collect();
        let times = clients.into_iter().flat_map(|client| client.join().unwrap());
        let mut times: Vec<_> = times.collect();
        times.sort();
        times
    });
    let rate = good.into_inner() as f64 / TIME.as_secs_f64();
    (rate, times[times.len() * 99 / 100])
}

/// The address of a position in the middle of a random game, or of three
/// stones each if there are few databases.
fn position(rng: &mut Rng, ruleset: &Ruleset, is_small: bool) -> String {
    if is_small {
        let mut points: Vec<_> = ruleset.board.geometry().points().into_iter().collect();
        rng.shuffle(&mut points);
        let geometry = ruleset.board.geometry();
        let names: Vec<_> = points.iter().map(|&point| geometry.name(point).to_string()).collect();
        return format!("w:{}+b:{}+move:w", names[..3].join(","), names[3..6].join(","));
    }
    let mut situation = Situation::start(ruleset);
    for _ in 0..rng.usize(..60) {
        let choices = situation.choices(ruleset);
        let Some(choice) = rng.choice(&choices) else { break };
        situation = situation.after(choice);
    }
    situation.text(ruleset).to_string().replace(' ', "+")
}

/// Pipelines requests until the connection is full, again and again.
fn never_read(server: &Server, is_over: &AtomicBool) {
    let request = "GET /assets/page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    while !is_over.load(Ordering::Relaxed) {
        let mut stream = server.connect();
        stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
        while stream.write_all(request.as_bytes()).is_ok() {}
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(12) && !is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn load() {
    // Both ends of each connection are files of this process.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let given = env::var_os("MERELS_LOAD_DB").map(PathBuf::from);
    let dir = given.as_deref().unwrap_or(databases());
    let ruleset = Ruleset::STANDARD;
    let server = &Server::with(dir, "standard", Limits::default(), Options::default());
    let is_small = given.is_none();
    let look_up = |rng: &mut Rng, positions: u64| {
        let mut chosen = Rng::with_seed(rng.u64(..positions));
        let name = ["position", "position", "position", "line", "best"][rng.usize(..5)];
        format!("/api/{name}?fen={}", position(&mut chosen, &ruleset, is_small))
    };
    let asset = |rng: &mut Rng| {
        let names = ["", "assets/board.js", "assets/page.js", "assets/base.css", "assets/dom.js"];
        format!("/{}", names[rng.usize(..names.len())])
    };
    let report = |what: &str| {
        let (rate, slow) = measure(server, asset);
        println!("{what}: {rate:.0} assets a second, 99 of 100 within {slow:.1?}");
        // People look at the same positions again and again; random ones need another block each.
        for (kind, positions) in [("familiar", 50), ("random", u64::MAX)] {
            let (rate, slow) = measure(server, |rng| look_up(rng, positions));
            println!("{what}: {rate:.0} {kind} look-ups a second, 99 of 100 within {slow:.1?}");
        }
    };
    report("alone");
    let is_over = AtomicBool::new(false);
    let (finished, refused) = (&AtomicU64::new(0), &AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..256 {
            scope.spawn(|| never_read(server, &is_over));
        }
        thread::sleep(Duration::from_secs(3));
        report("256 that never read");
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let idle: Vec<_> = (0..1000).map(|_| server.connect()).collect();
                thread::sleep(Duration::from_secs(9));
                drop(idle);
            }
        });
        report("and 1,000 idle");
        for seed in 0..12 {
            let is_over = &is_over;
            scope.spawn(move || {
                let subspace = if is_small { "4-3" } else { "8-7" };
                let address =
                    format!("/api/histogram?subspace={subspace}&sample=40000&seed={seed}");
                while !is_over.load(Ordering::Relaxed) {
                    let good = Client::new(server).ask(&address);
                    if good { finished } else { refused }.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        report("and 12 histograms");
        println!("histograms: {finished:?} finished, {refused:?} refused");
        is_over.store(true, Ordering::Relaxed);
    });
}
