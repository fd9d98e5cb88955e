//! Writes the tables that `tests/golden.rs`, `tests/golden_small.rs` and `tests/golden_counted.rs` read, as this
//! version of the program makes them:
//!
//! ```text
//! cargo run -p merels-db --example golden -- crates/db/tests/data
//! ```
//!
//! For a new format version, into another folder: the files of older versions stay, and must
//! remain readable. The values mean nothing; they are chosen to be easily checked by hand. (Those of
//! `compact/three` are real: `merels solve --ruleset three` makes them.)

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use merels_core::{Ruleset, Subspace, SubspaceIndex};
use merels_db::{
    Edition, Folder, Longest, Statistics, TableKind, TableSpec, TableWriter, ValueHistogram,
};

/// The values in turn, each for 97 entries.
fn in_turn(index: u64) -> u8 {
    [127, 255, 127, 254, 0, 127, 3, 200][(index / 97 % 8) as usize]
}

/// Among `period` entries a win, a loss, and draws; so that tables of millions of entries stay small. Wins and losses
/// have each distance in turn.
fn sparse(index: u64, period: u64) -> u8 {
    let distance = (index / period % 127) as u8;
    match index % period {
        0 => 255 - distance,
        1 => distance,
        _ => 127,
    }
}

/// Writes a table of the standard game.
fn write(
    dir: &Path,
    edition: Edition,
    subspace: Subspace,
    value: impl Fn(u64) -> u8 + Sync,
) -> Result<(), Box<dyn Error>> {
    let folder = Folder::create(dir, Ruleset::STANDARD, Some(edition))?;
    let _lock = folder.lock()?;
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
    let values: Vec<_> = (0..entries).map(&value).collect();
    let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
    histogram.add_bytes(&values);
    longest.add(&Statistics::of_bytes(&values), 0, &values);
    let pending = match edition {
        Edition::Statistics => writer.finish_counted(longest.with(histogram))?,
        _ => writer.finish(histogram.statistics())?,
    };
    let info = pending.publish()?;
    println!("{edition} {}: {} bytes, digest {}", info.subspace, info.size, info.digest);
    folder.record(&[info])?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("usage: golden DIR")?;
    let dir = Path::new(&dir);
    write(dir, Edition::Full, Subspace::moving(3, 3), in_turn)?;
    for edition in [Edition::Compact, Edition::Outcome] {
        let dir = dir.join(edition.name());
        write(&dir, edition, Subspace::placing(1, 1, 8, 8), |index| sparse(index, 3))?;
        write(&dir, edition, Subspace::placing(1, 2, 8, 7), |index| sparse(index, 3))?;
        write(&dir, edition, Subspace::moving(4, 4), |index| sparse(index, 4001))?;
        write(&dir, edition, Subspace::placing(2, 6, 1, 1), |index| sparse(index, 4001))?;
    }
    let edition = Edition::Statistics;
    let dir = dir.join(edition.name());
    write(&dir, edition, Subspace::placing(1, 1, 8, 8), |index| sparse(index, 3))?;
    write(&dir, edition, Subspace::placing(2, 6, 1, 1), |index| sparse(index, 4001))?;
    Ok(())
}
