//! The board as bare masks: what closes a mill, and what may be removed.
//!
//! This is the checker's own form of the rules, written for speed. Tests compare its moves with
//! [`Ruleset::legal_moves`].

use merels_core::{Geometry, Point, Removal, Ruleset};

/// A bit that no set of points has, for a line that does not exist.
const NEVER: u32 = 1 << 31;

/// The most lines through a point, on any board.
const LINES: usize = Geometry::MOST_LINES_THROUGH;

/// Lines and neighbours as masks, bit `i` for point `i`.
#[derive(Debug)]
pub(crate) struct Masks {
    points: u32,
    neighbours: [u32; Point::LIMIT as usize],
    /// By point: the two other points of each line through it.
    partners: [[u32; LINES]; Point::LIMIT as usize],
    lines: Vec<u32>,
    removal: Removal,
}

impl Masks {
    /// The masks for the board and the removal rule of `ruleset`.
    pub(crate) fn new(ruleset: &Ruleset) -> Self {
        let geometry = ruleset.board.geometry();
        let mut masks = Self {
            points: geometry.points().bits(),
            neighbours: [0; _],
            partners: [[NEVER; LINES]; _],
            lines: geometry.lines().iter().map(|line| line.bits()).collect(),
            removal: ruleset.removal,
        };
        for point in geometry.points() {
            masks.neighbours[point.index()] = geometry.neighbours(point).bits();
            let others = geometry.lines_through(point).iter().map(|line| line.without(point));
            for (slot, others) in masks.partners[point.index()].iter_mut().zip(others) {
                *slot = others.bits();
            }
        }
        masks
    }

    /// The points without a stone.
    #[inline(always)]
    pub(crate) const fn empty(&self, stones: u32) -> u32 {
        self.points & !stones
    }

    /// The points next to the point numbered `from`.
    #[inline(always)]
    pub(crate) const fn neighbours(&self, from: u32) -> u32 {
        self.neighbours[from as usize]
    }

    /// The points whose line has `stones` on all other points. A stone that arrives elsewhere
    /// closes no mill.
    #[inline(always)]
    pub(crate) fn nearly_closed(&self, stones: u32) -> u32 {
        let missing = self.lines.iter().map(|line| line & !stones);
        missing.fold(0, |all, missing| {
            all | if missing & missing.wrapping_sub(1) == 0 { missing } else { 0 }
        })
    }

    /// The number of mills that a stone closes on its arrival at point `to`; `rest` are the other
    /// stones of its side.
    #[inline(always)]
    pub(crate) fn mills_closed(&self, rest: u32, to: u32) -> u32 {
        self.partners[to as usize].iter().map(|&others| u32::from(rest & others == others)).sum()
    }

    /// The stones among `stones` (all of one side on the board) that may be removed.
    #[inline(always)]
    pub(crate) fn removable(&self, stones: u32) -> u32 {
        if self.removal == Removal::Free {
            return stones;
        }
        let in_mills = self
            .lines
            .iter()
            .fold(0, |all, &line| all | if stones & line == line { line } else { 0 });
        match stones & !in_mills {
            0 if self.removal == Removal::Protected => stones,
            open => open,
        }
    }
}

/// The single points of a mask, from the lowest, as masks.
#[inline(always)]
pub(crate) fn singles(mask: u32) -> impl Iterator<Item = u32> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
