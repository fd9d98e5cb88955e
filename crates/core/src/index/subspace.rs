//! Subspaces: the positions with the same numbers of stones, and how they depend on each other.
//!
//! A subspace is written from the mover's side: `8-7` has 8 stones of the side to move and 7 of
//! the other; `5-4+2-3` has 2 and 3 more in hand. In the moving phase a quiet move leads from `a-b`
//! to `b-a`, a removal to `(b-1)-a`. So `a-b` and `b-a` depend on each other and are solved as one
//! [`Pair`], after the pairs with one stone fewer. If stones may move while others are in hand,
//! `a-b+c-d` and `b-a+d-c` form a pair, too.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::rules::choices::{DoubleMill, Placing};
use crate::rules::ruleset::Ruleset;

/// The numbers of stones of the side to move (the mover) and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
    mover: u8,
    other: u8,
    mover_hand: u8,
    other_hand: u8,
}

impl Subspace {
    /// A subspace of the moving phase: nothing in hand.
    pub const fn moving(mover: u8, other: u8) -> Self {
        Self { mover, other, mover_hand: 0, other_hand: 0 }
    }

    /// A subspace with stones in hand.
    pub const fn placing(mover: u8, other: u8, mover_hand: u8, other_hand: u8) -> Self {
        Self { mover, other, mover_hand, other_hand }
    }

    /// Stones of the side to move on the board.
    pub const fn mover(self) -> u8 {
        self.mover
    }

    /// Stones of the other side on the board.
    pub const fn other(self) -> u8 {
        self.other
    }

    /// Stones of the side to move in hand.
    pub const fn mover_hand(self) -> u8 {
        self.mover_hand
    }

    /// Stones of the other side in hand.
    pub const fn other_hand(self) -> u8 {
        self.other_hand
    }

    /// Whether no stone is in hand.
    pub const fn is_moving(self) -> bool {
        self.mover_hand == 0 && self.other_hand == 0
    }

    /// Stones on the board.
    pub const fn on_board(self) -> u8 {
        self.mover + self.other
    }

    /// The same stones with the other side to move.
    pub const fn swapped(self) -> Self {
        Self {
            mover: self.other,
            other: self.mover,
            mover_hand: self.other_hand,
            other_hand: self.mover_hand,
        }
    }

    /// The subspace of the moving phase that a removal leads to; none if it ends the game, because
    /// the other side is left with fewer than three stones.
    pub const fn after_removal(self) -> Option<Self> {
        if self.other + self.other_hand <= Ruleset::MIN_STONES {
            return None;
        }
        Some(Self {
            mover: self.other - 1,
            other: self.mover,
            mover_hand: self.other_hand,
            other_hand: self.mover_hand,
        })
    }

    /// The subspace that placing a stone leads to.
    ///
    /// # Panics
    /// If the mover has no stone in hand.
    pub const fn after_placing(self) -> Self {
        Self {
            mover: self.other,
            other: self.mover + 1,
            mover_hand: self.other_hand,
            other_hand: self.mover_hand - 1,
        }
    }

    /// The subspaces after a move that removes up to `most` stones of the side to move next. The
    /// first is this one, for a move that closes no mill. Subspaces in which the game is over are
    /// left out.
    fn with_removals(self, most: u8) -> impl Iterator<Item = Self> {
        let left = (0..=most.min(self.mover))
            .map(move |removed| Self { mover: self.mover - removed, ..self });
        left.filter(|left| left.mover + left.mover_hand >= Ruleset::MIN_STONES)
    }

    /// The subspaces that placing a stone leads to; none if the mover has no stone in hand.
    fn after_any_placing(self, ruleset: &Ruleset) -> impl Iterator<Item = Self> {
        let placed = (self.mover_hand > 0).then(|| self.after_placing());
        placed.into_iter().flat_map(|next| next.with_removals(ruleset.most_removed(next.other)))
    }

    /// The subspaces that moving a stone on the board leads to; none if the mover has no stone
    /// there.
    fn after_any_slide(self, ruleset: &Ruleset) -> impl Iterator<Item = Self> {
        let most = ruleset.most_removed_by_moving(self.mover);
        let moved = (self.mover > 0).then(|| self.swapped());
        moved.into_iter().flat_map(move |next| next.with_removals(most))
    }

    /// The placing phase in layers: entry `p` holds the subspaces after both sides together have
    /// placed `p` stones. The first layer is the empty board; the last has one stone in hand.
    ///
    /// The layers hold the numbers of stones that a game can reach under these assumptions. A
    /// removal may follow every move that leaves the mover with three stones or more on the board,
    /// if the other side has a stone there and the removal does not end the game. If two mills
    /// remove two stones, a second removal may follow every move that leaves the mover with enough
    /// stones for two mills. Each layer is sorted by the mover's stones, then the other side's.
    pub fn placing_layers(ruleset: &Ruleset) -> Vec<Vec<Self>> {
        let mut layers = Vec::new();
        let mut next = vec![Self::placing(0, 0, ruleset.stones, ruleset.stones)];
        while !next.is_empty() {
            if ruleset.placing == Placing::Mixed {
                add_slides(ruleset, &mut next);
            }
            next.sort();
            next.dedup();
            let placed = next.iter().flat_map(|subspace| subspace.after_any_placing(ruleset));
            let placed = placed.filter(|subspace| !subspace.is_moving()).collect();
            layers.push(std::mem::replace(&mut next, placed));
        }
        layers
    }

    /// Whether this is one of [`Subspace::placing_layers`].
    pub fn is_placing_of(self, ruleset: &Ruleset) -> bool {
        // By the slides meanwhile, by the stones of a side, and by the fewest stones in two mills
        // that remove two stones; nothing else in a ruleset matters.
        type OfEachNumber<T> = [T; 1 + Ruleset::MAX_STONES as usize];
        static SUBSPACES: [OfEachNumber<OfEachNumber<OnceLock<Vec<Subspace>>>>; 3] =
            [const { [const { [const { OnceLock::new() }; _] }; _] }; _];
        let sorted = || {
            let mut subspaces = Self::placing_layers(ruleset).concat();
            subspaces.sort();
            subspaces
        };
        let geometry = ruleset.board.geometry();
        let two = ruleset.double_mill == DoubleMill::Two;
        let for_two = if two { geometry.fewest_in_two_mills() } else { 0 };
        let slides = match ruleset.placing {
            Placing::First => 0,
            Placing::Mixed => 1 + usize::from(two && geometry.slides_close_two_mills()),
        };
        let subspaces = SUBSPACES[slides].get(usize::from(ruleset.stones));
        let subspaces = subspaces.and_then(|rules| rules.get(usize::from(for_two)));
        subspaces.is_some_and(|all| all.get_or_init(sorted).binary_search(&self).is_ok())
    }

    /// All subspaces of the moving phase of a game, `3-3` first, by stones on the board.
    pub fn all_moving(ruleset: &Ruleset) -> Vec<Self> {
        Pair::all_moving(ruleset).into_iter().flat_map(Pair::subspaces).collect()
    }
}

impl fmt::Display for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.is_moving() {
            format!("{}-{}", self.mover, self.other)
        } else {
            format!("{}-{}+{}-{}", self.mover, self.other, self.mover_hand, self.other_hand)
        };
        f.pad(&text)
    }
}

impl fmt::Debug for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a subspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a subspace; write the stones of the side to move, then the other side's, as in \
     8-7 (with stones in hand: 5-4+2-3)"
)]
pub struct ParseSubspaceError(String);

impl FromStr for Subspace {
    type Err = ParseSubspaceError;

    fn from_str(text: &str) -> Result<Self, ParseSubspaceError> {
        let counts = |part: &str| -> Option<(u8, u8)> {
            let number = |text: &str| {
                let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse::<u8>().ok().filter(|&n| plain && n <= Ruleset::MAX_STONES)
            };
            let (mover, other) = part.split_once('-')?;
            Some((number(mover)?, number(other)?))
        };
        let parse = || match text.split_once('+') {
            None => counts(text).map(|(mover, other)| Self::moving(mover, other)),
            Some((board, hand)) => {
                let ((mover, other), (mover_hand, other_hand)) = (counts(board)?, counts(hand)?);
                Some(Self { mover, other, mover_hand, other_hand })
            }
        };
        parse().ok_or_else(|| ParseSubspaceError(text.to_owned()))
    }
}

/// Adds all subspaces that moves on the board reach from `subspaces`, in any number of moves.
fn add_slides(ruleset: &Ruleset, subspaces: &mut Vec<Subspace>) {
    let mut next = 0;
    while let Some(subspace) = subspaces.get(next).copied() {
        for moved in subspace.after_any_slide(ruleset) {
            if !subspaces.contains(&moved) {
                subspaces.push(moved);
            }
        }
        next += 1;
    }
}

/// Two subspaces that lead to each other by quiet moves on the board: `a-b` and `b-a`, or with
/// stones in hand `a-b+c-d` and `b-a+d-c`. If both sides have the same numbers, they are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The subspace in which the larger side is to move.
    first: Subspace,
}

impl Pair {
    /// The pair to which `subspace` belongs.
    pub const fn of(subspace: Subspace) -> Self {
        let Subspace { mover, other, mover_hand, other_hand } = subspace;
        let is_first = mover > other || (mover == other && mover_hand >= other_hand);
        Self { first: if is_first { subspace } else { subspace.swapped() } }
    }

    /// Stones on the board of the side that has more there; of equal sides, the larger one has more
    /// in hand.
    pub const fn larger(self) -> u8 {
        self.first.mover
    }

    /// Stones on the board of the side that has fewer there.
    pub const fn smaller(self) -> u8 {
        self.first.other
    }

    /// Whether both sides have the same numbers of stones, on the board and in hand, so that the
    /// pair is one subspace.
    pub const fn is_single(self) -> bool {
        let Subspace { mover, other, mover_hand, other_hand } = self.first;
        mover == other && mover_hand == other_hand
    }

    /// Whether no stone is in hand.
    pub const fn is_moving(self) -> bool {
        self.first.is_moving()
    }

    /// The subspaces of the pair: the larger side to move first.
    pub fn subspaces(self) -> impl Iterator<Item = Subspace> {
        let first = self.first;
        std::iter::once(first).chain((!self.is_single()).then(|| first.swapped()))
    }

    /// All pairs of a game's moving phase in an order in which children come first: by stones on
    /// the board, and the more lopsided first.
    pub fn all_moving(ruleset: &Ruleset) -> Vec<Self> {
        let mut pairs: Vec<_> = (Ruleset::MIN_STONES..=ruleset.stones)
            .flat_map(|larger| {
                (Ruleset::MIN_STONES..=larger)
                    .map(move |smaller| Self::of(Subspace::moving(larger, smaller)))
            })
            .collect();
        pairs.sort_by_key(|pair| (pair.first.on_board(), std::cmp::Reverse(pair.larger())));
        pairs
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.subspaces().map(|subspace| subspace.to_string()).collect();
        f.pad(&names.join(", "))
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_game_has_49_subspaces_in_28_pairs() {
        let pairs = Pair::all_moving(&Ruleset::STANDARD);
        assert_eq!(pairs.len(), 28);
        assert_eq!(Subspace::all_moving(&Ruleset::STANDARD).len(), 49);
        let mut solved = Vec::new();
        for pair in pairs {
            let removals = pair.subspaces().filter_map(Subspace::after_removal);
            assert!({ removals }.all(|child| solved.contains(&child)), "{pair}");
            solved.extend(pair.subspaces());
        }
    }

    #[test]
    fn placing_has_eighteen_layers() {
        let layers = Subspace::placing_layers(&Ruleset::STANDARD);
        assert_eq!(layers.len(), 18);
        assert_eq!(layers[4], [Subspace::placing(2, 2, 7, 7)]);
        for (placed, layer) in layers.iter().enumerate() {
            for subspace in layer {
                let hands = usize::from(subspace.mover_hand() + subspace.other_hand());
                assert_eq!(hands, 18 - placed, "{subspace}");
            }
        }
        let orders = layers
            .iter()
            .flatten()
            .map(|s| crate::index::rows::SubspaceIndex::new(crate::Board::Nine, *s));
        let sizes = orders.map(|order| (order.entries(), order.positions()));
        let (entries, positions) = sizes.fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        assert_eq!((entries, positions), (18_644_115_505, 17_838_514_173));
    }

    #[test]
    fn a_double_mill_leads_to_numbers_of_stones_that_single_ones_do_not() {
        let two = Ruleset { double_mill: DoubleMill::Two, ..Ruleset::STANDARD };
        let (layers, one) =
            (Subspace::placing_layers(&two), Subspace::placing_layers(&Ruleset::STANDARD));
        assert_eq!(layers.len(), one.len());
        let mut more = 0;
        for (layer, one) in layers.iter().zip(&one) {
            assert!(one.iter().all(|subspace| layer.contains(subspace)));
            more += layer.len() - one.len();
        }
        assert!(more > 0);
        // Four stones a side, three of Black's removed by single mills; then White's fifth removes
        // two.
        let after = Subspace::placing(0, 5, 5, 4);
        assert!(after.is_placing_of(&two) && !after.is_placing_of(&Ruleset::STANDARD));
    }

    #[test]
    fn with_slides_any_numbers_may_be_in_hand() {
        let lasker: Ruleset = "lasker,stones=4".parse().unwrap();
        let layers = Subspace::placing_layers(&lasker);
        assert_eq!(layers.len(), 8);
        assert_eq!(layers[0], [Subspace::placing(0, 0, 4, 4)]);
        assert_eq!(layers[1], [Subspace::placing(0, 1, 4, 3)]);
        // White may slide while Black places stone after stone.
        let names = |layer: &[Subspace]| {
            layer.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&layers[2]), "1-1+3-3");
        assert_eq!(names(&layers[3]), "1-2+3-2 2-1+2-3");
        assert_eq!(names(&layers[4]), "0-3+3-1 1-3+3-1 2-2+2-2 3-1+1-3");
        for (placed, layer) in layers.iter().enumerate() {
            for subspace in layer {
                let hands = subspace.mover_hand() + subspace.other_hand();
                assert_eq!(usize::from(hands), 8 - placed, "{subspace}");
                assert!(subspace.is_placing_of(&lasker));
                // A side without a stone on the board is to move: the other has just moved.
                assert!(subspace.other() > 0 || placed == 0, "{subspace}");
                let slides = subspace.mover() > 0;
                assert!(!slides || layer.contains(&subspace.swapped()), "{subspace}");
            }
        }
    }

    #[test]
    fn pairs_with_stones_in_hand() {
        let pair = |name: &str| Pair::of(name.parse().unwrap()).to_string();
        assert_eq!(pair("3-4+2-0"), "4-3+0-2, 3-4+2-0");
        assert_eq!(pair("3-3+0-2"), "3-3+2-0, 3-3+0-2");
        assert_eq!(pair("3-3+2-2"), "3-3+2-2");
        assert_eq!(pair("3-5"), "5-3, 3-5");
    }

    #[test]
    fn removals_lead_to_smaller_subspaces_or_end_the_game() {
        assert_eq!(Subspace::moving(8, 7).after_removal(), Some(Subspace::moving(6, 8)));
        assert_eq!(Subspace::moving(4, 3).after_removal(), None);
        let placing = Subspace::placing(5, 2, 2, 3);
        assert_eq!(placing.after_removal(), Some(Subspace::placing(1, 5, 3, 2)));
    }

    #[test]
    fn names_are_read_as_they_are_printed() {
        for name in ["8-7", "5-4+2-3", "12-3"] {
            assert_eq!(name.parse::<Subspace>().unwrap().to_string(), name);
        }
        for name in ["", "8", "8-", "-7", "8-7+", "8-7+1", "13-3", "+8-7", "8-+7", "8 - 7", "8-7-6"]
        {
            assert!(name.parse::<Subspace>().is_err(), "{name}");
        }
    }
}
