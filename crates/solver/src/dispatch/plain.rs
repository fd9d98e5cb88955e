//! Lanes as arrays of bytes, and edges one by one: for processors without a special form, and what
//! the special forms are compared with.
//!
//! Loops count from 0 to 64: compilers make vectors of those, whereas closures (of `from_fn`, say) are
//! not always inlined where the instructions of a processor are chosen.

#![allow(clippy::needless_range_loop)]

use std::sync::atomic::{AtomicU8, Ordering};

/// The operations of [`Cpu`](super::Cpu) in their plain form, but for `call`: for every form of the code
/// that has no instructions of its own for them.
macro_rules! plain_operations {
    () => {
        #[inline(always)]
        fn apply_edges(
            self,
            stones: u32,
            edges: u64,
            pairs: &[u32; 64],
            reached: &mut [u32; 64],
        ) -> usize {
            $crate::dispatch::plain::apply_edges(stones, edges, pairs, reached)
        }

        type Lanes = [u8; 64];

        #[inline(always)]
        fn splat(self, byte: u8) -> [u8; 64] {
            $crate::dispatch::plain::splat(byte)
        }

        #[inline(always)]
        fn load(self, bytes: &[u8], at: usize) -> [u8; 64] {
            $crate::dispatch::plain::load(bytes, at)
        }

        #[inline(always)]
        fn store(self, lanes: [u8; 64], bytes: &mut [u8]) {
            $crate::dispatch::plain::store(lanes, bytes);
        }

        #[inline(always)]
        fn store_shared(self, lanes: [u8; 64], bytes: &[std::sync::atomic::AtomicU8]) {
            $crate::dispatch::plain::store_shared(lanes, bytes);
        }

        #[inline(always)]
        fn subtract(self, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::subtract(one, other)
        }

        #[inline(always)]
        fn increase(self, mask: u64, lanes: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::increase(mask, lanes)
        }

        #[inline(always)]
        fn equal(self, lanes: [u8; 64], byte: u8) -> u64 {
            $crate::dispatch::equal_bytes(&lanes, byte)
        }

        #[inline(always)]
        fn min(self, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::min(one, other)
        }

        #[inline(always)]
        fn select(self, mask: u64, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::select(mask, one, other)
        }

        #[inline(always)]
        fn pick<const N: usize>(self, sources: [[u8; 64]; N], places: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::pick(sources, places, 64)
        }

        #[inline(always)]
        fn pick_first<const N: usize>(
            self,
            sources: [[u8; 64]; N],
            places: [u8; 64],
            wanted: usize,
        ) -> [u8; 64] {
            $crate::dispatch::plain::pick(sources, places, wanted)
        }

        const ONE_BY_ONE: bool = true;

        #[inline(always)]
        fn pick_long(self, block: &[u8], len: usize, low: [u8; 64], high: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::pick_long(&block[..len], low, high)
        }

        #[inline(always)]
        fn limit_wins(self, lanes: [u8; 64], slowest: u8) -> [u8; 64] {
            $crate::dispatch::plain::limit_wins(lanes, slowest)
        }

        #[inline(always)]
        fn before(self, lanes: [u8; 64]) -> [u8; 64] {
            $crate::dispatch::plain::before(lanes)
        }
    };
}

#[inline(always)]
pub(super) const fn splat(byte: u8) -> [u8; 64] {
    [byte; 64]
}

#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize) -> [u8; 64] {
    *bytes[at..].first_chunk().expect("64 bytes from the place on")
}

#[inline(always)]
pub(super) fn store(lanes: [u8; 64], bytes: &mut [u8]) {
    if let Some(bytes) = bytes.first_chunk_mut() {
        *bytes = lanes;
        return;
    }
    bytes.copy_from_slice(&lanes[..bytes.len()]);
}

#[inline(always)]
pub(super) fn store_shared(lanes: [u8; 64], bytes: &[AtomicU8]) {
    for (byte, lane) in bytes.iter().zip(lanes) {
        byte.store(lane, Ordering::Relaxed);
    }
}

#[inline(always)]
pub(super) fn subtract(mut one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
    for (one, other) in one.iter_mut().zip(other) {
        *one = one.saturating_sub(other);
    }
    one
}

/// Eight lanes at a time: the byte of their bits is copied to all of them, and each keeps its own.
#[inline(always)]
pub(super) fn increase(mask: u64, mut lanes: [u8; 64]) -> [u8; 64] {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const OWN: u64 = u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    for (bits, lanes) in mask.to_le_bytes().into_iter().zip(lanes.as_chunks_mut::<8>().0) {
        let own = (u64::from(bits) * ONES) & OWN;
        // Adding 127 carries into the highest bit of just those bytes that are not zero.
        let ones = ((own + 127 * ONES) >> 7) & ONES;
        for (lane, one) in lanes.iter_mut().zip(ones.to_le_bytes()) {
            *lane = lane.wrapping_add(one);
        }
    }
    lanes
}

#[inline(always)]
pub(super) fn min(one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        lanes[i] = one[i].min(other[i]);
    }
    lanes
}

#[inline(always)]
pub(super) fn select(mask: u64, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
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
pub(super) fn pick<const N: usize>(
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
pub(super) fn pick_long(block: &[u8], low: [u8; 64], high: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        let place = usize::from(high[i]) << 8 | usize::from(low[i]);
        lanes[i] = if place < block.len() { block[place] } else { 0 };
    }
    lanes
}

/// Codes of wins are the negative ones of bytes with a sign, the slowest first.
#[inline(always)]
pub(super) const fn limit_wins(codes: [u8; 64], slowest: u8) -> [u8; 64] {
    let mut lanes = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (code, slowest) = (codes[i] as i8, slowest as i8);
        lanes[i] = if code > slowest { code } else { slowest } as u8;
        i += 1;
    }
    lanes
}

/// 255 - x, and one more for wins (they become losses of the next even distance), one less for
/// draws.
#[inline(always)]
pub(super) fn before(codes: [u8; 64]) -> [u8; 64] {
    let mut lanes = [0; 64];
    for i in 0..64 {
        let code = codes[i];
        lanes[i] = (!code).wrapping_add(u8::from(code > 127)).wrapping_sub(u8::from(code == 127));
    }
    lanes
}

#[inline(always)]
pub(super) fn apply_edges(
    stones: u32,
    edges: u64,
    pairs: &[u32; 64],
    reached: &mut [u32; 64],
) -> usize {
    let mut left = edges;
    let mut count = 0;
    while left != 0 {
        reached[count] = stones ^ pairs[left.trailing_zeros() as usize];
        left &= left - 1;
        count += 1;
    }
    count
}

/// A loop over the ones of a word, as all processors can.
#[inline(always)]
pub(super) fn extract_lanes(word: u64, mask: u64) -> u64 {
    let mut left = word & mask;
    let mut result = 0;
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        result |= 1 << (mask & (lowest - 1)).count_ones();
        left ^= lowest;
    }
    result
}

#[inline(always)]
pub(super) fn deposit_lanes(mut word: u64, mask: u64) -> u64 {
    let mut left = mask;
    let mut result = 0;
    while left != 0 && word != 0 {
        let lowest = left & left.wrapping_neg();
        result |= lowest & (word & 1).wrapping_neg();
        word >>= 1;
        left ^= lowest;
    }
    result
}
