//! What a job costs, estimated from its entries.
//!
//! The costs of an entry are those of the standard game on two cores of a Xeon processor with
//! AVX-512 (docs/performance.md describes such runs). Another machine is faster or slower by a
//! factor, which a caller learns from the first jobs.

use std::time::Duration;

use merels_core::{Ruleset, Subspace};

use crate::job::{Job, entries};

/// What a job costs whatever its size.
const OVERHEAD: Duration = Duration::from_millis(40);

/// Nanoseconds for an entry with stones in hand.
const PLACING: f64 = 20.0;
/// Nanoseconds for an entry without stones in hand if no side jumps.
const SLIDING: f64 = 50.0;
/// Nanoseconds for an entry if one of the sides jumps and so has many moves.
const JUMPING: f64 = 110.0;
/// The stones on the board beyond which wins are long, so that a pair has many layers.
const CROWDED: u8 = 15;
/// The factor for each stone beyond them.
const PER_STONE: f64 = 1.4;

impl Job {
    /// The estimated time of one core.
    pub fn core_time(self, ruleset: &Ruleset) -> Duration {
        let of =
            |subspace| entries(ruleset, subspace) as f64 * nanoseconds(self, ruleset, subspace);
        let nanoseconds: f64 = self.subspaces().into_iter().map(of).sum();
        OVERHEAD + Duration::from_secs_f64(nanoseconds * 1e-9)
    }
}

/// The cost of an entry.
fn nanoseconds(job: Job, ruleset: &Ruleset, subspace: Subspace) -> f64 {
    if matches!(job, Job::Placing(_)) {
        return PLACING;
    }
    let jumps = |stones| ruleset.flies(stones);
    if jumps(subspace.mover()) || jumps(subspace.other()) {
        return JUMPING;
    }
    let crowd = subspace.on_board().saturating_sub(CROWDED);
    SLIDING * PER_STONE.powi(crowd.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::jobs::{Plan, Selection};

    #[test]
    fn costs_are_of_the_right_size() {
        let ruleset = Ruleset::STANDARD;
        let plan = Plan::whole_game(&ruleset, &Selection::All).unwrap();
        let all: Duration = plan.jobs().iter().map(|job| job.core_time(&ruleset)).sum();
        // The whole game took 460 to 1,000 core-seconds on the machines where it was timed.
        assert!((400..1_200).contains(&all.as_secs()), "{all:?}");
        let time = |name: &str| Job::of(&ruleset, name.parse().unwrap()).core_time(&ruleset);
        assert!(time("9-8") > time("8-7") && time("8-7") > time("5-5"));
    }
}
