//! All that can be done in a situation, ranked, and in which sense choices are alike.

use std::cmp::Reverse;
use std::collections::HashMap;

use merels_core::{Board, Choice, Points, Position, Situation, Value};

/// What a situation is worth, and what each choice in it is worth.
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

    /// What was asked about.
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

    /// Its value for the side to move: that of the best choice.
    pub const fn value(&self) -> Value {
        self.value
    }

    /// The legal moves, or the removals if some are pending: best first, equal ones in the order of
    /// their notation. Empty if the game is over.
    pub fn choices(&self) -> &[RankedChoice] {
        &self.choices
    }

    /// The choices that are worth as much as the situation. Empty if the game is over.
    pub fn best(&self) -> &[RankedChoice] {
        self.groups().next().unwrap_or_default()
    }

    /// The choices in groups of one value each, best first.
    pub fn groups(&self) -> impl Iterator<Item = &[RankedChoice]> {
        self.choices.chunk_by(|one, next| one.value == next.value)
    }

    /// For each of [`Analysis::choices`] the number of its class. Two choices are in one class if the
    /// positions after them are images of each other under a symmetry of the board, so that what
    /// follows them is the same game. Classes are numbered from 0 in the order of the choices.
    pub fn classes(&self) -> Vec<usize> {
        let mut numbers = HashMap::new();
        let class = |ranked: &RankedChoice| {
            let next = numbers.len();
            *numbers.entry(self.smallest_image(&ranked.position)).or_insert(next)
        };
        self.choices.iter().map(class).collect()
    }

    /// What all images of a position have in common, and no others. The side to move is the same
    /// after all choices, and is left out.
    fn smallest_image(&self, position: &Position) -> (Points, Points, u8, u8) {
        let (mover, other) = (position.mover(), position.other());
        let images = self.board.geometry().symmetries().iter().map(|(_, symmetry)| {
            (symmetry.apply_set(mover.board), symmetry.apply_set(other.board))
        });
        let (mover_image, other_image) = images.min().expect("a group has an identity");
        (mover_image, other_image, mover.hand, other.hand)
    }
}

/// A choice with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedChoice {
    /// The move or removal.
    pub choice: Choice,
    /// The position after it, with the opponent to move.
    pub position: Position,
    /// What it is worth to the side that makes it; the distance counts from before the move.
    pub value: Value,
}
