//! What a game comes to: the empty board and its first moves.

use merels_core::{Choice, Points, Position, Value};

use crate::analysis::RankedChoice;
use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// The value of a game, and of its first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The empty board, for the side that moves first.
    pub value: Value,
    /// The first moves, one of each class that the symmetries of the board make, best first.
    pub first_moves: Vec<FirstMove>,
}

/// A class of first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The first of its points by name.
    pub point: String,
    /// How many points it has.
    pub points: u8,
    /// For the side that moves first, counted from the empty board.
    pub value: Value,
    /// Legal replies.
    pub replies: usize,
    /// Replies after which the outcome is still that of `value`.
    pub holding: usize,
}

impl<S: Source> Oracle<S> {
    /// What the empty board and the first moves are worth.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`].
    pub fn opening(&self) -> Result<Opening, QueryError> {
        let ruleset = self.ruleset();
        let start = self.analyse(Position::start(ruleset))?;
        let geometry = ruleset.board.geometry();
        let mut seen = Points::EMPTY;
        let mut first_moves = Vec::new();
        // Moves of one class have one value, and of one value they are sorted by name.
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
