//! The precision of a folder's values: with distances, or outcomes alone.
//!
//! Without distances, all wins have one code and all losses another. Values that follow from them
//! are outcomes, too, and have the same codes.

use merels_core::Value;
use merels_core::numbering::ValueCode;
use merels_db::{Edition, Statistics};

/// What the values of a folder express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Outcome and distance.
    Exact,
    /// Win, draw or loss.
    Outcomes,
}

/// The step one ply back: maps the code of the best successor (in the opponent's view) to the code
/// of the position, or to 128, which no table holds, if no code can express it.
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

/// The same step for the codes of the edition `outcome`: 0 for every loss, 255 for every win.
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
    /// The precision of this edition.
    pub const fn of(edition: Edition) -> Self {
        if edition.has_distances() { Self::Exact } else { Self::Outcomes }
    }

    /// Maps the code of the best successor to the code of the position before it; 128 if there is
    /// none.
    #[inline(always)]
    pub(crate) const fn before(self) -> &'static [u8; 256] {
        match self {
            Self::Exact => &EXACT_BEFORE,
            Self::Outcomes => &OUTCOME_BEFORE,
        }
    }

    /// The value of a code.
    pub(crate) const fn value(self, code: ValueCode) -> Value {
        match self {
            Self::Exact => code.value(),
            Self::Outcomes => code.value().without_distance(),
        }
    }

    /// The counts that values of this precision determine.
    pub(crate) fn known(self, statistics: Statistics) -> Statistics {
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
