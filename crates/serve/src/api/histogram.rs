//! `/api/histogram`: how often each value occurs in a subspace.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use fastrand::Rng;
use merels_core::{Outcome, Plies, Ruleset, Situation, Subspace, Value};
use serde::{Deserialize, Serialize};

use crate::api::entries::Entries;
use crate::api::folder::distribution;
use crate::api::question::{Parameters, seed_or_any};
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::explorer::Lookup;

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
    /// How many positions are counted, those that are the same by symmetry once (of a sample: as often as they were drawn).
    positions: u64,
    /// Whether these are all.
    complete: bool,
    /// What a sample was drawn by.
    seed: Option<u64>,
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

impl Answer {
    fn new(ruleset: &Ruleset, subspace: Subspace, seed: Option<u64>) -> Self {
        Self {
            ruleset: ruleset.to_string(),
            subspace: subspace.to_string(),
            positions: 0,
            complete: seed.is_none(),
            seed,
            wins: Counts::default(),
            draws: 0,
            losses: Counts::default(),
        }
    }

    fn add(&mut self, value: Value, times: u64) {
        self.positions += times;
        let counts = match value.outcome() {
            Outcome::Draw => {
                self.draws += times;
                return;
            }
            Outcome::Win => &mut self.wins,
            Outcome::Loss => &mut self.losses,
        };
        counts.total += times;
        if let Some(Plies(plies)) = value.distance() {
            *counts.by_distance.entry(plies).or_default() += times;
        }
    }
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(question): Parameters<Question>,
) -> Result<Json<Answer>, ApiError> {
    let subspace: Subspace = question.subspace.parse()?;
    if question.sample.is_some_and(|sample| sample == 0 || sample > MOST) {
        let problem = format!("sample: from 1 to {MOST} entries can be looked at");
        return Err(ApiError::Request(problem));
    }
    explorer.look_up(move |oracle| count(oracle, subspace, &question)).await.map(Json)
}

fn count(oracle: &Lookup, subspace: Subspace, question: &Question) -> Result<Answer, ApiError> {
    let ruleset = oracle.ruleset();
    let no_such = || ApiError::Request(format!("the game has no subspace {subspace}"));
    let entries = Entries::of(ruleset, subspace).ok_or_else(no_such)?;
    // Whoever wants a sample gets one, and otherwise what the table says of all its values.
    if question.sample.is_none()
        && let Some(counted) = distribution(oracle, subspace)?
    {
        let mut answer = Answer::new(ruleset, subspace, None);
        counted.histogram.iter().for_each(|(value, times)| answer.add(value, times));
        return Ok(answer);
    }
    let sample = question.sample.unwrap_or(USUAL);
    let (positions, seed): (Vec<Situation>, _) = if entries.len() <= sample {
        let first = (0..entries.len()).filter(|&entry| entries.is_first(entry));
        (first.filter_map(|entry| entries.position(entry)).collect(), None)
    } else {
        let seed = seed_or_any(question.seed);
        let mut rng = Rng::with_seed(seed);
        ((0..sample).filter_map(|_| entries.any(&mut rng)).collect(), Some(seed))
    };
    let mut answer = Answer::new(ruleset, subspace, seed);
    // What is missing is missing for all of them, as a rule: the first one tells it.
    if let Some(&first) = positions.first() {
        oracle.value(first)?;
    }
    for value in oracle.values(&positions) {
        answer.add(value?, 1);
    }
    Ok(answer)
}
