//! Checks of files that programs write: tables, manifests, the journal of a verification.
//!
//! Each check reads the input unchanged, and again with correct checksums.

use std::path::Path;

use merels_core::Ruleset;
use merels_core::numbering::{Codes, ValueCode};
use merels_db::{Digest, Expectation, Header, LEFT_OUT, Manifest, Stored, Table};
use merels_verify::Verified;

use crate::repair;
use crate::verdict::Verdict;

/// The name that messages have for a file in memory.
const NAME: &str = "in memory";

/// The most entries of a table to decode: blocks of a few bytes may hold a million entries each.
const MOST_ENTRIES: usize = 1 << 22;

/// A table: its header prints as the bytes from which it was read. The reader refuses a block, or
/// finds the right number of codes in it. Single values equal those of their block. The digest is
/// that of all values.
///
/// # Panics
/// If that does not hold.
pub fn table(bytes: &[u8]) -> Verdict {
    let with = |repair: fn(&mut [u8])| {
        let mut bytes = bytes.to_vec();
        repair(&mut bytes);
        bytes
    };
    best([
        read_table(bytes),
        read_table(&with(repair::table_checksums)),
        read_table(&with(repair::table_places)),
    ])
}

fn read_table(bytes: &[u8]) -> Verdict {
    let path = Path::new(NAME);
    let header = match Header::from_bytes(path, bytes) {
        Ok(header) => header,
        Err(error) => {
            assert!(error.to_string().contains(NAME), "{error}");
            return Verdict::Refused;
        }
    };
    let printed = header.to_bytes(path).expect("what was read can be written");
    assert_eq!(bytes.get(..printed.len()), Some(printed.as_slice()));
    let expectation =
        Expectation { ruleset: header.ruleset, subspace: header.subspace, edition: None };
    let table = Table::from_bytes(path, bytes.to_vec(), &expectation).expect("a sound header");
    assert_eq!(table.header(), &header);
    assert_eq!(table.info().size, bytes.len() as u64);

    let mut hashers = Codes::<blake3::Hasher>::default();
    let mut entries = 0;
    let mut codes = Codes::<Vec<u8>>::default();
    for block in 0..table.blocks() {
        let indices = table.indices_of(block);
        let length = (indices.end - indices.start) as usize;
        entries += length;
        if entries > MOST_ENTRIES {
            return Verdict::Read;
        }
        if let Err(error) = table.decode_block(block, &mut codes) {
            assert!(error.to_string().contains(&format!("block {block}")), "{error}");
            assert!(codes.as_ref().both().all(Vec::is_empty));
            assert!(table.value(indices.start).is_err());
            assert!(table.check_digest().is_err());
            return Verdict::Refused;
        }
        assert_eq!(codes.has_far(), table.has_far_codes());
        assert!(codes.as_ref().both().all(|codes| codes.len() == length));
        for index in [indices.start, indices.start + length as u64 / 2, indices.end - 1] {
            let value = codes.at((index - indices.start) as usize);
            let value = value.map(|codes| table.value_of(codes));
            assert_eq!(table.value(index).expect("an entry"), value);
        }
        let whole = header.stored() == Stored::Whole;
        assert!(codes.near.iter().all(|&byte| match ValueCode::from_byte(byte) {
            Some(_) => true,
            None => byte == LEFT_OUT && !whole,
        }));
        hashers.near.update(&codes.near);
        if let Some(far) = &codes.far {
            hashers.far.get_or_insert_default().update(far);
        }
    }
    assert!(table.value(header.entries).is_err());
    table.check().expect("every block was decoded");
    let found = hashers.map(|hasher| Digest::of(&hasher));
    assert_eq!(table.check_digest().is_ok(), table.compare_digests(found).is_ok());
    Verdict::Read
}

/// A manifest: it prints and is read again as the same; so are its subspaces.
///
/// # Panics
/// If that does not hold.
pub fn manifest(bytes: &[u8]) -> Verdict {
    let mut repaired = bytes.to_vec();
    repair::manifest(&mut repaired);
    best([read_manifest(bytes), read_manifest(&repaired)])
}

fn read_manifest(bytes: &[u8]) -> Verdict {
    let path = Path::new(NAME);
    let manifest = match Manifest::from_bytes(path, bytes) {
        Ok(manifest) => manifest,
        Err(error) => {
            assert!(error.to_string().contains(NAME), "{error}");
            return Verdict::Refused;
        }
    };
    let printed = manifest.to_bytes(path).expect("what was read can be written");
    assert_eq!(printed.len(), bytes.len());
    let read = Manifest::from_bytes(path, &printed).expect("what was written can be read");
    assert_eq!(read, manifest);
    assert_eq!(manifest.iter().len(), manifest.len());
    for table in manifest.iter() {
        assert_eq!(manifest.get(table.subspace), Some(table));
        assert_eq!(table.subspace.to_string().parse(), Ok(table.subspace));
    }
    Verdict::Read
}

/// The journal of a verification, under two rulesets: it prints, and is read again as the same.
///
/// # Panics
/// If that does not hold.
pub fn journal(bytes: &[u8]) -> Verdict {
    let Ok(text) = str::from_utf8(bytes) else { return Verdict::Refused };
    best([read_journal(text), read_journal(&repair::journal(text))])
}

fn read_journal(text: &str) -> Verdict {
    let mut verdict = Verdict::Refused;
    for ruleset in [Ruleset::STANDARD, "three".parse().expect("a ruleset")] {
        if let Some(verified) = Verified::parse(text, ruleset) {
            verdict = Verdict::Read;
            let printed = verified.to_string();
            assert_eq!(Verified::parse(&printed, ruleset), Some(verified), "{printed}");
        }
    }
    verdict
}

/// [`Verdict::Read`] if any form of an input was read.
fn best<const N: usize>(verdicts: [Verdict; N]) -> Verdict {
    if verdicts.contains(&Verdict::Read) { Verdict::Read } else { Verdict::Refused }
}
