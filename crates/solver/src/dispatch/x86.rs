//! The forms for x86-64: the same operations by the instructions that a processor has.

use merels_core::bits::{BitTricks, Bmi2};
use std::arch::is_x86_feature_detected as has;
use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi32, _mm512_mask_add_epi8,
    _mm512_mask_blend_epi8, _mm512_mask_storeu_epi8, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi32, _mm512_maskz_loadu_epi8, _mm512_min_epu8, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_storeu_epi32, _mm512_xor_epi32, _mm512_xor_si512,
};

use super::{Cpu, Work};

/// Proves that the processor has BMI1, BMI2, AVX2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(Bmi2);

/// Proves that the processor has AVX-512 F, BW, DQ, VL and VBMI, and what [`Avx2`] proves.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(Bmi2);

impl PartialEq for Avx2 {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Avx2 {}

impl PartialEq for Avx512 {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Avx512 {}

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let others = has!("bmi1") && has!("avx2") && has!("lzcnt") && has!("popcnt");
        Bmi2::detect().filter(|_| others).map(Self)
    }
}

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let wide = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        Avx2::detect().filter(|_| wide && has!("avx512vbmi")).map(|Avx2(bits)| Self(bits))
    }
}

impl BitTricks for Avx2 {
    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        self.0.extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        self.0.deposit(word, mask)
    }
}

impl BitTricks for Avx512 {
    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        self.0.extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        self.0.deposit(word, mask)
    }
}

impl Cpu for Avx2 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the value proves the features.
        unsafe { run_avx2(work, self) }
    }

    plain_operations!();
}

impl Cpu for Avx512 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the value proves the features.
        unsafe { run_avx512(work, self) }
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
    fn load(self, bytes: &[u8]) -> __m512i {
        // SAFETY: masked to the bytes that are there; the others are not accessed.
        unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, lanes: __m512i, bytes: &mut [u8]) {
        // SAFETY: masked to the bytes that are there; the others are not accessed.
        unsafe {
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), lanes);
        }
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
    fn pick(self, block: &[u8], places: __m512i) -> __m512i {
        let part = |i: usize| self.load(block.get(64 * i..).unwrap_or_default());
        // SAFETY: arithmetic only; places choose bytes of registers.
        unsafe {
            if block.len() <= 64 {
                _mm512_permutexvar_epi8(places, part(0))
            } else if block.len() <= 128 {
                _mm512_permutex2var_epi8(part(0), places, part(1))
            } else {
                let lower = _mm512_permutex2var_epi8(part(0), places, part(1));
                let upper = _mm512_permutex2var_epi8(part(2), places, part(3));
                _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), lower, upper)
            }
        }
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
