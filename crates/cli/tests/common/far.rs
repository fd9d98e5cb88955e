//! A table with values beyond the distances of one code. They are made up, because no small game
//! has such values.

use std::path::Path;

use merels_core::numbering::{Codes, FarCodes, Index, SubspaceIndex};
use merels_core::{Plies, Ruleset, Subspace, Value};
use merels_db::{Distribution, Edition, Folder, TableKind, TableSpec, TableWriter};

/// The subspace of the standard game whose values are made up.
pub(crate) const MADE_UP: Subspace = Subspace::moving(3, 3);

/// Writes the table into a new folder in `db`: values of all distances up to some 400 plies, the
/// same for all images of a position.
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
    let codes = Codes { near, far: Some(far) };
    let spec = TableSpec { subspace: MADE_UP, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    writer.write_slices(codes.slices()).unwrap();
    let counted = Distribution::of(codes.slices());
    folder.record(&[writer.finish(counted).unwrap().publish().unwrap()]).unwrap();
    folder
}
