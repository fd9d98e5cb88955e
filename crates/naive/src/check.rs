//! One position's value from those of its successors, by plain moves.

use merels_core::{Move, Position, Ruleset, Value};

/// A position whose value does not follow from its successors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The value differs from the best of the moves.
    #[error("{position:?} has the value {found}, but its moves make it {expected}")]
    Wrong {
        /// The position.
        position: Position,
        /// The value to check.
        found: Value,
        /// The value it has if those of its successors are right.
        expected: Value,
    },
    /// The position or a successor has no known value.
    #[error("{position:?} has no known value")]
    Missing {
        /// The position without a value.
        position: Position,
    },
}

/// All legal moves and the positions to which they lead. Empty if the game is over.
pub fn expand(ruleset: &Ruleset, position: &Position) -> Vec<(Move, Position)> {
    let moves = ruleset.legal_moves(position);
    moves.into_iter().map(|mv| (mv, mv.apply(position))).collect()
}

/// Checks the value of `position` against those of its successors. `lookup` returns the value of a
/// position; the check never looks up positions in which the side to move has too few stones. If
/// all positions pass, all values are right: wins and losses by induction over the distance, and
/// draws because either side can keep to drawn positions.
///
/// # Errors
/// If the values disagree, or `lookup` has none for the position or a successor.
pub fn check_position(
    ruleset: &Ruleset,
    position: &Position,
    lookup: impl Fn(&Position) -> Option<Value>,
) -> Result<(), Mismatch> {
    let ask = |position: &Position| {
        if position.mover().total() < Ruleset::MIN_STONES {
            return ruleset.ending(position).ok_or(Mismatch::Missing { position: *position });
        }
        lookup(position).ok_or(Mismatch::Missing { position: *position })
    };
    let found = ask(position)?;
    let mut best = None;
    for (_, next) in expand(ruleset, position) {
        best = best.max(Some(ask(&next)?.before()));
    }
    let Some(expected) = best.or_else(|| ruleset.ending(position)) else {
        unreachable!("a position without moves is at its end");
    };
    if found == expected {
        Ok(())
    } else {
        Err(Mismatch::Wrong { position: *position, found, expected })
    }
}
