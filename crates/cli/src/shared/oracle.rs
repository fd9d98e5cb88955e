//! Where the commands look positions up.

use merels_core::Ruleset;
use merels_query::{OnTheSpot, TableSource};

use crate::limits::raise_open_files;
use crate::shared::arguments::DatabaseArgs;

/// Open files besides tables: standard streams, and some to spare.
const OTHER_FILES: usize = 64;

/// Databases where they exist; small missing subspaces are solved in memory.
pub(crate) type Oracle = merels_query::Oracle<OnTheSpot>;

/// The oracle for the folder of the command line and these rules.
///
/// # Errors
/// If there is a folder for these rules that cannot be used.
pub(crate) fn open(database: &DatabaseArgs, ruleset: Ruleset) -> anyhow::Result<Oracle> {
    raise_open_files(TableSource::most_files(&ruleset) + OTHER_FILES);
    Ok(Oracle::open_or_solve(&database.existing_folder()?, ruleset)?)
}
