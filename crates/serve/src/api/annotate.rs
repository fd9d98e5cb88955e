//! `/api/annotate`: judges a game move by move.

use axum::Json;
use axum::extract::State;
use merels_core::GameRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::body::Body;
use crate::api::question::{NoParameters, Parameters, Points};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::AnnotatedGame;

/// The most plies of a game in one request.
const MOST_PLIES: usize = 2000;

/// The text of a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the field `game`")]
#[schemars(rename = "AnnotateRequest", extend("examples" = [{ "game": "1. d6 f4 2. d7 f2" }]))]
pub(crate) struct Question {
    /// The game, in any notation. If the text has several games, the first one is judged.
    game: String,
    /// The number of the first point, where numbers name points row by row from the top left.
    #[serde(default)]
    points: Points,
}

/// The first game of the request, with a judgement of each move.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "AnnotateAnswer")]
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
    Body(question): Body<Question>,
) -> Result<Json<Answer>, ApiError> {
    let look_up = explorer.look_up_many(move |oracle| {
        let options = question.points.read_options(oracle.ruleset());
        let records = GameRecord::read_all(&question.game, &options)?;
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
