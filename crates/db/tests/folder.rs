//! Folders: names, the lock, the manifest.

mod common;

use std::fs;

use common::{ENTRIES, SUBSPACE, Scratch, made_up};
use merels_core::{Ruleset, Subspace};
use merels_db::{DbError, Digest, Edition, Folder, Reconciled};

const SWAPPED: Subspace = SUBSPACE.swapped();

#[test]
fn tables_have_the_names_of_their_subspaces() {
    let scratch = Scratch::new();
    let placing = Subspace::placing(1, 1, 7, 7);
    assert_eq!(scratch.folder.path(), scratch.dir.path().join("standard"));
    assert!(scratch.folder.path_of(placing).ends_with("standard/1-1+7-7.merels"));
    scratch.finish(placing, &made_up(1, 92), 1).publish().unwrap();
    scratch.finish(SUBSPACE, &made_up(1, ENTRIES), 1).publish().unwrap();
    // Second spellings and other files do not count.
    for name in ["01-2+8-7.merels", "5-4+0-0.merels", "3-3.bak", "3-3", "notes.merels"] {
        fs::write(scratch.folder.path().join(name), b"x").unwrap();
    }
    assert_eq!(scratch.folder.subspaces_present().unwrap(), [placing, SUBSPACE]);
    assert!(scratch.folder.free_space().unwrap() > 0);
}

#[test]
fn a_missing_folder_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let error = Folder::open(dir.path(), Ruleset::STANDARD).unwrap_err();
    assert!(matches!(error, DbError::NoFolder { .. }), "{error}");
    assert!(error.to_string().ends_with("standard does not exist"), "{error}");
}

#[test]
fn a_folder_of_other_rules_is_refused() {
    let scratch = Scratch::new();
    let other = scratch.dir.path().join("six");
    fs::rename(scratch.folder.path(), &other).unwrap();
    let six: Ruleset = "six".parse().unwrap();
    for result in [
        Folder::open(scratch.dir.path(), six),
        Folder::create(scratch.dir.path(), six, Some(Edition::Full)),
    ] {
        let error = result.unwrap_err();
        assert!(matches!(error, DbError::OtherRuleset { .. }), "{error}");
    }
}

#[test]
fn rules_about_the_history_of_a_game_share_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let rules = |text: &str| text.parse::<Ruleset>().unwrap();
    let made = Folder::create(dir.path(), rules("six,repetition=threefold"), None).unwrap();
    assert_eq!(made.path(), dir.path().join("six"));
    for text in ["six", "six,ply-limit=100", "six,repetition=threefold,ply-limit=7"] {
        let found = Folder::open(dir.path(), rules(text)).unwrap();
        assert_eq!((found.path(), *found.ruleset()), (made.path(), rules("six")), "{text}");
    }
    assert_eq!(*made.load_manifest().unwrap().ruleset(), rules("six"));
}

#[test]
fn one_solver_at_a_time() {
    let scratch = Scratch::new();
    let lock = scratch.folder.lock().unwrap();
    let second = Folder::open(scratch.dir.path(), Ruleset::STANDARD).unwrap();
    let error = second.lock().unwrap_err();
    assert!(matches!(error, DbError::Locked { .. }), "{error}");
    assert!(error.to_string().starts_with("another solver is running in "), "{error}");
    drop(lock);
    let _lock = second.lock().unwrap();
}

#[test]
fn a_solver_removes_what_killed_ones_have_left_and_a_reader_does_not() {
    let scratch = Scratch::new();
    scratch.write(&made_up(1, ENTRIES));
    fs::write(scratch.folder.path().join(".tmp-abc"), b"half a table").unwrap();
    Folder::open(scratch.dir.path(), Ruleset::STANDARD).unwrap().reconcile().unwrap();
    assert_eq!(scratch.names(), [".tmp-abc", "1-2+8-7.merels"]);
    let lock = scratch.folder.lock().unwrap();
    assert_eq!(scratch.names(), ["1-2+8-7.merels"]);
    // Nor does a second solver, which does not get the lock.
    fs::write(scratch.folder.path().join(".tmp-abc"), b"half a table").unwrap();
    scratch.folder.lock().unwrap_err();
    assert_eq!(scratch.names(), [".tmp-abc", "1-2+8-7.merels"]);
    drop(lock);
}

#[test]
fn the_manifest_lists_what_was_recorded() {
    let scratch = Scratch::new();
    assert!(scratch.folder.load_manifest().unwrap().is_empty());
    let pair = [(SUBSPACE, ENTRIES), (SWAPPED, 660)]
        .map(|(subspace, count)| scratch.finish(subspace, &made_up(1, count), 1));
    let pair = pair.map(|pending| pending.publish().unwrap());
    scratch.folder.record(&pair).unwrap();
    let manifest = scratch.folder.load_manifest().unwrap();
    assert_eq!(*manifest.ruleset(), Ruleset::STANDARD);
    assert_eq!(manifest.iter().collect::<Vec<_>>(), [&pair[0], &pair[1]]);
    assert_eq!(manifest.get(SUBSPACE), Some(&pair[0]));
    assert_eq!(scratch.folder.reconcile().unwrap(), Reconciled::default());

    // A newer table takes the place of the older one.
    let newer = scratch.write(&made_up(2, ENTRIES));
    scratch.folder.record(std::slice::from_ref(&newer)).unwrap();
    assert_eq!(scratch.folder.load_manifest().unwrap().get(SUBSPACE), Some(&newer));
    assert_eq!(scratch.folder.load_manifest().unwrap().len(), 2);
}

#[test]
fn tables_without_entry_are_adopted_and_entries_without_table_dropped() {
    let scratch = Scratch::new();
    let recorded = scratch.finish(SWAPPED, &made_up(1, 660), 1).publish().unwrap();
    scratch.folder.record(std::slice::from_ref(&recorded)).unwrap();
    let published = scratch.write(&made_up(3, ENTRIES));
    fs::remove_file(scratch.folder.path_of(SWAPPED)).unwrap();
    let changes = scratch.folder.reconcile().unwrap();
    assert_eq!((changes.adopted, changes.dropped), (vec![SUBSPACE], vec![SWAPPED]));
    let manifest = scratch.folder.load_manifest().unwrap();
    assert_eq!(manifest.iter().collect::<Vec<_>>(), [&published]);

    // The manifest can be made again from the files.
    fs::remove_file(scratch.folder.manifest_path()).unwrap();
    assert_eq!(scratch.folder.reconcile().unwrap().adopted, [SUBSPACE]);
    assert_eq!(scratch.folder.load_manifest().unwrap(), manifest);
}

#[test]
fn a_table_that_is_not_the_listed_one_is_an_error_that_names_both() {
    let scratch = Scratch::new();
    let info = scratch.write(&made_up(1, ENTRIES));
    let mut listed = [info.clone(), info.clone(), info];
    listed[0].size += 1;
    listed[1].digest = Digest([7; 32]);
    listed[2].statistics.draws -= 1;
    listed[2].statistics.positions -= 1;
    for (listed, what) in listed.iter().zip(["length", "digest", "counts"]) {
        scratch.folder.record(std::slice::from_ref(listed)).unwrap();
        let error = scratch.folder.reconcile().unwrap_err();
        assert!(matches!(error, DbError::Disagreement { .. }), "{error}");
        let message = error.to_string();
        for part in ["1-2+8-7.merels", "manifest.merels", what] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn a_damaged_manifest_is_an_error() {
    let scratch = Scratch::new();
    let info = scratch.write(&made_up(1, ENTRIES));
    scratch.folder.record(&[info]).unwrap();
    let path = scratch.folder.manifest_path();
    let sound = fs::read(&path).unwrap();
    for position in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[position] ^= 1 << (position % 8);
        fs::write(&path, &damaged).unwrap();
        assert!(scratch.folder.load_manifest().is_err(), "byte {position}");
        fs::write(&path, &sound[..position]).unwrap();
        assert!(scratch.folder.load_manifest().is_err(), "{position} bytes");
    }
    fs::write(&path, &sound).unwrap();
    assert_eq!(scratch.folder.load_manifest().unwrap().len(), 1);
}

#[test]
fn files_of_other_kinds_are_refused_at_once() {
    let scratch = Scratch::new();
    let folder = &scratch.folder;
    let manifest = folder.manifest_path();
    let lock = folder.path().join(".lock");
    for path in [&manifest, &lock, &scratch.path()] {
        let _ = fs::remove_file(path);
        // Opening a device or a pipe could wait for ever; a folder stands for both.
        fs::create_dir(path).unwrap();
        let error = match path {
            path if *path == manifest => folder.load_manifest().unwrap_err(),
            path if *path == lock => folder.lock().unwrap_err(),
            _ => folder.open_table(SUBSPACE).unwrap_err(),
        };
        assert!(matches!(error, DbError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains("not a regular file"), "{error}");
        fs::remove_dir(path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let scratch = Scratch::new();
    for path in [scratch.folder.manifest_path(), scratch.folder.path().join(".lock")] {
        let _ = fs::remove_file(&path);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
    }
    let error = scratch.folder.load_manifest().unwrap_err();
    assert!(matches!(error, DbError::Unreadable { .. }), "{error}");
    let error = scratch.folder.lock().unwrap_err();
    assert!(matches!(error, DbError::Unreadable { .. }), "{error}");
}

/// A link whose disk is not there has the file's name: nothing can be made in its place.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_told_apart_from_a_missing_file() {
    let scratch = Scratch::new();
    let folder = &scratch.folder;
    for path in [scratch.path(), folder.manifest_path(), folder.path().join(".lock")] {
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink("/nowhere/table", path).unwrap();
    }
    let errors = [
        folder.open_table(SUBSPACE).unwrap_err(),
        folder.load_manifest().unwrap_err(),
        folder.lock().unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, DbError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains("is a link to a file that does not exist"));
    }
}

#[test]
fn a_manifest_of_gigabytes_is_not_read() {
    let scratch = Scratch::new();
    let file = fs::File::create(scratch.folder.manifest_path()).unwrap();
    // Holes take no room.
    file.set_len(3 << 30).unwrap();
    let error = scratch.folder.load_manifest().unwrap_err();
    assert!(error.to_string().contains("longer than 1048596 bytes"), "{error}");
}

#[test]
fn a_table_of_another_game_under_a_name_that_this_one_lacks_is_refused() {
    let scratch = Scratch::new();
    let three: Ruleset = "three".parse().unwrap();
    let folder = Folder::create(scratch.dir.path(), three, Some(Edition::Full)).unwrap();
    scratch.write(&made_up(1, ENTRIES));
    for name in ["9-9", "12-12+12-12", "3-3+1-0"] {
        let subspace: Subspace = name.parse().unwrap();
        fs::copy(scratch.path(), folder.path_of(subspace)).unwrap();
        let error = folder.subspaces_present().unwrap_err();
        assert!(matches!(error, DbError::NoSuchSubspace { .. }), "{error}");
        assert!(error.to_string().contains(&format!("'three' has no subspace {name}")), "{error}");
        fs::remove_file(folder.path_of(subspace)).unwrap();
    }
    assert!(folder.subspaces_present().unwrap().is_empty());
}
