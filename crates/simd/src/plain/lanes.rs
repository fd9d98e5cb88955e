//! Lanes as arrays of 64 bytes, and words one by one.
//!
//! Loops count from 0 to 64, since compilers turn them into vectors. Closures (in `from_fn`, say)
//! are not always inlined into code that is compiled for a chosen processor.

#![allow(clippy::needless_range_loop)]

use std::sync::atomic::{AtomicU8, Ordering};

/// The middle of the range of bytes, which [`Cpu::before`](crate::Cpu::before) keeps and
/// [`Cpu::split`](crate::Cpu::split) leaves out.
pub const MIDDLE: u8 = 127;

#[inline(always)]
pub(crate) const fn splat(byte: u8) -> [u8; 64] {
    [byte; 64]
}

#[inline(always)]
pub(crate) fn load(bytes: &[u8], at: usize) -> [u8; 64] {
    *bytes[at..].first_chunk().expect("64 bytes from the place on")
}

#[inline(always)]
pub(crate) fn store(lanes: [u8; 64], bytes: &mut [u8]) {
    if let Some(bytes) = bytes.first_chunk_mut() {
        *bytes = lanes;
        return;
    }
    bytes.copy_from_slice(&lanes[..bytes.len()]);
}

#[inline(always)]
pub(crate) fn store_shared(lanes: [u8; 64], bytes: &[AtomicU8]) {
    for (byte, lane) in bytes.iter().zip(lanes) {
        byte.store(lane, Ordering::Relaxed);
    }
}

#[inline(always)]
pub(crate) fn subtract(mut one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
    for (one, other) in one.iter_mut().zip(other) {
        *one = one.saturating_sub(other);
    }
    one
}

/// Eight lanes at a time: copies the byte of their bits to all of them, and each keeps its own.
#[inline(always)]
pub(crate) fn masked_add(mask: u64, mut lanes: [u8; 64], byte: u8) -> [u8; 64] {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const OWN: u64 = u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    for (bits, lanes) in mask.to_le_bytes().into_iter().zip(lanes.as_chunks_mut::<8>().0) {
        let own = (u64::from(bits) * ONES) & OWN;
        // Adding 127 carries into the highest bit of just those bytes that are not zero.
        let ones = ((own + 127 * ONES) >> 7) & ONES;
        let added = ones * u64::from(byte);
        for (lane, added) in lanes.iter_mut().zip(added.to_le_bytes()) {
            *lane = lane.wrapping_add(added);
        }
    }
    lanes
}

#[inline(always)]
pub(crate) fn min(one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        lanes[i] = one[i].min(other[i]);
    }
    lanes
}

#[inline(always)]
pub(crate) fn blend(mask: u64, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
    if mask == 0 {
        return one;
    }
    let mut lanes = [0; 64];
    for (eighth, bits) in mask.to_le_bytes().into_iter().enumerate() {
        for i in 0..8 {
            let lane = 8 * eighth + i;
            let takes_other = if bits & 1 << i == 0 { 0 } else { u8::MAX };
            lanes[lane] = one[lane] & !takes_other | other[lane] & takes_other;
        }
    }
    lanes
}

#[inline(always)]
pub(crate) fn shuffle<const N: usize>(
    sources: [[u8; 64]; N],
    places: [u8; 64],
    wanted: usize,
) -> [u8; 64] {
    let bytes = sources.as_flattened();
    let mut lanes = [0; 64];
    for i in 0..wanted.min(64) {
        lanes[i] = bytes[usize::from(places[i]) % (64 * N)];
    }
    lanes
}

#[inline(always)]
pub(crate) fn shuffle_long(bytes: &[u8], low: [u8; 64], high: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        let place = usize::from(high[i]) << 8 | usize::from(low[i]);
        lanes[i] = if place < bytes.len() { bytes[place] } else { 0 };
    }
    lanes
}

#[inline(always)]
pub(crate) const fn max_signed(one: [u8; 64], byte: u8) -> [u8; 64] {
    let mut lanes = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (lane, byte) = (one[i] as i8, byte as i8);
        lanes[i] = if lane > byte { lane } else { byte } as u8;
        i += 1;
    }
    lanes
}

/// See [`Cpu::before`](crate::Cpu::before).
#[inline(always)]
pub(crate) fn before(bytes: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        let byte = bytes[i];
        let turned = (!byte).wrapping_add(u8::from(byte > MIDDLE));
        lanes[i] = turned.wrapping_sub(u8::from(byte == MIDDLE));
    }
    lanes
}

#[inline(always)]
pub(crate) fn xor_each(word: u32, mask: u64, others: &[u32; 64], results: &mut [u32; 64]) -> usize {
    let mut left = mask;
    let mut count = 0;
    while left != 0 {
        results[count] = word ^ others[left.trailing_zeros() as usize];
        left &= left - 1;
        count += 1;
    }
    count
}
