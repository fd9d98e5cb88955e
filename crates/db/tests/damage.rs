//! Damaged, foreign and lying files are errors: never a panic, never a wrong value, never memory
//! taken because a file says so.

mod common;

use std::sync::LazyLock;

use common::{
    ENTRIES, HEADER_SIZE, SUBSPACE, Scratch, decode, exchange_block, made_up, open_bytes,
    seal_header,
};
use merels_core::numbering::Codes;
use merels_core::{Ruleset, Subspace};
use merels_db::{DbError, Edition, Folder};
use proptest::prelude::*;

/// A file, and the values in it.
type Sample = (Vec<u8>, Vec<u8>);

fn sample(subspace: Subspace, values: Vec<u8>) -> Sample {
    let scratch = Scratch::new();
    scratch.finish(subspace, &values, 1).publish().unwrap();
    (std::fs::read(scratch.folder.path_of(subspace)).unwrap(), values)
}

const THREE_BLOCKS: Subspace = Subspace::placing(1, 5, 8, 4);

/// Three blocks, small because most of the values are alike.
static IN_THREE_BLOCKS: LazyLock<Sample> = LazyLock::new(|| {
    let mut values = vec![127; 134_596];
    values[65_536..65_576].copy_from_slice(&made_up(1, 40));
    sample(THREE_BLOCKS, values)
});

/// One block of 1012 entries.
static ONE_BLOCK: LazyLock<Sample> = LazyLock::new(|| sample(SUBSPACE, made_up(1, ENTRIES)));

#[test]
fn every_flipped_bit_is_found() {
    let (file, _) = &*IN_THREE_BLOCKS;
    assert!(file.len() < 2000, "{} bytes: this test would take long", file.len());
    open_bytes(file, THREE_BLOCKS).unwrap().check_digest().unwrap();
    for position in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[position] ^= 1 << bit;
            match open_bytes(&damaged, THREE_BLOCKS) {
                Err(DbError::Foreign { .. }) => assert!(position < 8),
                Err(DbError::Version { .. }) => assert!((8..12).contains(&position)),
                Err(DbError::Damaged { .. }) => assert!(position >= 12),
                Err(other) => panic!("byte {position} bit {bit}: {other}"),
                Ok(table) => {
                    assert!(position >= HEADER_SIZE + 3 * 16 + 4, "byte {position} bit {bit}");
                    for result in [table.check(), table.check_digest(), decode(&table).map(drop)] {
                        let error = result.unwrap_err();
                        let in_block = matches!(error, DbError::Damaged { block: Some(_), .. });
                        assert!(in_block, "byte {position} bit {bit}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_not_opened() {
    let (file, _) = &*IN_THREE_BLOCKS;
    for length in 0..file.len() {
        assert!(open_bytes(&file[..length], THREE_BLOCKS).is_err(), "{length} bytes");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(open_bytes(&longer, THREE_BLOCKS).is_err());
}

#[test]
fn an_unfinished_file_is_not_a_table() {
    // What a writer leaves that was killed before the header: zeros in its place.
    let (file, _) = &*ONE_BLOCK;
    let mut file = file.clone();
    file[..HEADER_SIZE + 20].fill(0);
    let error = open_bytes(&file, SUBSPACE).unwrap_err();
    assert!(matches!(error, DbError::Foreign { .. }), "{error}");
}

#[test]
fn headers_that_lie_are_found_before_they_are_believed() {
    let (file, values) = &*ONE_BLOCK;
    let damaged = [
        // Offset, bytes. Entries, with and without the blocks to match.
        (33, u64::MAX.to_le_bytes().to_vec()),
        (33, [(1_u64 << 47).to_le_bytes().as_slice(), &[0, 0, 1, 0], &[255; 4]].concat()),
        (33, 1011_u64.to_le_bytes().to_vec()),
        // Entries in a block.
        (41, 0_u32.to_le_bytes().to_vec()),
        (41, 1011_u32.to_le_bytes().to_vec()),
        (41, u32::MAX.to_le_bytes().to_vec()),
        // Blocks.
        (45, 0_u32.to_le_bytes().to_vec()),
        (45, u32::MAX.to_le_bytes().to_vec()),
        // Positions, wins, longest win, longest loss.
        (49, 1011_u64.to_le_bytes().to_vec()),
        (57, u64::MAX.to_le_bytes().to_vec()),
        (81, 0_u16.to_le_bytes().to_vec()),
        (83, 1_u16.to_le_bytes().to_vec()),
        // Stones of the ruleset and of the subspace.
        (17, vec![2]),
        (26, vec![13]),
        // A metric that goes with another ruleset.
        (30, vec![1]),
        // Number of values, digests of far codes.
        (149, vec![0, 0]),
        (149, vec![0xff, 0xff]),
        (151, vec![1]),
        (151, vec![2]),
        // Length of the generator's name, and of the payload.
        (152, u64::MAX.to_le_bytes().to_vec()),
        (152, 100_u64.to_le_bytes().to_vec()),
        (12, u32::MAX.to_le_bytes().to_vec()),
        (12, 20_u32.to_le_bytes().to_vec()),
        // One of the two digests, where both are of the same values.
        (117, vec![0; 8]),
        // Padding.
        (500, vec![1]),
    ];
    for (offset, bytes) in damaged {
        let mut forged = file.clone();
        forged[offset..offset + bytes.len()].copy_from_slice(&bytes);
        seal_header(&mut forged);
        let error = open_bytes(&forged, SUBSPACE).unwrap_err();
        assert!(matches!(error, DbError::Damaged { .. }), "offset {offset}: {error}");
    }
    // As many entries as no disk holds, in agreement with everything else in the file.
    let mut forged = file.clone();
    forged[33..41].copy_from_slice(&63_000_000_000_u64.to_le_bytes());
    seal_header(&mut forged);
    let error = open_bytes(&forged, SUBSPACE).unwrap_err().to_string();
    assert!(error.contains("63000000000 entries, but 1-2+8-7 has 1012"), "{error}");

    // Numbers without a meaning: board, flying, removal, double mill, metric, edition, encoding.
    for offset in [16, 18, 19, 20, 21, 22, 23, 30, 31, 32] {
        let mut forged = file.clone();
        forged[offset] = 77;
        seal_header(&mut forged);
        let error = open_bytes(&forged, SUBSPACE).unwrap_err();
        assert!(matches!(error, DbError::Unsupported { number: 77, .. }), "{offset}: {error}");
    }

    // A digest of other values shows when the values are read.
    let mut forged = file.clone();
    forged[85] ^= 1;
    forged[117] ^= 1;
    seal_header(&mut forged);
    let table = open_bytes(&forged, SUBSPACE).unwrap();
    assert_eq!(decode(&table).unwrap(), *values);
    let error = table.check_digest().unwrap_err().to_string();
    assert!(error.contains("have the digest"), "{error}");
}

#[test]
fn blocks_that_lie_are_found_when_they_are_decoded() {
    let (file, values) = &*ONE_BLOCK;
    let frame = |bytes: &[u8]| zstd::bulk::compress(bytes, 1).unwrap();
    let sound = exchange_block(file, &frame(values));
    assert_eq!(decode(&open_bytes(&sound, SUBSPACE).unwrap()).unwrap(), *values);

    let mut undecided = values.clone();
    undecided[123] = 128;
    let forgeries = [
        frame(&values[..1011]),
        frame(&[]),
        frame(&vec![127; 1013]),
        // A few hundred bytes that would become 16 MiB.
        frame(&vec![127; 1 << 24]),
        frame(&undecided),
        b"not a frame".to_vec(),
    ];
    for (number, forgery) in forgeries.iter().enumerate() {
        // The header's own limit on a block's stored size comes first.
        let Ok(table) = open_bytes(&exchange_block(file, forgery), SUBSPACE) else {
            continue;
        };
        table.check().unwrap();
        let error = table.value(0).unwrap_err();
        let in_block = matches!(error, DbError::Damaged { block: Some(0), .. });
        assert!(in_block, "forgery {number}: {error}");
        let mut codes = Codes::near(vec![1, 2, 3]);
        table.decode_block(0, &mut codes).unwrap_err();
        assert!(codes.near.is_empty());
        assert!(table.for_each_block(|_, _| panic!("worked on a damaged block")).is_err());
    }
}

#[test]
fn files_for_other_rules_or_subspaces_are_told_apart() {
    let scratch = Scratch::new();
    scratch.write(&made_up(1, ENTRIES));
    let other = Subspace::placing(2, 1, 7, 8);
    std::fs::copy(scratch.path(), scratch.folder.path_of(other)).unwrap();
    let error = scratch.folder.open_table(other).unwrap_err();
    assert!(matches!(error, DbError::OtherSubspace { .. }), "{error}");
    assert!(error.to_string().contains("holds the subspace 1-2+8-7, not 2-1+7-8"), "{error}");

    let lasker = "lasker".parse::<Ruleset>().unwrap();
    let folder = Folder::create(scratch.dir.path(), lasker, Some(Edition::Full)).unwrap();
    std::fs::copy(scratch.path(), folder.path_of(SUBSPACE)).unwrap();
    let error = folder.open_table(SUBSPACE).unwrap_err();
    assert!(matches!(error, DbError::OtherRuleset { .. }), "{error}");
    assert!(error.to_string().contains("'standard', not for 'lasker'"), "{error}");
}

/// Opens and reads everything: nothing may panic.
fn read_all(bytes: &[u8]) {
    if let Ok(table) = open_bytes(bytes, SUBSPACE) {
        let _ = (table.check(), decode(&table), table.check_digest());
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        payload in any::<bool>(),
    ) {
        read_all(&bytes);
        if payload && bytes.len() >= HEADER_SIZE {
            // The same with a beginning that passes the first checks.
            let mut bytes = bytes;
            bytes[..12].copy_from_slice(b"\x89MERELS\n\x01\0\0\0");
            bytes[12..16].copy_from_slice(&156_u32.to_le_bytes());
            bytes[176..508].fill(0);
            seal_header(&mut bytes);
            read_all(&bytes);
        }
    }

    #[test]
    fn sealed_headers_with_changed_bytes_are_read_without_panic(
        changes in proptest::collection::vec((12..176_usize, any::<u8>()), 1..4),
    ) {
        let mut file = ONE_BLOCK.0.clone();
        for (position, byte) in changes {
            file[position] = byte;
        }
        seal_header(&mut file);
        read_all(&file);
    }

    #[test]
    fn blocks_of_arbitrary_bytes_are_decoded_without_panic(
        block in proptest::collection::vec(any::<u8>(), 1..400),
        is_frame in any::<bool>(),
    ) {
        let file = &ONE_BLOCK.0;
        let mut block = block;
        if is_frame {
            block.splice(0..0, [0x28, 0xb5, 0x2f, 0xfd]);
        }
        read_all(&exchange_block(file, &block));
    }
}
