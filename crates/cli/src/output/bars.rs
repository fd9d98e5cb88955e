//! Progress bars on a terminal: one of the whole run, and one of its current part.
//!
//! Every line fits the terminal, because the bars take what the words leave. If the terminal
//! becomes narrower, it breaks the lines that it shows; these are wiped before the next drawing.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::output::clock::Clock;

/// The time between two drawings when nothing changes, so that the clock keeps running.
const TICK: Duration = Duration::from_millis(250);

/// Steps of a bar: finer than any terminal.
const STEPS: u64 = 10_000;

/// The bars.
pub(crate) struct Bars {
    drawn: Arc<Drawn>,
    ticker: Mutex<Option<JoinHandle<()>>>,
}

/// What the terminal shows.
struct Drawn {
    all: MultiProgress,
    whole: ProgressBar,
    part: ProgressBar,
    is_finished: AtomicBool,
}

impl Bars {
    /// Bars on standard error. The upper one shows `clock`.
    pub(crate) fn new(clock: Arc<Clock>) -> Self {
        let all = MultiProgress::new();
        let time = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            // As wide as the lower line's words mostly are, so that the bars end together.
            let _ = write!(out, "{:<26}", clock.in_words());
        };
        let whole = bar(&all, "{prefix:>8} [{wide_bar}] {percent:>3} %  {time}", time);
        let part = bar(&all, "{prefix:>8} [{wide_bar}] {percent:>3} %  {msg:26}", |_, _| {});
        whole.set_prefix("all");
        let drawn = Drawn { all, whole, part, is_finished: AtomicBool::new(false) };
        let drawn = Arc::new(drawn);
        let ticker = thread::spawn({
            let drawn = Arc::clone(&drawn);
            move || drawn.tick()
        });
        Self { drawn, ticker: Mutex::new(Some(ticker)) }
    }

    /// Shows how much of the whole is done, from 0 to 1.
    pub(crate) fn show_whole(&self, share: f64) {
        self.drawn.whole.set_position(steps(share));
    }

    /// Shows the current part, how much of it is done, and what happens.
    pub(crate) fn show_part(&self, name: &str, share: f64, doing: &str) {
        let part = &self.drawn.part;
        part.set_prefix(name.to_owned());
        part.set_message(doing.to_owned());
        part.set_position(steps(share));
    }

    /// Prints a line that stays above the bars.
    pub(crate) fn line(&self, text: &str) {
        // A terminal that refuses is ignored.
        let _ = self.drawn.all.println(text);
    }

    /// Removes the bars.
    pub(crate) fn finish(&self) {
        self.drawn.is_finished.store(true, Ordering::Relaxed);
        let ticker = self.ticker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ticker) = ticker {
            ticker.thread().unpark();
            let _ = ticker.join();
        }
        let _ = self.drawn.all.clear();
    }
}

impl Drawn {
    fn tick(&self) {
        let columns = || Term::stderr().size().1;
        let mut before = columns();
        while !self.is_finished.load(Ordering::Relaxed) {
            let now = columns();
            if now < before {
                self.wipe(before, now);
            }
            before = now;
            self.whole.tick();
            self.part.tick();
            thread::park_timeout(TICK);
        }
    }

    /// Removes the rows into which a narrower terminal has broken the two lines.
    fn wipe(&self, before: u16, now: u16) {
        let rows = before.div_ceil(now.max(1));
        let broken = 2 * (rows - 1);
        self.all.suspend(|| {
            // Up, and clear to the end of the screen.
            let _ = write!(std::io::stderr(), "\x1b[{broken}A\r\x1b[J");
        });
    }
}

fn bar(
    all: &MultiProgress,
    template: &str,
    time: impl Fn(&ProgressState, &mut dyn std::fmt::Write) + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a sound template");
    let style = style.progress_chars("=> ").with_key("time", time);
    all.add(ProgressBar::new(STEPS)).with_style(style)
}

fn steps(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * STEPS as f64) as u64
}
