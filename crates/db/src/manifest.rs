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
    /// Length of the file, in bytes, without that of far codes.
    pub size: u64,
    /// Entries of the table.
    pub entries: u64,
    /// Digest of the exact values of all entries, whether they are kept or not.
    pub digest: Digest,
    /// Counts over positions.
    pub statistics: Statistics,
    /// The far codes, if one code does not say all values.
    pub far: Option<FarInfo>,
}

/// The far codes of a subspace, as they stand in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarInfo {
    /// Length of their file, in bytes; 0 if the edition keeps none.
    pub size: u64,
    /// Digest of the far codes of all entries, whether they are kept or not.
    pub digest: Digest,
}

impl TableInfo {
    /// Length of the table's files together, in bytes: its own, and that of its far codes.
    pub fn size_on_disk(&self) -> u64 {
        self.size + self.far.map_or(0, |far| far.size)
    }

    /// In which respect `other` is another table, if it is.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.size != other.size {
            Some(format!("a length of {} bytes is listed, it has {}", other.size, self.size))
        } else if self.digest != other.digest {
            Some(format!("the digest {} is listed, it has {}", other.digest, self.digest))
        } else if self.far != other.far {
            Some("other far codes are listed".into())
        } else if self != other {
            Some("the counts differ".into())
        } else {
            None
        }
    }
}

/// The tables of a folder, by subspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub(crate) ruleset: Ruleset,
    pub(crate) edition: Edition,
    pub(crate) tables: BTreeMap<Subspace, TableInfo>,
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

    pub(crate) fn insert(&mut self, info: TableInfo) {
        self.tables.insert(info.subspace, info);
    }

    /// Keeps the tables for which `keep` holds, and names the others.
    pub(crate) fn drop_unless(&mut self, keep: impl Fn(Subspace) -> bool) -> Vec<Subspace> {
        let dropped = self.tables.keys().copied().filter(|&subspace| !keep(subspace)).collect();
        self.tables.retain(|&subspace, _| keep(subspace));
        dropped
    }
}
