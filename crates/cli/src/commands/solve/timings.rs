//! The times of a run, job by job.

use std::io::{self, Write};
use std::time::Duration;

use merels_core::grouped;
use merels_solver::{Job, JobReport, StageTimes};
use serde::{Serialize, Serializer};

use crate::output::table::Table;

/// The help of `--timings`.
pub(crate) const HELP: &str = "\
Print the time of each stage, for each subspace or pair of subspaces

The columns are the seconds of each stage, which uses all threads: `load` reads the children; \
`begin` counts moves and removal values; `propagate` undoes moves within rows; `store` scatters \
decided values; `place` computes and stores the values of placings; `check` recomputes random \
positions with plain moves; `count` makes the statistics; `write` compresses and writes. The \
last columns are costs in nanoseconds: of all stages for an entry, of `propagate` for an edge (an \
un-move), of `store` for a store.";

/// The names of the stages, in their order.
const STAGES: [&str; 8] =
    ["load", "begin", "propagate", "store", "place", "check", "count", "write"];
const PROPAGATE: usize = 2;
const STORE: usize = 3;

/// The times of the stages, in the order of [`STAGES`].
fn stages(times: &StageTimes) -> [Duration; 8] {
    let StageTimes { load, begin, propagate, store, place, check, count, write } = *times;
    [load, begin, propagate, store, place, check, count, write]
}

/// All stages together.
pub(crate) fn total(times: &StageTimes) -> Duration {
    stages(times).iter().sum()
}

/// Writes a row for each job, and the sum.
pub(crate) fn write(out: &mut dyn Write, jobs: &[(Job, JobReport)]) -> io::Result<()> {
    let counts = ["job", "entries", "edges", "stores", "layers"];
    let costs = ["total", "entries/s", "ns/entry", "ns/edge", "ns/store"];
    let mut table = Table::new(&[&counts[..], &STAGES, &costs].concat());
    let mut sum = Row::default();
    for (job, report) in jobs {
        let row = Row::from(report);
        sum.add(&row);
        // A cell has no blanks, because scripts read it.
        table.push(row.cells(&job.to_string().replace(", ", "+")));
    }
    table.push(sum.cells("total"));
    table.write(out)
}

/// The work and the times of a job, or the sums of several.
#[derive(Default)]
struct Row {
    /// Entries, edges, stores and layers.
    counts: [u64; 4],
    times: [Duration; 8],
}

impl From<&JobReport> for Row {
    fn from(report: &JobReport) -> Self {
        let counts = [report.entries, report.edges, report.stores, u64::from(report.layers)];
        Self { counts, times: stages(&report.times) }
    }
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, count)| *sum += count);
        self.times.iter_mut().zip(other.times).for_each(|(sum, time)| *sum += time);
    }

    fn cells(&self, name: &str) -> impl Iterator<Item = String> {
        let total: Duration = self.times.iter().sum();
        let [entries, edges, stores, _] = self.counts;
        let each = |time: Duration, count: u64| match count {
            0 => "-".to_owned(),
            _ => format!("{:.2}", time.as_secs_f64() * 1e9 / count as f64),
        };
        let costs = [
            grouped((entries as f64 / total.as_secs_f64().max(1e-9)).round() as u64),
            each(total, entries),
            each(self.times[PROPAGATE], edges),
            each(self.times[STORE], stores),
        ];
        let times = self.times.into_iter().chain([total]);
        let times = times.map(|time| format!("{:.2}", time.as_secs_f64()));
        [name.to_owned()].into_iter().chain(self.counts.map(grouped)).chain(times).chain(costs)
    }
}

/// The times of a job in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct JobTimings {
    subspaces: Vec<String>,
    entries: u64,
    edges: u64,
    stores: u64,
    layers: u16,
    #[serde(serialize_with = "write_seconds")]
    seconds: StageTimes,
}

/// Writes an object with the seconds of each stage and `total`.
fn write_seconds<S: Serializer>(times: &StageTimes, serializer: S) -> Result<S::Ok, S::Error> {
    let stages = STAGES.into_iter().zip(stages(times)).chain([("total", total(times))]);
    serializer.collect_map(stages.map(|(name, time)| (name, time.as_secs_f64())))
}

impl JobTimings {
    /// The times of this job.
    pub(crate) fn new((job, report): &(Job, JobReport)) -> Self {
        Self {
            subspaces: job.subspaces().iter().map(ToString::to_string).collect(),
            entries: report.entries,
            edges: report.edges,
            stores: report.stores,
            layers: report.layers,
            seconds: report.times,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_by_the_piece() {
        let pair = Job::of(&merels_core::Ruleset::STANDARD, merels_core::Subspace::moving(4, 3));
        let mut report =
            JobReport { entries: 2_000, edges: 4_000, layers: 9, ..Default::default() };
        report.times.propagate = Duration::from_micros(20);
        report.times.write = Duration::from_micros(20);
        let mut out = Vec::new();
        write(&mut out, &[(pair, report), (pair, report)]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let rows: Vec<Vec<_>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1][0], "4-3+3-4");
        assert_eq!(rows[1][14..], ["50,000,000", "20.00", "5.00", "-"]);
        assert_eq!(rows[3][..5], ["total", "4,000", "8,000", "0", "18"]);
    }
}
