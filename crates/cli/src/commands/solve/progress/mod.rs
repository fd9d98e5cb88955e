//! Progress of a run: bars on a terminal, otherwise a line from time to time.

mod state;

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use merels_core::{Plies, Ruleset, grouped, one_line};
use merels_db::{DbError, TableInfo};
use merels_solver::{Job, JobReport, Observer, Stage};

use crate::commands::solve::progress::state::{JobState, State};
use crate::commands::solve::timings;
use crate::output::bars::Bars;
use crate::output::clock::Clock;
use crate::output::note::note;
use crate::output::table::millions;
use crate::output::time;

/// The time between two lines if there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A run that needs at least this many bytes of disk prints how many: 1 GiB.
const DISK_WORTH_A_LINE: u64 = 1 << 30;

/// Shows the progress of the solver on standard error.
pub(crate) struct Progress {
    display: Display,
    clock: Arc<Clock>,
    state: Mutex<State>,
    last_line: Mutex<Instant>,
}

/// How it is shown.
enum Display {
    Nothing,
    Lines,
    Bars(Bars),
}

impl Progress {
    /// Bars if standard error is a terminal, lines if it is not, nothing if `quiet`.
    pub(crate) fn new(ruleset: Ruleset, quiet: bool) -> Self {
        let clock = Arc::new(Clock::new());
        let display = if quiet {
            Display::Nothing
        } else if io::stderr().is_terminal() {
            Display::Bars(Bars::new(Arc::clone(&clock)))
        } else {
            Display::Lines
        };
        let state = Mutex::new(State::new(ruleset));
        Self { display, clock, state, last_line: Mutex::new(Instant::now()) }
    }

    /// Removes the bars and says what was done.
    pub(crate) fn finish(&self) {
        if let Display::Bars(bars) = &self.display {
            bars.finish();
        }
        let state = self.state.lock().expect("no panic while the state is held");
        if state.jobs > 0 && !matches!(self.display, Display::Nothing) {
            let (done, all) = (state.jobs_done, state.jobs);
            let time = time::in_words(self.clock.elapsed());
            note(format_args!("{done} of {all} jobs done in {time}"));
        }
    }

    /// Prints a line that stays.
    pub(crate) fn line(&self, text: &str) {
        match &self.display {
            Display::Nothing => {}
            Display::Lines => note(text),
            Display::Bars(bars) => bars.line(text),
        }
    }

    /// Changes the state and shows it.
    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().expect("no panic while the state is held");
        change(&mut state);
        if state.jobs > 0 {
            self.clock.expect(state.to_go(self.clock.elapsed()));
        }
        match &self.display {
            Display::Nothing => {}
            Display::Bars(bars) => show(bars, &state),
            Display::Lines => {
                let mut last = self.last_line.lock().expect("no panic while the time is held");
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    self.line(&self.in_one_line(&state));
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

    fn in_one_line(&self, state: &State) -> String {
        let Some(job) = state.job else { return state.checking() };
        let percent = 100.0 * state.share();
        let time = self.clock.in_words();
        format!("{}: {}; {percent:.0} % of all, {time}", job.job, job.doing())
    }
}

fn show(bars: &Bars, state: &State) {
    bars.show_whole(state.share());
    if let Some(job) = &state.job {
        bars.show_part(&job.job.to_string(), job.share(), &job.doing());
    } else if state.checked.1 > 0 && state.jobs == 0 {
        let share = state.checked.0 as f64 / state.checked.1 as f64;
        bars.show_part("files", share, &state.checking());
    }
}

impl Observer for Progress {
    fn remade(&self, reason: &DbError) {
        let text = format!("{}; `solve` makes it again when it needs it", one_line(reason));
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
        self.clock.restart();
        self.update(|state| state.begin(to_solve, rayon::current_num_threads()));
    }

    fn disk(&self, needed: u64, free: u64) {
        if needed >= DISK_WORTH_A_LINE {
            let [needed, free] = [needed, free].map(|bytes| ByteSize::b(bytes).display().iec());
            self.line(&format!("the run needs up to {needed} of disk space; {free} is free"));
        }
    }

    fn begin_job(&self, job: Job, entries: u64) {
        self.update(|state| state.job = Some(JobState::new(job, entries)));
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
            state.end_job();
            let percent = 100.0 * state.share();
            done = format!("{} of {}, {percent:.0} % of all", state.jobs_done, state.jobs);
        });
        *self.last_line.lock().expect("no panic while the time is held") = Instant::now();
        let (took, speed) = (time::in_words(took), millions(speed));
        self.line(&format!("{job}: {took}, {speed} entries/s ({done})"));
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Subspace;

    use super::*;

    #[test]
    fn a_quiet_observer_keeps_count() {
        let ruleset = Ruleset::STANDARD;
        let progress = Progress::new(ruleset, true);
        let job = Job::of(&ruleset, Subspace::moving(3, 3));
        progress.begin(&[job], 200);
        progress.begin_job(job, 200);
        progress.stage(Stage::Write);
        progress.written(200);
        {
            let state = progress.state.lock().unwrap();
            assert!((state.share() - 1.0).abs() < 1e-6);
            assert!(progress.in_one_line(&state).starts_with("3-3: writing, 100 %; 100 % of all"));
        }
        progress.end_job(job, &JobReport { entries: 200, ..Default::default() }, &[]);
        let state = progress.state.lock().unwrap();
        assert_eq!((state.share(), state.jobs_done), (1.0, 1));
    }
}
