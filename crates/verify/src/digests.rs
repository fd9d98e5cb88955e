//! The digests of a folder's values, as text that two people can compare.

use std::fmt;
use std::sync::atomic::AtomicBool;

use merels_core::{Ruleset, Subspace};
use merels_db::{Digest, Folder};

use crate::error::VerifyError;
use crate::observer::stopped;
use crate::tables::database::Database;

/// The digests of the exact values of a folder, as its headers state them.
///
/// They print as lines of text: `ruleset` and the rules; then one line for each subspace, in the
/// order of bytes; then `folder` and the BLAKE3 digest of all lines before it, with their line
/// ends. All editions state the digest of the exact values, so the text does not depend on the
/// edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// The rules.
    pub ruleset: Ruleset,
    /// One for each subspace, in the order of the lines.
    pub subspaces: Vec<SubspaceDigest>,
}

/// The digest of a subspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubspaceDigest {
    /// The subspace.
    pub subspace: Subspace,
    /// The digest of its exact values, or of their near codes if it has far codes.
    pub digest: Digest,
    /// The digest of its far codes, if it has values beyond 253 plies.
    pub far: Option<Digest>,
}

impl fmt::Display for SubspaceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.subspace, self.digest)?;
        self.far.map_or(Ok(()), |far| write!(f, " {far}"))
    }
}

impl Digests {
    /// The digest of the folder: of the lines that stand before it.
    pub fn folder(&self) -> Digest {
        Digest(blake3::hash(self.lines().as_bytes()).into())
    }

    fn lines(&self) -> String {
        let lines = self.subspaces.iter().map(|digest| format!("{digest}\n"));
        format!("ruleset {}\n{}", self.ruleset, lines.collect::<String>())
    }
}

impl fmt::Display for Digests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}folder {}", self.lines(), self.folder())
    }
}

/// Reads the digests of all tables in `folder` from their headers. It does not compare them with
/// the values: [`verify_quick`](crate::verify_quick) and [`verify_full`](crate::verify_full) do.
///
/// # Errors
/// If there is no table, or a header cannot be read; [`VerifyError::Interrupted`].
pub fn read_digests(folder: &Folder, stop: &AtomicBool) -> Result<Digests, VerifyError> {
    let database = Database::new(folder);
    let digest = |subspace| {
        stopped(stop)?;
        let open = database.table(subspace)?;
        let header = open.table.header();
        Ok::<_, VerifyError>(SubspaceDigest {
            subspace,
            digest: header.digest,
            far: header.far.map(|far| far.digest),
        })
    };
    let subspaces = database.selection(&[])?.into_iter().map(digest);
    let mut subspaces = subspaces.collect::<Result<Vec<_>, _>>()?;
    subspaces.sort_by_key(ToString::to_string);
    Ok(Digests { ruleset: *folder.ruleset(), subspaces })
}
