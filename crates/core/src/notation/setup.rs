//! The stones that a reader has read so far.

use crate::board::point::{Point, Points};
use crate::notation::problem::NotationProblem;
use crate::play::position::Side;
use crate::rules::ruleset::Ruleset;

/// The stones read so far.
pub(crate) struct Setup<'a> {
    ruleset: &'a Ruleset,
    white: Points,
    black: Points,
}

impl<'a> Setup<'a> {
    pub(crate) const fn new(ruleset: &'a Ruleset) -> Self {
        Self { ruleset, white: Points::EMPTY, black: Points::EMPTY }
    }

    pub(crate) const fn stones(&self, side: Side) -> Points {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Puts a stone of `side` on `point`, unless it is taken or the side has no more stones.
    pub(crate) fn put(&mut self, side: Side, point: Point) -> Result<(), NotationProblem> {
        let name = || self.ruleset.board.geometry().name(point).to_string();
        if self.stones(side).contains(point) {
            return Err(NotationProblem::Twice { point: name() });
        }
        if self.stones(side.opponent()).contains(point) {
            return Err(NotationProblem::Both { point: name() });
        }
        if self.stones(side).len() == self.ruleset.stones {
            return Err(NotationProblem::Surplus { side, most: self.ruleset.stones });
        }
        let stones = match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        };
        *stones = stones.with(point);
        Ok(())
    }
}
