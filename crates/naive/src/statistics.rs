//! Counts over a set of positions, as in published tables.

use std::collections::BTreeMap;

use merels_core::{Outcome, Plies, Value};

/// The number of positions by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All positions.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// The number of positions decided at each distance: odd distances are wins, even ones losses.
    pub distances: BTreeMap<Plies, u64>,
}

impl Statistics {
    /// The distance of the longest win; none if there is no win.
    pub fn longest_win(&self) -> Option<Plies> {
        self.distances.keys().rev().find(|plies| plies.0 % 2 == 1).copied()
    }

    /// The distance of the longest loss; none if there is no loss.
    pub fn longest_loss(&self) -> Option<Plies> {
        self.distances.keys().rev().find(|plies| plies.0 % 2 == 0).copied()
    }

    /// Adds `count` positions of this value.
    pub fn add(&mut self, value: Value, count: u64) {
        self.positions += count;
        *match value.outcome() {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        } += count;
        if let Some(plies) = value.distance() {
            *self.distances.entry(plies).or_default() += count;
        }
    }
}

impl FromIterator<Value> for Statistics {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut statistics = Self::default();
        values.into_iter().for_each(|value| statistics.add(value, 1));
        statistics
    }
}
