//! The inputs of a job, with far codes instead of near codes.
//!
//! The best of several values has the best far code, too. So only the values change: this module
//! replaces the codes of each subspace, and computes the dependent tables again.

use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use crate::job::AfterRemoval;
use crate::moving::conversions::Conversions;
use crate::placing::inputs::PlacingInputs;
use crate::removing::double::AfterMills;
use crate::rows::setup::Setup;
use crate::rows::solved::Child;

/// Bytes of a table that one task maps to far codes.
const CHUNK: usize = 1 << 20;

/// Inputs by far codes. Every method fails if the system does not grant the memory.
impl Setup<'_> {
    /// Conversions by far codes.
    pub(crate) fn far_conversions(&self, conversions: &Conversions) -> io::Result<Conversions> {
        let placing = conversions.placing.as_ref().map(|inputs| self.far_placing(inputs));
        Ok(Conversions {
            mills: self.far_mills(&conversions.mills)?,
            placing: placing.transpose()?,
        })
    }

    /// Placings by far codes.
    pub(crate) fn far_placing(&self, inputs: &PlacingInputs) -> io::Result<PlacingInputs> {
        let (placed, after) = (self.far_child(&inputs.placed)?, self.far_mills(&inputs.after)?);
        Ok(PlacingInputs::new(self.ruleset, inputs.subspace, placed, after))
    }

    fn far_mills(&self, mills: &AfterMills) -> io::Result<AfterMills> {
        let second = mills.two.as_ref().map_or(&AfterRemoval::Never, |two| &two.second);
        let [one, second] =
            [&mills.one, second].map(|after| after.as_ref().try_map(|child| self.far_child(child)));
        AfterMills::new(self, one?, second?)
    }

    /// The far codes of a subspace, or its near codes mapped to far codes.
    fn far_child(&self, child: &Arc<Child>) -> io::Result<Arc<Child>> {
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
