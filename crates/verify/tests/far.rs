//! Subspaces whose values one code does not say: they are sampled by both codes, and not verified by one.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use merels_core::{FarCodes, Plies, Position, Ruleset, Subspace, SubspaceIndex, Value};
use merels_db::{
    DbError, Edition, Folder, Longest, Statistics, TableKind, TableSpec, TableWriter,
    ValueHistogram,
};
use merels_verify::{
    FullOptions, SampleOptions, Silent, Values, VerifyError, recompute, verify_full, verify_sample,
};

/// Where its moves leave it, the game is over.
const SUBSPACE: Subspace = Subspace::moving(3, 3);

/// Values by entry that have nothing to do with the game.
struct MadeUp {
    index: SubspaceIndex,
    values: Vec<Value>,
}

impl Values for MadeUp {
    type Error = Infallible;

    fn value(&self, position: &Position) -> Result<Value, Infallible> {
        let index = self.index.index_of(position.mover().board, position.other().board);
        Ok(self.values[index.0 as usize])
    }
}

impl MadeUp {
    fn new() -> Self {
        let index = SubspaceIndex::new(Ruleset::STANDARD.board, SUBSPACE);
        let value = |i: u64| match i % 3 {
            0 => Value::Loss(Plies(2 * (i % 230) as u16)),
            1 => Value::Draw,
            _ => Value::Win(Plies(2 * (i % 230) as u16 + 1)),
        };
        Self { values: (0..index.entries()).map(value).collect(), index }
    }

    fn write(&self, folder: &Folder) {
        let codes = self.values.iter().map(|&value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
        let statistics = Statistics::of_far_bytes(&near, &far);
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        histogram.add_far_row(&statistics, &near, &far);
        longest.add_far(&statistics, 0, &near, &far);
        let entries = near.len() as u64;
        let spec = TableSpec { subspace: SUBSPACE, entries, level: 1, kind: TableKind::Final };
        let mut writer = TableWriter::create(folder, spec).unwrap();
        writer.write_all(&source(&near), &|_| ()).unwrap();
        writer.write_far(&source(&far), &|_| ()).unwrap();
        writer.finish_counted(longest.with(histogram)).unwrap().publish().unwrap();
    }
}

fn source(codes: &[u8]) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    |range, bytes| bytes.copy_from_slice(&codes[range.start as usize..range.end as usize])
}

#[test]
fn samples_read_both_codes() {
    for edition in [Edition::Full, Edition::Statistics] {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(edition)).unwrap();
        let made_up = MadeUp::new();
        made_up.write(&folder);
        let options = SampleOptions { only: Vec::new(), samples: 2_000, seed: 1 };
        let stop = AtomicBool::new(false);
        let reports = verify_sample(&folder, &options, &Silent, &stop).unwrap();
        assert_eq!((reports.len(), reports[0].samples), (1, 2_000));
        assert!(reports[0].wrong > 1_000 && !reports[0].mismatches.is_empty());
        for mismatch in &reports[0].mismatches {
            assert_eq!(mismatch.stored, made_up.values[mismatch.index.0 as usize]);
            let Ok(expected) = recompute(&Ruleset::STANDARD, &mismatch.position, &made_up);
            assert_eq!(mismatch.recomputed, expected);
        }
        let longest =
            reports[0].mismatches.iter().filter_map(|found| found.stored.distance()).max();
        assert!(longest > Some(Plies(253)), "{longest:?}");
    }
}

#[test]
fn one_code_is_not_verified_for_two() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
    MadeUp::new().write(&folder);
    let options = FullOptions { only: Vec::new(), memory: 1 << 30, again: false };
    let result = verify_full(&folder, &options, &Silent, &AtomicBool::new(false));
    assert!(matches!(result, Err(VerifyError::Db(DbError::Far { .. }))), "{result:?}");
}
