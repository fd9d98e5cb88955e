//! What requests have in common: their parameters, the position, the seed.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use merels_core::{Game, PointNumbers, ReadOptions, Ruleset};
use merels_db::Edition;
use merels_query::Analysis;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::explorer::Lookup;

/// The parameters of an address. Wrong ones are refused like any other wrong request.
pub(super) struct Parameters<T>(pub(super) T);

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
pub(super) struct NoParameters {}

/// The position that a request is about.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WhichPosition {
    /// The position, in any notation; by default the start of the game.
    #[serde(alias = "position")]
    fen: Option<String>,
    /// The moves that follow it.
    moves: Option<String>,
}

impl WhichPosition {
    /// The game that leads from the position along the moves.
    ///
    /// # Errors
    /// If the position or a move is wrong.
    pub(super) fn game(&self, ruleset: &Ruleset) -> Result<Game, ApiError> {
        game(ruleset, self.fen.as_deref(), self.moves.as_deref())
    }
}

/// The game that leads from a position, or from the start, along the moves.
pub(super) fn game(
    ruleset: &Ruleset,
    start: Option<&str>,
    moves: Option<&str>,
) -> Result<Game, ApiError> {
    let game = Game::to_position(start.unwrap_or("startpos"), &ReadOptions::given(ruleset))?;
    Ok(game.followed_by(moves.unwrap_or(""), PointNumbers::FromOne)?)
}

/// The seed of the request, or a random one. It is small enough for every JSON reader.
pub(super) fn seed_or_any(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| fastrand::u64(..1 << 32))
}

/// The edition of the databases that answer for a situation; none if it was solved on the spot, or
/// if the game is over.
pub(super) fn edition_of(oracle: &Lookup, analysis: &Analysis) -> Option<&'static str> {
    let subspace = analysis.looked_up().subspace();
    oracle.source().databases().edition_of(subspace).map(Edition::name)
}
