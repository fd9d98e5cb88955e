//! The libraries do not know the program: no text in their code names one of its commands or
//! options. What to do about an error is in `crates/advice` and in the program itself.

use std::fs;
use std::path::{Path, PathBuf};

const LIBRARIES: [&str; 8] = ["atlas", "core", "db", "json", "query", "simd", "solver", "verify"];

/// The page of results says what makes it.
const ALLOWED: &str = "`merels atlas` makes this page";

const COMMANDS: [&str; 6] = ["solve", "verify", "pack", "query", "serve", "stats"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a line of code names an option, as in `--memory`, or a command.
fn names_the_program(line: &str) -> bool {
    let has_option = line.match_indices("--").any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + 2..].chars().next();
        before.is_none_or(|before| "\"'`( ".contains(before))
            && behind.is_some_and(|behind| behind.is_ascii_lowercase())
    });
    let has_command = COMMANDS.iter().any(|command| line.contains(&format!("merels {command}")));
    has_option || has_command || line.contains("`merels ")
}

#[test]
fn no_library_names_a_command_or_an_option() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut scanned, mut faults) = (0, Vec::new());
    for library in LIBRARIES {
        let mut sources = Vec::new();
        files(&crates.join(library).join("src"), &mut sources);
        for path in sources {
            if path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("_tests")) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // Tests are last in a file.
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            for (number, line) in (1..).zip(code.lines()) {
                let is_comment = line.trim_start().starts_with("//");
                if !is_comment && names_the_program(line) && !line.contains(ALLOWED) {
                    faults.push(format!("{}:{number}: {}", path.display(), line.trim()));
                }
            }
            scanned += 1;
        }
    }
    assert!(scanned > 100, "only {scanned} files");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn names_are_found() {
    for line in ["\"allow more with --memory\"", "`--only`", "run `merels list`", "merels solve"] {
        assert!(names_the_program(line), "{line}");
    }
    for line in ["let x = a --b;", "\"---\"", "// merels: a table", "\"a finished merels table\""] {
        assert_eq!(names_the_program(line), line.contains(" --b"), "{line}");
    }
}
