//! Values as tables hold them: in one code each, or in two.
//!
//! One code says all values of most tables. Where a table has distances beyond it, a near code and a far code
//! do, see [`FarCodes`]. Both are worked out from the codes of successors by the same code, one after
//! the other. What differs is the step one ply back: by near codes, the last win leads to the last loss,
//! since both mean "so late, or later". And the far code of a value that is not far follows from its near code.

use std::ops::DerefMut;

use merels_core::{FarCodes, Value, ValueCode};

use crate::fast::precision::Precision;

/// Codes, or places for them: bytes, buffers, tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coded<T> {
    /// The code that says all; the near code, if there are far ones.
    pub(crate) near: T,
    /// The far code.
    pub(crate) far: Option<T>,
}

impl<T> Coded<T> {
    /// Of values that one code says.
    pub(crate) const fn one(near: T) -> Self {
        Self { near, far: None }
    }

    /// Has `make` make both parts.
    pub(crate) fn made<E>(
        is_double: bool,
        mut make: impl FnMut() -> Result<T, E>,
    ) -> Result<Self, E> {
        Ok(Self { near: make()?, far: if is_double { Some(make()?) } else { None } })
    }

    /// Both parts changed alike.
    pub(crate) fn map<'a, U>(&'a self, mut change: impl FnMut(&'a T) -> U) -> Coded<U> {
        Coded { near: change(&self.near), far: self.far.as_ref().map(change) }
    }

    /// Both parts changed alike.
    pub(crate) fn map_mut<'a, U>(&'a mut self, mut change: impl FnMut(&'a mut T) -> U) -> Coded<U> {
        Coded { near: change(&mut self.near), far: self.far.as_mut().map(change) }
    }
}

impl<T: DerefMut<Target = [u8]>> Coded<T> {
    /// The codes to read.
    pub(crate) fn view(&self) -> Coded<&[u8]> {
        self.map(|codes| &**codes)
    }

    /// The codes to change.
    pub(crate) fn view_mut(&mut self) -> Coded<&mut [u8]> {
        self.map_mut(|codes| &mut **codes)
    }

    /// Pieces of `len` entries to change.
    pub(crate) fn pieces_mut(&mut self, len: usize) -> Vec<Coded<&mut [u8]>> {
        let near = self.near.chunks_mut(len);
        let mut far = self.far.as_mut().map(|far| far.chunks_mut(len));
        near.map(|near| Coded { near, far: far.as_mut().and_then(Iterator::next) }).collect()
    }
}

impl<'a> Coded<&'a [u8]> {
    /// Pieces of `len` entries.
    pub(crate) fn pieces(&self, len: usize) -> Vec<Self> {
        let mut far = self.far.map(|far| far.chunks(len));
        let piece = |near: &'a [u8]| Self { near, far: far.as_mut().and_then(Iterator::next) };
        self.near.chunks(len).map(piece).collect()
    }
}

impl Coded<u8> {
    /// The value.
    ///
    /// # Panics
    /// If there is no such code.
    pub(crate) fn value(self, precision: Precision) -> Value {
        let code = |byte| ValueCode::from_byte(byte).expect("a decoded byte is a code");
        let near = code(self.near);
        match self.far {
            Some(far) => FarCodes::FILES.value(near, Some(code(far))),
            None => precision.value(near),
        }
    }
}

/// How near codes and far codes lead to those of the ply before.
#[derive(Debug)]
pub(crate) struct Steps {
    codes: FarCodes,
    /// By the near code of the best successor, that of the position.
    pub(crate) near: [u8; 256],
    /// By near code, the far code of values that are not far.
    pub(crate) far_of: [u8; 256],
}

impl Steps {
    /// Those of files.
    pub(crate) const FILES: &'static Self = &Self::new(FarCodes::FILES);

    pub(crate) const fn new(codes: FarCodes) -> Self {
        let mut near = *Precision::Exact.before();
        near[codes.win().byte() as usize] = codes.loss().byte();
        Self { codes, near, far_of: codes.far_bytes() }
    }

    /// Whether this is the near code of a far value.
    pub(crate) fn is_far(&self, near: u8) -> bool {
        near == self.codes.loss().byte() || near == self.codes.win().byte()
    }

    /// The far codes of a table whose values one code says.
    pub(crate) fn fill_far(&self, near: &[u8], far: &mut [u8]) {
        far.iter_mut().zip(near).for_each(|(far, &near)| *far = self.far_of[usize::from(near)]);
    }

    /// The first entry whose two codes no value has, or of which one is left out.
    pub(crate) fn misfit(&self, near: &[u8], far: &[u8]) -> Option<usize> {
        let mut codes = near.iter().zip(far);
        codes.position(|(&near, &far)| match self.is_far(near) {
            // A value of the other side, or one that is not far.
            true => {
                let sides =
                    |byte: u8| ValueCode::from_byte(byte).map(|code| code.value().outcome());
                let least = self.far_of[usize::from(near)];
                sides(near) != sides(far) || if near < 127 { far < least } else { far > least }
            }
            false => far != self.far_of[usize::from(near)],
        })
    }
}

#[cfg(test)]
mod tests {
    use merels_core::Plies;

    use merels_db::LEFT_OUT;

    use super::*;

    #[test]
    fn codes_that_belong_together() {
        let steps = Steps::FILES;
        let value = |byte| ValueCode::from_byte(byte).map(ValueCode::value);
        for near in 0..=u8::MAX {
            for far in 0..=u8::MAX {
                let exact = value(near).zip(value(far)).and_then(|_| {
                    let [near, far] = [near, far].map(|byte| ValueCode::from_byte(byte).unwrap());
                    let value = FarCodes::FILES.value(near, Some(far));
                    (FarCodes::FILES.codes_of(value) == Some((near, far))).then_some(value)
                });
                let fits = exact.is_some() || (near == LEFT_OUT && far == LEFT_OUT);
                assert_eq!(steps.misfit(&[near], &[far]).is_none(), fits, "{near} {far}");
            }
        }
    }

    #[test]
    fn one_ply_back() {
        let codes = FarCodes::FILES;
        for plies in (0..=499).map(Plies) {
            for value in [Value::Loss(plies), Value::Win(plies), Value::Draw] {
                let Some((near, far)) = codes.codes_of(value) else { continue };
                let (near_before, far_before) = codes.codes_of(value.before()).unwrap();
                assert_eq!(Steps::FILES.near[usize::from(near.byte())], near_before.byte());
                if codes.is_far(near_before) {
                    let step = Precision::Exact.before()[usize::from(far.byte())];
                    assert_eq!(step, far_before.byte(), "{value}");
                }
            }
        }
    }
}
