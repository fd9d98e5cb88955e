//! The memory that a full verification needs.

use merels_core::Subspace;
use merels_core::numbering::{SubspaceIndex, binomial};

use crate::error::VerifyError;
use crate::fast::successors::needed;
use crate::tables::database::Database;

/// Fixed memory in addition to the successor tables: a segment, buffers, tables of classes, the
/// program.
const FIXED_MEMORY: u64 = 160 << 20;

/// Bytes of memory that checking `subspace` takes.
fn memory_of(database: &Database<'_>, subspace: Subspace) -> u64 {
    let board = database.ruleset().board;
    let entries = needed(database.ruleset(), subspace).into_iter();
    let entries = entries.map(|needs| SubspaceIndex::new(board, needs).entries());
    // For each set of the other side's stones, a word in the table of classes.
    let sets = binomial(board.geometry().point_count(), subspace.mover().max(subspace.other()));
    let restoring = needed(database.ruleset(), subspace).into_iter().chain([subspace]);
    let restoring = restoring.map(|needs| database.memory_to_restore(needs)).max().unwrap_or(0);
    let codes = entries.sum::<u64>() * database.codes_in_memory(subspace);
    codes + restoring + 8 * sets + FIXED_MEMORY
}

/// The memory that checking `subspace` takes, or an error if it exceeds `allowed`.
pub(crate) fn check_budget(
    database: &Database<'_>,
    subspace: Subspace,
    allowed: u64,
) -> Result<u64, VerifyError> {
    let needed = memory_of(database, subspace);
    if needed > allowed {
        return Err(VerifyError::Budget { subspace, needed, allowed });
    }
    Ok(needed)
}
