//! Tables of subspaces with values beyond the distances of one code.

use std::fs;

use merels_core::numbering::{Codes, FarCodes, SubspaceIndex};
use merels_core::{Plies, Ruleset, Subspace, Value};
use merels_db::{
    DbError, Distribution, Edition, Folder, LEFT_OUT, TableInfo, TableKind, TableSpec, TableWriter,
};
use tempfile::TempDir;

const SUBSPACE: Subspace = Subspace::moving(3, 3);

/// The codes of a subspace with values of many distances.
struct MadeUp {
    codes: Codes<Vec<u8>>,
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

impl MadeUp {
    fn new() -> Self {
        let codes = values().into_iter().map(|value| FarCodes::FILES.codes_of(value).unwrap());
        let (near, far): (Vec<_>, Vec<_>) =
            codes.map(|(near, far)| (near.byte(), far.byte())).unzip();
        let codes = Codes { near, far: Some(far) };
        let counted = Distribution::of(codes.slices());
        Self { codes, counted }
    }

    fn write(&self, folder: &Folder, kind: TableKind) -> TableInfo {
        let spec = TableSpec { subspace: SUBSPACE, level: 1, kind };
        let mut writer = TableWriter::create(folder, spec).unwrap();
        writer.write_slices(self.codes.slices()).unwrap();
        writer.finish(self.counted.clone()).unwrap().publish().unwrap()
    }
}

fn folder(edition: Edition) -> (TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(edition)).unwrap();
    (dir, folder)
}

#[test]
fn both_codes_are_read_as_they_were_written() {
    for edition in Edition::ALL {
        let (_dir, folder) = folder(edition);
        let made_up = MadeUp::new();
        let info = made_up.write(&folder, TableKind::Final);
        folder.record(std::slice::from_ref(&info)).unwrap();
        assert_eq!(folder.subspaces_present().unwrap(), [SUBSPACE]);
        let table = folder.open_table(SUBSPACE).unwrap();
        assert_eq!(table.info(), info);
        assert_eq!(info.size, fs::metadata(folder.path_of(SUBSPACE)).unwrap().len());
        assert_eq!(folder.load_manifest().unwrap().get(SUBSPACE), Some(&info));
        assert_eq!(folder.reconcile().unwrap(), merels_db::Reconciled::default());
        table.check().unwrap();
        table.check_digest().unwrap();
        let digest_of = |bytes: &[u8]| merels_db::Digest(*blake3::hash(bytes).as_bytes());
        let digests = made_up.codes.slices().map(digest_of);
        assert_eq!((info.digest, info.far), (digests.near, digests.far));

        // Every distance is counted.
        let counted = &table.header().distribution;
        assert_eq!(**counted, made_up.counted);
        assert_eq!(table.header().statistics.longest_loss, Some(Plies(398)));

        assert_eq!(table.has_far_codes(), edition.has_distances(), "{edition}");
        let mut codes = table.buffers(made_up.codes.near.len());
        table.decode_all(codes.slices_mut()).unwrap();
        for (i, value) in values().into_iter().enumerate() {
            let found = codes.at(i).map(|codes| table.value_of(codes));
            let known = match edition {
                Edition::Outcome => value.without_distance(),
                _ => value,
            };
            match found {
                Some(found) => assert_eq!(found, known, "{edition} {i}"),
                None => {
                    assert!(codes.as_ref().both().all(|codes| codes[i] == LEFT_OUT));
                }
            }
            if i % 1009 == 0 {
                assert_eq!(table.value(i as u64).unwrap(), found, "{edition} {i}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "near codes alone do not say the values")]
fn near_codes_are_not_taken_for_values() {
    let (_dir, folder) = folder(Edition::Full);
    MadeUp::new().write(&folder, TableKind::Final);
    let table = folder.open_table(SUBSPACE).unwrap();
    let mut near = vec![0; 65_536];
    let _ = table.decode_into(0, Codes::near(&mut near[..]));
}

#[test]
fn far_codes_of_a_table_without_them_follow_from_its_codes() {
    let (_dir, folder) = folder(Edition::Full);
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    writer.write_all(&|_, bytes| bytes.fill(126), &|_| ()).unwrap();
    let counted = Distribution::of(Codes::near(&[126; 210_140]));
    writer.finish(counted).unwrap().publish().unwrap();
    let table = folder.open_table(SUBSPACE).unwrap();
    assert!(!table.has_far_codes());
    let mut codes = Codes { near: vec![0; 65_536], far: Some(vec![0; 65_536]) };
    table.decode_into(0, codes.slices_mut()).unwrap();
    assert_eq!(codes.at(0).map(Codes::value), Some(Value::Loss(Plies(252))));
}

#[test]
fn damage_to_far_values_is_found() {
    let (_dir, folder) = folder(Edition::Full);
    MadeUp::new().write(&folder, TableKind::Final);
    let path = folder.path_of(SUBSPACE);
    let sound = fs::read(&path).unwrap();
    // The length of the far frame of block 0, and a byte of the frame.
    let first = 512 + 4 * 16 + 4;
    for place in [first, first + 40] {
        let mut damaged = sound.clone();
        damaged[place] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let table = folder.open_table(SUBSPACE).unwrap();
        for result in [table.check(), table.check_digest()] {
            assert!(matches!(result, Err(DbError::Damaged { block: Some(0), .. })));
        }
        // With all checksums right.
        let record = 512;
        let length = u32::from_le_bytes(damaged[record + 8..record + 12].try_into().unwrap());
        let crc = crc32fast::hash(&damaged[first..first + length as usize]);
        damaged[record + 12..record + 16].copy_from_slice(&crc.to_le_bytes());
        let crc = crc32fast::hash(&damaged[512..first - 4]);
        damaged[first - 4..first].copy_from_slice(&crc.to_le_bytes());
        fs::write(&path, &damaged).unwrap();
        let table = folder.open_table(SUBSPACE).unwrap();
        assert!(table.check_digest().is_err());
    }
}

#[test]
fn work_tables_have_far_codes() {
    let (_dir, folder) = folder(Edition::Statistics);
    let made_up = MadeUp::new();
    let info = made_up.write(&folder, TableKind::Work);
    assert_eq!(folder.work_tables_present().unwrap(), [SUBSPACE]);
    assert_eq!(folder.work_size(SUBSPACE).unwrap(), info.size);
    let table = folder.map_work_table(SUBSPACE).unwrap();
    assert_eq!(*table.header().distribution, made_up.counted);
    let mut codes = table.buffers(made_up.codes.near.len());
    table.decode_all_checked(codes.slices_mut()).unwrap();
    assert!(codes == made_up.codes);
    folder.remove_work_table(SUBSPACE).unwrap();
    assert!(!folder.work_path_of(SUBSPACE).exists());
}

#[test]
fn packing_makes_what_writing_makes() {
    let (_dir, full) = folder(Edition::Full);
    let made_up = MadeUp::new();
    full.record(&[made_up.write(&full, TableKind::Final)]).unwrap();
    for edition in [Edition::Compact, Edition::Outcome, Edition::Statistics] {
        let (_dir, written) = folder(edition);
        let expected = made_up.write(&written, TableKind::Final);
        let (_dir, packed) = folder(edition);
        let found = merels_db::pack(&full, &packed, SUBSPACE, 1).unwrap();
        assert_eq!(found, Some(expected), "{edition}");
        let [found, expected] =
            [&packed, &written].map(|folder| fs::read(folder.path_of(SUBSPACE)).unwrap());
        assert!(found == expected, "{edition}");
        packed.open_table(SUBSPACE).unwrap().check_digest().unwrap();
        assert_eq!(merels_db::pack(&full, &packed, SUBSPACE, 1).unwrap(), None);
    }
}
