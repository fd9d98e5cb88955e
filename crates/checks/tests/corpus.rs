//! Replays the inputs kept from fuzzing (`fuzz/corpus/`) through the checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use merels_checks::{ALL, Verdict};

/// The least number of inputs for a parser, and the most bytes of all inputs.
const LEAST_INPUTS: usize = 12;
const MOST_BYTES: usize = 1 << 20;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names of the files in a folder, without extensions.
fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

#[test]
fn kept_inputs_pass_their_checks() {
    let mut bytes = 0;
    for check in ALL {
        let folder = fuzz().join("corpus").join(check.name);
        let (mut read, mut refused) = (0, 0);
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let input = fs::read(&path).unwrap();
            bytes += input.len();
            // If the check panics, this names the input.
            println!("{}", path.display());
            match (check.run)(&input) {
                Verdict::Read => read += 1,
                Verdict::Refused => refused += 1,
            }
        }
        assert!(read > 0, "{}: none of the inputs is read", check.name);
        assert!(refused > 0, "{}: none of the inputs is refused", check.name);
        assert!(read + refused >= LEAST_INPUTS, "{}: few inputs", check.name);
    }
    assert!(bytes <= MOST_BYTES, "{bytes} bytes of inputs");
}

#[test]
fn every_check_has_a_fuzz_target_and_inputs() {
    let checks: BTreeSet<_> = ALL.iter().map(|check| check.name.to_owned()).collect();
    assert_eq!(checks.len(), ALL.len());
    assert_eq!(names_in(&fuzz().join("fuzz_targets")), checks);
    assert_eq!(names_in(&fuzz().join("corpus")), checks);
}
