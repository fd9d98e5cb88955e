//! The interface to solved subspaces: jobs load what was solved before, and leave their results.
//! They are kept in a folder or in memory.

use merels_core::Plies;
use merels_core::numbering::{Codes, SubspaceIndex};
use merels_db::TableInfo;

use crate::error::SolverError;
use crate::report::{Observer, StageTimes};
use crate::rows::solved::Solved;

/// The description of a finished subspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    /// No value has a longer distance.
    pub(crate) longest: Plies,
    /// Whether it has far codes.
    pub(crate) has_far: bool,
}

/// A place for finished subspaces.
pub(crate) trait Store {
    /// Describes a finished subspace before it is loaded.
    fn describe(&self, index: &SubspaceIndex) -> Result<Description, SolverError>;

    /// Reads the codes of all entries of a finished subspace, far codes if it has them.
    fn load(&self, index: &SubspaceIndex, codes: Codes<&mut [u8]>) -> Result<(), SolverError>;

    /// Keeps the results of a job, all or nothing. Returns the tables that are new on disk, now or
    /// shortly.
    fn keep(
        &self,
        solved: &[Solved],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError>;
}
