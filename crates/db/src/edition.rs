//! Editions: how much of a solved game a folder keeps.
//!
//! A value that one ply of search restores from others need not be kept. Two facts about the game
//! say which ones those are:
//!
//! - With all stones on the board, a quiet move leads from `a-b` to `b-a`, and a removal to
//!   `(b-1)-a`, or to `(b-2)-a` if it takes two stones. So all of `a-b` with `a > b` follows from tables
//!   with fewer stones of the mover. In `a-a` a slide takes a stone from one
//!   [half](merels_core::Geometry::half) of the board to the other: with an even number of stones on a half
//!   before, it is odd after. So the odd half of `a-a` follows from the even half, `(a-1)-a` and
//!   `(a-2)-a`.
//! - While stones are placed, every turn leads to the next ply, so every other ply suffices.
//!
//! What is left out is the best of its successors, which are kept, or (where the last stone is placed)
//! follow from what is kept.
//!
//! Where stones may also move while others are in hand, the first fact holds of *all* stones of a side, board and
//! hand together: every turn exchanges the sides, and a removal leaves the side that moves next with one less. So what
//! follows from others is where the mover has more stones in all, or as many and fewer of them in
//! hand. From as many, no placing comes to the moving phase: the other side keeps its greater hand.
//!
//! The edition `statistics` is another thing: of all but small subspaces it keeps no values, only what was
//! counted while they were there. What it leaves out cannot be restored.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use merels_core::numbering::{binomial, burnside_count};
use merels_core::{Board, Placing, Position, Ruleset, Subspace};

/// How much of a solved game a folder keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edition {
    /// Every value, with its exact distance: every probe is a single look-up.
    Full,
    /// Exact distances; what one ply of search restores is left out. The same answers as by
    /// [`Edition::Full`].
    Compact,
    /// The same positions as in [`Edition::Compact`], win, draw or loss only.
    Outcome,
    /// Subspaces of at most [`Edition::SMALL`] entries whole, with exact distances; of all others only
    /// what was counted.
    Statistics,
}

/// What a table holds of its subspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stored {
    /// Every entry.
    Whole,
    /// The entries with an even number of stones (of both sides) on
    /// [`Geometry::half`](merels_core::Geometry::half).
    Half,
    /// No entry.
    Nothing,
}

impl Edition {
    /// All editions.
    pub const ALL: [Self; 4] = [Self::Full, Self::Compact, Self::Outcome, Self::Statistics];

    /// Subspaces of up to so many entries are kept whole by [`Edition::Statistics`]: the first plies of a
    /// game and its last stones.
    pub const SMALL: u64 = 1 << 20;

    /// The name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::Outcome => "outcome",
            Self::Statistics => "statistics",
        }
    }

    /// Whether distances are kept.
    pub const fn has_distances(self) -> bool {
        !matches!(self, Self::Outcome)
    }

    /// Whether what is left out follows from what is kept. If not, a position that is left out cannot be
    /// looked up.
    pub const fn can_restore(self) -> bool {
        !matches!(self, Self::Statistics)
    }

    /// Whether this edition keeps all values of `subspace`, exactly.
    pub fn is_exact(self, ruleset: &Ruleset, subspace: Subspace) -> bool {
        self.has_distances() && self.stored(ruleset, subspace) == Stored::Whole
    }

    /// What this edition keeps of `subspace`.
    pub fn stored(self, ruleset: &Ruleset, subspace: Subspace) -> Stored {
        if self == Self::Statistics {
            let is_small = entries_of(ruleset.board, subspace) <= Self::SMALL;
            return if is_small { Stored::Whole } else { Stored::Nothing };
        }
        if self == Self::Full {
            return Stored::Whole;
        }
        let whole_if = |whole| if whole { Stored::Whole } else { Stored::Nothing };
        let (mover, other) = (subspace.mover(), subspace.other());
        let (mover_hand, other_hand) = (subspace.mover_hand(), subspace.other_hand());
        if subspace.is_moving() {
            let slides_only = !ruleset.flies(mover) && ruleset.board.geometry().half().is_some();
            return if mover == other && slides_only {
                Stored::Half
            } else {
                whole_if(mover <= other)
            };
        }
        match ruleset.placing {
            // Two hands full at the start, so plies are even as the stones in hand are.
            Placing::First => whole_if((mover_hand + other_hand).is_multiple_of(2)),
            Placing::Mixed => {
                let (all, others) = (mover + mover_hand, other + other_hand);
                whole_if(all < others || all == others && mover_hand >= other_hand)
            }
        }
    }

    /// Whether a value that is left out of `subspace` may follow from one that is left out itself.
    pub fn restores_deeper(self, ruleset: &Ruleset, subspace: Subspace) -> bool {
        let last_stone = subspace.mover_hand() + subspace.other_hand() == 1;
        self != Self::Full && self.can_restore() && ruleset.placing == Placing::First && last_stone
    }
}

/// Whether games of a ruleset can have these numbers of stones.
pub fn has_subspace(ruleset: &Ruleset, subspace: Subspace) -> bool {
    let sides =
        [(subspace.mover(), subspace.mover_hand()), (subspace.other(), subspace.other_hand())];
    let fits =
        |(board, hand): (u8, u8)| u16::from(board) + u16::from(hand) <= ruleset.stones.into();
    let on_board = u16::from(subspace.mover()) + u16::from(subspace.other());
    sides.into_iter().all(fits) && on_board <= ruleset.board.geometry().point_count().into()
}

/// How many entries a subspace has, without the tables that number them.
pub fn entries_of(board: Board, subspace: Subspace) -> u64 {
    const SIZES: usize = Ruleset::MAX_STONES as usize + 1;
    /// For each board and number of stones, the number of their classes.
    static CLASSES: LazyLock<[[u64; SIZES]; Board::ALL.len()]> = LazyLock::new(|| {
        let of = |board: Board| {
            std::array::from_fn(|stones| burnside_count(board.geometry(), stones as u8, 0))
        };
        Board::ALL.map(of)
    });
    let (mover, other) = (subspace.mover(), subspace.other());
    let place = Board::ALL.iter().position(|&known| known == board).expect("every board is listed");
    // More stones than any game has make no set of positions.
    let Some(classes) = CLASSES[place].get(usize::from(mover)) else { return 0 };
    classes * binomial(board.geometry().point_count().saturating_sub(mover), other)
}

impl Edition {
    /// Whether this edition keeps the entries of `position`.
    pub fn keeps(self, ruleset: &Ruleset, position: &Position) -> bool {
        match self.stored(ruleset, position.subspace()) {
            Stored::Whole => true,
            Stored::Half => {
                ruleset.board.geometry().half().is_none_or(|half| {
                    position.occupied().intersection(half).len().is_multiple_of(2)
                })
            }
            Stored::Nothing => false,
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(text: &str) -> Result<Self, UnknownEdition> {
        let known = Self::ALL.into_iter().find(|edition| edition.name() == text);
        known.ok_or_else(|| UnknownEdition(text.to_owned()))
    }
}

/// A text that names no edition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no edition '{}'; there are full, compact, outcome and statistics", .0.escape_debug())]
pub struct UnknownEdition(String);

#[cfg(test)]
mod tests {
    use merels_core::numbering::{Index, SubspaceIndex};

    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for edition in Edition::ALL {
            assert_eq!(edition.to_string().parse(), Ok(edition));
        }
        let error = "tiny".parse::<Edition>().unwrap_err();
        assert!(error.to_string().contains("'tiny'"), "{error}");
    }

    #[test]
    fn statistics_keep_small_subspaces_only() {
        for rules in ["standard", "lasker", "three"].map(|name| name.parse::<Ruleset>().unwrap()) {
            let layers = Subspace::placing_layers(&rules).concat();
            for subspace in Subspace::all_moving(&rules).into_iter().chain(layers) {
                let entries = SubspaceIndex::new(rules.board, subspace).entries();
                assert_eq!(entries_of(rules.board, subspace), entries, "{subspace}");
                let whole = entries <= 1_048_576;
                let expected = if whole { Stored::Whole } else { Stored::Nothing };
                assert_eq!(Edition::Statistics.stored(&rules, subspace), expected, "{subspace}");
                assert_eq!(Edition::Statistics.is_exact(&rules, subspace), whole);
            }
        }
    }

    /// Whether a value follows within `depth` plies from values that are kept or need none.
    fn follows(rules: &Ruleset, position: &Position, depth: u8) -> bool {
        if rules.ending(position).is_some() || Edition::Compact.keeps(rules, position) {
            return true;
        }
        let moves = rules.legal_moves(position);
        depth > 0 && moves.iter().all(|mv| follows(rules, &mv.apply(position), depth - 1))
    }

    #[test]
    fn what_is_left_out_follows_from_what_is_kept() {
        let rulesets = [
            "standard",
            "no-flying",
            "strict-removal",
            "double-removal",
            "eleven",
            "eleven,double-mill=two",
            "seven",
            "seven,double-mill=two",
            "six",
            "six,double-mill=two",
            "three",
            "lasker,stones=5",
            "lasker,double-mill=two,stones=7",
            "eleven,placing=mixed,double-mill=two,stones=6",
            "six,placing=mixed",
            "three,placing=mixed,flying=three",
        ];
        for rules in rulesets.map(|name| name.parse::<Ruleset>().unwrap()) {
            let most = rules.stones.min(5);
            let moving = (3..=most).flat_map(|a| (3..=most).map(move |b| Subspace::moving(a, b)));
            let placing = Subspace::placing_layers(&rules).concat();
            for subspace in moving.chain(placing) {
                let index = SubspaceIndex::new(rules.board, subspace);
                let depth = 1 + u8::from(Edition::Compact.restores_deeper(&rules, subspace));
                for i in (0..index.entries()).step_by(1 + index.entries() as usize / 50) {
                    let (mover, other) = index.stones_at(Index(i));
                    let position = Position::of_subspace(subspace, mover, other);
                    assert!(follows(&rules, &position, depth), "{rules} {subspace} {i}");
                }
            }
        }
    }
}
