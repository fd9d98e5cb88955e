//! The ranked choices of a situation, and their classes under symmetry.

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
    /// `choices` best first.
    pub(crate) const fn new(
        board: Board,
        situation: Situation,
        value: Value,
        choices: Vec<RankedChoice>,
    ) -> Self {
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
        classes(self.board, self.choices.iter().map(|ranked| ranked.position))
    }
}

/// The numbers of the classes of positions under the symmetries of a board, from 0 in the order of
/// the positions.
pub(crate) fn classes(board: Board, positions: impl Iterator<Item = Position>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let class = |position: Position| {
        let next = numbers.len();
        *numbers.entry(smallest_image(board, &position)).or_insert(next)
    };
    positions.map(class).collect()
}

/// The smallest image of a position, which all its images share. The side to move is left out,
/// because it is the same after all choices.
fn smallest_image(board: Board, position: &Position) -> (Points, Points, u8, u8) {
    let (mover, other) = (position.mover(), position.other());
    let images =
        board.geometry().symmetries().iter().map(|(_, symmetry)| {
            (symmetry.apply_set(mover.board), symmetry.apply_set(other.board))
        });
    let (mover_image, other_image) = images.min().expect("a group has an identity");
    (mover_image, other_image, mover.hand, other.hand)
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
