//! `/api/line`: what follows if both sides play perfectly.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::{Parameters, WhichPosition};
use crate::{ApiError, Explorer};
use merels_json::{Principal, Worth};

/// The most plies of a drawn line. As the first of the best moves is played in every position, it comes
/// back to an earlier one long before.
const DRAWN_PLIES: usize = 1000;

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    ruleset: String,
    /// Where the line begins.
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
        let line = oracle.line(*situation, DRAWN_PLIES)?;
        Ok(Answer {
            ruleset: ruleset.to_string(),
            position: situation.text(ruleset).to_string(),
            worth: line.value.into(),
            principal: Principal::new(ruleset, &line),
        })
    });
    look_up.await.map(Json)
}
