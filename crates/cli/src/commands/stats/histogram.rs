//! Positions by outcome and distance.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use merels_core::{Outcome, Plies, Subspace, Value, grouped};
use merels_json::outcome_name;
use serde::Serialize;

use crate::commands::stats::counted::Counted;
use crate::output::style;
use crate::output::table::Table;
use crate::output::width;
use crate::shared::records::Records;

/// Columns of the longest bar.
const MOST_BAR: usize = 40;
/// Columns of a table beside its bars.
const BESIDE_BAR: usize = 34;

/// How many positions have each value, in each subspace.
pub(super) struct Histogram(Vec<(Subspace, Vec<(Value, u64)>)>);

/// The positions of one value.
#[derive(Debug, Serialize)]
struct Row {
    /// Absent in the sum of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    subspace: Option<String>,
    outcome: &'static str,
    /// Plies to the end of the game; null for a draw, or if the edition keeps no distances.
    distance: Option<u16>,
    positions: u64,
}

/// The histogram as one JSON object.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    ruleset: String,
    subspaces: Vec<String>,
    /// Positions of all these subspaces together.
    histogram: Vec<Row>,
}

impl Histogram {
    pub(super) fn of(counted: &[Counted]) -> Self {
        let counts = |counted: &Counted| {
            (counted.subspace, counted.distribution.histogram.iter().collect::<Vec<_>>())
        };
        Self(counted.iter().map(counts).collect())
    }

    pub(super) fn document(&self, ruleset: String) -> Document {
        Document {
            ruleset,
            subspaces: self.0.iter().map(|(subspace, _)| subspace.to_string()).collect(),
            histogram: self.sum().into_iter().map(|(key, count)| row(None, key, count)).collect(),
        }
    }

    /// A row for each value in each subspace.
    pub(super) fn rows(&self) -> io::Result<Records> {
        let of_one = |(subspace, counts): &(Subspace, Vec<(Value, u64)>)| {
            let name = subspace.to_string();
            let sorted = sorted(counts.iter().copied()).into_iter();
            sorted.map(move |(key, count)| row(Some(name.clone()), key, count)).collect::<Vec<_>>()
        };
        Records::new(self.0.iter().flat_map(of_one))
    }

    /// Writes the sum of all subspaces for people, with a bar for each number.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let sum = self.sum();
        let most = sum.values().copied().max().unwrap_or(1).max(1);
        let columns =
            width::of_terminal().unwrap_or(80).saturating_sub(BESIDE_BAR).clamp(4, MOST_BAR);
        let mut table = Table::new(&["outcome", "distance", "positions", ""]).flush_left(3);
        for (&(Reverse(outcome), distance), &count) in &sum {
            let length = (count as f64 / most as f64 * columns as f64).ceil() as usize;
            let style = style::of(outcome);
            table.push([
                outcome_name(outcome).to_owned(),
                distance.map_or("-".to_owned(), |Plies(plies)| plies.to_string()),
                grouped(count),
                format!("{style}{}{style:#}", "#".repeat(length)),
            ]);
        }
        table.write(out)
    }

    fn sum(&self) -> BTreeMap<Key, u64> {
        sorted(self.0.iter().flat_map(|(_, counts)| counts.iter().copied()))
    }
}

/// The order of rows: wins, draws, losses, each by distance.
type Key = (Reverse<Outcome>, Option<Plies>);

fn sorted(counts: impl Iterator<Item = (Value, u64)>) -> BTreeMap<Key, u64> {
    let mut sum = BTreeMap::new();
    for (value, count) in counts {
        *sum.entry((Reverse(value.outcome()), value.distance())).or_default() += count;
    }
    sum
}

fn row(subspace: Option<String>, (Reverse(outcome), distance): Key, positions: u64) -> Row {
    let distance = distance.map(|Plies(plies)| plies);
    Row { subspace, outcome: outcome_name(outcome), distance, positions }
}
