//! Writes the tables that `tests/golden.rs`, `tests/golden_small.rs` and `tests/golden_counted.rs`
//! read, as this version of the program makes them:
//!
//! ```text
//! cargo run -p merels-db --example golden -- crates/db/tests/data
//! ```
//!
//! A new format version writes into another folder: the files of older versions stay, and must
//! remain readable. The values mean nothing; they are easily checked by hand. (Those of
//! `compact/three` are real: `merels solve --ruleset three` makes them.)

use std::error::Error;
use std::path::Path;

use merels_core::numbering::{Codes, SubspaceIndex};
use merels_core::{Ruleset, Subspace};
use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter};

/// The values in turn, each for 97 entries.
fn in_turn(index: u64) -> u8 {
    [127, 255, 127, 254, 0, 127, 3, 200][(index / 97 % 8) as usize]
}

/// Among `period` entries a win, a loss, and draws, so that tables of millions of entries stay
/// small. Wins and losses have each distance in turn.
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
    let spec = TableSpec { subspace, level: TableSpec::DEFAULT_LEVEL, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec)?;
    let values: Vec<_> = (0..entries).map(&value).collect();
    writer.write_slices(Codes::near(&values))?;
    let info = writer.finish(Distribution::of(Codes::near(&values)))?.publish()?;
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
