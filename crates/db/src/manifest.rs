//! The list of the tables in a folder.
//!
//! It is what a copy of a folder is checked against: names, sizes and digests. The tables carry
//! the same facts, so a manifest that lags behind (after a crash between publishing a table and
//! recording it) is brought up to date by reading headers.

use std::collections::BTreeMap;

use merels_core::{Ruleset, Subspace};

use crate::digest::Digest;
use crate::edition::Edition;
use crate::statistics::Statistics;

/// A finished table, as it stands in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The numbers of stones.
    pub subspace: Subspace,
    /// Length of the file, in bytes.
    pub size: u64,
    /// Entries of the table.
    pub entries: u64,
    /// Digest of the exact values of all entries, whether they are kept or not; of their near codes
    /// if there are far ones.
    pub digest: Digest,
    /// Counts over positions.
    pub statistics: Statistics,
    /// Digest of all far codes, if one code does not say every value.
    pub far: Option<Digest>,
    /// Files beside the table that say more about its positions.
    pub companions: Vec<Companion>,
}

/// A file beside a table that says more about its positions: `<subspace>.<kind>.merels`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// What it says.
    pub kind: CompanionKind,
    /// Length of the file, in bytes.
    pub size: u64,
    /// Digest of its content.
    pub digest: Digest,
}

/// The kind of a companion file: a word of 1 to 16 letters from `a` to `z`.
///
/// A reader ignores kinds that it does not know, and keeps them in the manifest: they change no
/// value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompanionKind(String);

impl CompanionKind {
    const LONGEST: usize = 16;

    /// The kind of this name; none if it is not such a word.
    pub fn new(name: &str) -> Option<Self> {
        let is_word = (1..=Self::LONGEST).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase());
        is_word.then(|| Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TableInfo {
    /// In which respect `other` is another table, if it is.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.size != other.size {
            Some(format!("a length of {} bytes is listed, it has {}", other.size, self.size))
        } else if self.digest != other.digest {
            Some(format!("the digest {} is listed, it has {}", other.digest, self.digest))
        } else if self.far != other.far {
            Some("other far codes are listed".into())
        } else if (self.entries, self.statistics) != (other.entries, other.statistics) {
            Some("the counts differ".into())
        } else {
            None
        }
    }
}

/// The tables of a folder, by subspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    ruleset: Ruleset,
    edition: Edition,
    tables: BTreeMap<Subspace, TableInfo>,
}

impl Manifest {
    pub(crate) const fn new(ruleset: Ruleset, edition: Edition) -> Self {
        Self { ruleset, edition, tables: BTreeMap::new() }
    }

    /// The rules for which the folder was made.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// How much the folder keeps.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// What is listed for a subspace.
    pub fn get(&self, subspace: Subspace) -> Option<&TableInfo> {
        self.tables.get(&subspace)
    }

    /// All tables, by subspace.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &TableInfo> {
        self.tables.values()
    }

    /// How many tables are listed.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether no table is listed.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Lists a table in place of the one that was listed for its subspace.
    pub(crate) fn insert(&mut self, info: TableInfo) -> Option<TableInfo> {
        self.tables.insert(info.subspace, info)
    }

    /// Keeps the tables for which `keep` holds, and names the others.
    pub(crate) fn drop_unless(&mut self, keep: impl Fn(Subspace) -> bool) -> Vec<Subspace> {
        let dropped = self.tables.keys().copied().filter(|&subspace| !keep(subspace)).collect();
        self.tables.retain(|&subspace, _| keep(subspace));
        dropped
    }
}
