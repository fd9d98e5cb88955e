//! What requests have in common: their parameters, the position, the seed.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use merels_core::{Game, PointNumbers, ReadOptions, Ruleset};
use merels_db::Edition;
use merels_query::Survey;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParameters {}

/// The number of the first point, where numbers name points.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(inline, extend("maximum" = 1))]
pub(super) struct Points(PointNumbers);

impl TryFrom<u8> for Points {
    type Error = String;

    fn try_from(first: u8) -> Result<Self, String> {
        match first {
            0 => Ok(Self(PointNumbers::FromZero)),
            1 => Ok(Self(PointNumbers::FromOne)),
            _ => Err(format!("the first point has the number 0 or 1, not {first}")),
        }
    }
}

impl From<Points> for u8 {
    fn from(Points(numbers): Points) -> Self {
        Self::from(numbers != PointNumbers::FromZero)
    }
}

impl Points {
    /// How to read positions and games of the server's rules.
    pub(super) const fn read_options(self, ruleset: &Ruleset) -> ReadOptions {
        ReadOptions { points: self.0, ..ReadOptions::given(ruleset) }
    }
}

/// The position that a request is about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhichPosition {
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
}

impl WhichPosition {
    /// The game that leads from the position along the moves.
    ///
    /// # Errors
    /// If the position or a move is wrong.
    pub(super) fn game(&self, ruleset: &Ruleset) -> Result<Game, ApiError> {
        game(ruleset, self.points, self.fen.as_deref(), self.moves.as_deref())
    }
}

/// The game that leads from a position, or from the start, along the moves.
pub(super) fn game(
    ruleset: &Ruleset,
    points: Points,
    start: Option<&str>,
    moves: Option<&str>,
) -> Result<Game, ApiError> {
    let options = points.read_options(ruleset);
    let game = Game::to_position(start.unwrap_or("startpos"), &options)?;
    Ok(game.followed_by(moves.unwrap_or(""), options.points)?)
}

/// The seed of the request, or a random one. It is small enough for every JSON reader.
pub(super) fn seed_or_any(seed: Option<u64>) -> u64 {
    seed.unwrap_or_else(|| fastrand::u64(..1 << 32))
}

/// The edition of the databases that answer for a situation; none if it was solved on the spot, or
/// if the game is over.
pub(super) fn edition_of(oracle: &Lookup, survey: &Survey) -> Option<&'static str> {
    let subspace = survey.looked_up().subspace();
    oracle.source().databases().edition_of(subspace).map(Edition::name)
}
