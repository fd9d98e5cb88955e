//! The times of a run, job by job.

use std::io::{self, Write};
use std::time::Duration;

use merels_core::grouped;
use merels_solver::{Job, JobReport, StageTimes};
use serde::Serialize;

use crate::output::table::Table;

/// The help of `--timings`.
pub(crate) const HELP: &str = "\
Print where the time went, for each subspace or pair of subspaces

The columns are the seconds of each stage, which uses all threads: `load` reads the children; \
`begin` counts moves and removal values; `propagate` undoes moves within rows; `store` scatters \
decided values; `place` computes and stores the values of placings; `check` recomputes random \
positions with plain moves; `count` makes the statistics; `write` compresses and writes. Then \
follow costs in nanoseconds: of all stages for an entry, of `propagate` for an edge (an un-move), \
of `store` for a store.";

/// Writes a row for each job, and the sum.
pub(crate) fn write(out: &mut impl Write, jobs: &[(Job, JobReport)]) -> io::Result<()> {
    let mut table = Table::new(&[
        "job",
        "entries",
        "edges",
        "stores",
        "layers",
        "load",
        "begin",
        "propagate",
        "store",
        "place",
        "check",
        "count",
        "write",
        "total",
        "entries/s",
        "ns/entry",
        "ns/edge",
        "ns/store",
    ]);
    let mut sum = JobReport::default();
    for (job, report) in jobs {
        add(&mut sum, report);
        // A cell has no blanks, because scripts read it.
        table.push(cells(&job.to_string().replace(", ", "+"), report));
    }
    table.push(cells("total", &sum));
    table.write(out)
}

fn cells(name: &str, report: &JobReport) -> [String; 18] {
    let times = &report.times;
    let total = total(times);
    let seconds = |time: Duration| format!("{:.2}", time.as_secs_f64());
    let each = |time: Duration, count: u64| {
        if count == 0 {
            return "-".to_owned();
        }
        format!("{:.2}", time.as_secs_f64() * 1e9 / count as f64)
    };
    [
        name.to_owned(),
        grouped(report.entries),
        grouped(report.edges),
        grouped(report.stores),
        report.layers.to_string(),
        seconds(times.load),
        seconds(times.begin),
        seconds(times.propagate),
        seconds(times.store),
        seconds(times.place),
        seconds(times.check),
        seconds(times.count),
        seconds(times.write),
        seconds(total),
        grouped((report.entries as f64 / total.as_secs_f64().max(1e-9)).round() as u64),
        each(total, report.entries),
        each(times.propagate, report.edges),
        each(times.store, report.stores),
    ]
}

/// The times of a job in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct JobTimings {
    subspaces: Vec<String>,
    entries: u64,
    edges: u64,
    stores: u64,
    layers: u16,
    seconds: StageSeconds,
}

#[derive(Debug, Serialize)]
struct StageSeconds {
    load: f64,
    begin: f64,
    propagate: f64,
    store: f64,
    place: f64,
    check: f64,
    count: f64,
    write: f64,
    total: f64,
}

impl JobTimings {
    /// The times of this job.
    pub(crate) fn new((job, report): &(Job, JobReport)) -> Self {
        let total = total(&report.times).as_secs_f64();
        let StageTimes { load, begin, propagate, store, place, check, count, write } = report.times;
        Self {
            subspaces: job.subspaces().iter().map(ToString::to_string).collect(),
            entries: report.entries,
            edges: report.edges,
            stores: report.stores,
            layers: report.layers,
            seconds: StageSeconds {
                load: load.as_secs_f64(),
                begin: begin.as_secs_f64(),
                propagate: propagate.as_secs_f64(),
                store: store.as_secs_f64(),
                place: place.as_secs_f64(),
                check: check.as_secs_f64(),
                count: count.as_secs_f64(),
                write: write.as_secs_f64(),
                total,
            },
        }
    }
}

/// All stages together.
pub(crate) fn total(times: &StageTimes) -> Duration {
    let StageTimes { load, begin, propagate, store, place, check, count, write } = *times;
    load + begin + propagate + store + place + check + count + write
}

fn add(sum: &mut JobReport, report: &JobReport) {
    let (to, from) = (&mut sum.times, &report.times);
    to.load += from.load;
    to.begin += from.begin;
    to.propagate += from.propagate;
    to.store += from.store;
    to.place += from.place;
    to.check += from.check;
    to.count += from.count;
    to.write += from.write;
    sum.entries += report.entries;
    sum.edges += report.edges;
    sum.stores += report.stores;
    sum.layers += report.layers;
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
