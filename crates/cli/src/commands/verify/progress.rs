//! Progress of a verification: a bar on a terminal, otherwise a line every ten seconds.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use merels_core::Subspace;
use merels_verify::Observer;

use crate::output::note::note;

/// Time between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows progress on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// None on a terminal, and with `--no-progress`.
    lines: Option<Mutex<Lines>>,
    done: AtomicU64,
}

struct Lines {
    last: Instant,
    subspace: String,
    total: u64,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let terminal = stderr().is_terminal();
        let target = if quiet || !terminal {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let template = "{msg:>8} {wide_bar} {percent:>3} % {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let now = Instant::now();
        let lines = Lines { last: now, subspace: String::new(), total: 0, start: now };
        let lines = (!quiet && !terminal).then(|| Mutex::new(lines));
        Self { bar, lines, done: AtomicU64::new(0) }
    }

    /// Clears the bar before the command prints its results.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn with_lines(&self, work: impl FnOnce(&mut Lines)) {
        if let Some(lines) = &self.lines {
            work(&mut lines.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Observer for Progress {
    fn begin(&self, _: usize, steps: u64) {
        self.bar.set_length(steps);
        self.bar.reset_eta();
        self.with_lines(|lines| (lines.total, lines.start) = (steps, Instant::now()));
    }

    fn begin_subspace(&self, subspace: Subspace) {
        self.bar.set_message(subspace.to_string());
        self.with_lines(|lines| lines.subspace = format!("{subspace}, "));
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        self.with_lines(|lines| {
            if lines.last.elapsed() >= LINE_EVERY {
                lines.last = Instant::now();
                let percent = 100.0 * done as f64 / lines.total.max(1) as f64;
                let seconds = lines.start.elapsed().as_secs();
                note(format_args!(
                    "merels: verifying {}{percent:.1} % after {seconds} s",
                    lines.subspace
                ));
            }
        });
    }

    fn note(&self, text: &str) {
        // `--no-progress` keeps warnings.
        self.bar.suspend(|| note(format_args!("merels: {text}")));
    }
}
