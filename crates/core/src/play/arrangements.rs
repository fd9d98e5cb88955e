//! The positions of a subspace, one after the other.
//!
//! A table has an entry for every arrangement of the waiting side's stones beside each
//! representative of the mover's. So a position whose mover's stones are symmetric has several
//! entries, its *twins*, and all its images share them. The first twin stands for the class.

use std::ops::Range;

use crate::board::point::Points;
use crate::index::rows::{Index, SubspaceIndex};
use crate::index::subspace::Subspace;
use crate::play::position::Position;
use crate::rules::ruleset::Ruleset;

/// The positions of a subspace. White is to move, unless only Black can be.
#[derive(Debug)]
pub struct Arrangements {
    index: SubspaceIndex,
}

impl Arrangements {
    /// Those of `subspace`; none if the game has no such subspace.
    pub fn of(ruleset: &Ruleset, subspace: Subspace) -> Option<Self> {
        let moving = || Subspace::all_moving(ruleset).contains(&subspace);
        let exists = if subspace.is_moving() { moving() } else { subspace.is_placing_of(ruleset) };
        exists.then(|| Self { index: SubspaceIndex::new(ruleset.board, subspace) })
    }

    /// The numbering of the entries.
    pub const fn index(&self) -> &SubspaceIndex {
        &self.index
    }

    /// The position of an entry.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn position(&self, entry: Index) -> Position {
        let (mover, other) = self.index.stones_at(entry);
        Position::of_subspace(self.index.subspace(), mover, other)
    }

    /// Whether the entry is the first one of its position.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn is_first(&self, entry: Index) -> bool {
        let (mover, other) = self.index.stones_at(entry);
        let classes = self.index.classes();
        let stabiliser = classes.stabiliser(classes.locate(mover).class);
        if stabiliser.is_trivial() {
            return true;
        }
        let symmetries = self.index.board().geometry().symmetries();
        let rank = |other: Points| self.index.rank_in_row(mover, other);
        let own = rank(other);
        stabiliser.iter().all(|id| rank(symmetries.apply(id, other)) >= own)
    }

    /// One position for each class under the symmetries of the board, of those whose first entry is
    /// in `entries`: in the order of these entries, each as [`Position::canonical`].
    ///
    /// # Panics
    /// If there are no such entries.
    pub fn classes(&self, entries: Range<u64>) -> impl Iterator<Item = Position> {
        let first = entries.map(Index).filter(|&entry| self.is_first(entry));
        first.map(|entry| self.position(entry).canonical(self.index.board()))
    }

    /// All arrangements of the classes whose first entry is in `entries`: for each of
    /// [`Arrangements::classes`] its images, see [`Position::images`].
    ///
    /// # Panics
    /// If there are no such entries.
    pub fn all(&self, entries: Range<u64>) -> impl Iterator<Item = Position> {
        let board = self.index.board();
        self.classes(entries).flat_map(move |position| position.images(board))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::index::subset::binomial;

    use super::*;

    #[test]
    fn every_arrangement_occurs_once_and_every_class_once() {
        for (rules, name) in [
            ("standard", "3-3"),
            ("standard", "2-2+7-7"),
            ("standard", "0-1+9-8"),
            ("seven", "3-4"),
            ("lasker", "1-2+9-8"),
            ("morabaraba", "2-2+10-10"),
            ("three", "3-3"),
        ] {
            let ruleset: Ruleset = rules.parse().unwrap();
            let subspace: Subspace = name.parse().unwrap();
            let arrangements = Arrangements::of(&ruleset, subspace).unwrap();
            let index = arrangements.index();
            let entries = 0..index.entries();
            let classes: Vec<_> = arrangements.classes(entries.clone()).collect();
            assert_eq!(classes.len() as u64, index.positions(), "{rules} {name}");
            let all: HashSet<_> = arrangements.all(entries.clone()).collect();
            let points = ruleset.board.geometry().point_count();
            let (mover, other) = (subspace.mover(), subspace.other());
            let expected = binomial(points, mover) * binomial(points - mover, other);
            assert_eq!(all.len() as u64, expected, "{rules} {name}");
            assert_eq!(arrangements.all(entries).count() as u64, expected);
            for position in &classes {
                assert_eq!(position.check(&ruleset), Ok(()), "{position:?}");
                assert_eq!(position.subspace(), subspace);
                assert_eq!(position.canonical(ruleset.board), *position);
                for image in position.images(ruleset.board) {
                    assert_eq!(image.canonical(ruleset.board), *position);
                    assert_eq!(image.side(), position.side());
                }
            }
        }
    }

    #[test]
    fn a_subspace_that_no_game_has_is_refused() {
        for name in ["10-3", "2-3", "5-5+1-9"] {
            let subspace = name.parse().unwrap();
            assert!(Arrangements::of(&Ruleset::STANDARD, subspace).is_none(), "{name}");
        }
    }
}
