//! The content of the journal, as text.
//!
//! It has one line for each subspace, with the digests of its table and of all tables it was
//! checked against. The last line is the BLAKE3 digest of the lines before it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use merels_core::{Ruleset, Subspace};
use merels_db::Digest;

/// The version of the check. Raise it when the check becomes stricter, or the format changes.
const VERSION: u32 = 1;

/// The checked part of a subspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The entries from 0 on that were found right.
    pub(crate) entries: u64,
    /// The digest of its table.
    pub(crate) digest: Digest,
    /// The tables it was checked against.
    pub(crate) against: Vec<(Subspace, Digest)>,
}

/// The entries of one ruleset's databases that a full verification has found right so far. It
/// prints as the content of [`JOURNAL_NAME`](crate::JOURNAL_NAME).
///
/// ```
/// use merels_core::Ruleset;
/// use merels_verify::Verified;
///
/// let nothing = Verified::new(Ruleset::STANDARD);
/// let text = nothing.to_string();
/// assert!(text.starts_with("merels verified 1\nruleset standard\nblake3 "));
/// assert_eq!(Verified::parse(&text, Ruleset::STANDARD), Some(nothing));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    ruleset: Ruleset,
    lines: BTreeMap<Subspace, Progress>,
}

impl Verified {
    /// An empty journal.
    pub const fn new(ruleset: Ruleset) -> Self {
        Self { ruleset, lines: BTreeMap::new() }
    }

    /// Reads the printed form. None for any other text, another version of the check, or other
    /// rules.
    pub fn parse(text: &str, ruleset: Ruleset) -> Option<Self> {
        let text = text.strip_suffix('\n')?;
        let (content, last) = text.split_at(text.rfind('\n')? + 1);
        if last.strip_prefix("blake3 ")? != blake3::hash(content.as_bytes()).to_string() {
            return None;
        }
        let lines = content.strip_prefix(&heading(&ruleset))?.strip_prefix('\n')?.lines();
        Some(Self { ruleset, lines: lines.map(parse_line).collect::<Option<_>>()? })
    }

    /// The number of subspaces with a line.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of entries of a subspace that were found right, in tables with these digests.
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

    /// Replaces the line of a subspace.
    pub(crate) fn insert(&mut self, subspace: Subspace, progress: Progress) {
        self.lines.insert(subspace, progress);
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = heading(&self.ruleset);
        for (subspace, Progress { entries, digest, against }) in &self.lines {
            write!(text, "\n{subspace} entries={entries} digest={digest}")?;
            for (other, digest) in against {
                write!(text, " {other}={digest}")?;
            }
        }
        text.push('\n');
        let digest = blake3::hash(text.as_bytes());
        writeln!(f, "{text}blake3 {digest}")
    }
}

fn heading(ruleset: &Ruleset) -> String {
    format!("merels verified {VERSION}\nruleset {ruleset}")
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
