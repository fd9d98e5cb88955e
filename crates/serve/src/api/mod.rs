//! The addresses under `/api`.

mod annotate;
mod best;
mod histogram;
mod line;
mod position;
mod random;
mod rules;
mod sampling;
mod stats;

use axum::Router;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::routing::{get, post};
use merels_core::{Game, Ruleset, Situation};
use merels_db::Edition;
use merels_query::Analysis;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::explorer::Lookup;
use crate::{ApiError, Explorer};

/// All of them.
pub(crate) fn routes(explorer: Explorer) -> Router {
    Router::new()
        .route("/rules", get(rules::answer))
        .route("/position", get(position::answer))
        .route("/moves", get(position::moves))
        .route("/line", get(line::answer))
        .route("/best", get(best::answer))
        .route("/random", get(random::answer))
        .route("/stats", get(stats::answer))
        .route("/histogram", get(histogram::answer))
        .route("/annotate", post(annotate::answer))
        .with_state(explorer)
}

/// The parameters of an address. What is wrong with them is told as all errors are.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Query(parameters) = Query::from_request_parts(parts, state).await?;
        Ok(Self(parameters))
    }
}

/// For addresses that take no parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoParameters {}

/// Which position is asked about.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichPosition {
    /// The position, in any notation; the start of the game if there is none.
    #[serde(alias = "position")]
    fen: Option<String>,
    /// Moves that are made in it.
    moves: Option<String>,
}

impl WhichPosition {
    /// The game that leads from the position along the moves.
    ///
    /// # Errors
    /// What is wrong with either.
    pub(crate) fn game(&self, ruleset: &Ruleset) -> Result<Game, ApiError> {
        game(ruleset, self.fen.as_deref(), self.moves.as_deref())
    }
}

/// The game that leads from a position, or from the start, along the moves.
fn game(ruleset: &Ruleset, start: Option<&str>, moves: Option<&str>) -> Result<Game, ApiError> {
    let situation = match start {
        Some(text) => Situation::parse(text, ruleset)?,
        None => Situation::start(ruleset),
    };
    let game = Game::starting_at(ruleset, situation);
    Ok(game.followed_by(moves.unwrap_or(""))?)
}

/// A seed: the one that was asked for, or any. Small enough for every reader of JSON to keep.
fn seed_or_any(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(|| fastrand::u64(..1 << 32))
}

/// The edition of the databases that answer for a situation; none if it was solved on the spot, or is
/// over.
fn edition_of(oracle: &Lookup, analysis: &Analysis) -> Option<&'static str> {
    let situation = analysis.situation();
    // A move that is not finished has no entry of its own.
    let looked_up = match analysis.choices().first() {
        Some(choice) if situation.is_pending() => choice.position,
        _ => *situation.position(),
    };
    oracle.source().databases().edition_of(looked_up.subspace()).map(Edition::name)
}
