//! `/api/annotate`: judges a game move by move.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::StringRejection;
use merels_core::Game;

use crate::api::question::{NoParameters, Parameters};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::AnnotatedGame;

/// The most plies of a game in one request.
const MOST_PLIES: usize = 2000;

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
    body: Result<String, StringRejection>,
) -> Result<Json<AnnotatedGame>, ApiError> {
    let text = body?;
    let look_up = explorer.look_up(move |oracle| {
        let game = Game::parse(&text, oracle.ruleset())?;
        let plies = game.steps().len();
        if plies > MOST_PLIES {
            let problem = format!("the game has {plies} plies; the limit is {MOST_PLIES}");
            return Err(ApiError::Request(problem));
        }
        let annotation = oracle.annotate(&game)?;
        Ok(AnnotatedGame::new(&game, &annotation))
    });
    look_up.await.map(Json)
}
