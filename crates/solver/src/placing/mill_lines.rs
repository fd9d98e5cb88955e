//! The lanes of a group in which a placing closes a mill.

use merels_core::numbering::{LaneWords, lower_patterns};
use merels_core::{Geometry, Points, Ruleset};
use merels_simd::bits;

/// Vectors of the longest group.
pub(super) const PARTS: usize = 2;

/// The most free points of a board.
pub(super) const POINTS: usize = 24;

/// Most lines through a point of a board.
pub(super) const LINES: usize = Geometry::MOST_LINES_THROUGH;

/// The lanes in which a stone closes a mill, by point and by line through it: the lanes of `words`,
/// if the group has all stones of `highs`.
pub(super) struct MillLines {
    /// The number of free points, and of lines in use.
    points: usize,
    lines: usize,
    highs: [[u64; POINTS]; LINES],
    lows: [[u32; POINTS]; LINES],
    words: [[[u64; POINTS]; PARTS]; LINES],
}

/// High points of a line that does not exist.
const NEVER: u64 = 1 << 32;

impl MillLines {
    pub(super) const fn new() -> Self {
        Self {
            points: 0,
            lines: 0,
            highs: [[NEVER; POINTS]; LINES],
            lows: [[0; POINTS]; LINES],
            words: [[[0; POINTS]; PARTS]; LINES],
        }
    }

    /// Finds the lines of a row that leaves `free` points.
    pub(super) fn find(&mut self, ruleset: &Ruleset, low: u8, free: u32) {
        let geometry = ruleset.board.geometry();
        self.points = free.count_ones() as usize;
        self.highs = [[NEVER; POINTS]; LINES];
        self.lines = 0;
        for (i, point) in Points::from_bits(free).into_iter().enumerate() {
            let lines = geometry.lines_through(point).iter();
            let free_lines = lines.filter(|line| line.bits() & !free == 0);
            for (line, points) in free_lines.enumerate() {
                let others = bits::extract(points.without(point).bits(), free);
                self.highs[line][i] = u64::from(others >> low);
                self.lows[line][i] = others & ((1 << low) - 1);
                self.lines = self.lines.max(line + 1);
            }
        }
    }

    /// Sets the words for groups of `size` low stones before the placing. For a high point they are
    /// the lanes of such a group in which a stone on it closes a mill; for a low point, the lanes
    /// of the reached group in which the stone on it has closed one.
    pub(super) fn begin_groups(&mut self, words: &LaneWords, low: u8, size: u8) {
        let parts_of = |size| lower_patterns(low, size).len().div_ceil(64);
        let (parts, placed_parts) =
            (parts_of(size), if size < low { parts_of(size + 1) } else { 0 });
        for line in 0..self.lines {
            for i in 0..self.points {
                if self.highs[line][i] == NEVER {
                    continue;
                }
                let pattern = self.lows[line][i];
                for part in 0..PARTS {
                    self.words[line][part][i] = if i >= low.into() && part < parts {
                        words.holding(size, part, pattern)
                    } else if i < low.into() && part < placed_parts {
                        words.holding(size + 1, part, pattern | 1 << i)
                    } else {
                        0
                    };
                }
            }
        }
    }

    /// The lanes that close a mill with these high stones, by part and point.
    #[inline(always)]
    pub(super) fn closing(&self, stones: u32) -> [[u64; POINTS]; PARTS] {
        let missing = u64::from(!stones) | NEVER;
        let mut closing = [[0; POINTS]; PARTS];
        let mut first = 0;
        // Loops over indices, since iterators are not always inlined here.
        #[allow(clippy::needless_range_loop)]
        while first < self.points {
            for line in 0..self.lines {
                for i in first..first + 8 {
                    let closes = self.highs[line][i] & missing == 0;
                    for part in 0..PARTS {
                        closing[part][i] |= if closes { self.words[line][part][i] } else { 0 };
                    }
                }
            }
            first += 8;
        }
        closing
    }

    /// The same for the lanes that close two mills or more.
    #[inline(always)]
    pub(super) fn closing_two(&self, stones: u32) -> [[u64; POINTS]; PARTS] {
        let missing = u64::from(!stones) | NEVER;
        let mut closing = [[0; POINTS]; PARTS];
        let mut closing_two = [[0; POINTS]; PARTS];
        #[allow(clippy::needless_range_loop)]
        for line in 0..self.lines {
            for i in 0..self.points {
                let closes = self.highs[line][i] & missing == 0;
                for part in 0..PARTS {
                    let lanes = if closes { self.words[line][part][i] } else { 0 };
                    closing_two[part][i] |= closing[part][i] & lanes;
                    closing[part][i] |= lanes;
                }
            }
        }
        closing_two
    }
}
