//! Files of format version 1 stay readable: tables of the editions that leave values out, one for
//! each way in which they store a subspace. `examples/golden.rs` has made those in `tests/data`;
//! these tests write nothing.

use std::path::Path;

use merels_core::numbering::{Codes, Index, SubspaceIndex};
use merels_core::{Board, Plies, Ruleset, Subspace, Value};
use merels_db::{Edition, Encoding, Folder, LEFT_OUT, Stored, Table};

/// One entry of each period is won, one lost; the rest is drawn.
fn made_up(index: u64, period: u64) -> u8 {
    let distance = (index / period % 127) as u8;
    match index % period {
        0 => 255 - distance,
        1 => distance,
        _ => 127,
    }
}

fn folder(edition: Edition, ruleset: Ruleset) -> Folder {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    Folder::open(&data.join(edition.name()), ruleset).unwrap()
}

/// What a table must be like.
struct Golden {
    subspace: Subspace,
    period: u64,
    stored: Stored,
    blocks: u64,
    /// Of all values, which both editions have in common.
    digest: &'static str,
    /// Of what is stored, in the edition compact, in the edition outcome.
    kept: [&'static str; 2],
}

/// The digest of no bytes.
const NOTHING: &str = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

const WHOLE: Golden = Golden {
    subspace: Subspace::placing(1, 1, 8, 8),
    period: 3,
    stored: Stored::Whole,
    blocks: 1,
    digest: "722ae116af556e134d5f46df3adc7c6574b8c4916682ad9ef13cd6456f28741f",
    kept: [
        "722ae116af556e134d5f46df3adc7c6574b8c4916682ad9ef13cd6456f28741f",
        "dd0fab5e37b5f0145a90f1dc079580b4faf8fb85b6a635d476b469d570344739",
    ],
};

/// Six rows to a block.
const HALF: Golden = Golden {
    subspace: Subspace::moving(4, 4),
    period: 4001,
    stored: Stored::Half,
    blocks: 127,
    digest: "1092d29f0b62262bafa349eaa56414e4743bb8b637f465650ee562a0fe60fe66",
    kept: [
        "7e60490c2ab9021ae2b65a5aaadb4d0d7fc516fc557030a5e7dbe9fdadae1b56",
        "2403ab07fb19695a525400a52cab008e35dd5774475e1d0c6189638a17c0627d",
    ],
};

/// Three blocks to a row.
const IN_PIECES: Golden = Golden {
    subspace: Subspace::placing(2, 6, 1, 1),
    period: 4001,
    stored: Stored::Whole,
    blocks: 90,
    digest: "f5ec3b161bae422c58447c7eb93973afa1185fe821ef76b97f70a878ad265de1",
    kept: [
        "f5ec3b161bae422c58447c7eb93973afa1185fe821ef76b97f70a878ad265de1",
        "ab31e71fb55efd391c012d54bbf70bd59f9f4921ab31120aa66b63d158da95b8",
    ],
};

const LEFT_OUT_ALTOGETHER: Golden = Golden {
    subspace: Subspace::placing(1, 2, 8, 7),
    period: 3,
    stored: Stored::Nothing,
    blocks: 0,
    digest: "9a8d6149e73c41aa00e0efbc601b170bbd4fb16ad079660f538d5c3ed018b632",
    kept: [NOTHING, NOTHING],
};

/// What an edition stores of an entry, by the words of `docs/format.md`.
fn expected(golden: &Golden, edition: Edition, index: &SubspaceIndex, entry: u64) -> u8 {
    let is_stored = match golden.stored {
        Stored::Whole => true,
        Stored::Nothing => false,
        Stored::Half => {
            let (mover, other) = index.stones_at(Index(entry));
            let stones = mover.union(other).into_iter().map(|point| point.index());
            stones.filter(|point| matches!(point, 0..4 | 8..12 | 16..20)).count() % 2 == 0
        }
    };
    match made_up(entry, golden.period) {
        _ if !is_stored => LEFT_OUT,
        value if edition == Edition::Compact => value,
        0..127 => 0,
        127 => 127,
        _ => 255,
    }
}

fn check(golden: &Golden) {
    let index = SubspaceIndex::new(Board::Nine, golden.subspace);
    for (place, edition) in [Edition::Compact, Edition::Outcome].into_iter().enumerate() {
        let folder = folder(edition, Ruleset::STANDARD);
        assert_eq!(folder.edition(), edition);
        assert_eq!(folder.stored(golden.subspace), golden.stored);
        let table = folder.open_table(golden.subspace).unwrap();
        let header = table.header();
        assert_eq!((header.edition, header.encoding), (edition, Encoding::Sorted));
        assert_eq!(header.entries_per_block, 32_768);
        assert_eq!(table.blocks(), golden.blocks);
        assert_eq!(header.digest.to_string(), golden.digest);
        assert_eq!(header.kept.to_string(), golden.kept[place], "{edition}");
        let compare = |first: u64, codes: Codes<&[u8]>| {
            for (entry, &byte) in (first..).zip(codes.near) {
                assert_eq!(byte, expected(golden, edition, &index, entry), "entry {entry}");
            }
        };
        table.for_each_block(compare).unwrap();
        table.check_digest().unwrap();
        let listed = folder.load_manifest().unwrap();
        assert!(listed.iter().any(|info| *info == table.info()));
    }
}

#[test]
fn whole_subspaces_are_read() {
    check(&WHOLE);
}

#[test]
fn halves_are_read() {
    check(&HALF);
}

#[test]
fn rows_in_pieces_are_read() {
    check(&IN_PIECES);
}

#[test]
fn subspaces_that_are_left_out_are_read() {
    check(&LEFT_OUT_ALTOGETHER);
}

/// The example in `docs/format.md`, step by step.
#[test]
fn the_worked_example_of_the_specification() {
    let (three, subspace) = (Board::Three.geometry(), Subspace::placing(2, 2, 1, 1));
    let stones =
        |names: [&str; 2]| names.into_iter().map(|name| three.point_named(name).unwrap()).collect();
    let index = SubspaceIndex::new(Board::Three, subspace);
    let entry = index.index_of(stones(["b3", "c1"]), stones(["c3", "a1"])).0;
    assert_eq!(entry, 65);
    let folder = folder(Edition::Compact, "three".parse().unwrap());
    let table: Table = folder.open_table(subspace).unwrap();
    assert_eq!(table.value(entry).unwrap(), Some(Value::Win(Plies(3))));

    let file = std::fs::read(folder.path_of(subspace)).unwrap();
    assert_eq!(file[512..520], 532_u64.to_le_bytes());
    assert_eq!(file[532..540], [0x20, 0, 0, 0, 0x1d, 0, 0, 0]);
    let frame = |bytes: &[u8]| zstd::bulk::decompress(bytes, 168).unwrap();
    let outcomes = frame(&file[540..572]);
    assert_eq!(outcomes.len(), 34);
    assert_eq!(outcomes[..10], [40, 228, 211, 122, 121, 121, 121, 4, 57, 241]);
    assert_eq!(frame(&file[572..601])[..7], [1, 1, 2, 1, 4, 3, 1]);
    assert!(!frame(&file[601..618]).is_empty());
}
