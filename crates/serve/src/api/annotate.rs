//! `/api/annotate`: judges a game move by move.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::StringRejection;
use merels_core::{GameRecord, ReadOptions};
use serde::Serialize;

use crate::api::question::{NoParameters, Parameters};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::AnnotatedGame;

/// The most plies of a game in one request.
const MOST_PLIES: usize = 2000;

/// The first game of the request.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    #[serde(flatten)]
    judged: AnnotatedGame,
    /// How many games the text has.
    games: usize,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
    body: Result<String, StringRejection>,
) -> Result<Json<Answer>, ApiError> {
    let text = body?;
    let look_up = explorer.look_up_many(move |oracle| {
        let records = GameRecord::read_all(&text, &ReadOptions::given(oracle.ruleset()))?;
        let games = records.len();
        let game = records.into_iter().next().map(|record| record.game);
        let game = game.expect("a text without a game is refused");
        let plies = game.steps().len();
        if plies > MOST_PLIES {
            let problem = format!("the game has {plies} plies; the limit is {MOST_PLIES}");
            return Err(ApiError::Request(problem));
        }
        let annotation = oracle.annotate(&game)?;
        Ok(Answer { judged: AnnotatedGame::new(&game, &annotation), games })
    });
    look_up.await.map(Json)
}
