//! Where the commands look positions up.

use merels_query::OnTheSpot;

use crate::shared::arguments::DatabaseArgs;

/// Databases where they exist; small missing subspaces are solved in memory.
pub(crate) type Oracle = merels_query::Oracle<OnTheSpot>;

/// The oracle for the folder and the rules of the command line.
///
/// # Errors
/// If there is a folder for these rules that cannot be used.
pub(crate) fn open(database: &DatabaseArgs) -> anyhow::Result<Oracle> {
    Ok(Oracle::open_or_solve(&database.db, database.ruleset)?)
}
