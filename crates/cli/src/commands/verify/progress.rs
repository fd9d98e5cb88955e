//! Progress of a verification: bars on a terminal, otherwise a line every ten seconds.

use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use merels_core::{Subspace, grouped};
use merels_verify::Observer;

use crate::output::bars::Bars;
use crate::output::clock::Clock;
use crate::output::note::note;
use crate::output::time;

/// Time between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows progress on standard error.
pub(crate) struct Progress {
    /// None if standard error is no terminal.
    bars: Option<Bars>,
    quiet: bool,
    clock: Arc<Clock>,
    state: Mutex<State>,
}

struct State {
    last_line: Instant,
    subspace: Option<Subspace>,
    /// Subspaces that were begun, and all.
    subspaces: (usize, usize),
    /// Steps that are done, and all.
    steps: (u64, u64),
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let clock = Arc::new(Clock::new());
        let bars = (!quiet && stderr().is_terminal()).then(|| Bars::new(Arc::clone(&clock)));
        let state =
            State { last_line: Instant::now(), subspace: None, subspaces: (0, 0), steps: (0, 0) };
        Self { bars, quiet, clock, state: Mutex::new(state) }
    }

    /// Removes the bars and says what was done, before the command prints its results.
    pub(crate) fn finish(&self) {
        if let Some(bars) = &self.bars {
            bars.finish();
        }
        let state = self.state();
        if state.steps.1 > 0 && !self.quiet {
            let (steps, time) = (grouped(state.steps.0), time::in_words(self.clock.elapsed()));
            note(format_args!("{steps} of {} steps done in {time}", grouped(state.steps.1)));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &mut State) {
        let (done, all) = state.steps;
        self.clock.expect_like(done, all);
        let share = done as f64 / all.max(1) as f64;
        let name = state.subspace.map_or_else(String::new, |subspace| subspace.to_string());
        if let Some(bars) = &self.bars {
            bars.show_whole(share);
            let (begun, all) = state.subspaces;
            if all > 0 {
                let doing = format!("subspace {begun} of {all}");
                bars.show_part(&name, begun as f64 / all as f64, &doing);
            }
        } else if !self.quiet && state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            let (percent, time) = (100.0 * share, self.clock.in_words());
            let name = if name.is_empty() { name } else { format!("{name}: ") };
            note(format_args!("merels: verifying {name}{percent:.0} % of all, {time}"));
        }
    }
}

impl Observer for Progress {
    fn begin(&self, subspaces: usize, steps: u64) {
        self.clock.restart();
        let mut state = self.state();
        (state.subspaces, state.steps) = ((0, subspaces), (0, steps));
        self.show(&mut state);
    }

    fn begin_subspace(&self, subspace: Subspace) {
        let mut state = self.state();
        state.subspace = Some(subspace);
        state.subspaces.0 += 1;
        self.show(&mut state);
    }

    fn advance(&self, steps: u64) {
        let mut state = self.state();
        state.steps.0 += steps;
        self.show(&mut state);
    }

    fn note(&self, text: &str) {
        // `--quiet` keeps warnings.
        match &self.bars {
            Some(bars) => bars.line(&format!("merels: {text}")),
            None => note(format_args!("merels: {text}")),
        }
    }
}
