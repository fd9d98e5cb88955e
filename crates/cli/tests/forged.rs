//! Forged and foreign files, files of odd kinds, files of gigabytes, and limits of the system: every
//! command ends with a message and a documented exit code.
#![cfg(unix)]

mod common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use merels_core::{Ruleset, Subspace};
use merels_db::Folder;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use common::merels;

/// A position of 3-3.
const POSITION: [&str; 3] = ["w:a1,b2,c1", "b:a3,b3,c2", "move:w"];

/// A position of 4-4 on the board `nine`.
const EIGHT_STONES: [&str; 3] = ["w:d7,g7,g1,a1", "b:a4,g4,d5,b4", "move:b"];

/// Far more than any command here takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Entries that no disk holds.
const TOO_MANY: u64 = 63_000_000_000;

/// The solved game `three` in the edition `full`.
struct Game {
    dir: TempDir,
}

impl Game {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let arguments = ["solve", "--ruleset", "three", "--edition", "full", "--no-progress"];
        merels(dir.path()).args(arguments).assert().success();
        Self { dir }
    }

    fn db(&self) -> &Path {
        self.dir.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.db().join("three").join(name)
    }

    /// The path of a file, which is removed if there is one.
    fn free(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let _ = fs::remove_file(&path);
        path
    }

    /// Makes the header of 3-3 say that it has [`TOO_MANY`] entries. All checksums are right.
    fn forge_entries(&self) {
        let rules: Ruleset = "three".parse().unwrap();
        let folder = Folder::open(self.db(), rules).unwrap();
        let mut header = folder.open_table(Subspace::moving(3, 3)).unwrap().header().clone();
        header.entries = TOO_MANY;
        let path = self.path("3-3.merels");
        let forged = header.to_bytes(&path).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[..forged.len()].copy_from_slice(&forged);
        fs::write(path, bytes).unwrap();
    }

    /// Runs a command on the game.
    fn run(&self, arguments: &[&str]) -> Outcome {
        let mut command = merels(self.db());
        command.args(arguments).args(["--ruleset", "three"]).timeout(PATIENCE);
        Outcome::of(&format!("{arguments:?}"), command.output().unwrap())
    }

    /// Runs `pack` into a new folder.
    fn pack(&self) -> Outcome {
        let to = tempfile::tempdir().unwrap();
        self.run(&["pack", "--edition", "compact", "--to", to.path().to_str().unwrap()])
    }

    /// Runs `atlas` into a new folder.
    fn atlas(&self) -> Outcome {
        let to = tempfile::tempdir().unwrap();
        self.run(&["atlas", "--out", to.path().to_str().unwrap()])
    }

    fn query(&self) -> Outcome {
        self.run(&[&["query"], &POSITION[..]].concat())
    }

    /// Runs every command that lists the tables of the folder and reads them.
    fn read_by_all(&self) -> Vec<Outcome> {
        let commands: [&[&str]; 6] = [
            &["stats"],
            &["verify"],
            &["verify", "--full"],
            &["verify", "--digests"],
            &["solve", "--no-progress"],
            &["verify", "--quick", "--no-progress"],
        ];
        let mut outcomes: Vec<_> = commands.iter().map(|arguments| self.run(arguments)).collect();
        outcomes.extend([self.pack(), self.atlas()]);
        outcomes
    }
}

/// How a command ended.
struct Outcome {
    context: String,
    code: Option<i32>,
    out: String,
    complaint: String,
}

impl Outcome {
    fn of(context: &str, output: std::process::Output) -> Self {
        let [out, complaint] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let code = output.status.code();
        let context = format!("{context}: {code:?} {complaint}{out}");
        Self { context, code, out, complaint }
    }

    /// Makes sure that the command refused in one line, with these words. `verify --quick` prints
    /// what is wrong with a table to standard output, where its findings are.
    fn refuses(&self, code: i32, words: &[&str]) {
        let Self { context, out, complaint, .. } = self;
        assert_eq!(self.code, Some(code), "{context}");
        let told = if complaint.is_empty() { out } else { complaint };
        for word in words {
            assert!(told.contains(word), "{word} - {context}");
        }
        if !complaint.is_empty() {
            assert!(complaint.starts_with("merels: "), "{context}");
            assert_eq!(complaint.lines().count(), 1, "{context}");
        }
    }

    /// Makes sure that the command succeeds, or that the system refused and the command says so in
    /// one line. Returns whether it was refused.
    fn succeeds_or_tells(&self) -> bool {
        let Self { context, complaint, .. } = self;
        // The system's loader has exit code 127 if the program does not even fit.
        if self.code == Some(0) || complaint.contains("error while loading shared libraries") {
            return false;
        }
        assert_eq!(self.code, Some(5), "{context}");
        assert!(complaint.starts_with("merels: "), "{context}");
        assert_eq!(complaint.lines().count(), 1, "{context}");
        true
    }
}

/// A command of the program's under a limit of the shell's.
fn limited(limit: &str, arguments: &[&str], db: &Path) -> Command {
    let script = format!(r#"ulimit {limit} && exec "$0" "$@""#);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_merels")]).args(arguments);
    command.env("MERELS_DB", db);
    command
}

fn run_limited(limit: &str, arguments: &[&str], db: &Path) -> Outcome {
    let output = limited(limit, arguments, db).output().unwrap();
    Outcome::of(&format!("ulimit {limit}, {arguments:?}"), output)
}

/// A running server. Its address is empty if the server has ended already.
struct Server {
    program: Child,
    address: String,
}

impl Server {
    fn start(mut command: Command) -> Self {
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.strip_prefix("merels is at http://").and_then(|rest| rest.split_once('/'));
        let address = address.map_or(String::new(), |(address, _)| address.to_owned());
        Self { program, address }
    }

    /// The answer with its status line; empty or a part of it if the server ends meanwhile.
    fn get(&self, path: &str) -> String {
        let Ok(mut stream) = TcpStream::connect(&self.address) else { return String::new() };
        let host = &self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let mut answer = Vec::new();
        let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn stop(self, context: &str) -> Outcome {
        // The server may have ended.
        let _ = kill_process(Pid::from_child(&self.program), Signal::TERM);
        Outcome::of(context, self.program.wait_with_output().unwrap())
    }
}

fn serve(db: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
    command.args(["serve", "--ruleset", "three", "--addr", "127.0.0.1:0"]).env("MERELS_DB", db);
    command
}

#[test]
fn a_header_with_more_entries_than_any_disk_holds() {
    let game = Game::new();
    game.forge_entries();
    let words = ["3-3.merels is damaged: 63000000000 entries, but 3-3 has 320", "merels solve"];
    for outcome in game.read_by_all() {
        outcome.refuses(4, &words);
    }
    game.query().refuses(4, &words);

    let server = Server::start(serve(game.db()));
    let answer = server.get("/api/histogram?subspace=3-3");
    assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains(words[0]), "{answer}");
    // A table that is sound has an answer all the same.
    let answer = server.get("/api/histogram?subspace=2-2%2B1-1");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(server.stop("serve").code, Some(0));
}

#[test]
fn a_table_of_another_game() {
    let game = Game::new();
    let arguments = ["--ruleset", "five", "--only", "5-3", "--edition", "full", "--no-progress"];
    merels(game.db()).arg("solve").args(arguments).assert().success();
    let foreign = game.db().join("five").join("5-3.merels");

    fs::copy(&foreign, game.path("9-9.merels")).unwrap();
    let words = ["9-9.merels", "the ruleset 'three' has no subspace 9-9", "move it away"];
    for outcome in game.read_by_all() {
        outcome.refuses(4, &words);
    }
    game.run(&["verify", "--claims"]).refuses(4, &words);
    // Nothing depends on it.
    assert_eq!(game.query().code, Some(0));
    fs::remove_file(game.path("9-9.merels")).unwrap();

    fs::copy(&foreign, game.path("3-3.merels")).unwrap();
    let words =
        ["3-3.merels was made for the ruleset 'five', not for 'three'", "folder of their own"];
    for outcome in game.read_by_all() {
        outcome.refuses(4, &words);
    }
    game.query().refuses(4, &words);
}

/// Puts something at a free path that is no regular file.
type Put = fn(&Path);

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A device without end.
fn zeros(path: &Path) {
    symlink("/dev/zero", path).unwrap();
}

fn folder(path: &Path) {
    fs::create_dir(path).unwrap();
}

fn link_to_nothing(path: &Path) {
    symlink("/nowhere/at/all", path).unwrap();
}

#[test]
fn tables_and_manifests_of_odd_kinds() {
    let kinds: [(Put, &str); 4] = [
        (fifo, "is not a regular file; remove it"),
        (zeros, "is not a regular file; remove it"),
        (folder, "is not a regular file; remove it"),
        (link_to_nothing, "is a link to a file that does not exist; remove it"),
    ];
    for (put, fault) in kinds {
        let game = Game::new();
        put(&game.free("3-3.merels"));
        let words = [&format!("3-3.merels {fault}")[..]];
        for outcome in game.read_by_all() {
            outcome.refuses(4, &words);
        }
        game.query().refuses(4, &words);
    }
    for (put, fault) in kinds {
        let game = Game::new();
        put(&game.free("manifest.merels"));
        let words = [&format!("manifest.merels {fault}")[..]];
        game.run(&["verify", "--quick", "--no-progress"]).refuses(4, &words);
        game.run(&["solve", "--no-progress"]).refuses(4, &words);
    }
}

#[test]
fn locks_of_odd_kinds() {
    let kinds: [(Put, &str); 4] = [
        (fifo, "not a regular file"),
        (zeros, "not a regular file"),
        (folder, "not a regular file"),
        (link_to_nothing, "a link to a file that does not exist"),
    ];
    for (put, fault) in kinds {
        let game = Game::new();
        put(&game.free(".lock"));
        game.run(&["solve", "--no-progress"]).refuses(4, &[".lock is ", fault, "remove it"]);
        // Readers need no lock.
        assert_eq!(game.run(&["verify", "--full"]).code, Some(0));
        assert_eq!(game.run(&["stats"]).code, Some(0));
    }
}

/// A verification does without a journal that it cannot read.
#[test]
fn journals_of_odd_kinds() {
    let kinds: [(Put, &str); 4] = [
        (zeros, "not a regular file; remove it"),
        (folder, "not a regular file; remove it"),
        (link_to_nothing, "a link to a file that does not exist; remove it"),
        (|path| symlink("verified.merels", path).unwrap(), "cannot open"),
    ];
    for (put, fault) in kinds {
        let game = Game::new();
        put(&game.free("verified.merels"));
        let outcome = game.run(&["verify", "--full"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.context);
        assert!(outcome.out.contains("All 886 entries of 7 subspaces"), "{}", outcome.context);
        assert!(outcome.complaint.contains("keeps no journal"), "{}", outcome.context);
        assert!(outcome.complaint.contains(fault), "{}", outcome.context);
        if fault == "cannot open" {
            // The system's words come last.
            assert!(outcome.complaint.contains("symbolic links"), "{}", outcome.context);
        }
    }
}

#[test]
fn files_of_gigabytes() {
    // Holes take no room.
    let grow = |path: &Path| File::create(path).unwrap().set_len(3 << 30).unwrap();

    let game = Game::new();
    grow(&game.path("manifest.merels"));
    let words = ["manifest.merels is longer than 1048596 bytes; remove it"];
    for outcome in game.read_by_all() {
        outcome.refuses(4, &words);
    }
    game.query().refuses(4, &words);

    let game = Game::new();
    grow(&game.path("3-3.merels"));
    let words = ["3-3.merels is not a finished merels table; move it away", "merels solve"];
    for outcome in game.read_by_all() {
        outcome.refuses(4, &words);
    }

    let game = Game::new();
    grow(&game.path("verified.merels"));
    // The content of a lock does not count.
    grow(&game.path(".lock"));
    assert_eq!(game.run(&["solve", "--no-progress"]).code, Some(0));
    let outcome = game.run(&["verify", "--full"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.context);
    let words = "verified.merels is longer than 16777216 bytes; remove it";
    assert!(outcome.complaint.contains(words), "{}", outcome.context);
    assert!(outcome.out.contains("none from notes"), "{}", outcome.context);
}

/// `solve` has its own test.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_for_other_commands() {
    let game = Game::new();
    let nothing = tempfile::tempdir().unwrap();
    let mut refused = 0;
    for kibibytes in [12_000, 16_000, 20_000, 24_000, 30_000, 40_000, 100_000, 300_000] {
        let limit = format!("-v {kibibytes}");
        if run_limited(&limit, &["--version"], nothing.path()).code != Some(0) {
            // The system cannot even load the program.
            continue;
        }
        let query = [&["query", "--ruleset", "three"], &POSITION[..]].concat();
        let on_the_spot = [&["query"], &EIGHT_STONES[..]].concat();
        let verify = ["verify", "--full", "--again", "--ruleset", "three", "--no-progress"];
        let outcomes = [
            run_limited(&limit, &query, game.db()),
            run_limited(&limit, &verify, game.db()),
            run_limited(&limit, &on_the_spot, nothing.path()),
        ];
        refused += outcomes.iter().filter(|outcome| outcome.succeeds_or_tells()).count();

        let arguments = ["serve", "--ruleset", "three", "--addr", "127.0.0.1:0"];
        let server = Server::start(limited(&limit, &arguments, game.db()));
        if !server.address.is_empty() {
            let answer = server.get("/api/histogram?subspace=3-3");
            let is_whole = answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"draws\":57");
            let outcome = server.stop(&format!("{limit}, serve"));
            assert!(outcome.succeeds_or_tells() || is_whole, "{answer} {}", outcome.context);
        } else {
            server.stop(&format!("{limit}, serve")).succeeds_or_tells();
        }
    }
    assert!(refused > 0);
}

/// Where the address space has no room for a memory pool of each thread, threads share one.
/// Without that, the system would serve every allocation, which takes a hundred times as long.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_does_not_mean_a_hundred_times_as_long() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = [&["query"], &EIGHT_STONES[..]].concat();
    let time = |limit: &str| {
        let begun = Instant::now();
        let outcome = run_limited(limit, &arguments, dir.path());
        assert_eq!(outcome.code, Some(0), "{}", outcome.context);
        (begun.elapsed(), outcome.out)
    };
    let (usual, answer) = time("-v unlimited");
    let (limited, same) = time("-v 200000");
    assert_eq!(answer, same);
    assert!(limited < 20 * usual + Duration::from_secs(2), "{limited:?} instead of {usual:?}");
}

/// `solve` has its own test.
#[cfg(target_os = "linux")]
#[test]
fn files_that_may_not_grow() {
    let game = Game::new();
    let to = tempfile::tempdir().unwrap();
    let to = to.path().to_str().unwrap();
    // The unit is 512 or 1024 bytes, by the shell.
    let pack = ["pack", "--ruleset", "three", "--edition", "compact", "--to", to];
    run_limited("-f 0", &pack, game.db()).refuses(5, &["cannot write", "File too large"]);
    let atlas = ["atlas", "--ruleset", "three", "--out", to];
    run_limited("-f 1", &atlas, game.db()).refuses(5, &["cannot write", "File too large"]);
    // A verification ends without its journal.
    let verify = ["verify", "--ruleset", "three", "--full"];
    let outcome = run_limited("-f 0", &verify, game.db());
    assert_eq!(outcome.code, Some(0), "{}", outcome.context);
    assert!(outcome.complaint.contains("keeps no journal"), "{}", outcome.context);
    assert!(outcome.complaint.contains("File too large"), "{}", outcome.context);
}
