//! Bytes moved one by one: sorted into classes and back, and split at the middle of their range.

use crate::plain::lanes::MIDDLE;

/// See [`Cpu::compress`](crate::Cpu::compress).
#[inline(always)]
pub(crate) fn compress(bytes: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
    for (place, &word) in places.iter_mut().zip(words) {
        let mut left = word;
        for sorted in &mut sorted[*place..][..word.count_ones() as usize] {
            *sorted = bytes[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        *place += word.count_ones() as usize;
    }
}

/// See [`Cpu::expand`](crate::Cpu::expand).
#[inline(always)]
pub(crate) fn expand(
    sorted: &[u8],
    words: &[u64],
    places: &mut [usize],
    rest: u8,
    bytes: &mut [u8],
) {
    let named = words.iter().fold(0, |all, word| all | word);
    if (named.count_ones() as usize) < bytes.len() {
        bytes.fill(rest);
    }
    for (place, &word) in places.iter_mut().zip(words) {
        let mut left = word;
        for &sorted in &sorted[*place..][..word.count_ones() as usize] {
            bytes[left.trailing_zeros() as usize] = sorted;
            left &= left - 1;
        }
        *place += word.count_ones() as usize;
    }
}

/// See [`Cpu::split`](crate::Cpu::split). Writes every byte to both sides, and keeps it in one of
/// them or in none: no branch to mispredict.
#[inline(always)]
pub(crate) fn split(bytes: &[u8], above: &mut [u8], below: &mut [u8]) -> (usize, usize) {
    let (mut seen_above, mut seen_below) = (0, 0);
    for &byte in bytes {
        above[seen_above] = !byte;
        seen_above += usize::from(byte > MIDDLE);
        below[seen_below] = byte;
        seen_below += usize::from(byte < MIDDLE);
    }
    (seen_above, seen_below)
}

/// See [`Cpu::join`](crate::Cpu::join). Reads from both sides for every byte.
#[inline(always)]
pub(crate) fn join(bytes: &mut [u8], above: &[u8], below: &[u8]) {
    let (mut seen_above, mut seen_below) = (0, 0);
    for byte in bytes {
        let (is_above, is_below) = (*byte > MIDDLE, *byte < MIDDLE);
        let (high, low) = (!above[seen_above], below[seen_below]);
        *byte = if is_above { high } else { MIDDLE };
        *byte = if is_below { low } else { *byte };
        seen_above += usize::from(is_above);
        seen_below += usize::from(is_below);
    }
}
