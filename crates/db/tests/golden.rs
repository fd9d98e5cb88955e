//! Files of format version 1 stay readable. `examples/golden.rs` has made those in `tests/data`;
//! this test writes nothing.

use std::path::Path;

use merels_core::numbering::{Codes, SubspaceIndex, ValueCode};
use merels_core::{Board, Plies, Ruleset, Subspace, Value};
use merels_db::{Edition, Encoding, Folder, Metric, Statistics};

const SUBSPACE: Subspace = Subspace::moving(3, 3);
const ENTRIES: u64 = 158 * 1330;
const DIGEST: &str = "8cd19349debf4f2bdae767df8d86a6d22291281cdd91bd5cff86941afab113e6";

fn folder() -> Folder {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    Folder::open(&dir, Ruleset::STANDARD).unwrap()
}

#[test]
fn the_table_of_version_1_is_read() {
    let table = folder().open_table(SUBSPACE).unwrap();
    let header = table.header();
    assert_eq!(header.ruleset, Ruleset::STANDARD);
    assert_eq!(header.metric, Metric::End);
    assert_eq!(header.edition, Edition::Full);
    assert_eq!(header.encoding, Encoding::Zstd);
    assert_eq!((header.entries_per_block, header.blocks), (65_536, 4));
    assert_eq!(header.generator, "merels 0.1.0");
    assert_eq!(header.digest.to_string(), DIGEST);
    let statistics = Statistics {
        positions: ENTRIES,
        wins: 78_764,
        draws: 78_861,
        losses: 52_515,
        longest_win: Some(Plies(111)),
        longest_loss: Some(Plies(6)),
    };
    assert_eq!(header.statistics, statistics);

    let bytes = [127, 255, 127, 254, 0, 127, 3, 200];
    let compare = |first: u64, codes: Codes<&[u8]>| {
        for (index, &byte) in (first..).zip(codes.near) {
            assert_eq!(byte, bytes[(index / 97 % 8) as usize], "entry {index}");
        }
    };
    table.for_each_block(compare).unwrap();
    table.check_digest().unwrap();
}

#[test]
fn the_manifest_of_version_1_is_read() {
    let folder = folder();
    let manifest = folder.load_manifest().unwrap();
    let table = folder.open_table(SUBSPACE).unwrap();
    assert_eq!(manifest.iter().collect::<Vec<_>>(), [&table.info()]);
}

/// The example in `docs/format.md`, step by step.
#[test]
fn the_worked_example_of_the_specification() {
    let nine = Board::Nine.geometry();
    let stones =
        |names: &[&str]| names.iter().map(|name| nine.point_named(name).unwrap()).collect();
    let index = SubspaceIndex::new(Board::Nine, SUBSPACE);
    assert_eq!(index.entries(), ENTRIES);
    let entry = index.index_of(stones(&["a1", "d3", "g4"]), stones(&["b6", "e5", "f4"])).0;
    assert_eq!(entry, 137 * 1330 + 497);
    let table = folder().open_table(SUBSPACE).unwrap();
    assert_eq!((table.block_of(entry), entry % 65_536), (2, 51_635));
    let mut codes = Codes::default();
    table.decode_block(2, &mut codes).unwrap();
    assert_eq!(codes.near[51_635], 254);
    assert_eq!(table.value(entry).unwrap(), Some(Value::Win(Plies(3))));
    assert_eq!(ValueCode::from_byte(254), ValueCode::from_value(Value::Win(Plies(3))));
}
