//! `/api/random`: a position to practise with.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use fastrand::Rng;
use merels_core::{Outcome, Plies, Situation, Subspace, Value};
use merels_db::{Statistics, TableInfo};
use merels_query::QueryError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::entries::Entries;
use crate::api::folder::{distribution, infos};
use crate::api::question::{Parameters, seed_or_any};
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::explorer::Lookup;
use merels_json::{PositionParts, Worth};

/// Positions that are looked up together.
const BATCH: usize = 64;
/// The time for random attempts. A seed finds the same position each time if this time suffices.
const PATIENCE: Duration = Duration::from_secs(2);

/// The parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The outcome for the side to move. The default is any.
    outcome: Option<AskedOutcome>,
    /// The smallest distance, in plies.
    #[schemars(extend("default" = 0))]
    min: Option<u16>,
    /// The largest distance, in plies.
    #[schemars(range(min = 1), extend("default" = u16::MAX))]
    max: Option<u16>,
    /// The subspace. The default is any.
    subspace: Option<String>,
    /// The same number finds the same position, unless the search takes too long. The default is a
    /// random number.
    #[schemars(extend("maximum" = u64::MAX))]
    seed: Option<u64>,
}

/// An outcome for the side to move.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AskedOutcome {
    Win,
    Draw,
    Loss,
}

/// A position, and its value for the side to move.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RandomAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    #[serde(flatten)]
    place: PositionParts,
    /// For the side to move.
    #[serde(flatten)]
    worth: Worth,
    /// The seed.
    seed: u64,
}

/// The values wanted.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    outcome: Option<Outcome>,
    min: u16,
    max: u16,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(question): Parameters<Question>,
) -> Result<Json<Answer>, ApiError> {
    let wanted = Wanted::of(&question)?;
    if wanted.is_limited() && !explorer.has_distances() {
        let problem = "the edition of the databases keeps no distances: omit min and max";
        return Err(ApiError::Request(problem.into()));
    }
    let subspace = question.subspace.as_deref().map(str::parse::<Subspace>).transpose()?;
    let seed = seed_or_any(question.seed);
    let look_up = explorer.look_up_many(move |oracle| {
        let mut rng = Rng::with_seed(seed);
        let (position, value) = find(oracle, wanted, subspace, &mut rng)?;
        let ruleset = oracle.ruleset();
        let place = PositionParts::new(ruleset, &position);
        Ok(Answer { ruleset: ruleset.to_string(), place, worth: value.into(), seed })
    });
    look_up.await.map(Json)
}

/// Finds a position of a wanted value.
fn find(
    oracle: &Lookup,
    wanted: Wanted,
    asked: Option<Subspace>,
    rng: &mut Rng,
) -> Result<(Situation, Value), ApiError> {
    let ruleset = oracle.ruleset();
    if let Some(asked) = asked
        && Entries::of(ruleset, asked).is_none()
    {
        return Err(ApiError::Request(format!("the game has no subspace {asked}")));
    }
    let candidates = candidates(oracle, wanted, asked)?;
    let begin = Instant::now();
    let mut tried = 0;
    while tried == 0 || begin.elapsed() < PATIENCE {
        let Some(&subspace) = rng.choice(&candidates) else { break };
        let Some(entries) = Entries::of(ruleset, subspace) else { break };
        let positions: Vec<_> = (0..BATCH).filter_map(|_| entries.any(rng)).collect();
        tried += BATCH;
        let values = oracle.values(&positions);
        for (position, value) in positions.into_iter().zip(values) {
            let value = value?;
            if wanted.includes(value) && ruleset.ending(position.position()).is_none() {
                return Ok((position, value));
            }
        }
    }
    if let Some(found) = longest(oracle, wanted, &candidates)? {
        return Ok(found);
    }
    let place = asked.map(|subspace| format!(" in {subspace}")).unwrap_or_default();
    let problem = if candidates.is_empty() {
        format!("there is no such position{place}")
    } else {
        format!("no such position{place} was found among {tried} random ones")
    };
    Err(ApiError::NoneFound(problem))
}

/// Finds rare positions among the longest wins and losses, whose entries the tables name.
fn longest(
    oracle: &Lookup,
    wanted: Wanted,
    candidates: &[Subspace],
) -> Result<Option<(Situation, Value)>, ApiError> {
    for &subspace in candidates {
        let Some(counted) = distribution(oracle, subspace)? else { continue };
        let Some(entries) = Entries::of(oracle.ruleset(), subspace) else { continue };
        let known = [counted.longest_win, counted.longest_loss].into_iter().flatten();
        for position in known.filter_map(|entry| entries.position(entry)) {
            let value = oracle.value(position)?;
            if wanted.includes(value) && oracle.ruleset().ending(position.position()).is_none() {
                return Ok(Some((position, value)));
            }
        }
    }
    Ok(None)
}

/// The subspaces that may have such positions. Without databases these are all that can be solved
/// on the spot.
fn candidates(
    oracle: &Lookup,
    wanted: Wanted,
    asked: Option<Subspace>,
) -> Result<Vec<Subspace>, ApiError> {
    let infos = match oracle.source().databases().tables() {
        Some(tables) => infos(&tables.folder())?,
        None => Vec::new(),
    };
    if let Some(asked) = asked {
        let known = infos.iter().find(|info| info.subspace == asked);
        let possible = match known {
            Some(info) => may_be_in(oracle, wanted, info)?,
            None => true,
        };
        return Ok(if possible { vec![asked] } else { Vec::new() });
    }
    if infos.is_empty() {
        return solved_on_the_spot(oracle);
    }
    let mut found = Vec::new();
    for info in &infos {
        if may_be_in(oracle, wanted, info)? {
            found.push(info.subspace);
        }
    }
    Ok(found)
}

/// Whether a table can have such a position, by its distribution of values or, without one, by its
/// statistics.
fn may_be_in(oracle: &Lookup, wanted: Wanted, info: &TableInfo) -> Result<bool, ApiError> {
    if !wanted.may_be_in(&info.statistics) {
        return Ok(false);
    }
    // The statistics decide for large distances.
    if wanted.max == u16::MAX {
        return Ok(true);
    }
    let Some(counted) = distribution(oracle, info.subspace)? else { return Ok(true) };
    let is_over = |value: Value| value.distance() == Some(Plies(0));
    let mut values = counted.histogram.iter().map(|(value, _)| value);
    Ok(values.any(|value| wanted.includes(value) && !is_over(value)))
}

/// The subspaces of the moving phase that can be solved on the spot.
fn solved_on_the_spot(oracle: &Lookup) -> Result<Vec<Subspace>, ApiError> {
    let mut found = Vec::new();
    for subspace in Subspace::all_moving(oracle.ruleset()) {
        let Some(entries) = Entries::of(oracle.ruleset(), subspace) else { continue };
        let position = (0..entries.len()).find_map(|entry| {
            let position = entries.position(entry)?;
            oracle.ruleset().ending(position.position()).is_none().then_some(position)
        });
        let Some(position) = position else { continue };
        match oracle.value(position) {
            Ok(_) => found.push(subspace),
            Err(QueryError::Missing(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

impl Wanted {
    fn of(question: &Question) -> Result<Self, ApiError> {
        let outcome = question.outcome.map(|outcome| match outcome {
            AskedOutcome::Win => Outcome::Win,
            AskedOutcome::Draw => Outcome::Draw,
            AskedOutcome::Loss => Outcome::Loss,
        });
        let limited = question.min.is_some() || question.max.is_some();
        if limited && outcome == Some(Outcome::Draw) {
            return Err(ApiError::Request("a draw has no distance: omit min and max".into()));
        }
        let (min, max) = (question.min.unwrap_or(0), question.max.unwrap_or(u16::MAX));
        if max == 0 {
            let problem = "a game that is not over takes at least one ply: max must be at least 1";
            return Err(ApiError::Request(problem.into()));
        }
        if min > max {
            return Err(ApiError::Request(format!("min is {min}, but max is only {max}")));
        }
        Ok(Self { outcome, min, max })
    }

    /// Whether the distance is limited.
    const fn is_limited(self) -> bool {
        self.min > 0 || self.max < u16::MAX
    }

    fn includes(self, value: Value) -> bool {
        let outcome = self.outcome.is_none_or(|outcome| outcome == value.outcome());
        let distance = value.distance().map(|Plies(plies)| plies);
        let in_limits = distance.is_some_and(|plies| (self.min..=self.max).contains(&plies));
        outcome && (in_limits || !self.is_limited())
    }

    /// Whether a subspace with these statistics can have such a position.
    fn may_be_in(self, counts: &Statistics) -> bool {
        let long_enough =
            |longest: Option<Plies>| longest.is_some_and(|Plies(plies)| plies >= self.min);
        let win = counts.wins > 0 && long_enough(counts.longest_win);
        let loss = counts.losses > 0 && long_enough(counts.longest_loss);
        let draw = counts.draws > 0 && !self.is_limited();
        match self.outcome {
            Some(Outcome::Win) => win,
            Some(Outcome::Draw) => draw,
            Some(Outcome::Loss) => loss,
            None => win || draw || loss,
        }
    }
}
