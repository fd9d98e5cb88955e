//! `/api/best`: the move that the program would play.

use axum::Json;
use axum::extract::State;
use fastrand::Rng;
use merels_query::pick;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::api::question::{Parameters, Points, game, seed_or_any};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::{MoveParts, Worth};

/// The parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The position, in any notation, also with moves behind it.
    #[serde(alias = "position")]
    #[schemars(extend("default" = "startpos", "x-also" = ["position"]))]
    fen: Option<String>,
    /// Moves to play first: the answer is for the position after them.
    #[schemars(extend("default" = ""))]
    moves: Option<String>,
    /// The number of the first point, where numbers name points row by row from the top left.
    #[serde(default)]
    points: Points,
    /// Decides between moves that are equally good in every respect. The default is a random
    /// number.
    #[schemars(extend("maximum" = u64::MAX))]
    seed: Option<u64>,
}

/// A move, with its value for the side that makes it. The distance counts the move.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "BestAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    /// The position of the request.
    before: String,
    #[serde(flatten)]
    parts: MoveParts,
    /// For the side that makes the move; the distance counts the move.
    #[serde(flatten)]
    worth: Worth,
    /// The position after it.
    position: String,
    /// The number of replies.
    replies: usize,
    /// The number of replies that are mistakes.
    mistakes: usize,
    /// The seed.
    seed: u64,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(question): Parameters<Question>,
) -> Result<Json<Answer>, ApiError> {
    let seed = seed_or_any(question.seed);
    let look_up = explorer.look_up(move |oracle| {
        let (start, moves) = (question.fen.as_deref(), question.moves.as_deref());
        let game = game(oracle.ruleset(), question.points, start, moves)?;
        if let Some(end) = game.end() {
            return Err(ApiError::Request(format!("there is no move: the game is over, {end}")));
        }
        let (ruleset, situation) = (game.ruleset(), game.situation());
        let analysis = oracle.analyse(*situation)?;
        let temptations = oracle.temptations(&analysis)?;
        let picked = pick(&temptations, &mut Rng::with_seed(seed));
        let picked = picked.expect("a game that is not over has a move");
        let after = situation.after(&picked.choice.choice);
        Ok(Answer {
            ruleset: ruleset.to_string(),
            before: situation.text(ruleset).to_string(),
            parts: MoveParts::new(ruleset.board.geometry(), &picked.choice.choice),
            worth: picked.choice.value.into(),
            position: after.text(ruleset).to_string(),
            replies: picked.replies,
            mistakes: picked.mistakes,
            seed,
        })
    });
    look_up.await.map(Json)
}
