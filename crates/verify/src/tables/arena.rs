//! The tables of all successors of a subspace, one behind the other.

use memmap2::MmapMut;
use merels_core::numbering::{Codes, ValueCode};

use crate::error::VerifyError;
use crate::fast::checker::Checker;
use crate::fast::reach::{OVER, Successor};

/// The codes that a [`Checker`] reads.
#[derive(Debug)]
pub(crate) struct Arena(Codes<MmapMut>);

impl Arena {
    /// Room for the codes of all successors: near codes, and far codes if `is_double`.
    pub(crate) fn new(checker: &Checker, is_double: bool) -> Result<Self, VerifyError> {
        let subspace = checker.index().subspace();
        let memory = |source| VerifyError::Memory { subspace, source };
        let codes = Codes::try_new(is_double, || {
            let mut map = MmapMut::map_anon(checker.reach().len()).map_err(memory)?;
            // Only advice: large pages save most of the misses of the translation buffer.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            map[OVER as usize] = ValueCode::LOST.byte();
            Ok::<_, VerifyError>(map)
        })?;
        Ok(Self(codes))
    }

    /// The codes of one successor, to be filled.
    pub(crate) fn table_mut(&mut self, successor: &Successor) -> Codes<&mut [u8]> {
        let (first, entries) = (successor.first as usize, successor.index.entries() as usize);
        self.0.as_mut().map(|map| &mut map[first..][..entries])
    }

    /// The codes by place.
    pub(crate) fn codes(&self) -> Codes<&[u8]> {
        self.0.slices()
    }
}
