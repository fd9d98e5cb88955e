//! The forms for x86-64: the same operations by the instructions that a processor has.

use std::arch::asm;
use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_loadu_epi32, _mm512_mask_add_epi8,
    _mm512_mask_blend_epi8, _mm512_mask_storeu_epi8, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi32, _mm512_max_epi8, _mm512_min_epu8, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_storeu_epi32, _mm512_subs_epu8, _mm512_xor_epi32, _mm512_xor_si512, _pdep_u64,
    _pext_u64,
};
use std::sync::atomic::AtomicU8;

use merels_core::{Avx2, Avx512};

use super::{Cpu, Work};

impl Cpu for Avx512 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the value proves the features.
        unsafe { run_avx512(work, self) }
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

    #[inline(always)]
    fn apply_edges(
        self,
        stones: u32,
        edges: u64,
        pairs: &[u32; 64],
        reached: &mut [u32; 64],
    ) -> usize {
        let mut count = 0;
        // SAFETY: the value proves AVX-512 F. Each load reads 16 words within `pairs`. A store of
        // 16 words at `count` stays within `reached`, because `count` is at most 16 for each
        // part before it.
        unsafe {
            let stones = _mm512_set1_epi32(stones as i32);
            for part in 0..4 {
                let mask = (edges >> (16 * part)) as u16;
                let pairs = _mm512_loadu_epi32(pairs.as_ptr().add(16 * part).cast());
                let words = _mm512_maskz_compress_epi32(mask, _mm512_xor_epi32(pairs, stones));
                _mm512_storeu_epi32(reached.as_mut_ptr().add(count).cast(), words);
                count += mask.count_ones() as usize;
            }
        }
        count
    }

    type Lanes = __m512i;

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        // SAFETY: the value proves AVX-512 BW and VBMI, here and below.
        unsafe { _mm512_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> __m512i {
        let bytes: &[u8; 64] = bytes[at..].first_chunk().expect("64 bytes from the place on");
        // SAFETY: all 64 bytes are there.
        unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, lanes: __m512i, bytes: &mut [u8]) {
        // SAFETY: masked to the bytes that are there; the others are not accessed.
        unsafe {
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), lanes);
        }
    }

    #[inline(always)]
    fn store_shared(self, lanes: __m512i, bytes: &[AtomicU8]) {
        // SAFETY: the value proves the features, and the mask is of bytes that are there.
        unsafe { store_relaxed(lanes, first_bytes(bytes.len()), bytes.as_ptr()) }
    }

    #[inline(always)]
    fn subtract(self, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_subs_epu8(one, other) }
    }

    #[inline(always)]
    fn increase(self, mask: u64, lanes: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_mask_add_epi8(lanes, mask, lanes, _mm512_set1_epi8(1)) }
    }

    #[inline(always)]
    fn equal(self, lanes: __m512i, byte: u8) -> u64 {
        // SAFETY: arithmetic only.
        unsafe { _mm512_cmpeq_epi8_mask(lanes, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn min(self, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_min_epu8(one, other) }
    }

    #[inline(always)]
    fn select(self, mask: u64, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_mask_blend_epi8(mask, one, other) }
    }

    #[inline(always)]
    fn pick<const N: usize>(self, sources: [__m512i; N], places: __m512i) -> __m512i {
        const { assert!(N == 1 || N == 2 || N == 4) };
        // SAFETY: arithmetic only; places choose bytes of registers.
        unsafe {
            if N == 1 {
                return _mm512_permutexvar_epi8(places, sources[0]);
            }
            let lower = _mm512_permutex2var_epi8(sources[0], places, sources[1 % N]);
            if N == 2 {
                return lower;
            }
            let upper = _mm512_permutex2var_epi8(sources[2 % N], places, sources[3 % N]);
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), lower, upper)
        }
    }

    #[inline(always)]
    fn pick_long(self, block: &[u8], len: usize, low: __m512i, high: __m512i) -> __m512i {
        let mut picked = self.splat(0);
        for part in 0..len.div_ceil(256) {
            let from = 256 * part;
            let sources: [_; 4] = self.load_all(block, from);
            // SAFETY: arithmetic only.
            let here = unsafe { _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8(part as i8)) };
            picked = self.select(here, picked, self.pick(sources, low));
        }
        picked
    }

    /// As in the plain form.
    #[inline(always)]
    fn limit_wins(self, lanes: __m512i, slowest: u8) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_max_epi8(lanes, _mm512_set1_epi8(slowest as i8)) }
    }

    /// As in the plain form.
    #[inline(always)]
    fn before(self, lanes: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe {
            let draw = _mm512_set1_epi8(127);
            let turned = _mm512_xor_si512(lanes, _mm512_set1_epi8(-1));
            let ones = _mm512_set1_epi8(1);
            let wins = _mm512_movepi8_mask(lanes);
            let draws = _mm512_cmpeq_epi8_mask(lanes, draw);
            let turned = _mm512_mask_add_epi8(turned, wins, turned, ones);
            _mm512_mask_sub_epi8(turned, draws, turned, ones)
        }
    }
}

/// Mask of the first `count` bytes of a register (all 64 if there are more).
#[inline(always)]
const fn first_bytes(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Stores the bytes of `lanes` that `mask` has to the addresses from `to` on.
///
/// In assembly because no vector intrinsic is an atomic store: to the language this is
/// [`AtomicU8::store`] with relaxed ordering for each byte of the mask, which is what the processor
/// does, too: it never tears a byte, and promises nothing about their order.
///
/// # Safety
/// The bytes of the mask must be there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn store_relaxed(lanes: __m512i, mask: u64, to: *const AtomicU8) {
    // SAFETY: writes to the bytes of the mask only, which the caller vouches for, through atomics.
    unsafe {
        asm!(
            "vmovdqu8 zmmword ptr [{to}] {{{mask}}}, {lanes}",
            to = in(reg) to,
            mask = in(kreg) mask,
            lanes = in(zmm_reg) lanes,
            options(nostack, preserves_flags),
        );
    }
}

#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,avx2,lzcnt,popcnt")]
pub(super) fn run_avx2<W: Work>(work: W, cpu: Avx2) -> W::Output {
    work.run(cpu)
}

#[inline(never)]
#[target_feature(
    enable = "bmi1,bmi2,avx2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"
)]
pub(super) fn run_avx512<W: Work>(work: W, cpu: Avx512) -> W::Output {
    work.run(cpu)
}
