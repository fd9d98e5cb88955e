//! The result of a game: the empty board and its first moves.

use merels_core::{Choice, Points, Position, Value};

use crate::analysis::RankedChoice;
use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// The value of a game, and of its first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The value of the empty board for the side that moves first.
    pub value: Value,
    /// The first moves, best first: one for each class of points under the symmetries of the board.
    pub first_moves: Vec<FirstMove>,
}

/// A class of first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The first of its points by name.
    pub point: String,
    /// The number of its points.
    pub points: u8,
    /// The value for the side that moves first, counted from the empty board.
    pub value: Value,
    /// The number of legal replies.
    pub replies: usize,
    /// The number of replies that keep the outcome of `value`.
    pub holding: usize,
}

impl<S: Source> Oracle<S> {
    /// The value of the empty board and of the first moves.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`].
    pub fn opening(&self) -> Result<Opening, QueryError> {
        let ruleset = self.ruleset();
        let start = self.analyse(Position::start(ruleset))?;
        let geometry = ruleset.board.geometry();
        let mut seen = Points::EMPTY;
        let mut first_moves = Vec::new();
        // Moves of one class have one value. Moves of one value are sorted by name.
        for &RankedChoice { choice, position, value } in start.choices() {
            let Choice::Move(mv) = choice else { continue };
            if seen.contains(mv.to) {
                continue;
            }
            let images = geometry.symmetries().iter().map(|(_, symmetry)| symmetry.apply(mv.to));
            let class: Points = images.collect();
            seen = seen.union(class);
            let replies = self.analyse(position)?;
            let best = replies.value().outcome();
            let holding = replies.choices().iter().filter(|reply| reply.value.outcome() == best);
            first_moves.push(FirstMove {
                point: geometry.name(mv.to).to_string(),
                points: class.len(),
                value,
                replies: replies.choices().len(),
                holding: holding.count(),
            });
        }
        Ok(Opening { value: start.value(), first_moves })
    }
}
