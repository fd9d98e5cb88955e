//! The result of a whole game: the empty board, its first moves, the longest wins and losses.

use std::path::Path;

use merels_core::{Plies, Ruleset, Subspace};
use merels_db::TableInfo;
use merels_query::{Opening, Oracle, QueryError};

/// The result of a game that is solved to the empty board.
#[derive(Debug)]
pub(super) struct GameReport {
    /// The empty board and the first moves.
    pub(super) opening: Opening,
    /// The longest win over all subspaces; none if nothing is won.
    pub(super) longest_win: Option<Longest>,
    /// The longest loss.
    pub(super) longest_loss: Option<Longest>,
}

/// The longest win or loss, and its subspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Longest {
    pub(super) subspace: Subspace,
    pub(super) plies: Plies,
}

impl GameReport {
    /// The report on the databases for `ruleset` in `db`, which have at least `tables`, the empty
    /// board included.
    pub(super) fn new(
        db: &Path,
        ruleset: Ruleset,
        tables: &[TableInfo],
    ) -> Result<Self, QueryError> {
        Ok(Self {
            opening: Oracle::open(db, ruleset)?.opening()?,
            longest_win: longest(tables, |info| info.statistics.longest_win),
            longest_loss: longest(tables, |info| info.statistics.longest_loss),
        })
    }
}

/// The longest of these distances; the first if there are several.
fn longest(tables: &[TableInfo], of: impl Fn(&TableInfo) -> Option<Plies>) -> Option<Longest> {
    let mut longest: Option<Longest> = None;
    for info in tables {
        if let Some(plies) = of(info)
            && longest.is_none_or(|longest| longest.plies < plies)
        {
            longest = Some(Longest { subspace: info.subspace, plies });
        }
    }
    longest
}
