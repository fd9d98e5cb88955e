//! The forms for x86-64: with AVX-512, up to 64 bytes are moved by the bits of a mask at once.

use std::arch::x86_64::{
    __m512i, _mm512_cmplt_epu8_mask, _mm512_mask_expand_epi8, _mm512_mask_storeu_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_set1_epi8,
    _mm512_storeu_si512, _mm512_xor_si512,
};

use merels_core::{Avx2, Avx512, ValueCode};

use super::{Cpu, Work};

const DRAW: u8 = ValueCode::DRAW.byte();

impl Cpu for Avx2 {
    plain_moves!();
}

/// The first 64 bytes of `bytes`, or all if there are fewer and zeros behind them.
#[inline(always)]
fn load(_: Avx512, bytes: &[u8]) -> __m512i {
    // SAFETY: the value proves AVX-512 BW; masked to the bytes that are there, the others are not
    // accessed.
    unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
}

/// Stores the first lanes, as many as `bytes` has (at most 64).
#[inline(always)]
fn store(_: Avx512, lanes: __m512i, bytes: &mut [u8]) {
    // SAFETY: as for `load`.
    unsafe {
        _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), lanes);
    }
}

/// Stores all 64 lanes.
#[inline(always)]
fn store_all(_: Avx512, lanes: __m512i, bytes: &mut [u8; 64]) {
    // SAFETY: the value proves AVX-512 F; the bytes are there.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), lanes) }
}

impl Cpu for Avx512 {
    #[inline(always)]
    fn sort_run(self, run: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
        let lanes = load(self, run);
        for (place, &word) in places.iter_mut().zip(words) {
            let end = *place + word.count_ones() as usize;
            // SAFETY: arithmetic only; the value proves AVX-512 VBMI2.
            let named = unsafe { _mm512_maskz_compress_epi8(word, lanes) };
            store(self, named, &mut sorted[*place..end]);
            *place = end;
        }
    }

    #[inline(always)]
    fn spread_run(
        self,
        sorted: &[u8],
        words: &[u64],
        places: &mut [usize],
        rest: u8,
        run: &mut [u8],
    ) {
        // SAFETY: arithmetic only; the value proves AVX-512 VBMI2.
        let mut lanes = unsafe { _mm512_set1_epi8(rest as i8) };
        for (place, &word) in places.iter_mut().zip(words) {
            let named = load(self, &sorted[*place..*place + 64]);
            // SAFETY: as above.
            lanes = unsafe { _mm512_mask_expand_epi8(lanes, word, named) };
            *place += word.count_ones() as usize;
        }
        store(self, lanes, run);
    }

    #[inline(always)]
    fn split(self, codes: &[u8], wins: &mut [u8], losses: &mut [u8]) -> (usize, usize) {
        let (mut won, mut lost) = (0, 0);
        for part in codes.chunks(64) {
            let lanes = load(self, part);
            let there = first_bytes(part.len());
            // SAFETY: arithmetic only; the value proves AVX-512 BW and VBMI2.
            let (wins_here, losses_here, distances, codes) = unsafe {
                let above = _mm512_movepi8_mask(lanes);
                let below = _mm512_cmplt_epu8_mask(lanes, _mm512_set1_epi8(DRAW as i8)) & there;
                let turned = _mm512_xor_si512(lanes, _mm512_set1_epi8(-1));
                let distances = _mm512_maskz_compress_epi8(above, turned);
                (above, below, distances, _mm512_maskz_compress_epi8(below, lanes))
            };
            if let Some(place) = wins[won..].first_chunk_mut() {
                store_all(self, distances, place);
            }
            if let Some(place) = losses[lost..].first_chunk_mut() {
                store_all(self, codes, place);
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
            let lanes = load(self, part);
            let (wins_here, losses_here) = (load(self, &wins[won..]), load(self, &losses[lost..]));
            // SAFETY: arithmetic only; the value proves AVX-512 BW and VBMI2.
            let (lanes, above, below) = unsafe {
                let above = _mm512_movepi8_mask(lanes);
                let below = _mm512_cmplt_epu8_mask(lanes, _mm512_set1_epi8(DRAW as i8));
                let turned = _mm512_xor_si512(wins_here, _mm512_set1_epi8(-1));
                let lanes = _mm512_mask_expand_epi8(lanes, above, turned);
                (_mm512_mask_expand_epi8(lanes, below, losses_here), above, below)
            };
            store(self, lanes, part);
            won += above.count_ones() as usize;
            lost += below.count_ones() as usize;
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
    enable = "bmi1,bmi2,avx2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq"
)]
pub(super) fn run_avx512<W: Work>(work: W, cpu: Avx512) -> W::Output {
    work.run(cpu)
}
