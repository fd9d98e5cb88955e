//! Small tables with made-up values, and tools to damage them.
#![allow(dead_code, reason = "not every test uses everything")]

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use merels_core::numbering::Codes;
use merels_core::{Ruleset, Subspace};
use merels_db::{
    DbError, Distribution, Edition, Expectation, Folder, Pending, Table, TableInfo, TableKind,
    TableSpec, TableWriter,
};
use tempfile::{NamedTempFile, TempDir};

/// Small, and in one block.
pub(crate) const SUBSPACE: Subspace = Subspace::placing(1, 2, 8, 7);

/// Entries of [`SUBSPACE`].
pub(crate) const ENTRIES: usize = 1012;

/// Size of the header, in bytes; the block table follows it.
pub(crate) const HEADER_SIZE: usize = 512;

/// Values as a solved subspace has them, roughly: most drawn or won, in runs, never 128.
pub(crate) fn made_up(seed: u32, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut last = 127;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if state >> 30 == 0 {
            last = match state >> 24 & 7 {
                0..=3 => 127,
                4 | 5 => 255 - (state >> 16 & 31) as u8,
                _ => (state >> 16 & 31) as u8,
            };
        }
        last
    };
    (0..count).map(next).collect()
}

/// A writer's source for values in memory.
pub(crate) fn source(values: &[u8]) -> impl Fn(Range<u64>, &mut [u8]) + Sync {
    |range, bytes| bytes.copy_from_slice(&values[range.start as usize..range.end as usize])
}

/// A folder of the standard rules in a directory that is removed at the end of the test.
pub(crate) struct Scratch {
    pub(crate) dir: TempDir,
    pub(crate) folder: Folder,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        Self { dir, folder }
    }

    pub(crate) fn finish(&self, subspace: Subspace, values: &[u8], level: i32) -> Pending {
        let spec = TableSpec { subspace, level, kind: TableKind::Final };
        let mut writer = TableWriter::create(&self.folder, spec).unwrap();
        writer.write_all(&source(values), &|_| ()).unwrap();
        writer.finish(Distribution::of(Codes::near(values))).unwrap()
    }

    pub(crate) fn write(&self, values: &[u8]) -> TableInfo {
        self.finish(SUBSPACE, values, TableSpec::DEFAULT_LEVEL).publish().unwrap()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path_of(SUBSPACE)
    }

    /// The names in the folder that a run may leave: all but manifest and lock.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> =
            names.filter(|name| name != "manifest.merels" && name != ".lock").collect();
        names.sort();
        names
    }
}

/// Opens what `bytes` are, as a file of `subspace`.
pub(crate) fn open_bytes(bytes: &[u8], subspace: Subspace) -> Result<Table, DbError> {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    // The map outlives the file.
    let expectation = Expectation { ruleset: Ruleset::STANDARD, subspace, edition: None };
    Table::open(file.path(), &expectation)
}

/// All near codes of a table without far codes, block by block.
pub(crate) fn decode(table: &Table) -> Result<Vec<u8>, DbError> {
    let (mut all, mut codes) = (Vec::new(), Codes::default());
    for block in 0..table.blocks() {
        table.decode_block(block, &mut codes)?;
        assert!(!codes.has_far());
        all.extend_from_slice(&codes.near);
    }
    Ok(all)
}

/// Corrects the checksum of the header.
pub(crate) fn seal_header(file: &mut [u8]) {
    let crc = crc32fast::hash(&file[..HEADER_SIZE - 4]);
    file[HEADER_SIZE - 4..HEADER_SIZE].copy_from_slice(&crc.to_le_bytes());
}

/// A file of one block, with its stored bytes exchanged and all checksums right.
pub(crate) fn exchange_block(file: &[u8], block: &[u8]) -> Vec<u8> {
    let record = HEADER_SIZE + 8;
    let length = u32::from_le_bytes(file[record..record + 4].try_into().unwrap()) as usize;
    let counts = &file[HEADER_SIZE + 16 + 4 + length..];
    let mut forged = file[..HEADER_SIZE].to_vec();
    forged.extend((HEADER_SIZE as u64 + 16 + 4).to_le_bytes());
    forged.extend((block.len() as u32).to_le_bytes());
    forged.extend(crc32fast::hash(block).to_le_bytes());
    let crc = crc32fast::hash(&forged[HEADER_SIZE..]);
    forged.extend(crc.to_le_bytes());
    forged.extend_from_slice(block);
    forged.extend_from_slice(counts);
    forged
}
