//! Index <-> position: the order of the entries of a subspace.
//!
//! The entries of a subspace are grouped in **rows**. The class of the mover's stones keys a row.
//! Its entries are the ranks of the other side's stones among the points that the representative
//! leaves free, compressed to a mask. Rows follow each other in the order of classes. Every
//! position has an entry. Only keys with a stabiliser have several entries for the same position;
//! these hold the same value.

use merels_simd::bits;

use crate::board::boards::Board;
use crate::board::point::Points;
use crate::index::classes::{ClassId, Classes, burnside_count};
use crate::index::subset::{Ranking, binomial};
use crate::index::subspace::Subspace;

/// The number of an entry of a subspace, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub u64);

/// The rankings of one side's stones on the points left free by the other side's: one for each
/// number of lower points that are free.
#[derive(Debug)]
pub struct RowRankings {
    by_free_corners: Vec<Option<Ranking>>,
    lower_mask: u32,
}

impl RowRankings {
    /// The rankings for rows keyed by `key` stones, with `size` stones of the other side.
    pub fn new(board: Board, key: u8, size: u8) -> Self {
        let geometry = board.geometry();
        let lower = geometry.corner_count();
        let upper = geometry.point_count() - lower;
        let by_free_corners = (0..=lower)
            .map(|free_lower| {
                let key_upper = key.checked_sub(lower - free_lower)?;
                let free_upper = upper.checked_sub(key_upper)?;
                Some(Ranking::new(free_lower, free_upper, size))
            })
            .collect();
        Self { by_free_corners, lower_mask: Points::first(lower).bits() }
    }

    /// The ranking for the row of `key`.
    ///
    /// # Panics
    /// If `key` does not have the number of stones that these rankings are for.
    #[inline]
    pub fn of(&self, key: Points) -> &Ranking {
        let free_lower = (self.lower_mask & !key.bits()).count_ones() as usize;
        self.by_free_corners[free_lower].as_ref().expect("a key of the right size")
    }

    /// The rankings by the number of free lower points; none if no key leaves that number free.
    pub fn by_free_corners(&self) -> &[Option<Ranking>] {
        &self.by_free_corners
    }
}

/// The order of the entries of one subspace. It depends only on the numbers of stones on the board;
/// all positions of a subspace have the same stones in hand.
#[derive(Debug)]
pub struct SubspaceIndex {
    board: Board,
    subspace: Subspace,
    classes: &'static Classes,
    rankings: RowRankings,
    row_len: u32,
}

impl SubspaceIndex {
    /// The index of `subspace` on `board`.
    ///
    /// # Panics
    /// If the board has fewer points than there are stones.
    #[track_caller]
    pub fn new(board: Board, subspace: Subspace) -> Self {
        let points = board.geometry().point_count();
        let (mover, other) = (subspace.mover(), subspace.other());
        assert!(mover + other <= points, "more stones than points");
        Self {
            board,
            subspace,
            classes: Classes::of(board, mover),
            rankings: RowRankings::new(board, mover, other),
            row_len: binomial(points - mover, other) as u32,
        }
    }

    /// The subspace.
    pub const fn subspace(&self) -> Subspace {
        self.subspace
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The classes of the mover's stones: the keys of the rows.
    pub const fn classes(&self) -> &'static Classes {
        self.classes
    }

    /// The rankings of the other side's stones within the rows.
    pub const fn rankings(&self) -> &RowRankings {
        &self.rankings
    }

    /// How many entries a row has.
    pub const fn row_len(&self) -> u32 {
        self.row_len
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.classes.len()
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.rows() as u64 * u64::from(self.row_len)
    }

    /// The number of positions up to symmetry, by Burnside's lemma.
    pub fn positions(&self) -> u64 {
        burnside_count(self.board.geometry(), self.subspace.mover(), self.subspace.other())
    }

    /// The entry of the position with these stones.
    ///
    /// # Panics
    /// If the numbers of stones differ from those of the subspace.
    pub fn index_of(&self, mover: Points, other: Points) -> Index {
        debug_assert!(!mover.intersects(other), "two stones on one point");
        let located = self.classes.locate(mover);
        let other = self.board.geometry().symmetries().apply(located.symmetry, other);
        let key = self.classes.representative(located.class);
        let rank = self.rank_in_row(key, other);
        Index(located.class.index() as u64 * u64::from(self.row_len) + u64::from(rank))
    }

    /// The stones of the mover and of the other side at `index`: the mover's are the representative
    /// of their class.
    ///
    /// # Panics
    /// If `index` is not below [`SubspaceIndex::entries`].
    pub fn stones_at(&self, index: Index) -> (Points, Points) {
        assert!(index.0 < self.entries(), "index out of range");
        let class = ClassId::new((index.0 / u64::from(self.row_len)) as u32);
        let rank = (index.0 % u64::from(self.row_len)) as u32;
        let key = self.classes.representative(class);
        let free = self.board.geometry().points().difference(key);
        let other = bits::deposit(self.rankings.of(key).unrank(rank), free.bits());
        (key, Points::from_bits(other))
    }

    /// The rank of the other side's stones in the row of `key`, a representative.
    ///
    /// # Panics
    /// If the numbers of stones differ from those of the subspace.
    pub fn rank_in_row(&self, key: Points, other: Points) -> u32 {
        let free = self.board.geometry().points().difference(key);
        self.rankings.of(key).rank(bits::extract(other.bits(), free.bits()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_entry_of_small_subspaces_leads_back_to_itself_or_its_twin() {
        let cases = [
            (Board::Nine, Subspace::moving(3, 3)),
            (Board::Nine, Subspace::moving(4, 3)),
            (Board::Nine, Subspace::moving(2, 5)),
            (Board::Twelve, Subspace::moving(3, 4)),
            (Board::Six, Subspace::moving(4, 5)),
            (Board::Seven, Subspace::moving(4, 5)),
            (Board::Three, Subspace::moving(3, 3)),
        ];
        for (board, subspace) in cases {
            let order = SubspaceIndex::new(board, subspace);
            let symmetries = board.geometry().symmetries();
            let mut positions = 0;
            for i in 0..order.entries() {
                let (mover, other) = order.stones_at(Index(i));
                let key = order.classes().locate(mover).class;
                let twins: Vec<_> = order
                    .classes()
                    .stabiliser(key)
                    .iter()
                    .map(|id| order.rank_in_row(mover, symmetries.apply(id, other)))
                    .collect();
                let own = (i % u64::from(order.row_len())) as u32;
                assert_eq!(order.index_of(mover, other), Index(i));
                positions += u64::from(twins.iter().min() == Some(&own));
            }
            assert_eq!(positions, order.positions(), "{board} {subspace}");
        }
    }

    #[test]
    fn the_standard_moving_phase_has_the_published_size() {
        let all = Subspace::all_moving(&crate::Ruleset::STANDARD);
        let orders = all.into_iter().map(|subspace| SubspaceIndex::new(Board::Nine, subspace));
        let (entries, positions) = orders
            .map(|order| (order.entries(), order.positions()))
            .fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        assert_eq!(entries, 9_193_626_407);
        assert_eq!(positions, 8_904_593_601);
    }

    proptest! {
        #[test]
        fn all_images_of_a_position_share_its_value_entry(mover in 3_u8..=9, other in 3_u8..=9, seed: u64) {
            let order = SubspaceIndex::new(Board::Nine, Subspace::moving(mover, other));
            let index = Index(seed % order.entries());
            let (key, stones) = order.stones_at(index);
            prop_assert_eq!(order.index_of(key, stones), index);
            let symmetries = Board::Nine.geometry().symmetries();
            // Images may land on a twin entry, which must stand for the same position.
            for (_, symmetry) in symmetries.iter() {
                let found = order.index_of(symmetry.apply_set(key), symmetry.apply_set(stones));
                let (twin_key, twin) = order.stones_at(found);
                prop_assert_eq!(twin_key, key);
                let stabiliser = order.classes().stabiliser(order.classes().locate(key).class);
                prop_assert!(stabiliser.iter().any(|id| symmetries.apply(id, stones) == twin));
            }
        }
    }
}
