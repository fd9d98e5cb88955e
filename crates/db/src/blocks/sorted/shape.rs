//! Which entries a block holds.
//!
//! A block holds whole rows, as many as fit into a given number of entries. A row that alone has more
//! is cut into pieces where the pattern of upper points changes, so that lanes stay together.

use std::ops::Range;
use std::sync::OnceLock;

use merels_core::numbering::{ClassId, Ranking, RowRankings, SubspaceIndex};

use super::runs::Runs;

/// The blocks of a table.
#[derive(Debug)]
pub(super) struct Shape {
    index: SubspaceIndex,
    entries_per_block: u32,
    /// Rows of a block; or, if a row is longer than a block, pieces of a row.
    cut: Cut,
    /// For each number of free lower points and each piece, worked out when first needed.
    runs: Vec<Vec<OnceLock<Runs>>>,
}

#[derive(Debug)]
enum Cut {
    Rows(u32),
    /// For each number of free lower points: the upper pattern with which each piece begins, and
    /// one more.
    Pieces(Vec<Vec<u32>>),
}

/// A part of a row that lies in a block.
pub(super) struct RowPart<'a> {
    /// The row.
    pub(super) class: ClassId,
    /// How the row is numbered.
    pub(super) ranking: &'a Ranking,
    /// The patterns of upper points.
    upper: Range<u32>,
    runs: &'a OnceLock<Runs>,
}

impl<'a> RowPart<'a> {
    /// Its entries.
    pub(super) fn runs(&self) -> &'a Runs {
        self.runs.get_or_init(|| Runs::new(self.ranking, self.upper.clone()))
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        let starts = self.ranking.group_starts();
        (starts[self.upper.end as usize] - starts[self.upper.start as usize]) as usize
    }
}

impl Shape {
    /// The blocks of about `entries_per_block` entries.
    pub(super) fn new(index: SubspaceIndex, entries_per_block: u32) -> Self {
        let fitting = entries_per_block / index.row_len().max(1);
        let cut = if fitting > 0 {
            Cut::Rows(fitting)
        } else {
            Cut::Pieces(pieces(index.rankings(), index.row_len(), entries_per_block))
        };
        let pieces_of_a_row = index.row_len().div_ceil(entries_per_block) as usize;
        let of_pieces = |_| (0..pieces_of_a_row.max(1)).map(|_| OnceLock::new()).collect();
        let runs = index.rankings().by_free_corners().iter().map(of_pieces).collect();
        Self { index, entries_per_block, cut, runs }
    }

    /// The order of the entries.
    pub(super) const fn index(&self) -> &SubspaceIndex {
        &self.index
    }

    const fn pieces_of_a_row(&self) -> u64 {
        self.index.row_len().div_ceil(self.entries_per_block) as u64
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> u64 {
        Self::count_for(self.index.rows() as u64, self.index.row_len(), self.entries_per_block)
    }

    /// How many blocks `rows` rows of `row_len` entries make.
    pub(super) const fn count_for(rows: u64, row_len: u32, entries_per_block: u32) -> u64 {
        match entries_per_block.checked_div(row_len) {
            None => 0,
            Some(0) => rows * row_len.div_ceil(entries_per_block) as u64,
            Some(fitting) => rows.div_ceil(fitting as u64),
        }
    }

    /// The block that holds an entry.
    pub(super) fn block_of(&self, index: u64) -> u64 {
        let row_len = u64::from(self.index.row_len());
        let (row, rank) = (index / row_len, (index % row_len) as u32);
        match &self.cut {
            Cut::Rows(fitting) => row / u64::from(*fitting),
            Cut::Pieces(_) => {
                let starts = self.group_starts(row);
                // The upper pattern: the last one that starts at or before the rank.
                let upper = starts.partition_point(|&start| start <= rank) - 1;
                row * self.pieces_of_a_row() + u64::from(starts[upper] / self.entries_per_block)
            }
        }
    }

    fn group_starts(&self, row: u64) -> &[u32] {
        let key = self.index.classes().representative(ClassId::new(row as u32));
        self.index.rankings().of(key).group_starts()
    }

    /// The parts of rows that a block holds, in order.
    pub(super) fn parts(&self, block: u64) -> impl Iterator<Item = RowPart<'_>> {
        let rows = match self.cut {
            Cut::Rows(fitting) => {
                let first = block * u64::from(fitting);
                first..(first + u64::from(fitting)).min(self.index.rows() as u64)
            }
            Cut::Pieces(_) => {
                let row = block / self.pieces_of_a_row();
                row..row + 1
            }
        };
        rows.map(move |row| {
            let class = ClassId::new(row as u32);
            let ranking = self.index.rankings().of(self.index.classes().representative(class));
            let (upper, piece) = match &self.cut {
                Cut::Rows(_) => (0..1 << ranking.upper(), 0),
                Cut::Pieces(pieces) => {
                    let pieces = &pieces[ranking.lower() as usize];
                    let piece = (block % self.pieces_of_a_row()) as usize;
                    (pieces[piece]..pieces[piece + 1], piece)
                }
            };
            let runs = &self.runs[ranking.lower() as usize][piece];
            RowPart { class, ranking, upper, runs }
        })
    }

    /// The indices of the entries of a block; an empty range if there is no such block.
    pub(super) fn indices_of(&self, block: u64) -> Range<u64> {
        if block >= self.blocks() {
            return self.index.entries()..self.index.entries();
        }
        let row_len = u64::from(self.index.row_len());
        let at = |row: u64, upper: u32| {
            row * row_len + u64::from(self.group_starts(row)[upper as usize])
        };
        let mut range = 0..0;
        for (i, part) in self.parts(block).enumerate() {
            let row = part.class.index() as u64;
            if i == 0 {
                range.start = at(row, part.upper.start);
            }
            range.end = at(row, part.upper.end);
        }
        range
    }
}

/// Where rows are cut into pieces.
fn pieces(rankings: &RowRankings, row_len: u32, entries_per_block: u32) -> Vec<Vec<u32>> {
    let of_ranking = |starts: &[u32]| {
        let bounds = (0..row_len).step_by(entries_per_block as usize).chain([row_len]);
        bounds.map(|bound| starts.partition_point(|&start| start < bound) as u32).collect()
    };
    let rankings = rankings.by_free_corners().iter();
    rankings
        .map(|ranking| ranking.as_ref().map_or_else(Vec::new, |r| of_ranking(r.group_starts())))
        .collect()
}

#[cfg(test)]
mod tests {
    use merels_core::{Board, Subspace};

    use super::*;

    #[test]
    fn blocks_follow_each_other_without_gap() {
        let cases = [
            (Subspace::moving(9, 3), 1000),
            (Subspace::moving(3, 4), 1000),
            (Subspace::moving(3, 9), 32_768),
            (Subspace::moving(3, 8), 1 << 20),
            (Subspace::placing(0, 0, 9, 9), 32_768),
            (Subspace::placing(0, 1, 9, 8), 8),
            (Subspace::placing(1, 5, 9, 8), 20_000),
        ];
        for (subspace, size) in cases {
            let shape = Shape::new(SubspaceIndex::new(Board::Nine, subspace), size);
            let mut next = 0;
            for block in 0..shape.blocks() {
                let indices = shape.indices_of(block);
                assert_eq!(indices.start, next, "{subspace}, block {block}");
                assert!(indices.end > indices.start, "{subspace}, block {block}");
                assert!(indices.end - indices.start < u64::from(size) + 924);
                assert_eq!(shape.block_of(indices.start), block);
                assert_eq!(shape.block_of(indices.end - 1), block);
                next = indices.end;
            }
            assert_eq!(next, shape.index().entries());
            assert!(shape.indices_of(shape.blocks()).is_empty());
        }
    }
}
