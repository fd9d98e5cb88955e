//! The subspaces to which the moves of a subspace lead.

use merels_core::{Placing, Ruleset, Subspace};

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A stone moves on the board.
    Move = 0,
    /// A stone comes from the hand.
    Place = 1,
}

impl Action {
    /// Both kinds.
    pub(crate) const ALL: [Self; 2] = [Self::Move, Self::Place];

    /// Whether the mover of `subspace` may do this.
    pub(crate) fn is_allowed(self, ruleset: &Ruleset, subspace: Subspace) -> bool {
        match self {
            Self::Move => subspace.mover_hand() == 0 || ruleset.placing == Placing::Mixed,
            Self::Place => subspace.mover_hand() > 0,
        }
    }

    /// The subspace after such a move of the mover of `subspace` that removes `removed` stones.
    /// None if no move can do that: the side has no stones for it, the board has no room, the
    /// stones are too few for a mill, or no move of this kind closes two mills at once.
    pub(crate) fn leads_to(
        self,
        ruleset: &Ruleset,
        subspace: Subspace,
        removed: u8,
    ) -> Option<Subspace> {
        let full = subspace.on_board() == ruleset.board.geometry().point_count();
        if full || !self.is_allowed(ruleset, subspace) {
            return None;
        }
        let (stones, hand) = match self {
            Self::Move => (subspace.mover(), subspace.mover_hand()),
            Self::Place => (subspace.mover() + 1, subspace.mover_hand() - 1),
        };
        let most = match self {
            Self::Move => ruleset.most_removed_by_moving(stones),
            Self::Place => ruleset.most_removed(stones),
        };
        let left = subspace.other().checked_sub(removed)?;
        (stones > 0 && removed <= most)
            .then(|| Subspace::placing(left, stones, subspace.other_hand(), hand))
    }
}

/// Whether the mover of `subspace` has too few stones, so that the game is over.
pub(crate) const fn is_over(subspace: Subspace) -> bool {
    subspace.mover() + subspace.mover_hand() < Ruleset::MIN_STONES
}

/// The subspaces whose values decide those of `subspace`, each once.
pub(crate) fn needed(ruleset: &Ruleset, subspace: Subspace) -> Vec<Subspace> {
    let mut found = Vec::new();
    if is_over(subspace) {
        return found;
    }
    for action in Action::ALL {
        for removed in 0..=2 {
            found
                .extend(action.leads_to(ruleset, subspace, removed).filter(|&next| !is_over(next)));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(ruleset: &str, subspace: &str) -> Vec<String> {
        let needed = needed(&ruleset.parse().unwrap(), subspace.parse().unwrap());
        needed.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn at_most_two_subspaces_decide_one_of_the_standard_game() {
        assert_eq!(names("standard", "3-3"), ["3-3"]);
        assert_eq!(names("standard", "4-3"), ["3-4"]);
        assert_eq!(names("standard", "7-5"), ["4-7", "5-7"]);
        assert_eq!(names("standard", "0-0+9-9"), ["0-1+9-8"]);
        assert_eq!(names("standard", "1-1+8-8"), ["1-2+8-7"]);
        assert_eq!(names("standard", "2-2+7-7"), ["1-3+7-6", "2-3+7-6"]);
        assert_eq!(names("standard", "8-9+1-0"), ["8-9", "9-9"]);
    }

    #[test]
    fn lasker_and_double_removals_need_more() {
        assert_eq!(names("lasker", "5-4+2-3").len(), 4);
        assert_eq!(names("double-removal", "3-3+2-3"), ["2-4+3-1", "3-4+3-1"]);
        assert_eq!(names("double-removal", "4-3+2-3"), ["1-5+3-1", "2-5+3-1", "3-5+3-1"]);
        assert_eq!(names("seven,double-mill=two", "4-6"), ["4-4", "5-4", "6-4"]);
        assert_eq!(names("morabaraba", "12-12"), Vec::<String>::new());
    }

    #[test]
    fn two_stones_are_removed_by_slides_only_where_a_slide_closes_two_mills() {
        for rules in ["double-removal", "double-removal,flying=never", "six,double-mill=two"] {
            assert_eq!(names(rules, "6-5"), ["4-6", "5-6"], "{rules}");
            assert_eq!(names(rules, "3-6"), ["5-3", "6-3"], "{rules}");
        }
        assert_eq!(names("morabaraba,double-mill=two", "7-6"), ["4-7", "5-7", "6-7"]);
        assert_eq!(names("morabaraba,double-mill=two", "4-6"), ["5-4", "6-4"]);
    }
}
