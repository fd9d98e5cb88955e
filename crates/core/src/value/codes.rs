//! The codes of a value: one byte for distances up to 253 plies, a second one for longer distances.
//!
//! A [`ValueCode`] ends at distance 253. A value is *far* if it is a loss in 252 plies or more, or
//! a win in 253 or more. A subspace with values beyond 253 plies has two codes for each entry:
//!
//! - the *near* code, whose last loss and last win mean "in that many plies, or more";
//! - the *far* code: the code of the value with 248 plies subtracted from its distance; a nearer
//!   value has the far code of a loss in 0 or a win in 1.
//!
//! Both codes keep the order of values (not strictly), so the best of several values has the best
//! near code and the best far code. Far codes begin four plies before values are far, so that the
//! last values before the first far one have exact far codes, too.

use crate::value::values::{Plies, Value, ValueCode};

/// The near and the far code of a value, or two things that hold them: two tables, two buffers.
///
/// `far` is none if near codes express every value. Only this type pairs the two: the bytes of
/// files, the tables of the solver and the buffers of readers are all `Codes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codes<T = ValueCode> {
    /// The near code, or what holds near codes.
    pub near: T,
    /// The far code, or what holds far codes; none if near codes express every value.
    pub far: Option<T>,
}

impl<T> Codes<T> {
    /// Near codes that express every value.
    pub const fn near(near: T) -> Self {
        Self { near, far: None }
    }

    /// Whether there are far codes.
    pub const fn has_far(&self) -> bool {
        self.far.is_some()
    }

    /// The same pair, by reference.
    pub const fn as_ref(&self) -> Codes<&T> {
        Codes { near: &self.near, far: self.far.as_ref() }
    }

    /// The same pair, by mutable reference.
    pub const fn as_mut(&mut self) -> Codes<&mut T> {
        Codes { near: &mut self.near, far: self.far.as_mut() }
    }

    /// A pair of two results of `make`, or of one without far codes.
    ///
    /// # Errors
    /// The first error of `make`.
    pub fn try_new<E>(has_far: bool, mut make: impl FnMut() -> Result<T, E>) -> Result<Self, E> {
        Ok(Self { near: make()?, far: has_far.then(make).transpose()? })
    }

    /// The pair with `map` applied to each part.
    pub fn map<U>(self, mut map: impl FnMut(T) -> U) -> Codes<U> {
        Codes { near: map(self.near), far: self.far.map(map) }
    }

    /// The pair with `map` applied to each part, or the first error.
    ///
    /// # Errors
    /// The first error of `map`.
    pub fn try_map<U, E>(self, mut map: impl FnMut(T) -> Result<U, E>) -> Result<Codes<U>, E> {
        Ok(Codes { near: map(self.near)?, far: self.far.map(map).transpose()? })
    }

    /// The one or two parts, the near one first.
    pub fn both(self) -> impl Iterator<Item = T> {
        std::iter::once(self.near).chain(self.far)
    }
}

impl<T: AsRef<[u8]>> Codes<T> {
    /// The bytes of both.
    pub fn slices(&self) -> Codes<&[u8]> {
        self.as_ref().map(T::as_ref)
    }

    /// The codes at a place of two tables of bytes; none if a byte there is not a code.
    ///
    /// # Panics
    /// If a table has no such place.
    pub fn at(&self, place: usize) -> Option<Codes> {
        let code = |table: &T| ValueCode::from_byte(table.as_ref()[place]);
        let near = code(&self.near)?;
        Some(match &self.far {
            Some(far) => Codes { near, far: Some(code(far)?) },
            None => Codes::near(near),
        })
    }
}

impl<T: AsMut<[u8]>> Codes<T> {
    /// The bytes of both, to write to.
    pub fn slices_mut(&mut self) -> Codes<&mut [u8]> {
        self.as_mut().map(T::as_mut)
    }
}

impl<'a> Codes<&'a [u8]> {
    /// Pieces of `len` entries, the last one shorter.
    pub fn chunks(self, len: usize) -> impl Iterator<Item = Self> {
        let mut far = self.far.map(|far| far.chunks(len));
        let piece = move |near: &'a [u8]| Self { near, far: far.as_mut().and_then(Iterator::next) };
        self.near.chunks(len).map(piece)
    }
}

impl<'a> Codes<&'a mut [u8]> {
    /// Pieces of `len` entries, the last one shorter.
    pub fn chunks_mut(self, len: usize) -> impl Iterator<Item = Self> {
        let mut far = self.far.map(|far| far.chunks_mut(len));
        let piece =
            move |near: &'a mut [u8]| Self { near, far: far.as_mut().and_then(Iterator::next) };
        self.near.chunks_mut(len).map(piece)
    }
}

impl Codes {
    /// The value by the codes of files, [`FarCodes::FILES`].
    pub const fn value(self) -> Value {
        FarCodes::FILES.value(self)
    }
}

/// Where values begin to be far, and what far codes mean.
///
/// Files use [`FarCodes::FILES`] only. Tests of the solver use shorter distances, which small games
/// reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarCodes {
    /// The least distance of a far loss, in plies (even).
    first: u16,
}

impl FarCodes {
    /// The codes of files: losses in 252 plies or more are far, wins in 253 or more, and far codes
    /// subtract 248 plies.
    pub const FILES: Self = Self { first: 252 };

    /// Far codes begin this many plies before the first far loss.
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

    /// The least distance that near codes alone cannot express: a subspace with a value of this
    /// distance or more needs far codes.
    pub const fn first_beyond(self) -> Plies {
        Plies(self.first + 2)
    }

    /// The number of plies that far codes subtract.
    pub const fn base(self) -> Plies {
        Plies(self.first - Self::BEFORE)
    }

    /// The longest distance that a far code can express.
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

    /// The far codes of the first far loss and the first far win.
    pub const fn first_codes(self) -> (ValueCode, ValueCode) {
        let first = Plies(Self::BEFORE);
        match (ValueCode::at_distance(first), ValueCode::at_distance(first.next())) {
            (Some(loss), Some(win)) => (loss, win),
            _ => unreachable!(),
        }
    }

    /// Whether a near code stands for a far value.
    pub const fn is_far(self, near: ValueCode) -> bool {
        near.byte() == self.loss().byte() || near.byte() == self.win().byte()
    }

    /// The value that has these codes.
    ///
    /// ```
    /// use merels_core::numbering::{Codes, ValueCode};
    /// use merels_core::{Plies, Value};
    ///
    /// let code = |plies| ValueCode::at_distance(Plies(plies)).unwrap();
    /// let codes = Codes { near: code(252), far: Some(code(52)) };
    /// assert_eq!(codes.value(), Value::Loss(Plies(300)));
    /// assert_eq!(Codes::near(code(252)).value(), Value::Loss(Plies(252)));
    /// let codes = Codes { near: code(250), far: Some(code(2)) };
    /// assert_eq!(codes.value(), Value::Loss(Plies(250)));
    /// ```
    pub const fn value(self, codes: Codes) -> Value {
        match codes.far {
            Some(far) if self.is_far(codes.near) => self.value_of_far(far),
            _ => codes.near.value(),
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

    /// Both codes of a value; none if its distance is too long or of the wrong parity.
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

    /// For each byte of a near code that needs no far code, the byte of its far code. 128, which is
    /// not a code, maps to itself.
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
                assert_eq!(far.value(Codes { near, far: Some(code) }), value);
                assert!(before.is_none_or(|(n, c)| n <= near && c <= code), "{value}");
                if value.distance().is_none_or(|plies| plies < far.first_beyond()) {
                    assert_eq!(far.value(Codes::near(near)), value);
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
