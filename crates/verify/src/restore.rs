//! What an edition leaves out, restored.
//!
//! Small editions leave out values that are the best of successors which they keep. Here these values
//! are worked out for a whole subspace at once, by the same code that checks entries. The result has
//! to have the digest of all exact values that the table's header records: then whoever reads restored
//! values reads what was solved. If it has another one, a stored value or the header is wrong. Outcomes
//! have no such digest: their counts are compared when the subspace itself is checked.
//!
//! Mostly one step restores everything from what is kept. Where stones are placed first, the successors
//! of a position with the last stone in hand may have to be restored before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::MmapMut;
use merels_core::{Subspace, SubspaceIndex};
use merels_db::{DbError, Digest, Stored, ValueHistogram};
use rayon::prelude::*;

use crate::VerifyError;
use crate::arena::{Arena, Successors};
use crate::count::Counts;
use crate::database::{Database, OpenTable};
use crate::fast::Checker;
use crate::precision::Precision;
use crate::successors::needed;

/// Entries that a thread restores at a time.
const PIECE: usize = 1 << 16;

/// All values of a subspace.
pub(crate) type Values = Arc<MmapMut>;

/// What restoring a subspace gave.
#[derive(Debug)]
pub(crate) struct Restoration {
    pub(crate) values: Values,
    pub(crate) counts: Counts,
    pub(crate) contradiction: Option<RestoredOtherwise>,
}

/// A subspace of which the edition leaves something out, and the values restored have not the digest
/// of those that were solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoredOtherwise {
    /// The subspace.
    pub subspace: Subspace,
    /// The digest in its header.
    pub stated: Digest,
    /// The digest of what was restored.
    pub found: Digest,
}

/// Restored tables, kept as long as there is room, and what was counted in all that ever were.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// The one that was used last comes last.
    kept: Mutex<Vec<(Subspace, Values)>>,
    /// Bytes that may be kept.
    room: u64,
    counted: Mutex<HashMap<Subspace, Counts>>,
}

impl Restored {
    /// Keeps up to `room` bytes of restored values.
    pub(crate) fn with_room(room: u64) -> Self {
        Self { room, ..Self::default() }
    }

    /// How many positions of a subspace that was restored have each value.
    pub(crate) fn positions(&self, subspace: Subspace) -> Option<ValueHistogram> {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.get(&subspace).map(|counts| counts.positions.clone())
    }

    fn find(&self, subspace: Subspace) -> Option<Values> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(of, _)| *of == subspace)?;
        let found = kept.remove(place);
        let values = Arc::clone(&found.1);
        kept.push(found);
        Some(values)
    }

    fn keep(&self, subspace: Subspace, values: &Values) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((subspace, Arc::clone(values)));
        let mut size: u64 = kept.iter().map(|(_, values)| values.len() as u64).sum();
        while size > self.room && !kept.is_empty() {
            size -= kept.remove(0).1.len() as u64;
        }
    }
}

impl Database<'_> {
    /// Puts all values of a subspace into `values`, those that its table leaves out restored; says if
    /// these contradict its header. Then something is wrong that had to be restored from.
    pub(crate) fn all_values(
        &self,
        open: &OpenTable,
        values: &mut [u8],
    ) -> Result<Option<RestoredOtherwise>, VerifyError> {
        let subspace = open.index.subspace();
        if self.folder().stored(subspace) == Stored::Whole {
            open.table.decode_all(values)?;
            check_digest(open, values)?;
            return Ok(None);
        }
        if let Some(kept) = self.restored().find(subspace) {
            values.copy_from_slice(&kept);
            return Ok(None);
        }
        let restored = self.restore(open)?;
        values.copy_from_slice(&restored.values);
        Ok(restored.contradiction)
    }

    /// All values of a subspace of which something is left out, and how often each occurs. Kept
    /// unless they contradict the header.
    pub(crate) fn restore(&self, open: &OpenTable) -> Result<Restoration, VerifyError> {
        let OpenTable { table, index, .. } = open;
        let subspace = index.subspace();
        let memory = |source| VerifyError::Memory { subspace, source };
        let checker = Checker::for_subspace(self.ruleset(), subspace, self.precision())?;
        let mut values = MmapMut::map_anon((index.entries() as usize).max(1)).map_err(memory)?;
        table.decode_all(&mut values[..index.entries() as usize])?;
        let deeper = self.folder().edition().restores_deeper(self.ruleset(), subspace);
        let successors = if deeper { Successors::Restored } else { Successors::AsStored };
        let arena = Arena::load(&checker, self, successors)?;
        values.par_chunks_mut(PIECE).enumerate().for_each(|(number, piece)| {
            checker.restore((number * PIECE) as u64, piece, &*arena);
        });
        drop(arena);
        let contradiction = self.contradiction(open, &values);
        let pieces = values.par_chunks(PIECE).enumerate();
        let counts =
            pieces.map(|(number, piece)| Counts::of(index, (number * PIECE) as u64, piece));
        let counts = counts.reduce(Counts::default, |all, more| all.merge(&more));
        let values = Arc::new(values);
        if contradiction.is_none() {
            let mut counted =
                self.restored().counted.lock().unwrap_or_else(PoisonError::into_inner);
            counted.insert(subspace, counts.clone());
            drop(counted);
            self.restored().keep(subspace, &values);
        }
        Ok(Restoration { values, counts, contradiction })
    }

    /// Whether restored values are not those of the digest in the header. No header has a digest of
    /// outcomes, but that of the values with distances.
    fn contradiction(&self, open: &OpenTable, values: &[u8]) -> Option<RestoredOtherwise> {
        if self.precision() == Precision::Outcomes {
            return None;
        }
        let (stated, found) = (open.table.header().digest, digest_of(values));
        let subspace = open.index.subspace();
        (found != stated).then_some(RestoredOtherwise { subspace, stated, found })
    }

    /// Bytes that restoring `subspace` takes at most; none if nothing is left out of it.
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
        entries(subspace) + successors.iter().map(|&s| entries(s)).sum::<u64>() + deeper
    }
}

fn digest_of(values: &[u8]) -> Digest {
    Digest(blake3::Hasher::new().update_rayon(values).finalize().into())
}

/// Whether a table of which nothing is left out holds what its header says.
fn check_digest(open: &OpenTable, values: &[u8]) -> Result<(), VerifyError> {
    let (digest, expected) = (digest_of(values), open.table.header().kept);
    if digest == expected {
        return Ok(());
    }
    let reason = format!("its values have the digest {digest}, not {expected}");
    let path = open.table.path().to_owned();
    Err(DbError::Damaged { path, block: None, reason }.into())
}
