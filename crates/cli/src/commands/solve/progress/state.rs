//! How far a run is.

use std::time::Duration;

use merels_core::{Plies, Ruleset};
use merels_solver::{Job, Stage};

/// Core time at the speed of the estimates that the first jobs are blended with, so that a slow
/// start does not predict the whole run.
const TRUSTED: Duration = Duration::from_secs(10);

/// The state of the run.
pub(super) struct State {
    ruleset: Ruleset,
    threads: u32,
    /// Files checked before solving begins, and files to check.
    pub(super) checked: (usize, usize),
    pub(super) jobs: usize,
    pub(super) jobs_done: usize,
    /// Estimated core time of all jobs.
    cost: Duration,
    /// The same of finished jobs.
    cost_done: Duration,
    pub(super) job: Option<JobState>,
}

/// The state of the current job.
#[derive(Clone, Copy)]
pub(super) struct JobState {
    pub(super) job: Job,
    pub(super) entries: u64,
    pub(super) stage: Stage,
    pub(super) distance: Plies,
    pub(super) decided: u64,
    pub(super) written: u64,
}

impl State {
    pub(super) fn new(ruleset: Ruleset) -> Self {
        Self {
            ruleset,
            threads: 1,
            checked: (0, 0),
            jobs: 0,
            jobs_done: 0,
            cost: Duration::ZERO,
            cost_done: Duration::ZERO,
            job: None,
        }
    }

    /// Begins to solve on so many threads.
    pub(super) fn begin(&mut self, jobs: &[Job], threads: usize) {
        self.jobs = jobs.len();
        self.cost = jobs.iter().map(|job| job.core_time(&self.ruleset)).sum();
        self.threads = threads.clamp(1, 1024) as u32;
    }

    /// Counts the current job as finished.
    pub(super) fn end_job(&mut self) {
        if let Some(job) = self.job.take() {
            self.cost_done += job.job.core_time(&self.ruleset);
        }
        self.jobs_done += 1;
    }

    /// The done share of the whole, from 0 to 1, by cost.
    pub(super) fn share(&self) -> f64 {
        if self.cost.is_zero() {
            return 0.0;
        }
        self.cost_now().div_duration_f64(self.cost).min(1.0)
    }

    /// The estimated time to go, `elapsed` after the beginning.
    pub(super) fn to_go(&self, elapsed: Duration) -> Duration {
        let [cost, done, trusted] =
            [self.cost, self.cost_now(), TRUSTED].map(|it| it / self.threads);
        // How much slower than estimated the run is.
        let factor = (elapsed + trusted).div_duration_f64(done + trusted);
        cost.saturating_sub(done).mul_f64(factor)
    }

    fn cost_now(&self) -> Duration {
        let of_job = |job: &JobState| job.job.core_time(&self.ruleset).mul_f64(job.share());
        self.cost_done + self.job.as_ref().map_or(Duration::ZERO, of_job)
    }

    /// What happens before solving begins.
    pub(super) fn checking(&self) -> String {
        format!("checking file {} of {}", self.checked.0, self.checked.1)
    }
}

impl JobState {
    /// A job at its beginning.
    pub(super) fn new(job: Job, entries: u64) -> Self {
        Self { job, entries, stage: Stage::Load, distance: Plies(0), decided: 0, written: 0 }
    }

    /// The share of the job that is done, estimated from the stages' usual shares of the time.
    pub(super) fn share(&self) -> f64 {
        let of_entries = |count: u64| count as f64 / self.entries.max(1) as f64;
        match self.stage {
            Stage::CheckFiles | Stage::Load => 0.0,
            Stage::Begin => 0.02,
            Stage::Layers => 0.2 + 0.5 * of_entries(self.decided),
            Stage::Place => 0.1,
            Stage::Check => 0.7,
            Stage::Count | Stage::Write => 0.75 + 0.25 * of_entries(self.written),
        }
    }

    fn decided_percent(&self) -> f64 {
        100.0 * self.decided as f64 / self.entries.max(1) as f64
    }

    /// The current work, in at most 27 characters.
    pub(super) fn doing(&self) -> String {
        match self.stage {
            Stage::CheckFiles => "checking files".into(),
            Stage::Load => "reading children".into(),
            Stage::Begin => "counting moves and removals".into(),
            Stage::Layers => {
                format!("distance {}, {:.0} % decided", self.distance, self.decided_percent())
            }
            Stage::Place => "working out placings".into(),
            Stage::Check => "checking random positions".into(),
            Stage::Count => "counting values".into(),
            Stage::Write => {
                let share = 100.0 * self.written as f64 / self.entries.max(1) as f64;
                format!("writing, {share:.0} %")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use merels_solver::{Plan, Selection};

    use super::*;

    fn job_state(stage: Stage) -> JobState {
        let job = Job::of(&Ruleset::STANDARD, merels_core::Subspace::moving(3, 3));
        let at = JobState::new(job, 200);
        JobState { stage, distance: Plies(6), decided: 100, written: 50, ..at }
    }

    #[test]
    fn a_pair_only_goes_forward() {
        let stages =
            [Stage::Load, Stage::Begin, Stage::Layers, Stage::Check, Stage::Count, Stage::Write];
        let shares = stages.map(|stage| job_state(stage).share());
        assert!(shares.is_sorted(), "{shares:?}");
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    }

    #[test]
    fn words() {
        assert_eq!(job_state(Stage::Layers).doing(), "distance 6, 50 % decided");
        assert_eq!(job_state(Stage::Write).doing(), "writing, 25 %");
        for stage in [Stage::Load, Stage::Begin, Stage::Place, Stage::Check, Stage::Count] {
            assert!(job_state(stage).doing().len() <= 27);
        }
    }

    /// A machine of any speed: the estimate is right from the first tenth on, and never absurd.
    #[test]
    fn the_time_to_go_follows_the_costs() {
        let ruleset = Ruleset::STANDARD;
        let plan = Plan::whole_game(&ruleset, &Selection::All).unwrap();
        for slowness in [0.3, 1.0, 4.0] {
            let mut state = State::new(ruleset);
            state.begin(plan.jobs(), 2);
            let took = |cost: Duration| cost.mul_f64(slowness / 2.0);
            for job in plan.jobs() {
                let (elapsed, whole) = (took(state.cost_now()), took(state.cost));
                let ratio = (elapsed + state.to_go(elapsed)).div_duration_f64(whole);
                let within = if state.share() > 0.1 { 0.8..1.25 } else { 0.2..4.0 };
                assert!(within.contains(&ratio), "{slowness} {} {ratio}", state.share());
                state.job = Some(JobState::new(*job, job.entries(&ruleset)));
                state.end_job();
            }
            assert!((state.share() - 1.0).abs() < 1e-6);
        }
    }
}
