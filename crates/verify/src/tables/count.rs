//! Counts positions by value, from the entries themselves.

use merels_core::Points;
use merels_core::numbering::SubspaceIndex;
use merels_core::numbering::{Codes, ValueCode};
use merels_db::{LEFT_OUT, Statistics, ValueHistogram};
use merels_simd::Portable;

use crate::fast::entries::{Run, runs};

/// The number of positions by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Over positions up to symmetry.
    pub(crate) positions: ValueHistogram,
    /// Over arrangements of stones; images count separately.
    pub(crate) boards: ValueHistogram,
}

impl Counts {
    /// Counts the entries from index `first` on, except those that are left out.
    pub(crate) fn of(index: &SubspaceIndex, first: u64, codes: Codes<&[u8]>) -> Self {
        let positions = ValueHistogram::new(codes.has_far());
        let mut counts = Self { boards: positions.clone(), positions };
        let mut done = 0;
        for run in runs(index, first..first + codes.near.len() as u64) {
            let part = codes.map(|codes| &codes[done..][..run.len]);
            done += run.len;
            counts.add_run(index, run, part);
        }
        counts
    }

    /// Adds the counts of `other`.
    pub(crate) fn merge(mut self, other: &Self) -> Self {
        self.positions.merge(&other.positions);
        self.boards.merge(&other.boards);
        self
    }

    fn add_run(&mut self, index: &SubspaceIndex, mut run: Run, codes: Codes<&[u8]>) {
        let symmetries = index.board().geometry().symmetries();
        let stabiliser = index.classes().stabiliser(run.class);
        let images = symmetries.len() / stabiliser.iter().count();
        let mut all = ValueHistogram::new(codes.has_far());
        match codes {
            Codes { near, far: None } if !near.contains(&LEFT_OUT) => all.add_bytes(near),
            codes if !codes.near.contains(&LEFT_OUT) => {
                all.add_row(&Statistics::of_codes(codes), codes);
            }
            codes => (0..run.len).for_each(|place| add(&mut all, codes.map(|codes| codes[place]))),
        }
        for (value, count) in all.iter() {
            // Each entry of the row is an arrangement around each image of its key.
            let times = count * images as u64;
            assert!(self.boards.add_value(value, times), "a value that was counted");
        }
        if stabiliser.is_trivial() {
            self.positions.merge(&all);
            return;
        }
        // Among the entries of one position, the one with the other side's smallest set counts.
        for place in 0..run.len {
            let other = Points::from_bits(run.next_other(Portable));
            let is_first = stabiliser.iter().all(|id| symmetries.apply(id, other) >= other);
            if is_first {
                add(&mut self.positions, codes.map(|codes| codes[place]));
            }
        }
    }
}

/// Counts an entry, unless it is left out.
fn add(counts: &mut ValueHistogram, codes: Codes<u8>) {
    match codes {
        Codes { near: LEFT_OUT, .. } => (),
        Codes { near, far: None } => counts.add(ValueCode::from_byte(near).expect("a code")),
        codes => {
            let codes = codes.as_ref().map(std::slice::from_ref);
            counts.add_row(&Statistics::of_codes(codes), codes);
        }
    }
}

#[cfg(test)]
mod tests {
    use merels_core::numbering::binomial;
    use merels_core::{Board, Subspace, Value};

    use super::*;

    #[test]
    fn as_many_positions_and_boards_as_there_are() {
        let cases = [
            (Board::Nine, Subspace::moving(3, 3)),
            (Board::Nine, Subspace::placing(2, 4, 1, 1)),
            (Board::Nine, Subspace::placing(0, 2, 9, 9)),
            (Board::Twelve, Subspace::moving(3, 3)),
            (Board::Six, Subspace::moving(4, 3)),
            (Board::Seven, Subspace::moving(4, 3)),
            (Board::Three, Subspace::moving(3, 3)),
        ];
        for (board, subspace) in cases {
            let index = SubspaceIndex::new(board, subspace);
            let bytes = vec![ValueCode::DRAW.byte(); index.entries() as usize];
            let half = bytes.len() / 2;
            let counts = Counts::of(&index, 0, Codes::near(&bytes[..half]));
            let counts =
                counts.merge(&Counts::of(&index, half as u64, Codes::near(&bytes[half..])));
            assert_eq!(counts.positions.count(ValueCode::DRAW), index.positions(), "{subspace}");
            let points = board.geometry().point_count();
            let boards = binomial(points, subspace.mover())
                * binomial(points - subspace.mover(), subspace.other());
            assert_eq!(counts.boards.count(ValueCode::DRAW), boards, "{board} {subspace}");
        }
    }

    #[test]
    fn what_is_left_out_is_not_counted() {
        let index = SubspaceIndex::new(Board::Nine, Subspace::moving(3, 3));
        let mut bytes = vec![LEFT_OUT; index.entries() as usize];
        assert_eq!(Counts::of(&index, 0, Codes::near(&bytes)), Counts::default());
        bytes[77] = ValueCode::LOST.byte();
        let counts = Counts::of(&index, 0, Codes::near(&bytes));
        assert_eq!(counts.boards.iter().map(|(value, _)| value).collect::<Vec<_>>(), [Value::LOST]);
    }
}
