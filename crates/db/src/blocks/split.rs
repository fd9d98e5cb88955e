//! Cutting buffers into the pieces of their blocks.

use merels_core::numbering::Codes;

/// Cuts buffers of codes into pieces of these lengths, which must add up to their own.
pub(crate) fn split(
    mut codes: Codes<&mut [u8]>,
    lengths: impl Iterator<Item = usize>,
) -> impl Iterator<Item = Codes<&mut [u8]>> {
    lengths.map(move |length| Codes {
        near: cut(&mut codes.near, length),
        far: codes.far.as_mut().map(|far| cut(far, length)),
    })
}

/// Cuts `length` bytes off the front.
fn cut<'a>(rest: &mut &'a mut [u8], length: usize) -> &'a mut [u8] {
    let (piece, left) = std::mem::take(rest).split_at_mut(length);
    *rest = left;
    piece
}
