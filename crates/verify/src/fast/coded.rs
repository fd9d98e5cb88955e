//! Values as tables hold them: one code each, or two.
//!
//! In most tables one code expresses each value. Tables with longer distances have a near code and
//! a far code for each value, see [`FarCodes`]. The checker computes both from the codes of
//! successors by the same code, one after the other. Only the step one ply back differs: among near
//! codes, the last win leads to the last loss, since both mean "this late, or later". The far code
//! of a value that is not far follows from its near code.

use merels_core::Value;
use merels_core::numbering::{Codes, FarCodes, ValueCode};

use crate::fast::precision::Precision;

/// The value that the bytes of codes express.
///
/// # Panics
/// If there is no such code.
pub(crate) fn value_of(bytes: Codes<u8>, precision: Precision) -> Value {
    let codes = bytes.map(|byte| ValueCode::from_byte(byte).expect("a decoded byte is a code"));
    if codes.has_far() { codes.value() } else { precision.value(codes.near) }
}

/// The step from near and far codes to those one ply before.
#[derive(Debug)]
pub(crate) struct Steps {
    codes: FarCodes,
    /// Maps the near code of the best successor to that of the position.
    pub(crate) near: [u8; 256],
    /// By near code, the far code of values that are not far.
    pub(crate) far_of: [u8; 256],
}

impl Steps {
    /// The steps for the codes of files.
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
}

#[cfg(test)]
mod tests {
    use merels_core::Plies;

    use super::*;

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
