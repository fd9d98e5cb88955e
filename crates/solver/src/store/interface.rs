//! The interface to solved subspaces: jobs load what was solved before, and leave their results.
//! They are kept in a folder or in memory.

use merels_core::{Plies, SubspaceIndex};
use merels_db::TableInfo;

use crate::error::SolverError;
use crate::report::{Observer, StageTimes};
use crate::rows::solved::Solved;

/// What a store knows of a loaded subspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// An upper bound of the distances.
    pub(crate) longest: Plies,
    /// Whether it has far codes.
    pub(crate) has_far: bool,
}

/// A place for finished subspaces.
pub(crate) trait Store {
    /// Puts the near codes of a finished subspace into `values`, one for each entry.
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<Loaded, SolverError>;

    /// Puts the far codes of a subspace that has them into `values`.
    fn load_far(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError>;

    /// Keeps the results of a job, all or nothing. Returns the tables that are new on disk, now or
    /// shortly.
    fn keep(
        &self,
        solved: &[Solved],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError>;
}
