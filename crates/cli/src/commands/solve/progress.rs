//! Progress of a run: bars on a terminal, otherwise a line from time to time.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use merels_core::{Plies, grouped};
use merels_db::{DbError, TableInfo};
use merels_solver::{Job, JobReport, Observer, Stage};

use crate::commands::solve::timings;
use crate::output::note::note;
use crate::output::table::millions;

/// The time between two lines if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A run that needs at least this many bytes of disk prints how many: 1 GiB.
const DISK_WORTH_A_LINE: u64 = 1 << 30;

/// The time between two drawings of the bars when nothing changes, so that the clock keeps running.
const TICK: Duration = Duration::from_millis(250);

/// Shows the progress of the solver on standard error.
pub(crate) struct Progress {
    display: Display,
    state: Mutex<State>,
}

/// How it is shown.
enum Display {
    Nothing,
    Lines,
    Bars(Bars),
}

struct Bars {
    all: MultiProgress,
    overall: ProgressBar,
    job: ProgressBar,
}

/// The state of the run.
struct State {
    begun: Instant,
    last_line: Instant,
    /// Files checked before solving begins, and files to check.
    checked: (usize, usize),
    jobs: usize,
    jobs_done: usize,
    entries: u64,
    /// Entries of finished jobs.
    entries_done: u64,
    job: Option<JobState>,
}

/// The state of the current job.
#[derive(Clone, Copy)]
struct JobState {
    job: Job,
    entries: u64,
    stage: Stage,
    distance: Plies,
    decided: u64,
    written: u64,
}

impl JobState {
    /// The share of the job that is done, estimated from the stages' usual shares of the time, for
    /// bars and the time to go.
    fn share(&self) -> f64 {
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

    fn entries_done(&self) -> u64 {
        (self.entries as f64 * self.share()) as u64
    }

    fn decided_percent(&self) -> f64 {
        100.0 * self.decided as f64 / self.entries.max(1) as f64
    }

    /// The current work, in words.
    fn doing(&self) -> String {
        match self.stage {
            Stage::CheckFiles => "checking files".into(),
            Stage::Load => "reading children".into(),
            Stage::Begin => "counting moves and removals".into(),
            Stage::Layers => {
                format!("distance {}, {:.1} % decided", self.distance, self.decided_percent())
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

impl State {
    fn entries_done(&self) -> u64 {
        self.entries_done + self.job.map_or(0, |job| job.entries_done())
    }

    /// The state in one line.
    fn line(&self) -> String {
        match self.job {
            Some(job) => format!("{}: {}; {}", job.job, job.doing(), self.overall()),
            None => self.checking(),
        }
    }

    fn checking(&self) -> String {
        format!("checking files, {} of {} done", self.checked.0, self.checked.1)
    }

    /// Share of the whole, speed, and time to go.
    fn overall(&self) -> String {
        let (done, elapsed) = (self.entries_done(), self.begun.elapsed().as_secs_f64());
        let percent = 100.0 * done as f64 / self.entries.max(1) as f64;
        let speed = done as f64 / elapsed.max(1e-9);
        let mut text = format!("{percent:.1} % of all, {} entries/s", millions(speed));
        // The smallest subspaces take more time for each entry and do not predict the rest.
        if (self.entries / 50..self.entries).contains(&done) {
            let to_go = (self.entries - done) as f64 / speed;
            text.push_str(&format!(", {} to go", seconds(Duration::from_secs_f64(to_go))));
        }
        text
    }
}

/// A duration in whole seconds, as in `1m 30s`.
fn seconds(duration: Duration) -> String {
    humantime::format_duration(Duration::from_secs(duration.as_secs_f64().round() as u64))
        .to_string()
}

impl Progress {
    /// Bars if standard error is a terminal, lines if it is not, nothing if `silent`.
    pub(crate) fn new(silent: bool) -> Self {
        let display = if silent {
            Display::Nothing
        } else if io::stderr().is_terminal() {
            Display::Bars(Bars::new())
        } else {
            Display::Lines
        };
        let now = Instant::now();
        let state = State {
            begun: now,
            last_line: now,
            checked: (0, 0),
            jobs: 0,
            jobs_done: 0,
            entries: 0,
            entries_done: 0,
            job: None,
        };
        Self { display, state: Mutex::new(state) }
    }

    /// Removes the bars before the result is printed.
    pub(crate) fn finish(&self) {
        if let Display::Bars(bars) = &self.display {
            // A terminal that refuses is ignored.
            let _ = bars.all.clear();
        }
    }

    /// Prints a line that stays.
    pub(crate) fn line(&self, text: &str) {
        match &self.display {
            Display::Nothing => {}
            Display::Lines => note(text),
            Display::Bars(bars) => {
                let _ = bars.all.println(text);
            }
        }
    }

    /// Changes the state and shows it.
    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().expect("no panic while the state is held");
        change(&mut state);
        match &self.display {
            Display::Nothing => {}
            Display::Bars(bars) => bars.show(&state),
            Display::Lines => {
                if state.last_line.elapsed() >= LINE_EVERY {
                    state.last_line = Instant::now();
                    self.line(&state.line());
                }
            }
        }
    }

    fn update_job(&self, change: impl FnOnce(&mut JobState)) {
        self.update(|state| {
            if let Some(job) = &mut state.job {
                change(job);
            }
        });
    }
}

impl Observer for Progress {
    fn remade(&self, reason: &DbError) {
        let text = format!("{}; `solve` makes it again when it needs it", reason.fault());
        match &self.display {
            Display::Nothing => note(text),
            _ => self.line(&text),
        }
    }

    fn checked(&self, files: usize, of: usize) {
        self.update(|state| state.checked = (files, of));
    }

    fn begin(&self, to_solve: &[Job], entries: u64) {
        if !to_solve.is_empty() {
            let subspaces: usize = to_solve.iter().map(|job| job.subspaces().len()).sum();
            let noun = if subspaces == 1 { "subspace" } else { "subspaces" };
            self.line(&format!("solving {subspaces} {noun}, {} entries", grouped(entries)));
        }
        self.update(|state| {
            (state.jobs, state.entries) = (to_solve.len(), entries);
            (state.begun, state.last_line) = (Instant::now(), Instant::now());
        });
    }

    fn disk(&self, needed: u64, free: u64) {
        if needed >= DISK_WORTH_A_LINE {
            let [needed, free] = [needed, free].map(|bytes| ByteSize::b(bytes).display().iec());
            self.line(&format!("the run needs up to {needed} of disk space; {free} is free"));
        }
    }

    fn begin_job(&self, job: Job, entries: u64) {
        let (stage, distance) = (Stage::Load, Plies(0));
        let job = JobState { job, entries, stage, distance, decided: 0, written: 0 };
        self.update(|state| state.job = Some(job));
    }

    fn stage(&self, stage: Stage) {
        self.update_job(|job| job.stage = stage);
    }

    fn layer(&self, distance: Plies, decided: u64) {
        self.update_job(|job| (job.distance, job.decided) = (distance, decided));
    }

    fn written(&self, entries: u64) {
        self.update_job(|job| job.written = entries);
    }

    fn end_job(&self, job: Job, report: &JobReport, _tables: &[TableInfo]) {
        let took = timings::total(&report.times);
        let speed = report.entries as f64 / took.as_secs_f64().max(1e-9);
        let mut done = String::new();
        self.update(|state| {
            state.jobs_done += 1;
            state.entries_done += report.entries;
            state.job = None;
            state.last_line = Instant::now();
            done = format!("{} of {}; {}", state.jobs_done, state.jobs, state.overall());
        });
        self.line(&format!(
            "{job}: solved in {:.1} s, {} entries/s ({done})",
            took.as_secs_f64(),
            millions(speed)
        ));
    }
}

impl Bars {
    fn new() -> Self {
        let style = |template: &str| {
            ProgressStyle::with_template(template)
                .expect("a sound template")
                .progress_chars("=> ")
                .with_key("entries", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = out.write_str(&grouped(state.pos()));
                })
                .with_key("all_entries", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = out.write_str(&grouped(state.len().unwrap_or(0)));
                })
                .with_key("speed", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let speed = state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-9);
                    let _ = out.write_str(&millions(speed));
                })
        };
        let all = MultiProgress::new();
        let overall = all.add(ProgressBar::new(0)).with_style(style(
            "{elapsed_precise} [{bar:30}] {percent:>3} %  {entries}/{all_entries} entries, \
             {speed} entries/s, {eta} to go",
        ));
        let job = all
            .add(ProgressBar::new(100))
            .with_style(style("{prefix:>8} [{bar:30}] {percent:>3} %  {msg}"));
        job.set_message("checking files");
        overall.enable_steady_tick(TICK);
        Self { all, overall, job }
    }

    fn show(&self, state: &State) {
        if self.overall.length() != Some(state.entries) {
            self.overall.set_length(state.entries);
            self.overall.reset_elapsed();
        }
        self.overall.set_position(state.entries_done());
        if let Some(job) = &state.job {
            self.job.set_prefix(job.job.to_string());
            self.job.set_position((100.0 * job.share()) as u64);
            self.job.set_message(job.doing());
        } else if state.checked.1 > 0 && state.jobs == 0 {
            self.job.set_message(state.checking());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job_state(stage: Stage) -> JobState {
        let job = Job::of(&merels_core::Ruleset::STANDARD, merels_core::Subspace::moving(3, 3));
        JobState { job, entries: 200, stage, distance: Plies(6), decided: 100, written: 50 }
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
        assert_eq!(job_state(Stage::Layers).doing(), "distance 6, 50.0 % decided");
        assert_eq!(job_state(Stage::Write).doing(), "writing, 25 %");
        assert_eq!(seconds(Duration::from_millis(89_600)), "1m 30s");
    }

    #[test]
    fn a_silent_observer_keeps_count() {
        let progress = Progress::new(true);
        let job = job_state(Stage::Load).job;
        progress.begin(&[job], 200);
        progress.begin_job(job, 200);
        progress.stage(Stage::Write);
        progress.written(200);
        assert_eq!(progress.state.lock().unwrap().entries_done(), 200);
        progress.end_job(job, &JobReport { entries: 200, ..Default::default() }, &[]);
        let state = progress.state.lock().unwrap();
        assert_eq!((state.entries_done(), state.jobs_done), (200, 1));
        assert!(state.overall().starts_with("100.0 % of all"), "{}", state.overall());
    }
}
