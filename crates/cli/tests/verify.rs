//! `merels verify`: its findings and exit codes.

use std::fs;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use merels_core::numbering::{Index, SubspaceIndex, ValueCode};
use merels_core::{Plies, Ruleset, Subspace, Value};
use merels_db::{Edition, Folder, TableKind, TableSpec, TableWriter, ValueHistogram};
use merels_solver::{Observer, Options, Plan, Processor, Selection};
use tempfile::TempDir;

/// A folder with 3-3, 4-3 and 3-4 of the standard game.
struct Database {
    dir: TempDir,
    folder: Folder,
}

impl Database {
    fn solve() -> Self {
        struct Quiet;
        impl Observer for Quiet {}
        let rules = Ruleset::STANDARD;
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), rules, Some(Edition::Full)).unwrap();
        let selection = Selection::Only(vec![Subspace::moving(4, 3)]);
        let plan = Plan::moving(&rules, &selection).unwrap();
        let options = Options { memory: 2 << 30, level: 1, processor: Processor::detect() };
        merels_solver::run(&folder, &plan, &options, &Quiet, &AtomicBool::new(false)).unwrap();
        Self { dir, folder }
    }

    fn new() -> Self {
        static SOLVED: LazyLock<Database> = LazyLock::new(Database::solve);
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        for file in fs::read_dir(SOLVED.folder.path()).unwrap() {
            let from = file.unwrap().path();
            fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
        }
        Self { dir, folder }
    }

    /// Writes 4-3 again, with the first loss in 26 turned into a loss in 28. Everything else is
    /// consistent.
    fn alter(&self) -> Index {
        let index = SubspaceIndex::new(self.folder.ruleset().board, Subspace::moving(4, 3));
        let table = self.folder.open_table(index.subspace()).unwrap();
        let mut codes = table.buffers(table.entries() as usize);
        table.decode_all(codes.slices_mut()).unwrap();
        let [right, wrong] = [26, 28].map(|plies| Value::Loss(Plies(plies)));
        let code = |value| ValueCode::from_value(value).unwrap().byte();
        let place = codes.near.iter().position(|&byte| byte == code(right)).unwrap();
        codes.near[place] = code(wrong);
        let mut counted = (*table.header().distribution).clone();
        let mut histogram = ValueHistogram::new(false);
        for (value, count) in counted.histogram.iter() {
            let more = u64::from(value == wrong);
            histogram.add_value(value, count + more - u64::from(value == right));
        }
        counted.histogram = histogram;
        let (subspace, kind) = (index.subspace(), TableKind::Final);
        let spec = TableSpec { subspace, level: 1, kind };
        let mut writer = TableWriter::create(&self.folder, spec).unwrap();
        writer.write_slices(codes.slices()).unwrap();
        let info = writer.finish(counted).unwrap().publish().unwrap();
        self.folder.record(&[info]).unwrap();
        Index(place as u64)
    }

    fn verify(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        command.env("MERELS_DB", self.dir.path()).arg("verify").args(args);
        command
    }

    /// Exit code, standard output and standard error.
    fn outcome(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.verify(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn sound_databases_pass_in_every_mode() {
    let database = Database::new();
    let (code, out, _) = database.outcome(&["--full", "--threads", "1"]);
    assert_eq!(code, 0, "{out}");
    assert!(
        out.ends_with("All 2,018,750 entries of 3 subspaces have the value of their best move (edition full, none from notes of an earlier run).\n"),
        "{out}"
    );
    let (code, again, _) = database.outcome(&["--full", "--only", "3-3"]);
    assert_eq!(code, 0);
    assert!(
        again.lines().nth(1).unwrap().starts_with("3-3       210,140       210,140      0"),
        "{again}"
    );
    assert!(again.ends_with("(edition full, 210,140 from notes of an earlier run).\n"), "{again}");

    let (code, out, _) = database.outcome(&["--seed", "5"]);
    assert_eq!(code, 0);
    assert!(
        out.ends_with(
            "All 3,000 entries have the value of their best move (edition full, seed 5).\n"
        ),
        "{out}"
    );
    let (code, out, _) = database.outcome(&["--sample", "50", "--only", "3-4"]);
    assert_eq!(code, 0);
    assert!(out.contains("\nAll 50 entries"), "{out}");

    let (code, out, _) = database.outcome(&["--quick"]);
    assert_eq!(code, 0);
    assert!(out.ends_with("All 3 files match the manifest and their digests.\n"), "{out}");

    let (code, out, _) = database.outcome(&["--claims"]);
    assert_eq!(code, 0);
    let share = "holds    3-3: 82.9 % of the positions are won (Gasser 1996)\n         expected 82.9 %\n         found    82.9 %\n";
    assert!(out.contains(share), "{out}");
    assert!(out.contains("not answerable: needs 0-0+9-9\n"), "{out}");
    assert!(out.contains(" 0 differ,"), "{out}");
}

#[test]
fn a_wrong_value_is_shown_with_its_position() {
    let database = Database::new();
    let index = database.alter();
    let (code, _, _) = database.outcome(&["--quick"]);
    assert_eq!(code, 0, "checksums and digests are right");
    for mode in [["--full", "--only"], ["--sample=1000000", "--only"]] {
        let (code, out, _) = database.outcome(&[mode.as_slice(), &["4-3"]].concat());
        assert_eq!(code, 6, "{out}");
        let wrong = format!(
            "4-3, entry {}: holds loss in 28, but its moves make it loss in 26.\n",
            index.0
        );
        assert!(out.contains(&wrong), "{out}");
        assert!(out.contains(" w m s 4 0 3 0 "), "{out}");
        assert!(out.contains("\n7  "), "{out}");
        assert!(out.contains("Moves of O, best first:\n  "), "{out}");
        assert!(out.contains("  loss in 26\n"), "{out}");
    }
    let (code, out, _) = database.outcome(&["--full", "--only", "4-3", "--json"]);
    assert_eq!(code, 6);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["mode"], &json["holds"]), (&"full".into(), &false.into()));
    let wrong = &json["subspaces"][0]["mismatches"][0];
    assert_eq!((&wrong["index"], &wrong["recomputed"]), (&index.0.into(), &"loss in 26".into()));
    assert_eq!(wrong["mover"].as_array().unwrap().len(), 4);
    assert_eq!(wrong["position"], wrong["fen"]);
}

#[test]
fn codes_of_what_cannot_be_done() {
    let database = Database::new();
    let (code, _, error) = database.outcome(&["--full", "--memory", "1MiB"]);
    assert_eq!(code, 5);
    assert!(error.contains("--memory"), "{error}");
    assert_eq!(database.outcome(&["--full", "--quick"]).0, 2);
    assert_eq!(database.outcome(&["--claims", "--only", "3-3"]).0, 2);
    assert_eq!(database.outcome(&["--ruleset", "lasker"]).0, 3);

    let path = database.folder.path_of(Subspace::moving(3, 4));
    fs::remove_file(path).unwrap();
    let (code, _, error) = database.outcome(&["--full", "--only", "4-3"]);
    assert_eq!(code, 3);
    assert!(error.contains("4-3 cannot be checked without 3-4"), "{error}");
    let (code, out, _) = database.outcome(&["--quick"]);
    assert_eq!(code, 3);
    assert!(out.contains("3-4: the manifest lists it, but the file is gone"), "{out}");

    let path = database.folder.path_of(Subspace::moving(4, 3));
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let (code, out, _) = database.outcome(&["--quick"]);
    assert_eq!(code, 4);
    assert!(out.contains("4-3: ") && out.contains("is damaged"), "{out}");
}

/// In the edition `statistics` most subspaces keep no values to check.
#[test]
fn output_says_what_cannot_be_checked() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_merels"));
        let done = command.env("MERELS_DB", dir.path()).args(arguments).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    run(&["solve", "--up-to", "8", "--edition", "statistics", "--no-progress"]);
    for arguments in [&["--sample", "9"][..], &["--full", "--again"]] {
        let verify = |more: &[&str]| run(&[&["verify", "--no-progress"], arguments, more].concat());
        let only = verify(&["--only", "4-4"]);
        assert!(
            only.contains(" could not be checked: the edition 'statistics' keeps no"),
            "{only}"
        );
        assert!(only.contains("not kept") && only.contains("No entry was checked"), "{only}");
        assert!(!only.contains("All 0 "), "{only}");
        let all = verify(&[]);
        assert!(all.contains(" could not be checked: ") && !all.contains("All 0 "), "{all}");
        let json = verify(&["--only", "4-4", "--json"]);
        assert!(json.contains("\"compared\": false"), "{json}");
    }
}

#[test]
fn digests_are_lines_that_two_people_can_compare() {
    let database = Database::new();
    let (code, out, _) = database.outcome(&["--digests"]);
    assert_eq!(code, 0);
    let lines: Vec<_> = out.lines().collect();
    let names = lines.iter().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        (lines[0], names),
        ("ruleset standard", vec!["ruleset", "3-3", "3-4", "4-3", "folder"])
    );
    let (code, json, _) = database.outcome(&["--digests", "--json"]);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(lines[4], format!("folder {}", json["digest"].as_str().unwrap()));
    assert_eq!(lines[2], format!("3-4 {}", json["subspaces"][1]["digest"].as_str().unwrap()));
    assert_eq!(database.outcome(&["--digests", "--only", "3-3"]).0, 2);
}

#[test]
fn a_table_that_the_rules_do_not_have_is_refused() {
    let database = Database::new();
    let from = database.folder.path_of(Subspace::moving(4, 3));
    fs::copy(from, database.folder.path_of(Subspace::moving(12, 12))).unwrap();
    for mode in ["--quick", "--full", "--digests", "--sample=9"] {
        let (code, _, error) = database.outcome(&[mode]);
        assert_eq!(code, 4, "{mode}: {error}");
        assert!(error.contains("12-12") && !error.contains("panicked"), "{mode}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_journal() {
    let database = Database::new();
    let path = database.folder.path().join(merels_verify::JOURNAL_NAME);
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut command = database.verify(&["--full", "--only", "3-3"]);
    let output = command.timeout(std::time::Duration::from_secs(60)).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("verified.merels is not a regular file"), "{error}");
}
