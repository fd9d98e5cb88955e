//! Writes the table that `tests/golden.rs` reads, as this version of the program makes it:
//!
//! ```text
//! cargo run -p merels-db --example golden -- crates/db/tests/data
//! ```
//!
//! For a new format version, into another folder: the files of older versions stay, and must
//! remain readable. The values mean nothing; they are chosen to be easily checked by hand.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use merels_core::{Ruleset, Subspace, SubspaceIndex};
use merels_db::{Edition, Folder, TableKind, TableSpec, TableWriter, ValueHistogram};

/// The values in turn, each for 97 entries.
const BYTES: [u8; 8] = [127, 255, 127, 254, 0, 127, 3, 200];

fn value(index: u64) -> u8 {
    BYTES[(index / 97 % 8) as usize]
}

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("usage: golden DIR")?;
    let folder = Folder::create(Path::new(&dir), Ruleset::STANDARD, Some(Edition::Full))?;
    let _lock = folder.lock()?;
    let subspace = Subspace::moving(3, 3);
    let entries = SubspaceIndex::new(folder.ruleset().board, subspace).entries();
    let spec =
        TableSpec { subspace, entries, level: TableSpec::DEFAULT_LEVEL, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec)?;
    let source = |range: Range<u64>, bytes: &mut [u8]| {
        for (index, byte) in range.zip(bytes) {
            *byte = value(index);
        }
    };
    writer.write_all(&source, &|_| ())?;
    let mut histogram = ValueHistogram::default();
    histogram.add_bytes(&(0..entries).map(value).collect::<Vec<_>>());
    let info = writer.finish(histogram.statistics())?.publish()?;
    println!("{}: {} bytes, digest {}", info.subspace, info.size, info.digest);
    folder.record(&[info])?;
    Ok(())
}
