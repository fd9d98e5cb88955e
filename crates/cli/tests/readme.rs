//! The examples in README.md print what stands there.
#![cfg(unix)]

use std::env;
use std::path::Path;
use std::process::Command;

/// What an example's output is compared by: everything but times, speeds and memory.
fn comparable(line: &str) -> &str {
    if line.starts_with("solved ") {
        // solved 320 entries, 40 k entries/s
        line.split_once(", ").map_or(line, |(before, _)| before)
    } else if line.contains(" in db/") {
        // 687 B in db/three, 0.0 s, at most 4.7 MiB of memory
        line.split(", ").next().unwrap_or(line)
    } else {
        line
    }
}

#[test]
fn the_examples_of_the_readme() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_merels"));
    let path = env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap())),
    )
    .unwrap();
    // One after another in one folder: later examples use what earlier ones have made.
    let dir = tempfile::tempdir().unwrap();
    let mut count = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("an end of the block");
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ ").expect("a prompt");
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(dir.path()).env("PATH", &path);
        let output = shell.env_remove("MERELS_DB").output().unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        let found = String::from_utf8(output.stdout).unwrap();
        let found: Vec<_> = found.lines().map(comparable).collect();
        let expected: Vec<_> = expected.lines().map(comparable).collect();
        assert_eq!(found, expected, "{command}");
        count += 1;
    }
    assert!(count >= 6, "only {count} examples were found");
}
