//! Slides and mills on bare masks, for the inner loops.
//!
//! The plain rules in `merels-core` visit stones one by one. Here a whole set of stones moves at
//! once. On the board of three rings without diagonals all 64 directed edges fit one word: bits
//! 0-47 are the edges between a corner and a midpoint, bits 48-63 the edges between midpoints of
//! neighbouring rings. The board with diagonals has sixteen more, between corners of neighbouring
//! rings, in a word of their own. The small boards use lists of neighbours and of lines.

use merels_core::{Board, Points};

/// The edges and lines of one board.
pub(crate) struct Slides {
    board: Board,
    pub(crate) neighbours: [u32; 24],
    lines: Vec<u32>,
    /// On the boards of three rings: the two points of each of the 64 directed edges that both
    /// boards have.
    pub(crate) edges: [u32; 64],
}

impl Slides {
    /// The slides of `board`.
    pub(crate) fn of(board: Board) -> Self {
        let geometry = board.geometry();
        let mut neighbours = [0; 24];
        for point in geometry.points() {
            neighbours[point.index()] = geometry.neighbours(point).bits();
        }
        let mut edges = [0; 64];
        for (i, edge) in edges.iter_mut().enumerate() {
            *edge = nine_edge(i);
        }
        Self {
            board,
            neighbours,
            lines: geometry.lines().iter().map(|line| line.bits()).collect(),
            edges,
        }
    }

    /// The board.
    pub(crate) const fn board(&self) -> Board {
        self.board
    }

    /// The neighbours of the point with this number.
    pub(crate) const fn neighbours(&self, point: usize) -> u32 {
        self.neighbours[point]
    }

    /// The board's lines.
    pub(crate) fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// The stones in a mill.
    #[inline]
    pub(crate) fn in_mills(&self, stones: u32) -> u32 {
        match self.board {
            Board::Nine => nine_in_mills(stones),
            Board::Twelve => twelve_in_mills(stones),
            _ => {
                let mills = self.lines.iter().filter(|&&line| stones & line == line);
                mills.fold(0, |all, line| all | line)
            }
        }
    }

    /// The stones in two mills or more.
    #[inline]
    pub(crate) fn in_two_mills(&self, stones: u32) -> u32 {
        if self.board == Board::Twelve {
            return twelve_in_two_mills(stones);
        }
        let mills = self.lines.iter().filter(|&&line| stones & line == line);
        mills.fold((0, 0), |(once, twice), line| (once | line, twice | once & line)).1
    }

    /// The number of slides of `stones` into `empty` points.
    #[inline]
    pub(crate) fn count(&self, stones: u32, empty: u32) -> u32 {
        match self.board {
            Board::Nine => nine_slides(stones, empty).count_ones(),
            Board::Twelve => {
                nine_slides(stones, empty).count_ones() + diagonals(stones, empty).count_ones()
            }
            _ => {
                let stones = Points::from_bits(stones).into_iter();
                stones.map(|point| (self.neighbours[point.index()] & empty).count_ones()).sum()
            }
        }
    }
}

/// Moves each group of four bits (a ring) down by one place, cyclically: from corner `k + 1` to the
/// midpoint `k` after corner `k`.
#[inline(always)]
const fn ring_down(bits: u32) -> u32 {
    (bits >> 1 & 0x777) | (bits << 3 & 0x888)
}

/// Moves each group of four bits up by one place, cyclically.
#[inline(always)]
const fn ring_up(bits: u32) -> u32 {
    (bits << 1 & 0xeee) | (bits >> 3 & 0x111)
}

/// The directed edges of [`Board::Nine`] from `stones` to `empty` points, as a set of the numbers
/// of `Slides::edges`.
#[inline(always)]
pub(crate) const fn nine_slides(stones: u32, empty: u32) -> u64 {
    let (corners, midpoints) = (stones & 0xfff, stones >> 12);
    let (empty_corners, empty_midpoints) = (empty & 0xfff, empty >> 12);
    let next_corners = ring_down(corners);
    let next_empty = ring_down(empty_corners);
    let ring = (corners & empty_midpoints) as u64
        | ((midpoints & empty_corners) as u64) << 12
        | ((next_corners & empty_midpoints) as u64) << 24
        | ((midpoints & next_empty) as u64) << 36;
    let inwards = (midpoints & empty_midpoints >> 4) & 0xff;
    let outwards = (empty_midpoints & midpoints >> 4) & 0xff;
    ring | (inwards as u64) << 48 | (outwards as u64) << 56
}

/// The two points of the edge with this number.
const fn nine_edge(number: usize) -> u32 {
    if number < 48 {
        let midpoint = number % 12;
        let corner = 1 << midpoint;
        let corner = if number < 24 { corner } else { ring_up(corner) };
        1 << (12 + midpoint) | corner
    } else {
        0x11 << (12 + (number - 48) % 8)
    }
}

/// The stones of [`Board::Nine`] in a mill.
#[inline(always)]
pub(crate) const fn nine_in_mills(stones: u32) -> u32 {
    let (corners, midpoints) = (stones & 0xfff, stones >> 12);
    let sides = midpoints & corners & ring_down(corners);
    let spokes = midpoints & midpoints >> 4 & midpoints >> 8 & 0xf;
    (sides | ring_up(sides)) | ((sides | (spokes * 0x111)) << 12)
}

/// The directed edges of [`Board::Twelve`] between corners, from `stones` to `empty` points: bits
/// 0-7 inwards, by the outer corner, and bits 8-15 outwards.
#[inline(always)]
pub(crate) const fn diagonals(stones: u32, empty: u32) -> u32 {
    (stones & empty >> 4 & 0xff) | (empty & stones >> 4 & 0xff) << 8
}

/// The two points of the diagonal edge with this number.
#[inline(always)]
pub(crate) const fn diagonal_edge(number: u32) -> u32 {
    0x11 << (number % 8)
}

/// The stones of [`Board::Twelve`] in a mill.
#[inline(always)]
pub(crate) const fn twelve_in_mills(stones: u32) -> u32 {
    nine_in_mills(stones) | ((stones & stones >> 4 & stones >> 8 & 0xf) * 0x111)
}

/// The stones of [`Board::Twelve`] in two mills or more.
#[inline(always)]
const fn twelve_in_two_mills(stones: u32) -> u32 {
    let (corners, midpoints) = (stones & 0xfff, stones >> 12);
    let sides = midpoints & corners & ring_down(corners);
    let spokes = (midpoints & midpoints >> 4 & midpoints >> 8 & 0xf) * 0x111;
    let diagonals = (corners & corners >> 4 & corners >> 8 & 0xf) * 0x111;
    // A corner is the first of one side and the last of another.
    let (first, last) = (sides, ring_up(sides));
    (first & last | first & diagonals | last & diagonals) | (sides & spokes) << 12
}

#[cfg(test)]
mod tests {
    use merels_core::Point;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn double_mills_agree_with_the_geometry(stones in 0_u32..1 << 24, more in 0_u32..1 << 24) {
            for board in Board::ALL {
                let (slides, geometry) = (Slides::of(board), board.geometry());
                for stones in [stones, stones | more].map(Points::from_bits) {
                    let stones = stones.intersection(geometry.points());
                    let mills = |&point: &Point| geometry.mills_at(stones, point);
                    let twice: Points = stones.into_iter().filter(|p| mills(p) >= 2).collect();
                    prop_assert_eq!(slides.in_two_mills(stones.bits()), twice.bits());
                }
            }
        }

        #[test]
        fn mills_agree_with_the_geometry(stones in 0_u32..1 << 24, more in 0_u32..1 << 24) {
            for (board, stones) in [Board::Nine, Board::Twelve]
                .into_iter()
                .flat_map(|board| [(board, stones), (board, stones | more)])
            {
                let slow = board.geometry().in_mills(Points::from_bits(stones));
                prop_assert_eq!(Slides::of(board).in_mills(stones), slow.bits());
            }
        }
    }
}
