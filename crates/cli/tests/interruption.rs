//! Runs that are interrupted or killed, and resume.
#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use common::{files, merels, stdout};

/// A run that takes some seconds.
const UP_TO: &str = "9";

/// Names and dates.
type Files = [(String, u128)];

fn start(db: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
    command.args(["solve", "--up-to", UP_TO]).env("MERELS_DB", db);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the files of the folder satisfy `condition`, or the run has ended.
fn wait_for(run: &mut Child, db: &Path, condition: impl Fn(&Files) -> bool) {
    let begun = Instant::now();
    while !condition(&files(db)) && run.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", files(db));
        thread::sleep(Duration::from_micros(200));
    }
}

fn is_table(name: &str) -> bool {
    name.ends_with(".merels") && name != "manifest.merels"
}

fn tables(db: &Path) -> BTreeMap<String, u128> {
    files(db).into_iter().filter(|(name, _)| is_table(name)).collect()
}

fn digests(db: &Path) -> Vec<(String, String)> {
    let json = stdout(merels(db).args(["stats", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = report["subspaces"].as_array().unwrap();
    rows.iter().map(|row| (row["subspace"].to_string(), row["digest"].to_string())).collect()
}

#[test]
fn killed_at_any_moment_the_work_goes_on_where_it_was() {
    let whole = tempfile::tempdir().unwrap();
    assert!(start(whole.path()).wait().unwrap().success());
    assert_eq!(tables(whole.path()).len(), 10);

    let dir = tempfile::tempdir().unwrap();
    let db = dir.path();
    let mut finished = BTreeMap::new();
    let mut kill_when = |what: &str, condition: &dyn Fn(&Files) -> bool, pause: u64| {
        let mut run = start(db);
        wait_for(&mut run, db, condition);
        thread::sleep(Duration::from_millis(pause));
        // SIGKILL. The run may have ended already on a very fast machine.
        let _ = run.kill();
        run.wait().unwrap();
        let now = tables(db);
        for (name, date) in &finished {
            assert_eq!(now.get(name), Some(date), "{name} was made again, {what}");
        }
        // Every table with its final name is complete: it is accepted although others are missing.
        merels(db).arg("stats").assert().code(if now.is_empty() { 3 } else { 0 });
        println!("killed {what}: {} tables, {:?}", now.len(), files(db));
        finished = now;
    };
    let being_written = |files: &Files| files.iter().any(|(name, _)| name.starts_with(".tmp-"));
    let has = |count: usize| {
        move |files: &Files| files.iter().filter(|(name, _)| is_table(name)).count() >= count
    };
    kill_when("at once", &|_| true, 0);
    kill_when("once the lock is there", &|files| files.iter().any(|(name, _)| name == ".lock"), 0);
    kill_when("while solving 3-3", &|_| true, 150);
    kill_when("while writing", &being_written, 0);
    kill_when("after the first table", &has(1), 0);
    kill_when("between the files of a pair", &has(2), 0);
    kill_when("after both files of a pair", &has(3), 0);
    kill_when("while solving 5-3", &has(3), 200);
    kill_when("after three pairs", &has(5), 1);
    kill_when("after four pairs", &has(6), 50);
    kill_when("while writing a large table", &being_written, 1);

    let output = start(db).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let now = tables(db);
    for (name, date) in &finished {
        assert_eq!(now.get(name), Some(date), "{name} was made again");
    }
    assert_eq!(digests(db), digests(whole.path()));
    assert!(files(db).iter().all(|(name, _)| !name.starts_with(".tmp-")), "{:?}", files(db));
}

#[test]
fn ctrl_c_ends_a_run_cleanly() {
    for (signal, pairs) in [(Signal::INT, 1), (Signal::TERM, 3)] {
        let dir = tempfile::tempdir().unwrap();
        let mut run = start(dir.path());
        wait_for(&mut run, dir.path(), |files| {
            files.iter().filter(|(name, _)| is_table(name)).count() >= pairs
        });
        kill_process(Pid::from_child(&run), signal).unwrap();
        let output = run.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{message}");
        let lines: Vec<_> = message.lines().filter(|line| line.starts_with("merels: ")).collect();
        assert_eq!(lines.len(), 2, "{message}");
        assert!(lines[0].starts_with("merels: stopping"), "{message}");
        assert!(
            lines[1].starts_with("merels: interrupted; finished subspaces are kept"),
            "{message}"
        );
        assert!(output.stdout.is_empty());
        assert!(tables(dir.path()).len() >= pairs);
        assert!(files(dir.path()).iter().all(|(name, _)| !name.starts_with(".tmp-")));
    }
}

/// Starts a run that a shell has told to ignore SIGHUP, as `nohup` does.
fn start_under_nohup(db: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap "" HUP; exec "$0" "$@""#, env!("CARGO_BIN_EXE_merels")]);
    command.args(["solve", "--up-to", "8", "--no-progress"]).env("MERELS_DB", db);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = start_under_nohup(dir.path());
    wait_for(&mut run, dir.path(), |files| files.iter().any(|(name, _)| is_table(name)));
    kill_process(Pid::from_child(&run), Signal::HUP).unwrap();
    let output = run.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert_eq!(tables(dir.path()).len(), 6);

    // Other signals stop it.
    let dir = tempfile::tempdir().unwrap();
    let mut run = start_under_nohup(dir.path());
    wait_for(&mut run, dir.path(), |files| files.iter().any(|(name, _)| is_table(name)));
    kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
}
