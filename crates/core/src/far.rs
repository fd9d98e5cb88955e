//! Distances that one code cannot say: near codes and far codes.
//!
//! A [`ValueCode`] ends at distance 253. A value is *far* if it is a loss in 252 plies or more, or a win in 253
//! or more. Where a subspace has values beyond 253, two codes say each value: the *near* code, in which the
//! last loss and the last win mean "so late, or later"; and the *far* code, that of the value with 248 plies
//! taken off its distance. What is nearer than that becomes a loss in 0 or a win in 1.
//!
//! Both codes keep the order of values (though not strictly), so whatever takes the best of several values
//! takes the best of near codes and of far codes alike. Far codes begin some plies before values are far, so
//! that what lies just before a far value has its exact far code, too.

use crate::{Plies, Value, ValueCode};

/// Where values begin to be far, and what far codes mean.
///
/// Files know [`FarCodes::FILES`] only; the solver is tested with shorter distances, which small games reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarCodes {
    /// The least distance of a far loss, in plies (even).
    first: u16,
}

impl FarCodes {
    /// Those of files: losses in 252 plies or more are far, wins in 253 or more, and far codes have 248
    /// plies less.
    pub const FILES: Self = Self { first: 252 };

    /// By so many plies far codes begin before the first far loss.
    const BEFORE: u16 = 4;

    /// Losses from distance `first` on are far, and wins from the next one on.
    ///
    /// # Panics
    /// If `first` is odd, less than 4, or more than that of files.
    #[track_caller]
    pub const fn new(first: Plies) -> Self {
        let Plies(first) = first;
        assert!(first.is_multiple_of(2) && first >= Self::BEFORE && first <= Self::FILES.first);
        Self { first }
    }

    /// The least distance of a far loss; that of a far win is the next one.
    pub const fn first(self) -> Plies {
        Plies(self.first)
    }

    /// The least distance beyond that of every near code that says no more than itself: a subspace with a value of
    /// this distance, or a longer one, needs far codes.
    pub const fn first_beyond(self) -> Plies {
        Plies(self.first + 2)
    }

    /// How many plies far codes have less.
    pub const fn base(self) -> Plies {
        Plies(self.first - Self::BEFORE)
    }

    /// The longest distance that a far code can say.
    pub const fn longest(self) -> Plies {
        Plies(self.base().0 + ValueCode::MAX_PLIES.0)
    }

    /// The near code of far losses.
    pub const fn loss(self) -> ValueCode {
        match ValueCode::at_distance(self.first()) {
            Some(code) => code,
            None => unreachable!(),
        }
    }

    /// The near code of far wins.
    pub const fn win(self) -> ValueCode {
        match ValueCode::at_distance(self.first().next()) {
            Some(code) => code,
            None => unreachable!(),
        }
    }

    /// Whether a near code stands for a far value.
    pub const fn is_far(self, near: ValueCode) -> bool {
        near.byte() == self.loss().byte() || near.byte() == self.win().byte()
    }

    /// The value by its near code, and its far code if the subspace has far codes.
    ///
    /// ```
    /// use merels_core::{FarCodes, Plies, Value, ValueCode};
    ///
    /// let code = |plies| ValueCode::at_distance(Plies(plies)).unwrap();
    /// assert_eq!(FarCodes::FILES.value(code(252), Some(code(52))), Value::Loss(Plies(300)));
    /// assert_eq!(FarCodes::FILES.value(code(252), None), Value::Loss(Plies(252)));
    /// assert_eq!(FarCodes::FILES.value(code(250), Some(code(2))), Value::Loss(Plies(250)));
    /// ```
    pub const fn value(self, near: ValueCode, far: Option<ValueCode>) -> Value {
        match far {
            Some(far) if self.is_far(near) => self.value_of_far(far),
            _ => near.value(),
        }
    }

    /// The far value that has this far code.
    pub const fn value_of_far(self, far: ValueCode) -> Value {
        let base = self.base().0;
        match far.value() {
            Value::Loss(Plies(plies)) => Value::Loss(Plies(plies + base)),
            Value::Draw => Value::Draw,
            Value::Win(Plies(plies)) => Value::Win(Plies(plies + base)),
        }
    }

    /// Near code and far code of a value; none if its distance is too long or of the wrong parity.
    pub const fn codes_of(self, value: Value) -> Option<(ValueCode, ValueCode)> {
        let base = self.base().0;
        let (near, far) = match value {
            Value::Draw => (value, value),
            Value::Loss(Plies(plies)) => {
                let near = if plies < self.first { plies } else { self.first };
                let far = if plies.is_multiple_of(2) { plies.saturating_sub(base) } else { plies };
                (Value::Loss(Plies(near)), Value::Loss(Plies(far)))
            }
            Value::Win(Plies(plies)) => {
                let near = if plies < self.first { plies } else { self.first + 1 };
                let far = if plies > base { plies - base } else { plies % 2 };
                (Value::Win(Plies(near)), Value::Win(Plies(far)))
            }
        };
        match (ValueCode::from_value(near), ValueCode::from_value(far)) {
            (Some(near), Some(far)) => Some((near, far)),
            _ => None,
        }
    }

    /// By byte of a near code that says no more than itself: the byte of the far code. The byte that is no code stays
    /// as it is.
    pub const fn far_bytes(self) -> [u8; 256] {
        let mut bytes = [128; 256];
        let mut byte = 0;
        while byte < 256 {
            if let Some(code) = ValueCode::from_byte(byte as u8)
                && let Some((_, far)) = self.codes_of(code.value())
            {
                bytes[byte] = far.byte();
            }
            byte += 1;
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_values(longest: Plies) -> impl Iterator<Item = Value> {
        let losses = (0..=longest.0).step_by(2).map(|plies| Value::Loss(Plies(plies)));
        let wins = (1..=longest.0).step_by(2).map(|plies| Value::Win(Plies(plies)));
        losses.chain([Value::Draw]).chain(wins.rev())
    }

    #[test]
    fn two_codes_say_every_value_and_keep_its_order() {
        for far in [FarCodes::FILES, FarCodes::new(Plies(12)), FarCodes::new(Plies(4))] {
            let mut before = None;
            for value in all_values(far.longest()) {
                let (near, code) = far.codes_of(value).unwrap();
                assert_eq!(far.value(near, Some(code)), value);
                assert!(before.is_none_or(|(n, c)| n <= near && c <= code), "{value}");
                if value.distance().is_none_or(|plies| plies < far.first_beyond()) {
                    assert_eq!(far.value(near, None), value);
                    assert_eq!(far.far_bytes()[usize::from(near.byte())], code.byte());
                }
                before = Some((near, code));
            }
            assert_eq!(far.codes_of(Value::Loss(far.longest().next())), None);
            assert_eq!(far.codes_of(Value::Win(far.longest().next().next())), None);
            assert_eq!(far.codes_of(Value::Loss(Plies(1))), None);
        }
    }

    #[test]
    fn numbers_of_files() {
        let far = FarCodes::FILES;
        assert_eq!((far.loss().byte(), far.win().byte()), (126, 129));
        assert_eq!(
            (far.base(), far.first_beyond(), far.longest()),
            (Plies(248), Plies(254), Plies(501))
        );
    }
}
