//! `merels solve`: its databases, its output and its refusals.

mod common;

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use merels_db::{Edition, Folder};

use common::{copy_of_database, database, files, merels, stderr, stdout};

/// Runs `merels solve` and expects an error of one line with all of `words`, this exit code, and
/// nothing on standard output.
fn refused(db: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let output = merels(db).arg("solve").args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.starts_with("merels: "), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

#[test]
fn the_summary_tells_what_was_solved_now() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = merels(dir.path());
    let first = stdout(command.args(["solve", "--only", "3-4", "--no-progress"]));
    assert!(stderr(&mut command).is_empty(), "--no-progress is silent");
    let rows: Vec<Vec<_>> = first
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..2], ["subspace", "entries"]);
    assert_eq!(rows[1][..6], ["3-3", "210,140", "169,626", "140,621", "269", "28,736"]);
    assert_eq!(
        rows[2][..8],
        ["4-3", "862,980", "760,398", "75,397", "681,906", "3,095", "1", "32"]
    );
    assert_eq!(rows[4][0], "total");
    assert!(rows[1..4].iter().all(|row| *row.last().unwrap() == "now"), "{first}");
    assert!(first.contains("solved 2,018,750 entries"), "{first}");

    let more = stdout(merels(dir.path()).args(["solve", "--only", "4-4"]));
    let solved = |name: &str| {
        let row = more.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(["3-3", "3-4", "4-4"].map(solved), ["before", "before", "now"]);
}

#[test]
fn with_everything_there_nothing_is_done_and_all_is_told() {
    let before = files(database());
    let mut command = merels(database());
    command.args(["solve", "--up-to", "8", "--memory", "1MB"]).assert().success();
    let text = stdout(&mut command);
    assert!(text.contains("nothing to do: all 6 subspaces are solved and intact"), "{text}");
    assert!(text.contains("3,225,409"), "{text}");
    assert_eq!(files(database()), before);
}

#[test]
fn progress_is_a_line_for_each_pair_where_there_is_no_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let text = stderr(merels(dir.path()).args(["solve", "--up-to", "7"]));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[0], "solving 3 subspaces, 2,018,750 entries");
    assert!(lines[1].starts_with("3-3: ") && lines[1].contains("(1 of 2, "), "{text}");
    assert!(lines[2].starts_with("4-3, 3-4: ") && lines[2].contains("(2 of 2, 100 % of all)"));
    assert!(lines[3].starts_with("2 of 2 jobs done in "), "{text}");
}

#[test]
fn timings_have_a_row_for_each_pair() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(merels(dir.path()).args(["solve", "--up-to", "7", "--timings"]));
    let rows: Vec<Vec<_>> = text
        .lines()
        .skip_while(|line| !line.starts_with("job "))
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().collect())
        .collect();
    let names: Vec<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, ["job", "3-3", "4-3+3-4", "total"]);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    let column = |name| rows[0].iter().position(|heading| *heading == name).unwrap();
    assert_eq!(rows[1][column("stores")], "209,704");
    assert!(rows[1][column("ns/edge")].parse::<f64>().unwrap() > 0.0);
}

#[test]
fn a_whole_game_ends_with_a_report() {
    let dir = tempfile::tempdir().unwrap();
    let solve = || stdout(merels(dir.path()).args(["solve", "--ruleset", "three"]));
    let first = solve();
    let rows: Vec<_> = first.lines().filter_map(|line| line.split_once("  ")).collect();
    let names: Vec<_> = rows.iter().map(|row| row.0.trim()).collect();
    let names = &names[..9];
    assert_eq!(
        names,
        ["subspace", "3-3", "ply 5", "ply 4", "ply 3", "ply 2", "ply 1", "ply 0", "total"]
    );
    let report = "\
The empty board is a win in 9 plies.

first move  points            value  replies that hold it
b2               1   win in 9 plies                8 of 8
a1               4             draw                6 of 8
a2               4  loss in 8 plies                1 of 8

longest win   9 plies, in 3-3
longest loss  10 plies, in 3-3

solved 886 entries, ";
    assert!(first.contains(report), "{first}");
    let last = first.lines().last().unwrap();
    assert!(last.contains(" KiB in ") && last.contains(" s, at most "), "{last}");
    // The same if nothing is left to do.
    let again = solve();
    assert!(again.contains(report.rsplit_once("solved").unwrap().0), "{again}");
    assert!(again.contains("nothing to do: all 7 subspaces are solved"), "{again}");
    // One subspace of a ply, and no report without the empty board.
    let part = ["solve", "--ruleset", "four", "--only", "3-3+1-1"];
    let part = stdout(merels(dir.path()).args(part));
    assert!(part.contains("\nply 6 (1 of 3) "), "{part}");
    assert!(!part.contains("empty board"), "{part}");
    let rest = stdout(merels(dir.path()).args(["solve", "--ruleset", "four"]));
    let line = rest.lines().find(|line| line.starts_with("ply 6 ")).unwrap();
    assert!(line.ends_with("partly now"), "{rest}");
    assert!(rest.contains("The empty board is a draw.\n"), "{rest}");
}

#[test]
fn the_result_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let solve = |arguments: &[&str]| -> serde_json::Value {
        let command = ["solve", "--ruleset", "three", "--json"];
        let text = stdout(merels(dir.path()).args(command).args(arguments));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let moving = solve(&["--phase", "moving"]);
    assert!(moving["report"].is_null() && moving.get("timings").is_none(), "{moving}");
    assert_eq!(moving["plies"], serde_json::json!([]));
    let all = solve(&["--timings"]);
    assert_eq!(all["ruleset"], "three");
    let rows = all["subspaces"].as_array().unwrap();
    let solved: Vec<_> = rows
        .iter()
        .map(|row| (row["subspace"].as_str().unwrap(), row["solved_now"].as_bool().unwrap()))
        .collect();
    assert_eq!(solved[..2], [("3-3", false), ("2-3+1-0", true)]);
    assert_eq!(solved.len(), 7);
    assert_eq!(all["plies"][5]["positions"], 174);
    assert_eq!(all["totals"]["entries"], 886);
    let report = serde_json::json!({
        "empty_board": {"outcome": "win", "distance": 9},
        "first_moves": [
            {"move": "b2", "points": 1, "outcome": "win", "distance": 9, "replies": 8,
             "holding_replies": 8},
            {"move": "a1", "points": 4, "outcome": "draw", "distance": null, "replies": 8,
             "holding_replies": 6},
            {"move": "a2", "points": 4, "outcome": "loss", "distance": 8, "replies": 8,
             "holding_replies": 1},
        ],
        "longest_win": {"plies": 9, "subspace": "3-3"},
        "longest_loss": {"plies": 10, "subspace": "3-3"},
    });
    assert_eq!(all["report"], report);
    let run = &all["run"];
    assert_eq!((&run["solved_subspaces"], &run["solved_entries"]), (&6.into(), &566.into()));
    assert!(run["seconds"].as_f64().unwrap() > 0.0 && run["size_bytes"].as_u64().unwrap() > 3_000);
    assert_eq!(all["timings"].as_array().unwrap().len(), 6);
    assert!(all["timings"][0]["seconds"]["place"].as_f64().unwrap() >= 0.0);
}

#[test]
fn neither_threads_nor_level_nor_form_of_the_code_change_a_value() {
    let digests = |db: &Path| {
        let json = stdout(merels(db).args(["stats", "--json"]));
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let rows = report["subspaces"].as_array().unwrap().clone();
        rows[..3].iter().map(|row| row["digest"].to_string()).collect::<Vec<_>>()
    };
    let expected = digests(database());
    let variants: [&[&str]; 3] =
        [&["--threads", "1"], &["--threads", "5", "--level", "3"], &["--processor", "portable"]];
    for arguments in variants {
        let dir = tempfile::tempdir().unwrap();
        merels(dir.path()).args(["solve", "--only", "4-3"]).args(arguments).assert().success();
        assert_eq!(digests(dir.path()), expected, "{arguments:?}");
    }
}

#[test]
fn wrong_arguments() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["--only", "2-9"], &["2-9 is not a subspace", "3 to 9 stones"]),
        (&["--only", "10-3"], &["10-3 is not a subspace"]),
        (&["--only", "5-0+3-3"], &["5-0+3-3 is not a subspace"]),
        (&["--phase", "moving", "--only", "5-4+2-3"], &["5-4+2-3 is not a subspace"]),
        (&["--up-to", "5"], &["--up-to 5", "from 6 to 18"]),
        (&["--up-to", "19"], &["--up-to 19", "from 6 to 18"]),
        (&["--up-to", "8", "--phase", "all"], &["--up-to is for the moving phase"]),
        (&["--processor", "abacus"], &["this processor runs portable"]),
    ];
    for (arguments, words) in cases {
        refused(dir.path(), arguments, 2, words);
    }
    // The parser of the command line reports these, with a line about usage.
    for arguments in [
        ["--only", "many"],
        ["--ruleset", "chess"],
        ["--memory", "much"],
        ["--threads", "0"],
        ["--level", "20"],
        ["--up-to", "300"],
        ["--phase", "endgame"],
    ] {
        let mut command = merels(dir.path());
        command.arg("solve").args(arguments).assert().code(2).stdout("");
        assert!(stderr(&mut command).contains(arguments[1]), "{arguments:?}");
    }
    assert_eq!(files(dir.path()), [], "nothing is made for wrong arguments");
}

#[test]
fn a_game_in_which_stones_move_while_others_are_in_hand() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = merels(dir.path());
        let output = command.args(arguments).args(["--ruleset", "three,placing=mixed"]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let solved = run(&["solve", "--no-progress"]);
    for words in ["\n0 placed ", "\n5 placed ", "The empty board is a ", "first move"] {
        assert!(solved.contains(words), "'{words}' is not in: {solved}");
    }
    assert!(run(&["stats", "--by-ply"]).starts_with("placed  subspaces"));
    let verified = run(&["verify", "--full", "--no-progress"]);
    assert!(verified.contains("1-2+2-1"), "{verified}");
    // Black has placed two stones, White one, which has moved instead.
    let analysis = run(&["query", "w:a1 b:b2,c3 move:b hand:2,1", "--format", "json"]);
    assert!(analysis.contains("\"a2\"") && analysis.contains("\"b2-a2\""), "{analysis}");
}

#[test]
fn too_little_memory_is_told_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["MiB of memory", "9 MiB may be used", "--memory", "--up-to"];
    refused(dir.path(), &["--memory", "10MB"], 5, &words);
    // 300 MiB suffice for small subspaces, but not for the whole.
    refused(dir.path(), &["--memory", "300MiB"], 5, &["300 MiB may be used"]);
    assert!(
        files(dir.path())
            .iter()
            .all(|(name, _)| name.starts_with('.') || name == "manifest.merels")
    );
}

#[test]
fn a_folder_that_cannot_be_made() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    refused(&file, &[], 5, &["cannot create the folder", "file"]);
    #[cfg(target_os = "linux")]
    refused(Path::new("/proc/merels"), &[], 5, &["cannot create the folder /proc/merels"]);
}

#[test]
fn another_solver_in_the_folder() {
    let dir = copy_of_database();
    let lock = File::options().write(true).open(dir.path().join("standard/.lock")).unwrap();
    lock.lock().unwrap();
    refused(dir.path(), &[], 5, &["another solver is running in", "standard"]);
    drop(lock);
    merels(dir.path()).args(["solve", "--up-to", "8"]).assert().success();
}

#[test]
fn damaged_files_are_named() {
    let flip = |bytes: &mut Vec<u8>, at: usize| bytes[at] ^= 0x10;
    type Damage<'a> = &'a dyn Fn(&mut Vec<u8>);
    let cases: [(&str, Damage, &[&str]); 5] = [
        ("cut off", &|bytes| bytes.truncate(bytes.len() / 2), &["damaged"]),
        ("empty", &|bytes| bytes.clear(), &["not a finished merels"]),
        ("header", &|bytes| flip(bytes, 40), &["damaged"]),
        (
            "values",
            &|bytes| {
                let at = bytes.len() * 9 / 10;
                flip(bytes, at);
            },
            &["damaged in block"],
        ),
        ("version", &|bytes| bytes[8] = 9, &["format version 9", "reads version 1"]),
    ];
    for (name, damage, words) in cases {
        let dir = copy_of_database();
        let path = dir.path().join("standard/3-4.merels");
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, bytes).unwrap();
        println!("{name}");
        refused(dir.path(), &["--up-to", "8"], 4, &[words, &["3-4.merels"]].concat());
        // The advice in the message works.
        fs::remove_file(&path).unwrap();
        let text = stdout(merels(dir.path()).args(["solve", "--up-to", "8"]));
        assert!(text.contains("solved 1,808,610 entries"), "{text}");
        merels(dir.path()).args(["solve", "--up-to", "8"]).assert().success();
    }
}

#[test]
fn a_damaged_manifest() {
    let dir = copy_of_database();
    let path = dir.path().join("standard/manifest.merels");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    refused(dir.path(), &[], 4, &["manifest.merels", "damaged"]);
    // If the manifest is missing, `solve` makes it again from the files.
    fs::remove_file(&path).unwrap();
    merels(dir.path()).args(["solve", "--up-to", "8"]).assert().success();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn databases_of_other_rules() {
    let dir = copy_of_database();
    let (standard, other) = (dir.path().join("standard"), dir.path().join("no-flying"));
    fs::create_dir(&other).unwrap();
    fs::copy(standard.join("3-3.merels"), other.join("3-3.merels")).unwrap();
    let words = ["made for the ruleset 'standard', not for 'no-flying'"];
    refused(dir.path(), &["--ruleset", "no-flying"], 4, &[words[0], "3-3.merels"]);
    fs::remove_dir_all(&other).unwrap();
    fs::rename(&standard, &other).unwrap();
    refused(dir.path(), &["--ruleset", "no-flying"], 4, &[words[0], "manifest.merels"]);
}

#[test]
fn a_file_under_another_name() {
    let dir = copy_of_database();
    let standard = dir.path().join("standard");
    fs::rename(standard.join("4-3.merels"), standard.join("3-4.merels")).unwrap();
    refused(dir.path(), &[], 4, &["3-4.merels", "holds the subspace 4-3"]);
}

/// Mounts a file system of 2 MiB over the folder, in a mount namespace of its own. Not every system
/// allows that.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs leave to mount a file system: just test-all"]
fn a_disk_that_is_too_small() {
    let dir = tempfile::tempdir().unwrap();
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]);
        command.arg(dir.path()).arg(env!("CARGO_BIN_EXE_merels"));
        command.output()
    };
    let mount = "mount -t tmpfs -o size=2m tmpfs \"$1\"";
    let mounted = unshare(mount).expect("the command unshare");
    assert!(mounted.status.success(), "no file system can be mounted here: {mounted:?}");
    let output = unshare(&format!("{mount} && \"$2\" solve --db \"$1\" --up-to 9")).unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(
        message.starts_with(
            "merels: solving takes up to 31 MiB more of disk space, but only 2 MiB are free in "
        ),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn what_is_only_counted_tells_the_same_about_the_game() {
    let solve = |edition: &str| {
        let dir = tempfile::tempdir().unwrap();
        let ruleset = ["--ruleset", "standard,stones=4"];
        let options = ["solve", "--no-progress", "--edition", edition];
        let out = stdout(merels(dir.path()).args(options).args(ruleset));
        let report =
            out[out.find("The empty board").unwrap()..out.find("solved ").unwrap()].to_owned();
        (dir, report)
    };
    let (_full, expected) = solve("full");
    let (dir, report) = solve("statistics");
    assert_eq!(report, expected);

    let with = |args: &[&str]| {
        let mut command = merels(dir.path());
        command.args(args).args(["--ruleset", "standard,stones=4"]);
        command
    };
    let text = stdout(&mut with(&["verify", "--full", "--no-progress"]));
    assert!(text.contains("3,667,665") && text.contains("not kept"), "{text}");
    assert!(text.contains(" subspaces could not be checked: the edition 'statistics'"), "{text}");
    assert!(
        text.contains("have the value of their best move (edition statistics, none from notes"),
        "{text}"
    );
    let to = dir.path().join("packed");
    let pack = ["pack", "--edition", "compact", "--to", to.to_str().unwrap()];
    let refusal = with(&pack).assert().code(4).get_output().stderr.clone();
    let refusal = String::from_utf8(refusal).unwrap();
    assert!(refusal.contains("which leaves out what 'compact' keeps"), "{refusal}");
    assert!(refusal.contains("--edition compact --db "), "{refusal}");
}

#[test]
fn a_run_that_is_refused_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let solve = |arguments: &[&str]| {
        let mut command = merels(dir.path());
        command.args(["solve", "--no-progress", "--ruleset", "three"]).args(arguments);
        command.output().unwrap().status.code()
    };
    assert_eq!(solve(&["--memory", "1KiB"]), Some(5));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    // The same for a folder that does not exist.
    let mut nowhere = merels(&dir.path().join("a/b"));
    nowhere.args(["solve", "--ruleset", "three", "--memory", "1KiB"]).assert().code(5);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    // Remains of a run that was interrupted before its first table do not matter.
    let three = "three".parse().unwrap();
    let folder = Folder::create(dir.path(), three, None).unwrap();
    assert_eq!(folder.edition(), Edition::Compact);
    let mut pack = merels(dir.path());
    pack.args(["pack", "--ruleset", "three", "--edition", "outcome", "--to"]);
    pack.arg(dir.path().join("packed")).assert().code(3);
    assert!(stderr(&mut pack).starts_with("merels: there is nothing to pack"));
    assert!(!dir.path().join("packed").exists());
    assert_eq!(solve(&["--edition", "statistics", "--memory", "1KiB"]), Some(5));
    assert_eq!(solve(&["--edition", "full", "--up-to", "6"]), Some(0));
    // Now the folder has a table.
    assert_eq!(solve(&["--edition", "statistics"]), Some(4));
}

/// The memory that a run demands suffices and is close to what it uses.
#[cfg(target_os = "linux")]
#[test]
fn small_games_are_told_how_little_memory_they_need() {
    for (ruleset, most) in [("three", 16), ("four", 48), ("six,stones=4", 48)] {
        let dir = tempfile::tempdir().unwrap();
        let solve = |memory: &str| {
            let options = ["--no-progress", "--json", "--threads", "2", "--memory", memory];
            let mut command = merels(dir.path());
            command.args(["solve", "--ruleset", ruleset]).args(options).output().unwrap()
        };
        // The job in the first message need not be the largest.
        let mut needed = 0_u64;
        let output = loop {
            let output = solve(&format!("{needed}MiB"));
            let message = String::from_utf8(output.stderr.clone()).unwrap();
            if output.status.success() {
                break output;
            }
            let words: Vec<_> = message.split(' ').collect();
            let at = words.iter().position(|&word| word == "needs").unwrap();
            let more = words[at + 1].parse().unwrap();
            assert!(more > needed && message.contains(&format!("only {needed} MiB")), "{message}");
            needed = more;
        };
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let peak = result["run"]["peak_memory_bytes"].as_u64().unwrap();
        // Most of this program is not optimised, and its code takes more memory than that of a
        // release. `.ci/end-to-end` measures the release.
        let code = 5;
        assert!(peak <= (needed + code) << 20 && needed <= most, "{ruleset}: {peak}, {needed} MiB");
    }
}

#[test]
fn a_damaged_work_table_stops_nothing() {
    let dir = copy_of_database();
    let work: Vec<_> = fs::read_dir(dir.path().join("standard"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "work"))
        .collect();
    assert!(!work.is_empty());
    fs::write(&work[0], "damaged").unwrap();
    let mut solve = merels(dir.path());
    let output = solve.args(["solve", "--up-to", "8", "--no-progress"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(work[0].file_name().unwrap().to_str().unwrap()), "{said}");
    assert!(
        said.contains(" is not a finished merels table; `solve` makes it again when it needs it"),
        "{said}"
    );
    assert!(said.lines().count() == 1 && !work[0].exists(), "{said}");
}
