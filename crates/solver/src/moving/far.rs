//! The inputs of a job, with far codes in the place of near codes.
//!
//! The best of several values is the best of their far codes, too. So only the values change: this
//! module replaces the codes of each subspace, and computes again what depends on them.

use std::io;
use std::sync::Arc;

use merels_core::{FarCodes, Ruleset};
use merels_simd::Processor;
use rayon::prelude::*;

use crate::job::AfterRemoval;
use crate::moving::conversions::Conversions;
use crate::placing::inputs::PlacingInputs;
use crate::removing::double::AfterMills;
use crate::rows::bytes::Pool;
use crate::rows::solved::Child;

/// Bytes of a table that one task maps to far codes.
const CHUNK: usize = 1 << 20;

/// Makes the same with far codes. Every method fails if the system does not grant the memory.
#[derive(Clone, Copy)]
pub(crate) struct ByFarCodes<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) codes: FarCodes,
    pub(crate) processor: Processor,
    pub(crate) pool: &'a Arc<Pool>,
}

impl ByFarCodes<'_> {
    pub(crate) fn conversions(&self, conversions: &Conversions) -> io::Result<Conversions> {
        let placing = conversions.placing.as_ref().map(|inputs| self.placing(inputs));
        Ok(Conversions { mills: self.mills(&conversions.mills)?, placing: placing.transpose()? })
    }

    pub(crate) fn placing(&self, inputs: &PlacingInputs) -> io::Result<PlacingInputs> {
        let (placed, after) = (self.child(&inputs.placed)?, self.mills(&inputs.after)?);
        Ok(PlacingInputs::new(self.ruleset, inputs.subspace, placed, after))
    }

    fn mills(&self, mills: &AfterMills) -> io::Result<AfterMills> {
        let second = mills.two.as_ref().map_or(&AfterRemoval::Never, |two| &two.second);
        let [one, second] =
            [&mills.one, second].map(|after| after.as_ref().try_map(|child| self.child(child)));
        AfterMills::new(self.ruleset, one?, second?, self.processor, self.pool)
    }

    /// The far codes of a subspace, or what its near codes mean as far codes.
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
