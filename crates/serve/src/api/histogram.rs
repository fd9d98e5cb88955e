//! `/api/histogram`: how often each value occurs in a subspace.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use fastrand::Rng;
use merels_core::{Outcome, Plies, Position, Subspace};
use merels_query::{OnTheSpot, Oracle};
use serde::{Deserialize, Serialize};

use super::sampling::{Entries, settled};
use super::{Parameters, seed_or_any};
use crate::{ApiError, Explorer};

/// The most entries that are looked at in one request: a second's work.
const MOST: u64 = 40_000;
/// So many unless told otherwise.
const USUAL: u64 = 20_000;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    subspace: String,
    /// How many entries to look at, if there are more.
    sample: Option<u64>,
    seed: Option<u64>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    ruleset: String,
    subspace: String,
    /// How many entries the subspace has.
    entries: u64,
    /// How many of them were looked at.
    looked_at: usize,
    /// Whether these are all.
    complete: bool,
    seed: u64,
    wins: Counts,
    draws: u64,
    losses: Counts,
}

/// How many positions there are of an outcome.
#[derive(Debug, Default, Serialize)]
struct Counts {
    total: u64,
    /// How many there are at each distance, in plies, for those whose distance is kept.
    by_distance: BTreeMap<u16, u64>,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(question): Parameters<Question>,
) -> Result<Json<Answer>, ApiError> {
    let subspace: Subspace = question.subspace.parse()?;
    let sample = question.sample.unwrap_or(USUAL);
    if sample == 0 || sample > MOST {
        let problem = format!("sample: from 1 to {MOST} entries can be looked at");
        return Err(ApiError::Request(problem));
    }
    let seed = seed_or_any(question.seed);
    explorer.look_up(move |oracle| count(oracle, subspace, sample, seed)).await.map(Json)
}

fn count(
    oracle: &Oracle<OnTheSpot>,
    subspace: Subspace,
    sample: u64,
    seed: u64,
) -> Result<Answer, ApiError> {
    let ruleset = oracle.ruleset();
    let no_such = || ApiError::Request(format!("the game has no subspace {subspace}"));
    let entries = Entries::of(ruleset, subspace).ok_or_else(no_such)?;
    let complete = entries.len() <= sample;
    let positions: Vec<Position> = if complete {
        (0..entries.len()).filter_map(|entry| entries.position(entry)).collect()
    } else {
        let mut rng = Rng::with_seed(seed);
        (0..sample).filter_map(|_| entries.any(&mut rng)).collect()
    };
    let mut answer = Answer {
        ruleset: ruleset.to_string(),
        subspace: subspace.to_string(),
        entries: entries.len(),
        looked_at: positions.len(),
        complete,
        seed,
        wins: Counts::default(),
        draws: 0,
        losses: Counts::default(),
    };
    for value in oracle.values(&settled(&positions)) {
        let value = value?;
        let counts = match value.outcome() {
            Outcome::Draw => {
                answer.draws += 1;
                continue;
            }
            Outcome::Win => &mut answer.wins,
            Outcome::Loss => &mut answer.losses,
        };
        counts.total += 1;
        if let Some(Plies(plies)) = value.distance() {
            *counts.by_distance.entry(plies).or_default() += 1;
        }
    }
    Ok(answer)
}
