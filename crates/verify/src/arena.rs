//! The tables of all successors of a subspace, one behind the other.

use memmap2::MmapMut;
use merels_core::ValueCode;

use crate::VerifyError;
use crate::coded::Coded;
use crate::database::Database;
use crate::fast::Checker;
use crate::reach::OVER;
use crate::restore::RestoredOtherwise;

/// The codes that a [`Checker`] reads.
#[derive(Debug)]
pub(crate) struct Arena {
    codes: Coded<MmapMut>,
    contradictions: Vec<RestoredOtherwise>,
}

/// Which values of the successors are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Successors {
    /// Those that their tables hold; the others are marked as left out.
    AsStored,
    /// All: what is left out is restored.
    Restored,
}

impl Arena {
    /// Decodes all successors' tables. If all their values are wanted, these are compared with each
    /// table's digest: checks rest on the very bytes that the digest names. There are far codes if a successor, or
    /// the subspace itself, has them.
    pub(crate) fn load(
        checker: &Checker,
        database: &Database<'_>,
        wanted: Successors,
    ) -> Result<Self, VerifyError> {
        let subspace = checker.index().subspace();
        let memory = |source| VerifyError::Memory { subspace, source };
        let is_double = database.takes_two_codes(subspace)?;
        let mut codes = Coded::made(is_double, || {
            let mut map = MmapMut::map_anon(checker.reach().len()).map_err(memory)?;
            // Only advice: large pages save most of the misses of the translation buffer.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            map[OVER as usize] = ValueCode::LOST.byte();
            Ok::<_, VerifyError>(map)
        })?;
        let mut contradictions = Vec::new();
        for successor in checker.reach().tables() {
            let open = database.successor(subspace, successor.index.subspace())?;
            let (first, entries) = (successor.first as usize, successor.index.entries() as usize);
            let values = codes.map_mut(|map| &mut map[first..][..entries]);
            match wanted {
                Successors::Restored => contradictions.extend(database.all_values(&open, values)?),
                Successors::AsStored => open.decode_all(values)?,
            }
        }
        Ok(Self { codes, contradictions })
    }

    /// The codes by place.
    pub(crate) fn codes(&self) -> Coded<&[u8]> {
        self.codes.view()
    }

    /// Tables whose restored values are not what was solved.
    pub(crate) fn contradictions(&self) -> &[RestoredOtherwise] {
        &self.contradictions
    }
}
