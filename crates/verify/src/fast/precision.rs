//! How much the values of a folder say: with distances, or outcomes alone.
//!
//! Where distances are not kept, all wins have one code and all losses another. What follows from such
//! values is an outcome, too, and gets the same codes.

use merels_core::{Value, ValueCode};
use merels_db::{Edition, Statistics};

/// What a folder's values say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Outcome and distance.
    Exact,
    /// Win, draw or loss.
    Outcomes,
}

/// What a byte is worth one ply earlier: by the code of the best successor (the opponent's view), the
/// code of the position. 128, which no table holds, where no code can express it.
static EXACT_BEFORE: [u8; 256] = {
    let mut table = [128; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(code) = ValueCode::from_byte(byte as u8)
            && let Some(before) = ValueCode::from_value(code.value().before())
        {
            table[byte] = before.byte();
        }
        byte += 1;
    }
    table
};

/// The same with the codes that the edition `outcome` has: 0 for every loss, 255 for every win.
static OUTCOME_BEFORE: [u8; 256] = {
    let mut table = [128; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(code) = ValueCode::from_byte(byte as u8) {
            table[byte] = match code.value() {
                Value::Loss(_) => u8::MAX,
                Value::Draw => ValueCode::DRAW.byte(),
                Value::Win(_) => ValueCode::LOST.byte(),
            };
        }
        byte += 1;
    }
    table
};

impl Precision {
    /// What the values of a folder of this edition say.
    pub const fn of(edition: Edition) -> Self {
        if edition.has_distances() { Self::Exact } else { Self::Outcomes }
    }

    /// By the code of the best successor, the code of the position before it; 128 if there is none.
    #[inline(always)]
    pub(crate) const fn before(self) -> &'static [u8; 256] {
        match self {
            Self::Exact => &EXACT_BEFORE,
            Self::Outcomes => &OUTCOME_BEFORE,
        }
    }

    /// What a code that was read says.
    pub(crate) const fn value(self, code: ValueCode) -> Value {
        match self {
            Self::Exact => code.value(),
            Self::Outcomes => code.value().without_distance(),
        }
    }

    /// Of these counts, those that the values tell.
    pub(crate) fn told(self, statistics: Statistics) -> Statistics {
        match self {
            Self::Exact => statistics,
            Self::Outcomes => Statistics { longest_win: None, longest_loss: None, ..statistics },
        }
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Plies;

    use super::*;

    #[test]
    fn outcomes_follow_from_outcomes() {
        for code in (0..=u8::MAX).filter_map(ValueCode::from_byte) {
            let exact = Precision::Exact.before()[usize::from(code.byte())];
            let outcome = Precision::Outcomes.before()[usize::from(code.byte())];
            let outcome = ValueCode::from_byte(outcome).unwrap();
            assert!([Value::LOST, Value::Draw, Value::Win(Plies(1))].contains(&outcome.value()));
            assert_eq!(outcome.value().outcome(), code.value().before().outcome());
            if let Some(exact) = ValueCode::from_byte(exact) {
                assert_eq!(exact.value(), code.value().before());
            }
        }
    }
}
