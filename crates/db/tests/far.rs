//! Tables of subspaces with values beyond the distances of one code: two files that belong together.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use merels_core::{FarCodes, Plies, Ruleset, Subspace, SubspaceIndex, Value};
use merels_db::{
    DbError, Distribution, Edition, Folder, Longest, Metric, Statistics, TableInfo, TableKind,
    TableSpec, TableWriter, ValueHistogram,
};
use tempfile::TempDir;

const SUBSPACE: Subspace = Subspace::moving(3, 3);

/// The codes of a subspace with values of many distances.
struct Codes {
    near: Vec<u8>,
    far: Vec<u8>,
    counted: Distribution,
}

fn values() -> Vec<Value> {
    let entries = SubspaceIndex::new(Ruleset::STANDARD.board, SUBSPACE).entries();
    let value = |i: u64| match i % 7 {
        0 => Value::Draw,
        1 | 2 => Value::Loss(Plies(2 * (i / 7 % 200) as u16)),
        3 => Value::Win(Plies(253)),
        4 => Value::Loss(Plies(252)),
        _ => Value::Win(Plies(2 * (i / 7 % 200) as u16 + 1)),
    };
    (0..entries).map(value).collect()
}

impl Codes {
    fn new() -> Self {
        let codes = values().into_iter().map(|value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
        let statistics = Statistics::of_far_bytes(&near, &far);
        let (mut histogram, mut longest) = (ValueHistogram::default(), Longest::default());
        histogram.add_far_row(&statistics, &near, &far);
        longest.add_far(&statistics, 0, &near, &far);
        Self { near, far, counted: longest.with(histogram) }
    }

    fn write(&self, folder: &Folder, kind: TableKind) -> TableInfo {
        let entries = self.near.len() as u64;
        let spec = TableSpec { subspace: SUBSPACE, entries, level: 1, kind };
        let mut writer = TableWriter::create(folder, spec).unwrap();
        writer.write_all(&source(&self.near), &|_| ()).unwrap();
        writer.write_far(&source(&self.far), &|_| ()).unwrap();
        let pending = match kind {
            TableKind::Final => writer.finish_counted(self.counted.clone()).unwrap(),
            TableKind::Work => writer.finish(self.counted.statistics()).unwrap(),
        };
        pending.publish().unwrap()
    }
}

fn source(codes: &[u8]) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    |range, bytes| bytes.copy_from_slice(&codes[range.start as usize..range.end as usize])
}

fn folder(edition: Edition) -> (TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(edition)).unwrap();
    (dir, folder)
}

fn far_path(folder: &Folder) -> PathBuf {
    folder.path().join("3-3.far.merels")
}

#[test]
fn both_codes_are_read_as_they_were_written() {
    for (edition, has_table) in [
        (Edition::Full, true),
        (Edition::Compact, true),
        (Edition::Statistics, true),
        (Edition::Outcome, false),
    ] {
        let (_dir, folder) = folder(edition);
        let codes = Codes::new();
        let info = codes.write(&folder, TableKind::Final);
        folder.record(std::slice::from_ref(&info)).unwrap();
        assert_eq!(far_path(&folder).exists(), has_table, "{edition}");
        assert_eq!(folder.subspaces_present().unwrap(), [SUBSPACE]);
        let table = folder.open_table(SUBSPACE, codes.near.len() as u64).unwrap();
        assert_eq!(table.info(), info);
        let size = if has_table { fs::metadata(far_path(&folder)).unwrap().len() } else { 0 };
        assert_eq!(info.far.unwrap().size, size);
        assert_eq!(info.size_on_disk(), info.size + size);
        table.check().unwrap();
        table.check_digest().unwrap();

        // Every distance is counted.
        let counted = table.header().distribution.as_ref().unwrap();
        assert_eq!(**counted, codes.counted);
        assert_eq!(counted.statistics(), table.header().statistics);
        assert_eq!(table.header().statistics.longest_loss, Some(Plies(398)));
        let sum: u64 = counted.histogram.iter().map(|(_, count)| count).sum();
        assert_eq!(sum, codes.near.len() as u64);

        let manifest = folder.load_manifest().unwrap();
        assert_eq!(manifest.get(SUBSPACE), Some(&info));
        assert_eq!(folder.reconcile().unwrap(), merels_db::Reconciled::default());

        let mut bytes = vec![0; codes.near.len()];
        if has_table {
            // Nobody takes near codes for values by mistake.
            assert!(matches!(table.value(4), Err(DbError::Far { .. })));
            assert!(matches!(table.decode_all(&mut bytes), Err(DbError::Far { .. })));
            assert!(matches!(table.decode_block(0, &mut Vec::new()), Err(DbError::Far { .. })));
            for (i, value) in values().into_iter().enumerate().step_by(1009) {
                assert_eq!(table.exact_value(i as u64).unwrap(), Some(value), "{edition} {i}");
            }
            let far = table.open_far().unwrap().unwrap();
            assert_eq!(far.header().metric, Metric::Beyond);
            let table = table.by_near_codes();
            table.decode_all(&mut bytes).unwrap();
            assert!(bytes == codes.near);
            far.decode_all(&mut bytes).unwrap();
            assert!(bytes == codes.far);
        } else {
            assert!(table.open_far().unwrap().is_none());
            table.decode_all(&mut bytes).unwrap();
            let value = table.exact_value(4).unwrap();
            assert_eq!(value, Some(values()[4].without_distance()));
        }
    }
}

#[test]
fn far_codes_that_are_missing_or_others_are_told() {
    let (_dir, folder) = folder(Edition::Full);
    let codes = Codes::new();
    let entries = codes.near.len() as u64;
    codes.write(&folder, TableKind::Final);
    let path = far_path(&folder);
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let missing = folder.open_table(SUBSPACE, entries).unwrap_err();
    assert!(matches!(&missing, DbError::NoFar { path: of, .. } if *of == path), "{missing}");

    // Near codes in the place of far ones, and the other way round.
    fs::copy(folder.path_of(SUBSPACE), &path).unwrap();
    let error = folder.open_table(SUBSPACE, entries).unwrap_err();
    assert!(matches!(error, DbError::OtherFar { .. }), "{error}");
    fs::write(folder.path_of(SUBSPACE), &bytes).unwrap();
    let error = folder.open_table(SUBSPACE, entries).unwrap_err();
    assert!(matches!(error, DbError::Damaged { .. }), "{error}");

    // Those of another table.
    let mut others = Codes::new();
    others.far[4] = 3;
    others.write(&folder, TableKind::Final);
    fs::write(&path, &bytes).unwrap();
    let error = folder.open_table(SUBSPACE, entries).unwrap_err();
    assert!(matches!(&error, DbError::OtherFar { path: of, .. } if *of == path), "{error}");

    // In other blocks, or of other positions.
    codes.write(&folder, TableKind::Final);
    let far = folder.open_table(SUBSPACE, entries).unwrap().open_far().unwrap().unwrap();
    let mut other_blocks = far.header().clone();
    other_blocks.entries_per_block -= 1;
    let mut other_positions = far.header().clone();
    other_positions.statistics.longest_loss = Some(Plies(400));
    for header in [other_blocks, other_positions] {
        let mut forged = bytes.clone();
        let header = header.to_bytes(&path).unwrap();
        forged[..header.len()].copy_from_slice(&header);
        fs::write(&path, &forged).unwrap();
        let error = folder.open_table(SUBSPACE, entries).unwrap_err();
        assert!(matches!(&error, DbError::OtherFar { .. }), "{error}");
    }

    // Damaged in a block.
    codes.write(&folder, TableKind::Final);
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, &damaged).unwrap();
    let table = folder.open_table(SUBSPACE, entries).unwrap();
    assert!(matches!(table.check(), Err(DbError::Damaged { .. })));
}

#[test]
fn a_table_without_its_far_codes_is_none_to_a_solver() {
    let codes = Codes::new();
    let (_source_dir, source) = folder(Edition::Full);
    source.record(&[codes.write(&source, TableKind::Final)]).unwrap();
    let (_strange_dir, strange) = folder(Edition::Compact);
    let mut others = Codes::new();
    others.far[4] = 3;
    others.write(&strange, TableKind::Final);
    let (_dir, folder) = folder(Edition::Compact);
    let info = merels_db::pack(&source, &folder, SUBSPACE, 1).unwrap().unwrap();
    let lose = || fs::remove_file(far_path(&folder)).unwrap();
    let replace = || {
        fs::copy(far_path(&strange), far_path(&folder)).unwrap();
    };
    for damage in [&lose as &dyn Fn(), &replace] {
        damage();
        let changes = folder.reconcile().unwrap();
        assert_eq!((changes.dropped, changes.incomplete), (vec![SUBSPACE], vec![SUBSPACE]));
        assert_eq!(folder.load_manifest().unwrap().get(SUBSPACE), None);
        // Listed or not, it stays incomplete.
        let changes = folder.reconcile().unwrap();
        assert_eq!((changes.dropped, changes.incomplete), (vec![], vec![SUBSPACE]));
        let made_again = merels_db::pack(&source, &folder, SUBSPACE, 1).unwrap();
        assert_eq!(made_again.as_ref(), Some(&info));
        assert_eq!(folder.reconcile().unwrap(), merels_db::Reconciled::default());
        folder.open_any_table(SUBSPACE).unwrap().check_digest().unwrap();
        assert_eq!(merels_db::pack(&source, &folder, SUBSPACE, 1).unwrap(), None);
    }
}

#[test]
fn a_file_that_belongs_to_no_table_is_passed_over() {
    let (_dir, folder) = folder(Edition::Outcome);
    let stray = far_path(&folder);
    fs::write(&stray, b"stray").unwrap();
    let info = Codes::new().write(&folder, TableKind::Final);
    folder.record(&[info]).unwrap();
    drop(folder.lock().unwrap());
    assert_eq!(folder.reconcile().unwrap(), merels_db::Reconciled::default());
    folder.open_any_table(SUBSPACE).unwrap().check_digest().unwrap();
    assert_eq!(fs::read(stray).unwrap(), b"stray");
}

#[test]
fn work_tables_come_and_go_with_their_far_codes() {
    let (_dir, folder) = folder(Edition::Statistics);
    let codes = Codes::new();
    codes.write(&folder, TableKind::Work);
    let far = folder.path().join("3-3.far.work");
    assert_eq!(folder.work_tables_present().unwrap(), [SUBSPACE]);
    let table = folder.open_work_table(SUBSPACE, codes.near.len() as u64).unwrap();
    assert_eq!(table.header().statistics, codes.counted.statistics());
    let mut bytes = vec![0; codes.near.len()];
    table.open_far().unwrap().unwrap().decode_all(&mut bytes).unwrap();
    assert!(bytes == codes.far);
    let work = fs::metadata(folder.work_path_of(SUBSPACE)).unwrap().len();
    let sizes = work + fs::metadata(&far).unwrap().len();
    assert_eq!(folder.work_size(SUBSPACE).unwrap(), sizes);

    // What a killed run leaves if it ends between two removals.
    fs::remove_file(folder.work_path_of(SUBSPACE)).unwrap();
    drop(folder.lock().unwrap());
    assert!(!far.exists());
    codes.write(&folder, TableKind::Work);
    folder.remove_work_table(SUBSPACE).unwrap();
    assert!(!far.exists() && !folder.work_path_of(SUBSPACE).exists());
}

#[test]
fn packing_gives_what_writing_gives() {
    let (_dir, full) = folder(Edition::Full);
    let codes = Codes::new();
    let info = codes.write(&full, TableKind::Final);
    full.record(&[info]).unwrap();
    for edition in [Edition::Compact, Edition::Outcome, Edition::Statistics] {
        let (_dir, written) = folder(edition);
        let expected = codes.write(&written, TableKind::Final);
        let (_dir, packed) = folder(edition);
        let found = merels_db::pack(&full, &packed, SUBSPACE, 1).unwrap();
        assert_eq!(found, Some(expected), "{edition}");
        let file = |folder: &Folder, path: PathBuf| fs::read(folder.path().join(path)).ok();
        for name in ["3-3.merels", "3-3.far.merels"] {
            let (found, expected) = (file(&packed, name.into()), file(&written, name.into()));
            assert!(found == expected, "{edition} {name}");
        }
        packed.open_any_table(SUBSPACE).unwrap().check_digest().unwrap();
    }
}

#[test]
fn manifests_without_far_codes_are_as_before() {
    let (_dir, folder) = folder(Edition::Full);
    let bytes = fs::read(folder.manifest_path()).unwrap();
    assert_eq!(bytes[8..12], [2, 0, 0, 0]);
    let info = Codes::new().write(&folder, TableKind::Final);
    folder.record(&[info]).unwrap();
    assert_eq!(fs::read(folder.manifest_path()).unwrap()[8..12], [4, 0, 0, 0]);
    assert_eq!(fs::read(folder.path_of(SUBSPACE)).unwrap()[8..12], [4, 0, 0, 0]);
}
