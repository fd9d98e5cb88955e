//! Where jobs find the subspaces that were solved before, and where they leave their own: a folder,
//! or memory.

use merels_core::{Plies, SubspaceIndex};
use merels_db::TableInfo;

use crate::error::SolverError;
use crate::report::{Observer, StageTimes};
use crate::rows::solved::Finished;

/// What is known of a subspace that was loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// No value has a longer distance.
    pub(crate) longest: Plies,
    /// Whether it has far codes, too.
    pub(crate) has_far: bool,
}

/// Where finished subspaces are.
pub(crate) trait Store {
    /// Puts the near codes of a finished subspace into `values`, as many as `index` has entries.
    fn load(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<Loaded, SolverError>;

    /// The same with its far codes, of a subspace that has them.
    fn load_far(&self, index: &SubspaceIndex, values: &mut [u8]) -> Result<(), SolverError>;

    /// Keeps what a job has solved, all of it or nothing; gives the tables that are new on disk, or will be
    /// shortly.
    fn keep(
        &self,
        job: &[Finished<'_>],
        observer: &dyn Observer,
        times: &mut StageTimes,
    ) -> Result<Vec<TableInfo>, SolverError>;
}
