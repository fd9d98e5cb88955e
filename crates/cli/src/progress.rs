//! How far a run is: bars on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use merels_core::{Pair, Plies};
use merels_db::TableInfo;
use merels_solver::{Observer, PairReport, Stage};

use crate::table::{grouped, millions};
use crate::timings;

/// How long a pair may go without a line, where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often bars are drawn when nothing changes, so that the clock is seen to run.
const TICK: Duration = Duration::from_millis(250);

/// Shows on standard error what the solver tells.
pub(crate) struct Progress {
    display: Display,
    state: Mutex<State>,
}

/// Where it is shown.
enum Display {
    Nothing,
    Lines,
    Bars(Bars),
}

struct Bars {
    all: MultiProgress,
    overall: ProgressBar,
    pair: ProgressBar,
}

/// How far the run is.
struct State {
    begun: Instant,
    last_line: Instant,
    /// Files checked before anything is solved, and how many there are to check.
    checked: (usize, usize),
    pairs: usize,
    pairs_done: usize,
    entries: u64,
    /// Of finished pairs.
    entries_done: u64,
    pair: Option<PairState>,
}

/// How far the current pair is.
#[derive(Clone, Copy)]
struct PairState {
    pair: Pair,
    entries: u64,
    stage: Stage,
    distance: Plies,
    decided: u64,
    written: u64,
}

impl PairState {
    /// The share of the pair's work that is done, by the stages' usual shares of the time: a guess
    /// for bars and the time to go.
    fn share(&self) -> f64 {
        let of_entries = |count: u64| count as f64 / self.entries.max(1) as f64;
        match self.stage {
            Stage::CheckFiles | Stage::Load => 0.0,
            Stage::Begin => 0.02,
            Stage::Layers => 0.2 + 0.5 * of_entries(self.decided),
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

    /// What is being done, in words.
    fn doing(&self) -> String {
        match self.stage {
            Stage::CheckFiles => "checking files".into(),
            Stage::Load => "reading children".into(),
            Stage::Begin => "counting moves and removals".into(),
            Stage::Layers => {
                format!("distance {}, {:.1} % decided", self.distance, self.decided_percent())
            }
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
        self.entries_done + self.pair.map_or(0, |pair| pair.entries_done())
    }

    /// The state in a line.
    fn line(&self) -> String {
        match self.pair {
            Some(pair) => format!("{}: {}; {}", pair.pair, pair.doing(), self.overall()),
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
        // The smallest subspaces take longer by the entry: they say nothing about the rest.
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
            pairs: 0,
            pairs_done: 0,
            entries: 0,
            entries_done: 0,
            pair: None,
        };
        Self { display, state: Mutex::new(state) }
    }

    /// Takes the bars away: the result follows.
    pub(crate) fn finish(&self) {
        if let Display::Bars(bars) = &self.display {
            // Nothing can be done about a terminal that does not take it.
            let _ = bars.all.clear();
        }
    }

    /// A line of text that stays.
    pub(crate) fn line(&self, text: &str) {
        match &self.display {
            Display::Nothing => {}
            Display::Lines => eprintln!("{text}"),
            Display::Bars(bars) => {
                let _ = bars.all.println(text);
            }
        }
    }

    /// Changes the state, and shows it.
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

    fn update_pair(&self, change: impl FnOnce(&mut PairState)) {
        self.update(|state| {
            if let Some(pair) = &mut state.pair {
                change(pair);
            }
        });
    }
}

impl Observer for Progress {
    fn checked(&self, files: usize, of: usize) {
        self.update(|state| state.checked = (files, of));
    }

    fn begin(&self, to_solve: &[Pair], entries: u64) {
        if !to_solve.is_empty() {
            let subspaces: usize = to_solve.iter().map(|pair| pair.subspaces().count()).sum();
            self.line(&format!("solving {subspaces} subspaces, {} entries", grouped(entries)));
        }
        self.update(|state| {
            (state.pairs, state.entries) = (to_solve.len(), entries);
            (state.begun, state.last_line) = (Instant::now(), Instant::now());
        });
    }

    fn begin_pair(&self, pair: Pair, entries: u64) {
        let (stage, distance) = (Stage::Load, Plies(0));
        let pair = PairState { pair, entries, stage, distance, decided: 0, written: 0 };
        self.update(|state| state.pair = Some(pair));
    }

    fn stage(&self, stage: Stage) {
        self.update_pair(|pair| pair.stage = stage);
    }

    fn layer(&self, distance: Plies, decided: u64) {
        self.update_pair(|pair| (pair.distance, pair.decided) = (distance, decided));
    }

    fn written(&self, entries: u64) {
        self.update_pair(|pair| pair.written = entries);
    }

    fn end_pair(&self, pair: Pair, report: &PairReport, _tables: &[TableInfo]) {
        let took = timings::total(&report.times);
        let speed = report.entries as f64 / took.as_secs_f64().max(1e-9);
        let mut done = String::new();
        self.update(|state| {
            state.pairs_done += 1;
            state.entries_done += report.entries;
            state.pair = None;
            state.last_line = Instant::now();
            done = format!("{} of {}; {}", state.pairs_done, state.pairs, state.overall());
        });
        self.line(&format!(
            "{pair}: solved in {:.1} s, {} entries/s ({done})",
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
        let pair = all
            .add(ProgressBar::new(100))
            .with_style(style("{prefix:>8} [{bar:30}] {percent:>3} %  {msg}"));
        pair.set_message("checking files");
        overall.enable_steady_tick(TICK);
        Self { all, overall, pair }
    }

    fn show(&self, state: &State) {
        if self.overall.length() != Some(state.entries) {
            self.overall.set_length(state.entries);
            self.overall.reset_elapsed();
        }
        self.overall.set_position(state.entries_done());
        if let Some(pair) = &state.pair {
            self.pair.set_prefix(pair.pair.to_string());
            self.pair.set_position((100.0 * pair.share()) as u64);
            self.pair.set_message(pair.doing());
        } else if state.checked.1 > 0 && state.pairs == 0 {
            self.pair.set_message(state.checking());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair_state(stage: Stage) -> PairState {
        let pair = Pair::all_moving(&merels_core::Ruleset::STANDARD)[0];
        PairState { pair, entries: 200, stage, distance: Plies(6), decided: 100, written: 50 }
    }

    #[test]
    fn a_pair_only_goes_forward() {
        let stages =
            [Stage::Load, Stage::Begin, Stage::Layers, Stage::Check, Stage::Count, Stage::Write];
        let shares = stages.map(|stage| pair_state(stage).share());
        assert!(shares.is_sorted(), "{shares:?}");
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    }

    #[test]
    fn words() {
        assert_eq!(pair_state(Stage::Layers).doing(), "distance 6, 50.0 % decided");
        assert_eq!(pair_state(Stage::Write).doing(), "writing, 25 %");
        assert_eq!(seconds(Duration::from_millis(89_600)), "1m 30s");
    }

    #[test]
    fn a_silent_observer_keeps_count() {
        let progress = Progress::new(true);
        let pair = pair_state(Stage::Load).pair;
        progress.begin(&[pair], 200);
        progress.begin_pair(pair, 200);
        progress.stage(Stage::Write);
        progress.written(200);
        assert_eq!(progress.state.lock().unwrap().entries_done(), 200);
        progress.end_pair(pair, &PairReport { entries: 200, ..Default::default() }, &[]);
        let state = progress.state.lock().unwrap();
        assert_eq!((state.entries_done(), state.pairs_done), (200, 1));
        assert!(state.overall().starts_with("100.0 % of all"), "{}", state.overall());
    }
}
