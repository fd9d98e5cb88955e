//! Moves and mills on bare masks, for the inner loops.
//!
//! The plain rules in `merels-core` walk over single stones. Here a whole set of stones is moved at
//! once. On the board of three rings without diagonals all 64 directed edges fit one word: bits
//! 0-47 are the edges between a corner and a midpoint, bits 48-63 those between midpoints of
//! neighbouring rings. The other boards use lists of neighbours and of lines.

use merels_core::{Board, Points};

use crate::dispatch::Cpu;

/// How stones slide and jump on one board.
pub(crate) struct Slides {
    board: Board,
    neighbours: [u32; 24],
    lines: Vec<u32>,
    /// On [`Board::Nine`]: the two points of each of the 64 directed edges.
    edges: [u32; 64],
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

    /// Whether the 64-edge form applies.
    pub(crate) fn is_nine(&self) -> bool {
        self.board == Board::Nine
    }

    /// The neighbours of the point with this number.
    pub(crate) const fn neighbours(&self, point: usize) -> u32 {
        self.neighbours[point]
    }

    /// The board's lines.
    pub(crate) fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// The stones that stand in a mill.
    #[inline]
    pub(crate) fn in_mills(&self, stones: u32) -> u32 {
        if self.is_nine() {
            return nine_in_mills(stones);
        }
        self.lines.iter().filter(|&&line| stones & line == line).fold(0, |all, line| all | line)
    }

    /// How many slides the `stones` have into the `empty` points.
    #[cfg(test)]
    pub(crate) fn count(&self, stones: u32, empty: u32) -> u32 {
        Points::from_bits(stones)
            .into_iter()
            .map(|point| (self.neighbours[point.index()] & empty).count_ones())
            .sum()
    }

    /// Calls `found` with the two points of every slide of `stones` into `empty` points.
    #[inline]
    pub(crate) fn for_each(&self, stones: u32, empty: u32, mut found: impl FnMut(u32)) {
        for from in Points::from_bits(stones) {
            for to in Points::from_bits(self.neighbours[from.index()] & empty) {
                found(from.set().bits() | to.set().bits());
            }
        }
    }
}

/// How the stones of a row are moved back: one of the three forms below, chosen once for each group
/// of rows.
pub(crate) trait Unmoves: Copy {
    /// The stones that stand in a mill.
    fn in_mills(self, stones: u32) -> u32;

    /// Writes the sets from which `stones` may have come to the start of `reached`, and gives their
    /// number: one stone of `arrived` moved last, and left one of the `empty` points.
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize;
}

/// The most un-moves that a set of stones can have: each slide uses an edge of the board (40 at
/// most), and three stones jump to at most 18 points each.
pub(crate) const MOST_UNMOVES: usize = 64;

/// Slides on [`Board::Nine`].
#[derive(Clone, Copy)]
pub(crate) struct NineSlides<'a>(pub(crate) &'a Slides);

impl Unmoves for NineSlides<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        nine_in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        cpu: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        cpu.apply_edges(stones, nine_slides(arrived, empty), &self.0.edges, reached)
    }
}

/// Slides on any board.
#[derive(Clone, Copy)]
pub(crate) struct AnySlides<'a>(pub(crate) &'a Slides);

impl Unmoves for AnySlides<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        self.0.in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        _: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        let mut count = 0;
        self.0.for_each(arrived, empty, |pair| {
            reached[count] = stones ^ pair;
            count += 1;
        });
        count
    }
}

/// Jumps on any board.
#[derive(Clone, Copy)]
pub(crate) struct Jumps<'a>(pub(crate) &'a Slides);

impl Unmoves for Jumps<'_> {
    #[inline(always)]
    fn in_mills(self, stones: u32) -> u32 {
        self.0.in_mills(stones)
    }

    #[inline(always)]
    fn unmoves<C: Cpu>(
        self,
        _: C,
        stones: u32,
        arrived: u32,
        empty: u32,
        reached: &mut [u32; MOST_UNMOVES],
    ) -> usize {
        let mut count = 0;
        for from in Points::from_bits(arrived) {
            for to in Points::from_bits(empty) {
                reached[count] = stones ^ (from.set().bits() | to.set().bits());
                count += 1;
            }
        }
        count
    }
}

/// Moves each group of four bits (a ring) down by one place, cyclically: from corner `k + 1` to the
/// midpoint `k` that follows corner `k`.
#[inline(always)]
const fn ring_down(bits: u32) -> u32 {
    (bits >> 1 & 0x777) | (bits << 3 & 0x888)
}

/// Moves each group of four bits up by one place, cyclically.
#[inline(always)]
const fn ring_up(bits: u32) -> u32 {
    (bits << 1 & 0xeee) | (bits >> 3 & 0x111)
}

/// The directed edges of [`Board::Nine`] from `stones` to `empty` points, as a set of the numbers of
/// `Slides::edges`.
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

/// The stones of [`Board::Nine`] that stand in a mill.
#[inline(always)]
pub(crate) const fn nine_in_mills(stones: u32) -> u32 {
    let (corners, midpoints) = (stones & 0xfff, stones >> 12);
    let sides = midpoints & corners & ring_down(corners);
    let spokes = midpoints & midpoints >> 4 & midpoints >> 8 & 0xf;
    (sides | ring_up(sides)) | ((sides | (spokes * 0x111)) << 12)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_nine_board_in_one_word_agrees_with_its_geometry(stones in 0_u32..1 << 24, empty in 0_u32..1 << 24) {
            let empty = empty & !stones;
            let slides = Slides::of(Board::Nine);
            let mut slow = Vec::new();
            slides.for_each(stones, empty, |pair| slow.push(pair));
            let word = nine_slides(stones, empty);
            let mut fast: Vec<_> =
                (0..64).filter(|edge| word >> edge & 1 == 1).map(|edge| slides.edges[edge]).collect();
            slow.sort_unstable();
            fast.sort_unstable();
            prop_assert_eq!(fast, slow);
            prop_assert_eq!(word.count_ones(), slides.count(stones, empty));
        }

        #[test]
        fn mills_agree_with_the_geometry(stones in 0_u32..1 << 24, more in 0_u32..1 << 24) {
            for stones in [stones, stones | more] {
                let slow = Board::Nine.geometry().in_mills(Points::from_bits(stones));
                prop_assert_eq!(nine_in_mills(stones), slow.bits());
            }
        }
    }
}
