//! Compares files with the manifest, their checksums and their digests. It does not compare values
//! with each other.

use std::sync::atomic::AtomicBool;

use merels_core::Subspace;
use merels_db::{DbError, Digest, Folder, Manifest, TableInfo};

use crate::error::VerifyError;
use crate::observer::{Observer, stopped};
use crate::tables::database::Database;

/// The result for one table.
#[derive(Debug)]
pub struct QuickReport {
    /// The subspace.
    pub subspace: Subspace,
    /// The problem, if there is one.
    pub problem: Option<QuickProblem>,
    /// Whether the manifest lists it. A run that is killed right after publishing a table leaves it
    /// unlisted; the next run adds it.
    pub listed: bool,
}

/// A problem of a table.
#[derive(Debug)]
#[non_exhaustive]
pub enum QuickProblem {
    /// The manifest lists it, but the file is missing.
    Gone,
    /// It differs from the table that the manifest lists.
    NotTheListed {
        /// The difference.
        reason: String,
    },
    /// Its number of positions differs from that of the subspace.
    Positions {
        /// The number in the header.
        stated: u64,
        /// The number by Burnside's lemma.
        expected: u64,
    },
    /// It cannot be read.
    Unreadable(DbError),
}

/// Checks the files in `folder`: those in `only`, or all that exist or that the manifest lists.
///
/// # Errors
/// If the folder or the manifest cannot be read; [`VerifyError::Interrupted`]. A problem of a table
/// is not an error: the reports list it.
pub fn verify_quick(
    folder: &Folder,
    only: &[Subspace],
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<QuickReport>, VerifyError> {
    let database = Database::new(folder);
    let manifest = folder.load_manifest()?;
    let mut subspaces = only.to_vec();
    if only.is_empty() {
        subspaces = folder.subspaces_present()?;
        subspaces.extend(manifest.iter().map(|info| info.subspace));
    }
    let subspaces = match subspaces.as_slice() {
        [] => {
            return Err(VerifyError::Nothing {
                ruleset: *folder.ruleset(),
                folder: folder.path().to_owned(),
            });
        }
        subspaces => database.selection(subspaces)?,
    };
    observer.begin(subspaces.len(), subspaces.len() as u64);
    let mut reports = Vec::new();
    for subspace in subspaces {
        stopped(stop)?;
        observer.begin_subspace(subspace);
        let listed = manifest.get(subspace).is_some();
        let problem = check(&database, &manifest, subspace).err();
        reports.push(QuickReport { subspace, problem, listed });
        observer.advance(1);
        observer.end_subspace(subspace);
    }
    Ok(reports)
}

fn check(
    database: &Database<'_>,
    manifest: &Manifest,
    subspace: Subspace,
) -> Result<(), QuickProblem> {
    let listed = manifest.get(subspace);
    let open = database.table(subspace).map_err(|error| match error {
        DbError::NoTable { .. } if listed.is_some() => QuickProblem::Gone,
        error => QuickProblem::Unreadable(error),
    })?;
    if let Some(reason) = listed.and_then(|listed| difference(listed, &open.table.info())) {
        return Err(QuickProblem::NotTheListed { reason });
    }
    let (stated, expected) = (open.table.header().statistics.positions, open.index.positions());
    if stated != expected {
        return Err(QuickProblem::Positions { stated, expected });
    }
    // Checks each block's checksum on the way.
    open.table.check_digest().map_err(QuickProblem::Unreadable)
}

/// The difference between a file and the one that the manifest lists.
fn difference(listed: &TableInfo, found: &TableInfo) -> Option<String> {
    let differs = |what: &str, listed: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
        Some(format!("the manifest lists {what} {listed}, the file has {found}"))
    };
    if listed.size != found.size {
        differs("a length of", &listed.size, &found.size)
    } else if listed.entries != found.entries {
        differs("a number of entries of", &listed.entries, &found.entries)
    } else if listed.digest != found.digest {
        differs("the digest", &listed.digest, &found.digest)
    } else if listed.far != found.far {
        let of = |far: Option<Digest>| far.map_or_else(|| "none".into(), |far| far.to_string());
        differs("the digest of far codes", &of(listed.far), &of(found.far))
    } else if listed.statistics != found.statistics {
        differs("the counts", &listed.statistics, &found.statistics)
    } else {
        None
    }
}
