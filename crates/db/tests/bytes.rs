//! Tables and manifests in memory: the bytes of files, without the files.

use std::path::Path;

use merels_core::numbering::ValueCode;
use merels_core::{Plies, Ruleset, Subspace};
use merels_db::{
    DbError, Distribution, Edition, Expectation, Folder, Header, Manifest, Table, TableKind,
    TableSpec, TableWriter, ValueHistogram,
};

const SUBSPACE: Subspace = Subspace::moving(3, 3);
const ENTRIES: u64 = 210_140;

/// A folder with one table of four blocks.
fn folder() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&folder, spec).unwrap();
    let win = ValueCode::at_distance(Plies(1)).unwrap();
    writer.write_all(&|_, bytes: &mut [u8]| bytes.fill(win.byte()), &|_| ()).unwrap();
    let mut histogram = ValueHistogram::default();
    histogram.add_times(win, ENTRIES);
    let counted = Distribution { histogram, longest_win: Some(0), longest_loss: None };
    let info = writer.finish(counted).unwrap().publish().unwrap();
    folder.record(&[info]).unwrap();
    (dir, folder)
}

#[test]
fn a_table_in_memory_is_the_one_in_the_file() {
    let (_dir, folder) = folder();
    let file = folder.open_table(SUBSPACE).unwrap();
    let bytes = std::fs::read(folder.path_of(SUBSPACE)).unwrap();
    let name = Path::new("memory");
    let header = Header::from_bytes(name, &bytes).unwrap();
    assert_eq!(&header, file.header());
    let start = header.to_bytes(name).unwrap();
    assert!(bytes.starts_with(&start));

    let expectation = Expectation { ruleset: Ruleset::STANDARD, subspace: SUBSPACE, edition: None };
    let table = Table::from_bytes(name, bytes.clone(), &expectation).unwrap();
    assert_eq!(table.info(), file.info());
    table.check().unwrap();
    table.check_digest().unwrap();
    for index in [0, 65_535, 65_536, ENTRIES - 1] {
        assert_eq!(table.value(index).unwrap(), file.value(index).unwrap());
    }

    let wrong = Expectation { subspace: Subspace::moving(4, 3), ..expectation };
    let error = Table::from_bytes(name, bytes.clone(), &wrong).unwrap_err();
    assert!(matches!(error, DbError::OtherSubspace { .. }), "{error}");
    let shorter = bytes[..bytes.len() - 1].to_vec();
    let error = Table::from_bytes(name, shorter, &expectation).unwrap_err();
    assert!(error.to_string().starts_with("memory is damaged"), "{error}");
}

#[test]
fn a_manifest_in_memory_is_the_one_in_the_file() {
    let (_dir, folder) = folder();
    let bytes = std::fs::read(folder.manifest_path()).unwrap();
    let name = Path::new("memory");
    let manifest = Manifest::from_bytes(name, &bytes).unwrap();
    assert_eq!(manifest, folder.load_manifest().unwrap());
    assert_eq!(manifest.to_bytes(name).unwrap(), bytes);
}
