//! The value of a position by the plain rules: all legal moves, one at a time.
//!
//! This is the definition of a value. Samples use it, tests compare the check on masks with it, and
//! it confirms every entry that the check on masks suspects.

use std::cmp::Reverse;

use merels_core::numbering::Index;
use merels_core::{Move, Position, Ruleset, Value};

/// A source of values.
pub trait Values {
    /// The error of a look-up.
    type Error;

    /// The value of `position` for its mover, who has at least three stones.
    ///
    /// # Errors
    /// If the source does not have its value.
    fn value(&self, position: &Position) -> Result<Value, Self::Error>;
}

/// A move and its value for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The value after the move, as the opposite outcome and one ply further from the end.
    pub value: Value,
}

/// An entry that does not hold the value of its best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The position, with white to move.
    pub position: Position,
    /// Its entry.
    pub index: Index,
    /// The value in the entry.
    pub stored: Value,
    /// The value that follows from its moves.
    pub recomputed: Value,
    /// All its legal moves, best first.
    pub moves: Vec<RankedMove>,
}

/// The value of `position` from those of its successors: of the best move, or of the game's end.
///
/// # Errors
/// Those of `values`.
pub fn recompute<V: Values + ?Sized>(
    ruleset: &Ruleset,
    position: &Position,
    values: &V,
) -> Result<Value, V::Error> {
    let moves = ranked_moves(ruleset, position, values)?;
    Ok(moves.first().map_or_else(|| ending(ruleset, position), |best| best.value))
}

/// The legal moves of `position`, best first; those of equal value in the order of points.
///
/// # Errors
/// Those of `values`.
pub fn ranked_moves<V: Values + ?Sized>(
    ruleset: &Ruleset,
    position: &Position,
    values: &V,
) -> Result<Vec<RankedMove>, V::Error> {
    let worth = |mv: Move| {
        let next = mv.apply(position);
        // Tables have no positions in which the mover has too few stones.
        let value = match is_over(&next) {
            true => Value::LOST,
            false => values.value(&next)?,
        };
        Ok(RankedMove { mv, value: value.before() })
    };
    let moves = ruleset.legal_moves(position).into_iter().map(worth);
    let mut moves = moves.collect::<Result<Vec<_>, _>>()?;
    moves.sort_by_key(|ranked| Reverse(ranked.value));
    Ok(moves)
}

/// Compares the stored value of `position` with its successors.
///
/// # Errors
/// Those of `values`.
pub(crate) fn compare<V: Values + ?Sized>(
    ruleset: &Ruleset,
    position: Position,
    index: Index,
    stored: Value,
    values: &V,
) -> Result<Option<Mismatch>, V::Error> {
    let moves = ranked_moves(ruleset, &position, values)?;
    let recomputed = moves.first().map_or_else(|| ending(ruleset, &position), |best| best.value);
    // Without distances, that of a finished game is still known.
    let differs = !stored.agrees_with(recomputed);
    Ok(differs.then_some(Mismatch { position, index, stored, recomputed, moves }))
}

/// Whether the mover has too few stones, so that the game is over.
pub(crate) const fn is_over(position: &Position) -> bool {
    position.mover().total() < Ruleset::MIN_STONES
}

/// The value of a position without moves.
fn ending(ruleset: &Ruleset, position: &Position) -> Value {
    ruleset.ending(position).expect("a position without moves is at its end")
}
