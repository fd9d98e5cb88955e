//! The cache of restored values.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::MmapMut;
use merels_core::Subspace;
use merels_core::numbering::Codes;
use merels_db::{Digest, ValueHistogram};

use crate::tables::count::Counts;

/// All values of a subspace.
pub(crate) type Values = Arc<Codes<MmapMut>>;

/// A subspace whose restored values do not have the digest of the solved ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoredOtherwise {
    /// The subspace.
    pub subspace: Subspace,
    /// The digest in its header; that of the far codes if these differ.
    pub stated: Digest,
    /// The digest of the restored values.
    pub found: Digest,
}

/// The restored tables for which there is room, and the counts of all restored subspaces.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// In the order of their last use.
    kept: Mutex<Vec<(Subspace, Values)>>,
    /// The most bytes to keep.
    room: u64,
    counted: Mutex<HashMap<Subspace, Counts>>,
}

impl Restored {
    /// Keeps up to `room` bytes of restored values.
    pub(crate) fn with_room(room: u64) -> Self {
        Self { room, ..Self::default() }
    }

    /// The numbers of positions by value of a restored subspace.
    pub(crate) fn positions(&self, subspace: Subspace) -> Option<ValueHistogram> {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.get(&subspace).map(|counts| counts.positions.clone())
    }

    pub(crate) fn find(&self, subspace: Subspace) -> Option<Values> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(of, _)| *of == subspace)?;
        let found = kept.remove(place);
        let values = Arc::clone(&found.1);
        kept.push(found);
        Some(values)
    }

    /// Records the counts of a restored subspace, and keeps its values while there is room.
    pub(crate) fn keep(&self, subspace: Subspace, values: &Values, counts: &Counts) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.insert(subspace, counts.clone());
        drop(counted);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((subspace, Arc::clone(values)));
        let size_of = |values: &Values| {
            values.near.len() as u64 + values.far.as_ref().map_or(0, |far| far.len() as u64)
        };
        let mut size: u64 = kept.iter().map(|(_, values)| size_of(values)).sum();
        while size > self.room && !kept.is_empty() {
            size -= size_of(&kept.remove(0).1);
        }
    }
}
