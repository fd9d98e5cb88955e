//! `/api/stats`: counts of the databases, from the manifest and headers.

use axum::Json;
use axum::extract::State;
use merels_core::Subspace;
use merels_db::TableInfo;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::folder;
use crate::api::question::{NoParameters, Parameters};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::Counts;

/// The counts of the databases.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "StatsAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    /// The edition; `null` without databases.
    #[schemars(extend("enum" = ["full", "compact", "outcome", "statistics", null]))]
    edition: Option<&'static str>,
    /// The counts of each, by stones in hand, then by stones on the board.
    subspaces: Vec<Row>,
    /// The sums; the longest distances of all.
    totals: Counts,
}

/// The counts of a subspace.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "SubspaceCounts")]
struct Row {
    /// Its name.
    subspace: String,
    /// Stones of the side to move on the board.
    mover: u8,
    /// Stones of the other side on the board.
    other: u8,
    /// Stones of the side to move in hand.
    mover_hand: u8,
    /// Stones of the other side in hand.
    other_hand: u8,
    #[serde(flatten)]
    counts: Counts,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
) -> Result<Json<Answer>, ApiError> {
    let ruleset = explorer.ruleset().to_string();
    let look_up = explorer.look_up(move |oracle| {
        let Some(tables) = oracle.source().databases().tables() else {
            let totals = Counts::default();
            return Ok(Answer { ruleset, edition: None, subspaces: Vec::new(), totals });
        };
        let folder = tables.folder();
        let mut infos = folder::infos(&folder)?;
        infos.sort_by_key(|info| order(info.subspace));
        Ok(Answer {
            ruleset,
            edition: Some(folder.edition().name()),
            totals: infos.iter().map(Counts::from).sum(),
            subspaces: infos.iter().map(Row::of).collect(),
        })
    });
    look_up.await.map(Json)
}

fn order(subspace: Subspace) -> impl Ord {
    (subspace.mover_hand() + subspace.other_hand(), subspace.on_board(), subspace)
}

impl Row {
    fn of(info: &TableInfo) -> Self {
        let subspace = info.subspace;
        Self {
            subspace: subspace.to_string(),
            mover: subspace.mover(),
            other: subspace.other(),
            mover_hand: subspace.mover_hand(),
            other_hand: subspace.other_hand(),
            counts: info.into(),
        }
    }
}
