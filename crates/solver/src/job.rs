//! Jobs: the units of solving, and what each needs solved before.

use std::fmt;

use merels_core::numbering::{Pair, SubspaceIndex};
use merels_core::{Placing, Ruleset, Subspace};

/// A unit that is solved, checked and published as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Job {
    /// A pair of subspaces that lead to each other: in the moving phase, or with stones in hand if
    /// the rules allow moves meanwhile.
    Pair(Pair),
    /// A subspace with stones in hand in which the side to move must place one.
    Placing(Subspace),
}

impl From<Pair> for Job {
    fn from(pair: Pair) -> Self {
        Self::Pair(pair)
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(pair) => pair.fmt(f),
            Self::Placing(subspace) => subspace.fmt(f),
        }
    }
}

impl Job {
    /// The job that solves `subspace`.
    pub fn of(ruleset: &Ruleset, subspace: Subspace) -> Self {
        let moves = ruleset.placing == Placing::Mixed && subspace.mover() > 0;
        if subspace.is_moving() || moves {
            Self::Pair(Pair::of(subspace))
        } else {
            Self::Placing(subspace)
        }
    }

    /// The subspaces that it solves.
    pub fn subspaces(self) -> Vec<Subspace> {
        match self {
            Self::Pair(pair) => pair.subspaces().collect(),
            Self::Placing(subspace) => vec![subspace],
        }
    }

    /// The subspaces that must be solved before, each once.
    pub fn children(self, ruleset: &Ruleset) -> Vec<Subspace> {
        let placing = self.subspaces().into_iter().filter(|subspace| subspace.mover_hand() > 0);
        let removed = self.removals(ruleset).into_iter().flat_map(Removals::children);
        placing.map(Subspace::after_placing).chain(removed).collect()
    }

    /// The results of the mills that its moves close.
    pub(crate) fn removals(self, ruleset: &Ruleset) -> Vec<Removals> {
        let mut removals = Vec::new();
        for subspace in self.subspaces() {
            if matches!(self, Self::Pair(_)) {
                removals.push(Removals::by_moving(ruleset, subspace.swapped()));
            }
            if subspace.mover_hand() > 0 {
                removals.push(Removals::by_placing(ruleset, subspace.after_placing()));
            }
        }
        removals
    }

    /// Entries of its subspaces.
    pub fn entries(self, ruleset: &Ruleset) -> u64 {
        self.subspaces().into_iter().map(|subspace| entries(ruleset, subspace)).sum()
    }
}

/// Entries of a subspace.
pub(crate) fn entries(ruleset: &Ruleset, subspace: Subspace) -> u64 {
    SubspaceIndex::new(ruleset.board, subspace).entries()
}

/// The result of removing one stone: a subspace, or its solved values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterRemoval<T> {
    /// The removal never happens: the side that moved has too few stones for the mills, or the
    /// other side has no stone to lose.
    Never,
    /// The side that loses the stone has too few left: the game is over.
    Lost,
    /// The game goes on here.
    To(T),
}

impl<T> AfterRemoval<T> {
    /// The result by reference.
    pub(crate) const fn as_ref(&self) -> AfterRemoval<&T> {
        match self {
            Self::Never => AfterRemoval::Never,
            Self::Lost => AfterRemoval::Lost,
            Self::To(child) => AfterRemoval::To(child),
        }
    }

    /// The result with `map` applied to its child, if there is one.
    ///
    /// # Errors
    /// Those of `map`.
    pub(crate) fn try_map<U, E>(
        self,
        map: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<AfterRemoval<U>, E> {
        Ok(match self {
            Self::Never => AfterRemoval::Never,
            Self::Lost => AfterRemoval::Lost,
            Self::To(child) => AfterRemoval::To(map(child)?),
        })
    }

    /// The child, if the game goes on.
    pub(crate) fn child(self) -> Option<T> {
        match self {
            Self::To(child) => Some(child),
            Self::Never | Self::Lost => None,
        }
    }
}

impl AfterRemoval<Subspace> {
    /// The removal of a stone of the side to move in `subspace`.
    const fn of_mover(subspace: Subspace) -> Self {
        let (mover, hand) = (subspace.mover(), subspace.mover_hand());
        if mover == 0 {
            Self::Never
        } else if mover + hand <= Ruleset::MIN_STONES {
            Self::Lost
        } else {
            let (other, other_hand) = (subspace.other(), subspace.other_hand());
            Self::To(Subspace::placing(mover - 1, other, hand, other_hand))
        }
    }
}

/// The results of a move that closes mills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Removals {
    /// The removal of a stone.
    pub(crate) first: AfterRemoval<Subspace>,
    /// The removal of a second stone, if the move closes two mills; never, if the first removal
    /// ends the game.
    pub(crate) second: AfterRemoval<Subspace>,
}

impl Removals {
    /// The results of a placing that leads to `next` if it closes no mill.
    pub(crate) fn by_placing(ruleset: &Ruleset, next: Subspace) -> Self {
        Self::of(next, ruleset.most_removed(next.other()))
    }

    /// The results of a slide or jump that leads to `next` if it closes no mill.
    pub(crate) fn by_moving(ruleset: &Ruleset, next: Subspace) -> Self {
        Self::of(next, ruleset.most_removed_by_moving(next.other()))
    }

    const fn of(next: Subspace, most: u8) -> Self {
        let first = if most >= 1 { AfterRemoval::of_mover(next) } else { AfterRemoval::Never };
        let second = match first {
            AfterRemoval::To(child) if most >= 2 => AfterRemoval::of_mover(child),
            _ => AfterRemoval::Never,
        };
        Self { first, second }
    }

    /// The subspaces that they lead to.
    pub(crate) fn children(self) -> impl Iterator<Item = Subspace> {
        [self.first, self.second].into_iter().filter_map(AfterRemoval::child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(ruleset: &str, next: &str) -> [String; 2] {
        let (ruleset, next): (Ruleset, Subspace) =
            (ruleset.parse().unwrap(), next.parse().unwrap());
        let removals = if next.is_moving() {
            Removals::by_moving(&ruleset, next)
        } else {
            Removals::by_placing(&ruleset, next)
        };
        [removals.first, removals.second].map(|leads| match leads {
            AfterRemoval::Never => "nowhere".into(),
            AfterRemoval::Lost => "to loss".into(),
            AfterRemoval::To(child) => child.to_string(),
        })
    }

    #[test]
    fn one_mill_and_two() {
        assert_eq!(by("standard", "7-8"), ["6-8", "nowhere"]);
        assert_eq!(by("standard", "3-8"), ["to loss", "nowhere"]);
        assert_eq!(by("standard", "4-5+5-4"), ["3-5+5-4", "nowhere"]);
        assert_eq!(by("double-removal", "4-5+5-4"), ["3-5+5-4", "2-5+5-4"]);
        assert_eq!(by("double-removal", "4-4+5-5"), ["3-4+5-5", "nowhere"]);
        assert_eq!(by("double-removal", "2-2+5-5"), ["nowhere", "nowhere"]);
        assert_eq!(by("double-removal", "0-5+5-4"), ["nowhere", "nowhere"]);
        assert_eq!(by("double-removal", "1-5+5-4"), ["0-5+5-4", "nowhere"]);
        assert_eq!(by("double-removal", "3-6+1-0"), ["2-6+1-0", "to loss"]);
        // No slide closes two mills on the board without diagonals.
        assert_eq!(by("double-removal", "7-8"), ["6-8", "nowhere"]);
        assert_eq!(by("morabaraba,double-mill=two", "7-8"), ["6-8", "5-8"]);
        assert_eq!(by("morabaraba,double-mill=two", "4-5"), ["3-5", "to loss"]);
        assert_eq!(by("morabaraba,double-mill=two", "5-4"), ["4-4", "nowhere"]);
        assert_eq!(by("seven,double-mill=two", "5-4"), ["4-4", "3-4"]);
    }
}
