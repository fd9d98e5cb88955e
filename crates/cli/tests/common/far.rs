//! A table with values beyond the distances of one code: made up, as no small game has them.

use std::ops::Range;
use std::path::Path;

use merels_core::{FarCodes, Index, Plies, Ruleset, Subspace, SubspaceIndex, Value};
use merels_db::{
    Edition, Folder, Longest, Statistics, TableKind, TableSpec, TableWriter, ValueHistogram,
};

/// The subspace of the standard game whose values are made up.
pub(crate) const MADE_UP: Subspace = Subspace::moving(3, 3);

/// Writes the table into a new folder in `db`: values of all distances up to some 400 plies, the same for all images of
/// a position.
pub(crate) fn write_made_up(db: &Path, edition: Edition) -> Folder {
    let folder = Folder::create(db, Ruleset::STANDARD, Some(edition)).unwrap();
    let index = SubspaceIndex::new(Ruleset::STANDARD.board, MADE_UP);
    let symmetries = Ruleset::STANDARD.board.geometry().symmetries();
    let codes = (0..index.entries()).map(|entry| {
        let (mover, other) = index.stones_at(Index(entry));
        let images = symmetries.iter().map(|(_, symmetry)| {
            let [mover, other] = [mover, other].map(|stones| symmetry.apply_set(stones).bits());
            u64::from(mover) << 32 | u64::from(other)
        });
        let mut rng = fastrand::Rng::with_seed(images.min().unwrap());
        let half = rng.u16(..200);
        let value = match rng.u8(..9) {
            0 => Value::Draw,
            1..5 => Value::Loss(Plies(2 * half)),
            _ => Value::Win(Plies(2 * half + 1)),
        };
        FarCodes::FILES.codes_of(value).unwrap()
    });
    let (near, far): (Vec<_>, Vec<_>) = codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
    let statistics = Statistics::of_far_bytes(&near, &far);
    let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
    histogram.add_far_row(&statistics, &near, &far);
    longest.add_far(&statistics, 0, &near, &far);
    let (entries, kind) = (index.entries(), TableKind::Final);
    let spec = TableSpec { subspace: MADE_UP, entries, level: 1, kind };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    writer.write_all(&source(&near), &|_| ()).unwrap();
    writer.write_far(&source(&far), &|_| ()).unwrap();
    let info = writer.finish_counted(longest.with(histogram)).unwrap().publish().unwrap();
    folder.record(&[info]).unwrap();
    folder
}

fn source(codes: &[u8]) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    |range, bytes| bytes.copy_from_slice(&codes[range.start as usize..range.end as usize])
}
