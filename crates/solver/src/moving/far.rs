//! What jobs work from, once more with far codes in the place of near ones.
//!
//! All that takes the best of several values takes the best of far codes as well. So nothing but the values changes:
//! those of each subspace are exchanged, and what was worked out from them is worked out again.

use std::io;
use std::sync::Arc;

use merels_core::{FarCodes, Ruleset};
use rayon::prelude::*;

use crate::dispatch::Processor;
use crate::moving::conversions::Exits;
use crate::placing::step::PlacingStep;
use crate::removing::double::AfterMills;
use crate::removing::removals::AfterRemoval;
use crate::rows::bytes::Pool;
use crate::rows::solved::Child;

/// Bytes of a table that one task maps to far codes.
const CHUNK: usize = 1 << 20;

/// Gives the same with far codes. All methods fail if the system does not give the memory.
#[derive(Clone, Copy)]
pub(crate) struct ByFarCodes<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) codes: FarCodes,
    pub(crate) processor: Processor,
    pub(crate) pool: &'a Arc<Pool>,
}

impl ByFarCodes<'_> {
    pub(crate) fn exits(&self, exits: &Exits) -> io::Result<Exits> {
        let placing = exits.placing.as_ref().map(|step| self.placing(step));
        Ok(Exits { mills: self.mills(&exits.mills)?, placing: placing.transpose()? })
    }

    pub(crate) fn placing(&self, step: &PlacingStep) -> io::Result<PlacingStep> {
        let (placed, after) = (self.child(&step.placed)?, self.mills(&step.after)?);
        Ok(PlacingStep::new(self.ruleset, step.subspace, placed, after))
    }

    fn mills(&self, mills: &AfterMills) -> io::Result<AfterMills> {
        let second = mills.two.as_ref().map_or(&AfterRemoval::Never, |two| &two.second);
        let (one, second) = (self.removal(&mills.one)?, self.removal(second)?);
        AfterMills::new(self.ruleset, one, second, self.processor, self.pool)
    }

    fn removal(&self, removal: &AfterRemoval) -> io::Result<AfterRemoval> {
        Ok(match removal {
            AfterRemoval::Never => AfterRemoval::Never,
            AfterRemoval::Lost => AfterRemoval::Lost,
            AfterRemoval::Child(child) => AfterRemoval::Child(self.child(child)?),
        })
    }

    /// The far codes that the subspace has, or what its near codes say.
    fn child(&self, child: &Arc<Child>) -> io::Result<Arc<Child>> {
        if let Some(far) = &child.far {
            return Ok(Arc::clone(far));
        }
        let mut far = self.pool.table(child.values.len())?;
        let bytes = self.codes.far_bytes();
        let chunks = far.par_chunks_mut(CHUNK).zip(child.values.par_chunks(CHUNK));
        chunks.for_each(|(far, near)| {
            far.iter_mut().zip(near).for_each(|(far, &near)| *far = bytes[usize::from(near)]);
        });
        Ok(Arc::new(Child::new(child.same_index(), far, child.stride)))
    }
}
