//! `/api/line`: the line of best play.

use axum::Json;
use axum::extract::State;
use merels_query::Line;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::question::{Parameters, WhichPosition};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::{Principal, Worth};

/// The line of best play, and the value of its first position for the side to move there.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "LineAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    /// The first position of the line.
    position: String,
    /// For the side to move there.
    #[serde(flatten)]
    worth: Worth,
    #[serde(flatten)]
    principal: Principal,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(which): Parameters<WhichPosition>,
) -> Result<Json<Answer>, ApiError> {
    let look_up = explorer.look_up(move |oracle| {
        let game = which.game(oracle.ruleset())?;
        let (ruleset, situation) = (game.ruleset(), game.situation());
        let line = oracle.line(*situation, Line::DRAWN_PLIES)?;
        Ok(Answer {
            ruleset: ruleset.to_string(),
            position: situation.text(ruleset).to_string(),
            worth: line.value.into(),
            principal: Principal::new(ruleset, &line),
        })
    });
    look_up.await.map(Json)
}
