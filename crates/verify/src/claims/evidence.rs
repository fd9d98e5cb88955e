//! Counts and values from the databases.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use merels_core::numbering::Codes;
use merels_core::{Position, Subspace, Value};
use merels_db::{DbError, Statistics, Stored};
use rayon::prelude::*;

use crate::error::VerifyError;
use crate::observer::stopped;
use crate::plain::Values;
use crate::tables::count::Counts;
use crate::tables::database::Database;
use crate::tables::restored::RestoredOtherwise;

/// Access to counts and values.
pub(super) struct Evidence<'a> {
    pub(super) database: Database<'a>,
    /// Each subspace is counted once.
    pub(super) counts: Mutex<HashMap<Subspace, Arc<Counts>>>,
    pub(super) stop: &'a AtomicBool,
}

impl Evidence<'_> {
    /// The counts of a subspace by value.
    pub(super) fn counts(&self, subspace: Subspace) -> Result<Arc<Counts>, VerifyError> {
        let known = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = known.get(&subspace) {
            return Ok(Arc::clone(counts));
        }
        drop(known);
        let open = self.database.table(subspace)?;
        let counts = if self.database.folder().stored(subspace) == Stored::Whole {
            let counts = (0..open.table.blocks()).into_par_iter();
            let counts = counts.map_init(Codes::default, |codes: &mut Codes<Vec<u8>>, block| {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok::<_, DbError>(Counts::default());
                }
                let indices = open.table.indices_of(block);
                open.table.decode_block(block, codes)?;
                Ok(Counts::of(&open.index, indices.start, codes.slices()))
            });
            counts.try_reduce(Counts::default, |all, more| Ok(all.merge(&more)))?
        } else {
            self.database.folder().check_kept(subspace)?;
            let restored = self.database.restore(&open)?;
            if let Some(RestoredOtherwise { subspace, stated, found }) = restored.contradiction {
                return Err(VerifyError::Unrestorable { subspace, stated, found });
            }
            restored.counts
        };
        stopped(self.stop)?;
        let mut known = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(subspace).or_insert(Arc::new(counts))))
    }

    /// The statistics of a subspace: from the header if the edition keeps no values.
    pub(super) fn statistics(&self, subspace: Subspace) -> Result<Statistics, VerifyError> {
        if self.database.folder().check_kept(subspace).is_err() {
            return Ok(self.database.table(subspace)?.table.header().statistics);
        }
        Ok(self.counts(subspace)?.positions.statistics())
    }

    /// The value of a position.
    pub(super) fn value(&self, position: &Position) -> Result<Value, VerifyError> {
        Ok(self.database.value(position)?)
    }
}
