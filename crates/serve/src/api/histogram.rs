//! `/api/histogram`: the number of positions of each value in a subspace.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use fastrand::Rng;
use merels_core::{Outcome, Plies, Ruleset, Situation, Subspace, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::entries::Entries;
use crate::api::folder::distribution;
use crate::api::question::{Parameters, seed_or_any};
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::explorer::Lookup;

/// The largest sample of a request: about a second's work.
const MOST: u64 = 40_000;
/// Positions that are looked up together. After each piece the time is checked.
const PIECE: u64 = 1024;
/// The default size of a sample.
const USUAL: u64 = 20_000;

/// The parameters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The subspace.
    subspace: String,
    /// Counts this many random positions if the subspace has more entries. Without it the counts
    /// of the table answer, or a sample of 20,000 if there are none.
    #[schemars(range(min = 1, max = MOST))]
    sample: Option<u64>,
    /// The seed of the sample. The default is a random number.
    #[schemars(extend("maximum" = u64::MAX))]
    seed: Option<u64>,
}

/// How often each distance occurs in a subspace.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "HistogramAnswer")]
pub(crate) struct Answer {
    /// The rules.
    ruleset: String,
    /// The subspace.
    subspace: String,
    /// The number of positions counted. Those that are the same by symmetry count once; in a
    /// sample, as often as they were drawn.
    positions: u64,
    /// Whether all positions of the subspace are counted.
    complete: bool,
    /// The seed of the sample; `null` if all positions are counted.
    seed: Option<u64>,
    /// Positions that are won for the side to move.
    wins: Counts,
    /// Positions that are drawn.
    draws: u64,
    /// Positions that are lost for the side to move.
    losses: Counts,
}

/// The positions of an outcome.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[schemars(rename = "OutcomeCounts")]
struct Counts {
    /// The number of these positions.
    total: u64,
    /// The number at each distance in plies, if distances are kept.
    by_distance: BTreeMap<u16, u64>,
}

impl Answer {
    fn new(ruleset: &Ruleset, subspace: Subspace, seed: Option<u64>) -> Self {
        Self {
            ruleset: ruleset.to_string(),
            subspace: subspace.to_string(),
            positions: 0,
            complete: false,
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
        let problem = format!("sample must be from 1 to {MOST}");
        return Err(ApiError::Request(problem));
    }
    let time = explorer.counting();
    let counted = explorer.look_up_many(move |oracle| count(oracle, subspace, &question, time));
    counted.await.map(Json)
}

/// Counts the positions of a subspace, or a sample of them within `time`.
fn count(
    oracle: &Lookup,
    subspace: Subspace,
    question: &Question,
    time: Duration,
) -> Result<Answer, ApiError> {
    let begin = Instant::now();
    let ruleset = oracle.ruleset();
    let no_such = || ApiError::Request(format!("the game has no subspace {subspace}"));
    let entries = Entries::of(ruleset, subspace).ok_or_else(no_such)?;
    // If no sample is requested, the table's own distribution of all values answers.
    if question.sample.is_none()
        && let Some(counted) = distribution(oracle, subspace)?
    {
        let mut answer = Answer::new(ruleset, subspace, None);
        counted.histogram.iter().for_each(|(value, times)| answer.add(value, times));
        answer.complete = true;
        return Ok(answer);
    }
    let sample = question.sample.unwrap_or(USUAL);
    let seed = seed_or_any(question.seed);
    let mut rng = Rng::with_seed(seed);
    let mut answer = Answer::new(ruleset, subspace, Some(seed));
    let is_whole = entries.len() <= sample;
    // A subspace that is counted as a whole is in random order, so that it is a sample as well if
    // the time ends.
    let mut whole: Vec<u64> = if is_whole { (0..entries.len()).collect() } else { Vec::new() };
    rng.shuffle(&mut whole);
    let count = if is_whole { entries.len() } else { sample };
    for first in (0..count).step_by(PIECE as usize) {
        if first > 0 && begin.elapsed() >= time {
            return Ok(answer);
        }
        let piece = first..count.min(first + PIECE);
        let positions: Vec<Situation> = if is_whole {
            let piece = whole[piece.start as usize..piece.end as usize].iter();
            let firsts = piece.copied().filter(|&entry| entries.is_first(entry));
            firsts.filter_map(|entry| entries.position(entry)).collect()
        } else {
            piece.filter_map(|_| entries.any(&mut rng)).collect()
        };
        // A missing database is usually missing for all of them, so the first one fails early.
        if first == 0
            && let Some(&position) = positions.first()
        {
            oracle.value(position)?;
        }
        for value in oracle.values(&positions) {
            answer.add(value?, 1);
        }
    }
    if is_whole {
        (answer.complete, answer.seed) = (true, None);
    }
    Ok(answer)
}
