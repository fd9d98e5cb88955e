//! What a full verification has found right so far: `verified.merels` in the ruleset's folder.
//!
//! A few lines of text, one for each subspace, with the digests of its table and of all tables it was
//! checked against. A line counts only while all these digests are still those of the files, so
//! whatever changes a table makes its checks void. The last line is the BLAKE3 digest of those
//! before it. A file that does not end so, or was written by another version of the check, counts as
//! empty: at worst, work is done again.
//!
//! The journal saves time. It is no part of a proof: who does not trust it deletes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use merels_core::{Ruleset, Subspace};
use merels_db::{Digest, Folder};

/// The journal's name in the ruleset's folder.
pub const JOURNAL_NAME: &str = "verified.merels";

/// The version of the check. To be raised when the check becomes stricter, and with the format.
const VERSION: u32 = 1;

/// What is known of a subspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The entries from 0 on that were found right.
    pub(crate) entries: u64,
    /// The digest of its table.
    pub(crate) digest: Digest,
    /// The tables it was checked against.
    pub(crate) against: Vec<(Subspace, Digest)>,
}

/// The journal of a folder.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    folder: PathBuf,
    ruleset: Ruleset,
    lines: BTreeMap<Subspace, Progress>,
}

impl Journal {
    /// Reads the journal; the second is whether a file was there that does not count.
    pub(crate) fn load(folder: &Folder) -> io::Result<(Self, bool)> {
        let path = folder.path().join(JOURNAL_NAME);
        let (ruleset, folder) = (*folder.ruleset(), folder.path().to_owned());
        let mut journal = Self { path, folder, ruleset, lines: BTreeMap::new() };
        let mut void = false;
        match fs::read(&journal.path) {
            Ok(bytes) => {
                let lines = str::from_utf8(&bytes).ok().and_then(|text| journal.parse(text));
                void = lines.is_none();
                journal.lines = lines.unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok((journal, void))
    }

    /// Forgets everything. The file stays until the next change.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    /// How many entries of a subspace were found right, in tables with these digests.
    pub(crate) fn done(
        &self,
        subspace: Subspace,
        digest: Digest,
        against: &[(Subspace, Digest)],
    ) -> u64 {
        let line = self.lines.get(&subspace);
        let line = line.filter(|line| line.digest == digest && line.against == against);
        line.map_or(0, |line| line.entries)
    }

    /// Takes down what is known of a subspace, and brings the journal to the disk.
    pub(crate) fn record(&mut self, subspace: Subspace, progress: Progress) -> io::Result<()> {
        self.lines.insert(subspace, progress);
        // Named as the solver's, which removes what killed runs have left.
        let mut file =
            tempfile::Builder::new().prefix(".tmp-verified-").tempfile_in(&self.folder)?;
        file.write_all(self.text().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        if cfg!(unix) {
            fs::File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }

    fn heading(&self) -> String {
        format!("merels verified {VERSION}\nruleset {}", self.ruleset)
    }

    fn text(&self) -> String {
        let mut text = self.heading();
        for (subspace, Progress { entries, digest, against }) in &self.lines {
            // Writing to a string does not fail.
            let _ = write!(text, "\n{subspace} entries={entries} digest={digest}");
            for (other, digest) in against {
                let _ = write!(text, " {other}={digest}");
            }
        }
        text.push('\n');
        let digest = blake3::hash(text.as_bytes());
        let _ = writeln!(text, "blake3 {digest}");
        text
    }

    fn parse(&self, text: &str) -> Option<BTreeMap<Subspace, Progress>> {
        let text = text.strip_suffix('\n')?;
        let (content, last) = text.split_at(text.rfind('\n')? + 1);
        if last.strip_prefix("blake3 ")? != blake3::hash(content.as_bytes()).to_string() {
            return None;
        }
        let lines = content.strip_prefix(&self.heading())?.strip_prefix('\n')?.lines();
        lines.map(parse_line).collect()
    }
}

fn parse_line(line: &str) -> Option<(Subspace, Progress)> {
    let mut words = line.split(' ');
    let subspace = words.next()?.parse().ok()?;
    let entries = words.next()?.strip_prefix("entries=")?.parse().ok()?;
    let digest = parse_digest(words.next()?.strip_prefix("digest=")?)?;
    let against = words.map(|word| {
        let (other, digest) = word.split_once('=')?;
        Some((other.parse().ok()?, parse_digest(digest)?))
    });
    Some((subspace, Progress { entries, digest, against: against.collect::<Option<_>>()? }))
}

fn parse_digest(text: &str) -> Option<Digest> {
    blake3::Hash::from_hex(text).ok().map(|hash| Digest(hash.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let folder = Folder::create(dir.path(), Ruleset::STANDARD).unwrap();
        let (four, placing): (Subspace, Subspace) =
            ("4-4".parse().unwrap(), "3-2+0-1".parse().unwrap());
        let (mut journal, void) = Journal::load(&folder).unwrap();
        assert!(!void && journal.lines.is_empty());
        journal.record(four, progress(17)).unwrap();
        journal.record(placing, progress(1 << 40)).unwrap();
        journal.record(four, progress(18)).unwrap();
        let (read, void) = Journal::load(&folder).unwrap();
        assert!(!void);
        assert_eq!(read.lines, journal.lines);

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
    fn what_is_not_whole_does_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::create(dir.path(), Ruleset::STANDARD).unwrap();
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
        assert!(void && read.lines.is_empty());
    }
}
