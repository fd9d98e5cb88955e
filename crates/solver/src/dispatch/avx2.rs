//! Lanes as two vectors of AVX2, which can choose bytes from 16 at a time only: the bytes at places from
//! a longer block are put together from all of its sixteens.

// Iterators are not always inlined where the instructions of a processor are chosen.
#![allow(clippy::needless_range_loop)]

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_max_epi8, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_xor_si256,
    _pdep_u64, _pext_u64,
};
use std::sync::atomic::{AtomicU8, Ordering};

use merels_core::Avx2;

use super::x86::run_avx2;
use super::{Cpu, Work, plain};

impl Cpu for Avx2 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the value proves the features.
        unsafe { run_avx2(work, self) }
    }

    #[inline(always)]
    fn apply_edges(
        self,
        stones: u32,
        edges: u64,
        pairs: &[u32; 64],
        reached: &mut [u32; 64],
    ) -> usize {
        plain::apply_edges(stones, edges, pairs, reached)
    }

    #[inline(always)]
    fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        // SAFETY: the value proves BMI2.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        // SAFETY: the value proves BMI2.
        unsafe { _pdep_u64(word, mask) }
    }

    type Lanes = [__m256i; 2];

    #[inline(always)]
    fn splat(self, byte: u8) -> [__m256i; 2] {
        // SAFETY: the value proves AVX2, here and below.
        let half = unsafe { _mm256_set1_epi8(byte as i8) };
        [half, half]
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> [__m256i; 2] {
        let bytes: &[u8; 64] = bytes[at..].first_chunk().expect("64 bytes from the place on");
        // SAFETY: all 64 bytes are there.
        unsafe {
            let halves = bytes.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(halves), _mm256_loadu_si256(halves.add(1))]
        }
    }

    #[inline(always)]
    fn store(self, lanes: [__m256i; 2], bytes: &mut [u8]) {
        if let Some(bytes) = bytes.first_chunk_mut::<64>() {
            *bytes = bytes_of(lanes);
        } else {
            bytes.copy_from_slice(&bytes_of(lanes)[..bytes.len()]);
        }
    }

    #[inline(always)]
    fn store_shared(self, lanes: [__m256i; 2], bytes: &[AtomicU8]) {
        let mut stored = 0;
        for half in lanes {
            if let Some(bytes) = bytes.get(stored..stored + 32) {
                // SAFETY: the value proves the features, and 32 bytes are there.
                unsafe { store_relaxed(half, bytes.as_ptr()) };
                stored += 32;
            }
        }
        if stored < 64 {
            let all = bytes_of(lanes);
            for (byte, lane) in bytes[stored..].iter().zip(&all[stored..]) {
                byte.store(*lane, Ordering::Relaxed);
            }
        }
    }

    #[inline(always)]
    fn subtract(self, one: [__m256i; 2], other: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe { [_mm256_subs_epu8(one[0], other[0]), _mm256_subs_epu8(one[1], other[1])] }
    }

    /// Takes away 255, which is -1.
    #[inline(always)]
    fn increase(self, mask: u64, lanes: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe {
            [
                _mm256_sub_epi8(lanes[0], spread(mask as u32)),
                _mm256_sub_epi8(lanes[1], spread((mask >> 32) as u32)),
            ]
        }
    }

    #[inline(always)]
    fn equal(self, lanes: [__m256i; 2], byte: u8) -> u64 {
        // SAFETY: arithmetic only.
        unsafe {
            let bytes = _mm256_set1_epi8(byte as i8);
            let low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(lanes[0], bytes)) as u32;
            let high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(lanes[1], bytes)) as u32;
            u64::from(low) | u64::from(high) << 32
        }
    }

    #[inline(always)]
    fn min(self, one: [__m256i; 2], other: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe { [_mm256_min_epu8(one[0], other[0]), _mm256_min_epu8(one[1], other[1])] }
    }

    #[inline(always)]
    fn select(self, mask: u64, one: [__m256i; 2], other: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe {
            [
                _mm256_blendv_epi8(one[0], other[0], spread(mask as u32)),
                _mm256_blendv_epi8(one[1], other[1], spread((mask >> 32) as u32)),
            ]
        }
    }

    #[inline(always)]
    fn pick<const N: usize>(
        self,
        sources: [[__m256i; 2]; N],
        places: [__m256i; 2],
    ) -> [__m256i; 2] {
        let mut picked = self.splat(0);
        // SAFETY: arithmetic only. A shuffle gives zero where the top bit of a place is set, which the
        // saturating addition sees to for all places outside of the sixteen at hand.
        unsafe {
            let mut places = places;
            let (outside, sixteen) = (_mm256_set1_epi8(0x70), _mm256_set1_epi8(16));
            for source in sources {
                for half in source {
                    let sixteens = [
                        _mm256_permute2x128_si256::<0x00>(half, half),
                        _mm256_permute2x128_si256::<0x11>(half, half),
                    ];
                    for bytes in sixteens {
                        for i in 0..2 {
                            let inside = _mm256_adds_epu8(places[i], outside);
                            let chosen = _mm256_shuffle_epi8(bytes, inside);
                            picked[i] = _mm256_or_si256(picked[i], chosen);
                            places[i] = _mm256_sub_epi8(places[i], sixteen);
                        }
                    }
                }
            }
        }
        picked
    }

    #[inline(always)]
    fn pick_long(
        self,
        block: &[u8],
        len: usize,
        low: [__m256i; 2],
        high: [__m256i; 2],
    ) -> [__m256i; 2] {
        let mut picked = self.splat(0);
        for part in 0..len.div_ceil(256) {
            let sources: [_; 4] = self.load_all(block, 256 * part);
            let here = self.pick(sources, low);
            // SAFETY: arithmetic only.
            unsafe {
                let part = _mm256_set1_epi8(part as i8);
                for i in 0..2 {
                    let is_here = _mm256_cmpeq_epi8(high[i], part);
                    picked[i] = _mm256_or_si256(picked[i], _mm256_and_si256(here[i], is_here));
                }
            }
        }
        picked
    }

    /// As in the plain form.
    #[inline(always)]
    fn limit_wins(self, lanes: [__m256i; 2], slowest: u8) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe {
            let slowest = _mm256_set1_epi8(slowest as i8);
            [_mm256_max_epi8(lanes[0], slowest), _mm256_max_epi8(lanes[1], slowest)]
        }
    }

    /// As in the plain form.
    #[inline(always)]
    fn before(self, lanes: [__m256i; 2]) -> [__m256i; 2] {
        let mut before = lanes;
        // SAFETY: arithmetic only.
        unsafe {
            for i in 0..2 {
                let turned = _mm256_xor_si256(lanes[i], _mm256_set1_epi8(-1));
                let wins = _mm256_cmpgt_epi8(_mm256_setzero_si256(), lanes[i]);
                let draws = _mm256_cmpeq_epi8(lanes[i], _mm256_set1_epi8(127));
                before[i] = _mm256_add_epi8(_mm256_sub_epi8(turned, wins), draws);
            }
        }
        before
    }
}

/// The bytes of lanes.
#[inline(always)]
fn bytes_of(lanes: [__m256i; 2]) -> [u8; 64] {
    let mut bytes = [0_u8; 64];
    // SAFETY: all 64 bytes are there.
    unsafe {
        let halves = bytes.as_mut_ptr().cast::<__m256i>();
        _mm256_storeu_si256(halves, lanes[0]);
        _mm256_storeu_si256(halves.add(1), lanes[1]);
    }
    bytes
}

/// All ones in the bytes whose bit is set.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn spread(bits: u32) -> __m256i {
    // SAFETY: arithmetic only.
    unsafe {
        // Each byte of the mask eight times, then the bit of each place.
        let eighths = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), eighths);
        let ones = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, ones), ones)
    }
}

/// Stores 32 bytes to the addresses from `to` on. In assembly for the reason that the form for AVX-512
/// has: each byte is a relaxed atomic store.
///
/// # Safety
/// The bytes must be there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store_relaxed(lanes: __m256i, to: *const AtomicU8) {
    // SAFETY: writes to 32 bytes, which the caller vouches for, through atomics.
    unsafe {
        asm!(
            "vmovdqu ymmword ptr [{to}], {lanes}",
            to = in(reg) to,
            lanes = in(ymm_reg) lanes,
            options(nostack, preserves_flags),
        );
    }
}
