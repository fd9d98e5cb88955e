//! The entries that a full verification has found right so far: `verified.merels` in the ruleset's
//! folder.
//!
//! Its text is that of a [`Verified`]. A line counts only while all its digests are still those of
//! the files, so a changed table voids its checks. A file that does not end with the right digest,
//! or that another version of the check wrote, counts as empty: at worst, work is done again.
//!
//! The journal saves time. It is not part of a proof: delete it, or set [`FullOptions::again`](crate::FullOptions::again), if you do not
//! trust it.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use merels_core::{Ruleset, Subspace};
use merels_db::{Digest, Folder, read_bounded};

use crate::full::verified::{Progress, Verified};

/// The journal's name in the ruleset's folder.
pub const JOURNAL_NAME: &str = "verified.merels";

/// The longest journal, in bytes: far more than any ruleset needs.
const LIMIT: usize = 16 << 20;

/// The journal of a folder.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    folder: PathBuf,
    ruleset: Ruleset,
    verified: Verified,
}

impl Journal {
    /// Reads the journal. Also returns whether a file exists that does not count.
    pub(crate) fn load(folder: &Folder) -> io::Result<(Self, bool)> {
        let path = folder.path().join(JOURNAL_NAME);
        let ruleset = *folder.ruleset();
        let (verified, void) = match read_bounded(&path, LIMIT) {
            Ok(Some(bytes)) => {
                let text = str::from_utf8(&bytes).ok();
                let verified = text.and_then(|text| Verified::parse(text, ruleset));
                let void = verified.is_none();
                (verified.unwrap_or(Verified::new(ruleset)), void)
            }
            Ok(None) => (Verified::new(ruleset), false),
            Err(error) => return Err(io::Error::other(error)),
        };
        let folder = folder.path().to_owned();
        Ok((Self { path, folder, ruleset, verified }, void))
    }

    /// Forgets everything. The file stays until the next change.
    pub(crate) fn clear(&mut self) {
        self.verified = Verified::new(self.ruleset);
    }

    /// Returns how many entries of a subspace were found right, in tables with these digests.
    pub(crate) fn done(
        &self,
        subspace: Subspace,
        digest: Digest,
        against: &[(Subspace, Digest)],
    ) -> u64 {
        self.verified.done(subspace, digest, against)
    }

    /// Records the progress in a subspace, and writes the journal to the disk.
    pub(crate) fn record(&mut self, subspace: Subspace, progress: Progress) -> io::Result<()> {
        self.verified.insert(subspace, progress);
        // The solver removes files of this name, which killed runs leave behind.
        let mut file =
            tempfile::Builder::new().prefix(".tmp-verified-").tempfile_in(&self.folder)?;
        file.write_all(self.verified.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        if cfg!(unix) {
            fs::File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use merels_db::Edition;

    fn progress(entries: u64) -> Progress {
        let against = vec![
            ("3-4".parse().unwrap(), Digest([2; 32])),
            ("4-4".parse().unwrap(), Digest([3; 32])),
        ];
        Progress { entries, digest: Digest([1; 32]), against }
    }

    #[test]
    fn a_journal_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        let (four, placing): (Subspace, Subspace) =
            ("4-4".parse().unwrap(), "3-2+0-1".parse().unwrap());
        let (mut journal, void) = Journal::load(&folder).unwrap();
        assert!(!void && journal.verified.is_empty());
        journal.record(four, progress(17)).unwrap();
        journal.record(placing, progress(1 << 40)).unwrap();
        journal.record(four, progress(18)).unwrap();
        let (read, void) = Journal::load(&folder).unwrap();
        assert!(!void);
        assert_eq!(read.verified, journal.verified);

        let Progress { digest, against, .. } = progress(0);
        assert_eq!(read.done(four, digest, &against), 18);
        assert_eq!(read.done("5-5".parse().unwrap(), digest, &against), 0);
        assert_eq!(read.done(four, Digest([9; 32]), &against), 0);
        assert_eq!(read.done(four, digest, &against[..1]), 0);
        let mut other = against;
        other[1].1 = Digest([9; 32]);
        assert_eq!(read.done(four, digest, &other), 0);
        // Nothing but the journal and the folder's own files.
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, ["manifest.merels", JOURNAL_NAME]);
    }

    #[test]
    fn damaged_and_foreign_journals_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD, Some(Edition::Full)).unwrap();
        let (mut journal, _) = Journal::load(&folder).unwrap();
        journal.record("4-4".parse().unwrap(), progress(17)).unwrap();
        let text = fs::read_to_string(&journal.path).unwrap();
        for length in 0..text.len() {
            fs::write(&journal.path, &text[..length]).unwrap();
            assert!(Journal::load(&folder).unwrap().1, "{length} bytes");
        }
        let more = text.replace("entries=17", "entries=18");
        for wrong in
            [more, text.replace("verified 1", "verified 2"), "\n\n".into(), "blake3 \n".into()]
        {
            fs::write(&journal.path, &wrong).unwrap();
            assert!(Journal::load(&folder).unwrap().1, "{wrong}");
        }
        fs::write(&journal.path, [0xff, 0xfe, b'\n']).unwrap();
        let (read, void) = Journal::load(&folder).unwrap();
        assert!(void && read.verified.is_empty());
        // Longer than any journal.
        fs::File::create(&journal.path).unwrap().set_len(LIMIT as u64 + 1).unwrap();
        assert!(Journal::load(&folder).is_err());
        // Of other rules.
        fs::write(&journal.path, Verified::new("lasker".parse().unwrap()).to_string()).unwrap();
        assert!(Journal::load(&folder).unwrap().1);
    }
}
