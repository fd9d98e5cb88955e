//! `/api/stats`: what the databases hold, from their list and their headers.

use axum::Json;
use axum::extract::State;
use merels_core::{Plies, Subspace};
use merels_db::{DbError, Expectation, Folder, Manifest, Table, TableInfo};
use serde::Serialize;

use super::{NoParameters, Parameters};
use crate::{ApiError, Explorer};

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    ruleset: String,
    /// None if there are no databases.
    edition: Option<&'static str>,
    /// By stones in hand, then by stones on the board.
    subspaces: Vec<Counts>,
    totals: Totals,
}

/// What is known of a subspace. Outcomes are those of the side to move.
#[derive(Debug, Serialize)]
struct Counts {
    subspace: String,
    /// Stones on the board and in hand: of the side to move, and of the other.
    mover: u8,
    other: u8,
    mover_hand: u8,
    other_hand: u8,
    #[serde(flatten)]
    totals: Totals,
}

/// Sums over positions up to symmetry.
#[derive(Debug, Default, Serialize)]
struct Totals {
    entries: u64,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<u16>,
    longest_loss: Option<u16>,
    size_bytes: u64,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
) -> Result<Json<Answer>, ApiError> {
    let ruleset = explorer.ruleset().to_string();
    let look_up = explorer.look_up(move |oracle| {
        let Some(tables) = oracle.source().tables() else {
            let totals = Totals::default();
            return Ok(Answer { ruleset, edition: None, subspaces: Vec::new(), totals });
        };
        let folder = tables.folder();
        let mut infos = all(folder)?;
        infos.sort_by_key(|info| order(info.subspace));
        Ok(Answer {
            ruleset,
            edition: Some(folder.edition().name()),
            totals: infos.iter().map(Totals::of).fold(Totals::default(), Totals::and),
            subspaces: infos.iter().map(Counts::of).collect(),
        })
    });
    look_up.await.map(Json)
}

/// What the tables of a folder hold. Most is in the list of the folder; a table that a running solver has
/// made is not yet.
pub(super) fn all(folder: &Folder) -> Result<Vec<TableInfo>, DbError> {
    let manifest = folder.load_manifest()?;
    let present = folder.subspaces_present()?.into_iter();
    present.map(|subspace| of(folder, &manifest, subspace)).collect()
}

fn of(folder: &Folder, manifest: &Manifest, subspace: Subspace) -> Result<TableInfo, DbError> {
    if let Some(info) = manifest.get(subspace) {
        return Ok(info.clone());
    }
    let ruleset = *folder.ruleset();
    let expectation = Expectation { ruleset, subspace, edition: None, entries: None };
    Ok(Table::open(&folder.path_of(subspace), &expectation)?.info())
}

fn order(subspace: Subspace) -> impl Ord {
    (subspace.mover_hand() + subspace.other_hand(), subspace.on_board(), subspace)
}

impl Counts {
    fn of(info: &TableInfo) -> Self {
        let subspace = info.subspace;
        Self {
            subspace: subspace.to_string(),
            mover: subspace.mover(),
            other: subspace.other(),
            mover_hand: subspace.mover_hand(),
            other_hand: subspace.other_hand(),
            totals: Totals::of(info),
        }
    }
}

impl Totals {
    fn of(info: &TableInfo) -> Self {
        let statistics = &info.statistics;
        Self {
            entries: info.entries,
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            longest_win: statistics.longest_win.map(|Plies(plies)| plies),
            longest_loss: statistics.longest_loss.map(|Plies(plies)| plies),
            size_bytes: info.size,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            entries: self.entries + other.entries,
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
            size_bytes: self.size_bytes + other.size_bytes,
        }
    }
}
