//! Digests of values: they are the same in every edition, and equal those of `docs/digests`.

mod common;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use common::Database;
use merels_db::Edition;
use merels_verify::{Digests, read_digests};

fn digests(database: &Database) -> Digests {
    read_digests(&database.folder, &AtomicBool::new(false)).unwrap()
}

#[test]
fn every_edition_has_the_digests_of_the_kept_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/digests/three.txt");
    let kept = fs::read_to_string(path).unwrap();
    let database = Database::solve_game("three");
    let full = digests(&database);
    assert_eq!(full.to_string(), kept);
    for edition in [Edition::Compact, Edition::Outcome, Edition::Statistics] {
        assert_eq!(digests(&database.pack(edition)), full, "{edition}");
    }
    let (lines, last) = kept.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(last, format!("folder {}", blake3::hash(format!("{lines}\n").as_bytes())));
    let mut sorted: Vec<_> = lines.lines().skip(1).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, lines.lines().skip(1).collect::<Vec<_>>());
}
