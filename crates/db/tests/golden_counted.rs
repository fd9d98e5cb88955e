//! Files of format version 1 stay readable: tables of the edition `statistics`, one of which stores
//! all values and one no value. `examples/golden.rs` has made those in `tests/data/statistics`;
//! these tests write nothing.

use std::path::Path;

use merels_core::numbering::ValueCode;
use merels_core::{Plies, Ruleset, Subspace};
use merels_db::{DbError, Edition, Folder, Stored};

fn folder() -> Folder {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/statistics");
    Folder::open(&data, Ruleset::STANDARD).unwrap()
}

/// One entry of each period is won, one lost; the rest is drawn.
fn made_up(index: u64, period: u64) -> u8 {
    let distance = (index / period % 127) as u8;
    match index % period {
        0 => 255 - distance,
        1 => distance,
        _ => 127,
    }
}

#[test]
fn counts_and_values_are_read() {
    let folder = folder();
    assert_eq!(folder.edition(), Edition::Statistics);
    let subspace = Subspace::placing(1, 1, 8, 8);
    let table = folder.open_table(subspace).unwrap();
    assert_eq!((table.header().stored(), table.blocks()), (Stored::Whole, 1));
    for index in 0..92 {
        let value = ValueCode::from_byte(made_up(index, 3)).map(ValueCode::value);
        assert_eq!(table.value(index).unwrap(), value, "entry {index}");
    }
    table.check_digest().unwrap();
    let counted = &table.header().distribution;
    // 31 periods, the last of which lacks its draw.
    assert_eq!(counted.histogram.count(ValueCode::DRAW), 30);
    assert_eq!(counted.histogram.iter().count(), 63);
    assert_eq!((counted.longest_win, counted.longest_loss), (Some(90), Some(91)));
    let longest = counted.longest_win.map(|entry| table.value(entry).unwrap().unwrap());
    assert_eq!(longest.and_then(|value| value.distance()), Some(Plies(61)));
}

#[test]
fn counts_alone_are_read() {
    let folder = folder();
    let subspace = Subspace::placing(2, 6, 1, 1);
    let entries = 30 * 74_613_u64;
    let table = folder.open_table(subspace).unwrap();
    assert_eq!((table.header().stored(), table.blocks()), (Stored::Nothing, 0));
    assert_eq!(table.value(0).unwrap(), None);
    table.check_digest().unwrap();
    let counted = &table.header().distribution;
    assert_eq!(counted.statistics(), table.header().statistics);
    // The 127th period is the first one with the longest distances.
    assert_eq!(
        (counted.longest_win, counted.longest_loss),
        (Some(126 * 4001), Some(126 * 4001 + 1))
    );
    let wins: u64 = entries.div_ceil(4001);
    assert_eq!(counted.statistics().wins, wins);
    assert!(matches!(folder.check_kept(subspace), Err(DbError::NotKept { .. })));
    assert!(folder.load_manifest().unwrap().iter().any(|info| *info == table.info()));
}
