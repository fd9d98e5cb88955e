//! The positions of a subspace with their values.

use std::ops::Range;

use merels_core::{Arrangements, Position, Situation, Value};
use rayon::prelude::*;

use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// Which arrangements of the stones are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// One for each class under the symmetries of the board: [`Position::canonical`].
    Classes,
    /// Every one.
    All,
}

/// Entries that one thread lists at a time.
const PIECE: u64 = 4096;

impl<S: Source> Oracle<S> {
    /// The positions of a subspace whose first entry is in `entries`, with their values, in the
    /// order of [`Arrangements::classes`] or [`Arrangements::all`]. All threads of the rayon pool
    /// work. A position in which the game is over has a value, too.
    ///
    /// Each entry takes some hundred bytes of memory, with [`Listed::All`] sixteen times as much;
    /// so list a subspace in ranges of up to a million.
    ///
    /// # Errors
    /// The first one among those of [`Oracle::value`].
    ///
    /// # Panics
    /// If the subspace has no such entries.
    pub fn list(
        &self,
        arrangements: &Arrangements,
        entries: Range<u64>,
        listed: Listed,
    ) -> Result<Vec<(Position, Value)>, QueryError> {
        let starts: Vec<_> = entries.clone().step_by(PIECE as usize).collect();
        let pieces = starts.into_par_iter().map(|start| {
            let piece = start..entries.end.min(start + PIECE);
            arrangements.classes(piece).collect::<Vec<_>>()
        });
        let classes: Vec<Position> = pieces.flatten_iter().collect();
        let values = self.values_of(&classes)?;
        let valued = classes.into_iter().zip(values);
        Ok(match listed {
            Listed::Classes => valued.collect(),
            Listed::All => {
                let board = self.ruleset().board;
                // All images have the same value.
                let images = |(position, value): (Position, Value)| {
                    position.images(board).into_iter().map(move |image| (image, value))
                };
                valued.flat_map(images).collect()
            }
        })
    }

    fn values_of(&self, positions: &[Position]) -> Result<Vec<Value>, QueryError> {
        let ruleset = *self.ruleset();
        let situation = |position: &Position| {
            let situation = Situation::new(*position, &ruleset);
            situation.map_err(|cause| QueryError::Impossible { ruleset, cause })
        };
        let situations = positions.par_iter().map(situation).collect::<Result<Vec<_>, _>>()?;
        self.values(&situations).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use merels_core::{Outcome, Ruleset, Subspace};

    use super::*;

    /// The classes of drawn positions, and all their arrangements with one side to move.
    #[test]
    fn the_draws_of_three_against_three() {
        let rules = Ruleset::STANDARD;
        let oracle = Oracle::without_folder(rules);
        let arrangements = Arrangements::of(&rules, Subspace::moving(3, 3)).unwrap();
        let all = 0..arrangements.index().entries();
        let draws = |listed: Listed, entries: Range<u64>| {
            let found = oracle.list(&arrangements, entries, listed).unwrap();
            found.iter().filter(|(_, value)| value.outcome() == Outcome::Draw).count()
        };
        assert_eq!(draws(Listed::Classes, all.clone()), 269);
        assert_eq!(draws(Listed::All, all.clone()), 4112);
        let middle = all.end / 3;
        let parts = [0..middle, middle..all.end].map(|part| draws(Listed::All, part));
        assert_eq!(parts.iter().sum::<usize>(), 4112);
    }

    #[test]
    fn values_are_those_of_look_ups() {
        let rules: Ruleset = "three".parse().unwrap();
        let oracle = Oracle::without_folder(rules);
        for name in ["3-3", "0-0+3-3", "1-1+2-2", "2-1+1-1"] {
            let Some(arrangements) = Arrangements::of(&rules, name.parse().unwrap()) else {
                continue;
            };
            let entries = 0..arrangements.index().entries();
            let mut found = BTreeMap::new();
            for (position, value) in oracle.list(&arrangements, entries, Listed::All).unwrap() {
                assert_eq!(oracle.value(position).unwrap(), value, "{position:?}");
                *found.entry(value.outcome()).or_insert(0) += 1;
            }
            assert!(found.values().sum::<i32>() > 0);
        }
    }
}
