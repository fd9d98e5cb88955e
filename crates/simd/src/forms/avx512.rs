//! x86-64 with AVX-512: lanes as one vector, 64 bytes moved by the bits of a mask at once.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epu8_mask, _mm512_loadu_epi8, _mm512_loadu_epi32,
    _mm512_mask_add_epi8, _mm512_mask_blend_epi8, _mm512_mask_expand_epi8, _mm512_mask_storeu_epi8,
    _mm512_mask_sub_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi32,
    _mm512_maskz_loadu_epi8, _mm512_max_epi8, _mm512_min_epu8, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_storeu_epi32, _mm512_storeu_si512, _mm512_subs_epu8, _mm512_xor_epi32, _mm512_xor_si512,
};
use std::arch::{asm, is_x86_feature_detected as has};
use std::sync::atomic::AtomicU8;

use crate::cpu::{Cpu, MIDDLE, Work};
use crate::forms::avx2::Avx2;

/// Proves that the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VPOPCNTDQ, and what
/// [`Avx2`] proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The proof, if this processor has all of them.
    pub fn detect() -> Option<Self> {
        let wide = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        let others = has!("avx512vbmi") && has!("avx512vbmi2") && has!("avx512vpopcntdq");
        Avx2::detect().filter(|_| wide && others).map(Self)
    }
}

/// Does `work` in this form.
#[inline(always)]
pub(crate) fn dispatch<W: Work>(cpu: Avx512, work: W) -> W::Output {
    // SAFETY: the value proves the features of the function.
    unsafe { compiled(cpu, work) }
}

#[inline(never)]
#[target_feature(
    enable = "bmi1,bmi2,avx2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq"
)]
fn compiled<W: Work>(cpu: Avx512, work: W) -> W::Output {
    work.run(cpu)
}

impl Cpu for Avx512 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        dispatch(self, work)
    }

    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        self.0.bmi2().extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        self.0.bmi2().deposit(word, mask)
    }

    #[inline(always)]
    fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        self.0.bmi2().extract_lanes(word, mask)
    }

    #[inline(always)]
    fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        self.0.bmi2().deposit_lanes(word, mask)
    }

    #[inline(always)]
    fn xor_each(self, word: u32, mask: u64, others: &[u32; 64], results: &mut [u32; 64]) -> usize {
        let mut count = 0;
        // SAFETY: the value proves AVX-512 F. Each load reads 16 words within `others`. A store of
        // 16 words at `count` stays within `results`, because `count` is at most 16 for each part
        // before it.
        unsafe {
            let word = _mm512_set1_epi32(word as i32);
            for part in 0..4 {
                let mask = (mask >> (16 * part)) as u16;
                let others = _mm512_loadu_epi32(others.as_ptr().add(16 * part).cast());
                let words = _mm512_maskz_compress_epi32(mask, _mm512_xor_epi32(others, word));
                _mm512_storeu_epi32(results.as_mut_ptr().add(count).cast(), words);
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
        // SAFETY: `bytes` has 64 bytes.
        unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, lanes: __m512i, bytes: &mut [u8]) {
        // SAFETY: the mask leaves out all bytes that `bytes` does not have, and those are not
        // accessed.
        unsafe {
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), lanes);
        }
    }

    #[inline(always)]
    fn store_shared(self, lanes: __m512i, bytes: &[AtomicU8]) {
        // SAFETY: the value proves the features, and the mask has only bytes that `bytes` has.
        unsafe { store_relaxed(lanes, first_bytes(bytes.len()), bytes.as_ptr()) }
    }

    #[inline(always)]
    fn subtract(self, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_subs_epu8(one, other) }
    }

    #[inline(always)]
    fn masked_add(self, mask: u64, lanes: __m512i, byte: u8) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_mask_add_epi8(lanes, mask, lanes, _mm512_set1_epi8(byte as i8)) }
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
    fn max_signed(self, lanes: __m512i, byte: u8) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_max_epi8(lanes, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn blend(self, mask: u64, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe { _mm512_mask_blend_epi8(mask, one, other) }
    }

    #[inline(always)]
    fn shuffle<const N: usize>(self, sources: [__m512i; N], places: __m512i) -> __m512i {
        const { assert!(N == 1 || N == 2 || N == 4) };
        // SAFETY: arithmetic only; places choose bytes of registers.
        unsafe {
            if N == 1 {
                return _mm512_permutexvar_epi8(places, sources[0]);
            }
            let first = _mm512_permutex2var_epi8(sources[0], places, sources[1 % N]);
            if N == 2 {
                return first;
            }
            let second = _mm512_permutex2var_epi8(sources[2 % N], places, sources[3 % N]);
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), first, second)
        }
    }

    #[inline(always)]
    fn shuffle_long(self, bytes: &[u8], len: usize, low: __m512i, high: __m512i) -> __m512i {
        let mut shuffled = self.splat(0);
        for part in 0..len.div_ceil(256) {
            let from = 256 * part;
            let sources: [_; 4] = self.load_all(bytes, from);
            // SAFETY: arithmetic only.
            let here = unsafe { _mm512_cmpeq_epi8_mask(high, _mm512_set1_epi8(part as i8)) };
            shuffled = self.blend(here, shuffled, self.shuffle(sources, low));
        }
        shuffled
    }

    #[inline(always)]
    fn before(self, lanes: __m512i) -> __m512i {
        // SAFETY: arithmetic only.
        unsafe {
            let turned = _mm512_xor_si512(lanes, _mm512_set1_epi8(-1));
            let ones = _mm512_set1_epi8(1);
            let above = _mm512_movepi8_mask(lanes);
            let middle = _mm512_cmpeq_epi8_mask(lanes, _mm512_set1_epi8(MIDDLE as i8));
            let turned = _mm512_mask_add_epi8(turned, above, turned, ones);
            _mm512_mask_sub_epi8(turned, middle, turned, ones)
        }
    }

    #[inline(always)]
    fn compress(self, bytes: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
        let lanes = self.load_first(bytes);
        for (place, &word) in places.iter_mut().zip(words) {
            let end = *place + word.count_ones() as usize;
            // SAFETY: arithmetic only; the value proves AVX-512 VBMI2.
            let named = unsafe { _mm512_maskz_compress_epi8(word, lanes) };
            self.store(named, &mut sorted[*place..end]);
            *place = end;
        }
    }

    #[inline(always)]
    fn expand(
        self,
        sorted: &[u8],
        words: &[u64],
        places: &mut [usize],
        rest: u8,
        bytes: &mut [u8],
    ) {
        // SAFETY: arithmetic only; the value proves AVX-512 VBMI2.
        let mut lanes = unsafe { _mm512_set1_epi8(rest as i8) };
        for (place, &word) in places.iter_mut().zip(words) {
            let named = self.load_first(&sorted[*place..*place + 64]);
            // SAFETY: as above.
            lanes = unsafe { _mm512_mask_expand_epi8(lanes, word, named) };
            *place += word.count_ones() as usize;
        }
        self.store(lanes, bytes);
    }

    #[inline(always)]
    fn split(self, codes: &[u8], wins: &mut [u8], losses: &mut [u8]) -> (usize, usize) {
        let (mut won, mut lost) = (0, 0);
        for part in codes.chunks(64) {
            let lanes = self.load_first(part);
            let there = first_bytes(part.len());
            // SAFETY: arithmetic only; the value proves AVX-512 BW and VBMI2.
            let (wins_here, losses_here, distances, codes) = unsafe {
                let above = _mm512_movepi8_mask(lanes);
                let below = _mm512_cmplt_epu8_mask(lanes, _mm512_set1_epi8(MIDDLE as i8)) & there;
                let turned = _mm512_xor_si512(lanes, _mm512_set1_epi8(-1));
                let distances = _mm512_maskz_compress_epi8(above, turned);
                (above, below, distances, _mm512_maskz_compress_epi8(below, lanes))
            };
            if let Some(place) = wins[won..].first_chunk_mut() {
                self.store_all(distances, place);
            }
            if let Some(place) = losses[lost..].first_chunk_mut() {
                self.store_all(codes, place);
            }
            won += wins_here.count_ones() as usize;
            lost += losses_here.count_ones() as usize;
        }
        (won, lost)
    }

    #[inline(always)]
    fn join(self, codes: &mut [u8], wins: &[u8], losses: &[u8]) {
        let (mut won, mut lost) = (0, 0);
        for part in codes.chunks_mut(64) {
            let lanes = self.load_first(part);
            let (wins_here, losses_here) =
                (self.load_first(&wins[won..]), self.load_first(&losses[lost..]));
            // SAFETY: arithmetic only; the value proves AVX-512 BW and VBMI2.
            let (lanes, above, below) = unsafe {
                let above = _mm512_movepi8_mask(lanes);
                let below = _mm512_cmplt_epu8_mask(lanes, _mm512_set1_epi8(MIDDLE as i8));
                let turned = _mm512_xor_si512(wins_here, _mm512_set1_epi8(-1));
                let lanes = _mm512_mask_expand_epi8(lanes, above, turned);
                (_mm512_mask_expand_epi8(lanes, below, losses_here), above, below)
            };
            self.store(lanes, part);
            won += above.count_ones() as usize;
            lost += below.count_ones() as usize;
        }
    }
}

impl Avx512 {
    /// The first 64 bytes of `bytes`; zeros behind them if there are fewer.
    #[inline(always)]
    fn load_first(self, bytes: &[u8]) -> __m512i {
        // SAFETY: the value proves AVX-512 BW. The mask leaves out all bytes that `bytes` does not
        // have, and those are not accessed.
        unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
    }

    /// Stores all 64 lanes.
    #[inline(always)]
    fn store_all(self, lanes: __m512i, bytes: &mut [u8; 64]) {
        // SAFETY: the value proves AVX-512 F, and `bytes` has 64 bytes.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), lanes) }
    }
}

/// Mask of the first `count` bytes of a register (all 64 if there are more).
#[inline(always)]
const fn first_bytes(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Stores the bytes of `lanes` that `mask` has to the addresses from `to` on.
///
/// In assembly because no vector intrinsic is an atomic store. To the language this is
/// [`AtomicU8::store`] with relaxed ordering for each byte of the mask, which is what the processor
/// does, too: it never tears a byte, and promises nothing about their order.
///
/// # Safety
/// There must be a byte at `to` for each one of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn store_relaxed(lanes: __m512i, mask: u64, to: *const AtomicU8) {
    // SAFETY: writes to the bytes of the mask only, which the caller promises, through atomics.
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
