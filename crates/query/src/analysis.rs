//! The ranked choices of a situation, and their classes under symmetry.

use std::cmp::Reverse;
use std::collections::HashMap;

use merels_core::{Board, Choice, Points, Position, Situation, Value};

/// The value of a situation, and of each choice in it.
#[derive(Clone, Debug)]
pub struct Analysis {
    board: Board,
    situation: Situation,
    value: Value,
    choices: Vec<RankedChoice>,
}

impl Analysis {
    /// `choices` in any order.
    pub(crate) fn new(
        board: Board,
        situation: Situation,
        value: Value,
        mut choices: Vec<RankedChoice>,
    ) -> Self {
        let geometry = board.geometry();
        choices.sort_by_cached_key(|ranked| {
            (Reverse(ranked.value), ranked.choice.notation_order(geometry))
        });
        Self { board, situation, value, choices }
    }

    /// The situation.
    pub const fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The position whose entry holds the value: in the middle of a move, which has no entry, the
    /// position after the best removal.
    pub fn looked_up(&self) -> Position {
        match self.choices.first() {
            Some(choice) if self.situation.is_pending() => choice.position,
            _ => *self.situation.position(),
        }
    }

    /// The value for the side to move, which is that of the best choice.
    pub const fn value(&self) -> Value {
        self.value
    }

    /// The legal moves, or the removals if some are pending: best first, equal ones in the order of
    /// their notation. Empty if the game is over.
    pub fn choices(&self) -> &[RankedChoice] {
        &self.choices
    }

    /// The choices with the value of the situation. Empty if the game is over.
    pub fn best(&self) -> &[RankedChoice] {
        self.groups().next().unwrap_or_default()
    }

    /// The choices in groups of one value each, best first.
    pub fn groups(&self) -> impl Iterator<Item = &[RankedChoice]> {
        self.choices.chunk_by(|one, next| one.value == next.value)
    }

    /// The number of the class of each of [`Analysis::choices`]. Two choices are in one class if
    /// the positions after them are images of each other under a symmetry of the board, so that the
    /// same game follows. Classes are numbered from 0 in the order of the choices.
    pub fn classes(&self) -> Vec<usize> {
        let mut numbers = HashMap::new();
        let class = |ranked: &RankedChoice| {
            let next = numbers.len();
            *numbers.entry(self.smallest_image(&ranked.position)).or_insert(next)
        };
        self.choices.iter().map(class).collect()
    }

    /// The smallest image of a position, which all its images share. The side to move is left out,
    /// because it is the same after all choices.
    fn smallest_image(&self, position: &Position) -> (Points, Points, u8, u8) {
        let (mover, other) = (position.mover(), position.other());
        let images = self.board.geometry().symmetries().iter().map(|(_, symmetry)| {
            (symmetry.apply_set(mover.board), symmetry.apply_set(other.board))
        });
        let (mover_image, other_image) = images.min().expect("a group has an identity");
        (mover_image, other_image, mover.hand, other.hand)
    }
}

/// A choice with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedChoice {
    /// The move or removal.
    pub choice: Choice,
    /// The position after it, with the opponent to move.
    pub position: Position,
    /// Its value for the side that makes it. The distance counts the move.
    pub value: Value,
}
