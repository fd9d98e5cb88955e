//! Tables are read as they were written, and depend on nothing but their values.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{ENTRIES, SUBSPACE, Scratch, decode, made_up, source};
use merels_core::Subspace;
use merels_core::numbering::{Codes, ValueCode};
use merels_db::{DbError, Distribution, ENTRIES_PER_BLOCK, TableKind, TableSpec, TableWriter};

const BLOCK: usize = ENTRIES_PER_BLOCK as usize;

/// In one block, in three, in fifteen, and in more than one of the writer's batches of 64.
const SIZES: [(Subspace, usize); 5] = [
    (Subspace::placing(0, 0, 9, 9), 1),
    (SUBSPACE, ENTRIES),
    (THREE_BLOCKS, 134_596),
    (Subspace::moving(3, 4), 945_630),
    (Subspace::moving(5, 4), 10_969_080),
];

const THREE_BLOCKS: Subspace = Subspace::placing(1, 5, 8, 4);

#[test]
fn every_size_is_read_as_it_was_written() {
    for (subspace, count) in SIZES {
        let scratch = Scratch::new();
        let values = made_up(1, count);
        let info = scratch.finish(subspace, &values, 1).publish().unwrap();
        let table = scratch.folder.open_table(subspace).unwrap();
        assert_eq!(table.info(), info);
        assert_eq!(table.entries(), count as u64);
        assert_eq!(table.blocks(), count.div_ceil(BLOCK) as u64);
        assert_eq!(*table.header().distribution, Distribution::of(Codes::near(&values)));
        assert_eq!(info.digest.0, *blake3::hash(&values).as_bytes(), "{count} entries");
        assert!(decode(&table).unwrap() == values, "{count} entries");
        let ranges: Vec<_> = (0..table.blocks()).map(|block| table.indices_of(block)).collect();
        assert_eq!(ranges.iter().map(|range| range.end - range.start).sum::<u64>(), count as u64);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(table.indices_of(table.blocks()).is_empty());
        assert!(table.indices_of(u64::MAX).is_empty());
        table.check().unwrap();
        table.check_digest().unwrap();

        let seen = Mutex::new(vec![0; count]);
        let work = |first: u64, codes: Codes<&[u8]>| {
            let bytes = codes.near;
            seen.lock().unwrap()[first as usize..][..bytes.len()].copy_from_slice(bytes);
        };
        table.for_each_block(work).unwrap();
        assert!(seen.into_inner().unwrap() == values, "{count} entries");
    }
}

#[test]
fn single_values() {
    let scratch = Scratch::new();
    let values = made_up(1, 134_596);
    scratch.finish(THREE_BLOCKS, &values, 1).publish().unwrap();
    let table = scratch.folder.open_table(THREE_BLOCKS).unwrap();
    for index in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, 134_595] {
        let code = ValueCode::from_byte(values[index]).unwrap();
        assert_eq!(table.value(index as u64).unwrap(), Some(code.value()));
    }
    for index in [134_596, u64::MAX] {
        let error = table.value(index).unwrap_err();
        assert!(matches!(error, DbError::OutOfRange { .. }), "{error}");
    }
}

#[test]
fn files_do_not_depend_on_threads_nor_digests_on_the_level() {
    let values = made_up(1, 10_969_080);
    let made = [(1, 1), (4, 1), (4, 7)].map(|(threads, level)| {
        let scratch = Scratch::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let publish = || scratch.finish(SIZES[4].0, &values, level).publish().unwrap();
        let info = pool.install(publish);
        (info.digest, std::fs::read(scratch.folder.path_of(SIZES[4].0)).unwrap())
    });
    assert!(made[0].1 == made[1].1, "one and four threads made different files");
    assert!(made[1].1 != made[2].1, "the level has no effect");
    assert_eq!(made[0].0, made[2].0);
}

#[test]
fn progress_reaches_the_number_of_entries() {
    let scratch = Scratch::new();
    let (subspace, count) = SIZES[4];
    let values = made_up(1, count);
    let spec = TableSpec { subspace, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&scratch.folder, spec).unwrap();
    let last = AtomicU64::new(0);
    let progress = |done| assert!(last.swap(done, Ordering::Relaxed) < done);
    writer.write_all(&source(&values), &progress).unwrap();
    assert_eq!(last.into_inner(), values.len() as u64);
}

#[test]
fn work_on_a_block_may_use_the_pool() {
    let scratch = Scratch::new();
    let (subspace, count) = SIZES[3];
    let values = made_up(1, count);
    scratch.finish(subspace, &values, 1).publish().unwrap();
    let table = scratch.folder.open_table(subspace).unwrap();
    let total = AtomicU64::new(0);
    let work = |_, codes: Codes<&[u8]>| {
        let bytes = codes.near;
        let (left, right) = bytes.split_at(bytes.len() / 2);
        let sum = |part: &[u8]| part.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        let (left, right) = rayon::join(|| sum(left), || sum(right));
        total.fetch_add(left + right, Ordering::Relaxed);
    };
    table.for_each_block(work).unwrap();
    assert_eq!(total.into_inner(), values.iter().map(|&byte| u64::from(byte)).sum());
}

#[test]
fn nothing_is_visible_before_it_is_published_and_nothing_is_left_behind() {
    let scratch = Scratch::new();
    let values = made_up(1, ENTRIES);
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let mut writer = TableWriter::create(&scratch.folder, spec).unwrap();
    assert_eq!(scratch.names().len(), 1);
    writer.write_all(&source(&values), &|_| ()).unwrap();
    drop(writer);
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());

    let pending = scratch.finish(SUBSPACE, &values, 1);
    assert!(scratch.folder.subspaces_present().unwrap().is_empty());
    let error = scratch.folder.open_table(SUBSPACE).unwrap_err();
    assert!(matches!(error, DbError::NoTable { .. }), "{error}");
    drop(pending);
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());

    scratch.write(&values);
    assert_eq!(scratch.names(), ["1-2+8-7.merels"]);
}

#[test]
fn what_is_undecided_never_reaches_a_file() {
    let scratch = Scratch::new();
    let spec = TableSpec { subspace: SUBSPACE, level: 1, kind: TableKind::Final };
    let refused = std::panic::catch_unwind(|| {
        let mut writer = TableWriter::create(&scratch.folder, spec).unwrap();
        let undecided = |_, bytes: &mut [u8]| bytes.fill(128);
        writer.write_all(&undecided, &|_| ())
    });
    assert!(refused.is_err());
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());
}

#[test]
fn an_open_table_stays_as_it_is_when_a_newer_one_takes_its_place() {
    let scratch = Scratch::new();
    let (old, new) = (vec![127; ENTRIES], made_up(1, ENTRIES));
    scratch.write(&old);
    let table = scratch.folder.open_table(SUBSPACE).unwrap();
    scratch.write(&new);
    assert!(decode(&table).unwrap() == old);
    assert!(decode(&scratch.folder.open_table(SUBSPACE).unwrap()).unwrap() == new);
}

#[test]
fn tables_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<merels_db::Table>();
}

#[cfg(unix)]
#[test]
fn tables_are_not_private_to_the_user_who_made_them() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    scratch.write(&made_up(1, ENTRIES));
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    // An ordinary new file shows what the umask leaves.
    let ordinary = scratch.dir.path().join("ordinary");
    std::fs::write(&ordinary, []).unwrap();
    assert_eq!(mode(scratch.path()), mode(ordinary) & 0o644);
}
