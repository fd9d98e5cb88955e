//! Restores the values that an edition leaves out.
//!
//! Small editions leave out values that are the best of successors which they keep. This module
//! computes these values for a whole subspace at once, by the same code that checks entries. The
//! result must have the digest of all exact values in the table's header: then restored values are
//! the solved ones. If the digest differs, a stored value or the header is wrong. Outcomes have no
//! such digest: their counts are compared when the subspace itself is checked.
//!
//! Usually one step restores everything from the kept values. If the rules place all stones first,
//! the successors of a position with the last stone in hand may have to be restored before.

use std::sync::Arc;

use memmap2::MmapMut;
use merels_core::Subspace;
use merels_core::numbering::{Codes, SubspaceIndex};
use merels_db::{Digest, Stored, fill_far_codes};
use rayon::prelude::*;

use crate::error::VerifyError;
use crate::fast::checker::Checker;
use crate::fast::coded::Steps;
use crate::fast::precision::Precision;
use crate::fast::successors::needed;
use crate::tables::arena::Arena;
use crate::tables::count::Counts;
use crate::tables::database::Database;
use crate::tables::open::OpenTable;
use crate::tables::restored::{RestoredOtherwise, Values};

/// Entries that a thread restores at a time.
const PIECE: usize = 1 << 16;

/// Which values of the successors a check needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Successors {
    /// The values that their tables hold. The others are marked as left out.
    AsStored,
    /// All values. Those that the edition leaves out are restored.
    Restored,
}

/// The result of restoring a subspace.
#[derive(Debug)]
pub(crate) struct Restoration {
    values: Values,
    pub(crate) counts: Counts,
    pub(crate) contradiction: Option<RestoredOtherwise>,
}

impl Database<'_> {
    /// Decodes the tables of all successors. If `wanted` is all their values, these are compared
    /// with each table's digest, so that checks rest on the bytes that have that digest. Also
    /// returns the tables whose restored values are not the solved ones.
    pub(crate) fn load_successors(
        &self,
        checker: &Checker,
        wanted: Successors,
    ) -> Result<(Arena, Vec<RestoredOtherwise>), VerifyError> {
        let subspace = checker.index().subspace();
        let mut arena = Arena::new(checker, self.takes_two_codes(subspace)?)?;
        let mut contradictions = Vec::new();
        for successor in checker.reach().tables() {
            let open = self.successor(subspace, successor.index.subspace())?;
            let values = arena.table_mut(successor);
            match wanted {
                Successors::Restored => contradictions.extend(self.all_values(&open, values)?),
                Successors::AsStored => open.table.decode_all(values)?,
            }
        }
        Ok((arena, contradictions))
    }

    /// Puts all values of a subspace into `values`, and restores those that its table leaves out.
    /// Returns a contradiction if these do not fit its header: then a value they follow from is
    /// wrong.
    pub(crate) fn all_values(
        &self,
        open: &OpenTable,
        values: Codes<&mut [u8]>,
    ) -> Result<Option<RestoredOtherwise>, VerifyError> {
        let subspace = open.index.subspace();
        if self.folder().stored(subspace) == Stored::Whole {
            open.table.decode_all_checked(values)?;
            return Ok(None);
        }
        let (known, contradiction) = match self.restored().find(subspace) {
            Some(kept) => (kept, None),
            None => {
                let restored = self.restore(open)?;
                (restored.values, restored.contradiction)
            }
        };
        values.near.copy_from_slice(&known.near);
        match (values.far, &known.far) {
            (Some(far), Some(known)) => far.copy_from_slice(known),
            (Some(far), None) => fill_far_codes(&known.near, far),
            (None, _) => (),
        }
        Ok(contradiction)
    }

    /// All values and counts of a subspace that the edition stores in part. The cache keeps them
    /// unless they contradict the header.
    pub(crate) fn restore(&self, open: &OpenTable) -> Result<Restoration, VerifyError> {
        let index = &open.index;
        let subspace = index.subspace();
        let memory = |source| VerifyError::Memory { subspace, source };
        let checker = Checker::for_subspace(self.ruleset(), subspace, self.precision())?;
        let mut values = Codes::try_new(self.takes_two_codes(subspace)?, || {
            MmapMut::map_anon(index.entries() as usize).map_err(memory)
        })?;
        open.table.decode_all(values.slices_mut())?;
        let deeper = self.folder().edition().restores_deeper(self.ruleset(), subspace);
        let successors = if deeper { Successors::Restored } else { Successors::AsStored };
        let (arena, _) = self.load_successors(&checker, successors)?;
        let successors = arena.codes();
        let pieces: Vec<_> = values.slices_mut().chunks_mut(PIECE).collect();
        pieces.into_par_iter().enumerate().for_each(|(number, piece)| {
            let first = (number * PIECE) as u64;
            checker.restore_coded(Steps::FILES, first, piece, successors);
        });
        drop(arena);
        let contradiction = self.contradiction(open, values.slices());
        // Far codes that the header does not mention stay if there is a contradiction, since other
        // values are compared with them.
        if open.far_digest().is_none() && contradiction.is_none() {
            values.far = None;
        }
        let own = open.own(values.slices());
        let pieces = own.chunks(PIECE).collect::<Vec<_>>().into_par_iter().enumerate();
        let counts =
            pieces.map(|(number, piece)| Counts::of(index, (number * PIECE) as u64, piece));
        let counts = counts.reduce(Counts::default, |all, more| all.merge(&more));
        let values = Arc::new(values);
        if contradiction.is_none() {
            self.restored().keep(subspace, &values, &counts);
        }
        Ok(Restoration { values, counts, contradiction })
    }

    /// The difference between the digest of restored values and that in the header. Outcomes have
    /// no digest in the header: it is that of the values with distances.
    fn contradiction(&self, open: &OpenTable, values: Codes<&[u8]>) -> Option<RestoredOtherwise> {
        if self.precision() == Precision::Outcomes {
            return None;
        }
        let subspace = open.index.subspace();
        let otherwise = |stated, found| RestoredOtherwise { subspace, stated, found };
        let differ = |stated, found| (stated != found).then(|| otherwise(stated, found));
        let near = differ(open.table.header().digest, digest_of(values.near));
        near.or_else(|| {
            let far = digest_of(values.far?);
            // If it has no far codes of its own, none of its values may be beyond its codes.
            differ(open.far_digest().unwrap_or_else(|| far_digest_of(values.near)), far)
        })
    }

    /// The most bytes that restoring `subspace` takes; 0 if the table is whole.
    pub(crate) fn memory_to_restore(&self, subspace: Subspace) -> u64 {
        if self.folder().stored(subspace) == Stored::Whole {
            return 0;
        }
        let entries = |s| SubspaceIndex::new(self.ruleset().board, s).entries();
        let successors = needed(self.ruleset(), subspace);
        let is_deeper = self.folder().edition().restores_deeper(self.ruleset(), subspace);
        let deeper = successors.iter().map(|&s| match is_deeper {
            true => self.memory_to_restore(s),
            false => 0,
        });
        let deeper = deeper.max().unwrap_or(0);
        let codes = entries(subspace) + successors.iter().map(|&s| entries(s)).sum::<u64>();
        codes * self.codes_in_memory(subspace) + deeper
    }
}

fn digest_of(values: &[u8]) -> Digest {
    Digest(blake3::Hasher::new().update_rayon(values).finalize().into())
}

/// The digest of the far codes of a table whose values one code expresses.
fn far_digest_of(values: &[u8]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    let mut far = vec![0; PIECE];
    for piece in values.chunks(PIECE) {
        let far = &mut far[..piece.len()];
        fill_far_codes(piece, far);
        hasher.update(far);
    }
    Digest(hasher.finalize().into())
}
