//! x86-64 with AVX2 and BMI2: lanes as two vectors.
//!
//! A shuffle of AVX2 chooses from 16 bytes only. So a shuffle of more bytes combines one shuffle
//! for each 16 of them.

#![allow(unsafe_code)]
// Iterators are not always inlined into code that is compiled for a chosen processor.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_max_epi8, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_xor_si256,
    _pdep_u32, _pdep_u64, _pext_u32, _pext_u64,
};
use std::arch::{asm, is_x86_feature_detected as has};
use std::sync::atomic::{AtomicU8, Ordering};

use crate::cpu::{Cpu, MIDDLE, Work};

/// Proves that the processor has BMI2: the instructions `pext` and `pdep`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    /// The proof, if this processor has BMI2.
    pub(crate) fn detect() -> Option<Self> {
        has!("bmi2").then_some(Self(()))
    }

    #[inline(always)]
    pub(crate) fn extract(self, word: u32, mask: u32) -> u32 {
        // SAFETY: values come from `detect` only, so the processor has the instruction.
        unsafe { _pext_u32(word, mask) }
    }

    #[inline(always)]
    pub(crate) fn deposit(self, word: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { _pdep_u32(word, mask) }
    }

    #[inline(always)]
    pub(crate) fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    pub(crate) fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { _pdep_u64(word, mask) }
    }
}

/// Proves that the processor has BMI1, BMI2, AVX2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(Bmi2);

impl Avx2 {
    /// The proof, if this processor has all of them.
    pub fn detect() -> Option<Self> {
        let others = has!("bmi1") && has!("avx2") && has!("lzcnt") && has!("popcnt");
        Bmi2::detect().filter(|_| others).map(Self)
    }

    /// The part of the proof about BMI2.
    #[inline(always)]
    pub(crate) const fn bmi2(self) -> Bmi2 {
        self.0
    }
}

/// Does `work` in this form.
#[inline(always)]
pub(crate) fn dispatch<W: Work>(cpu: Avx2, work: W) -> W::Output {
    // SAFETY: the value proves the features of the function.
    unsafe { compiled(cpu, work) }
}

#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,avx2,lzcnt,popcnt")]
fn compiled<W: Work>(cpu: Avx2, work: W) -> W::Output {
    work.run(cpu)
}

impl Cpu for Avx2 {
    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Output {
        dispatch(self, work)
    }

    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        self.0.extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        self.0.deposit(word, mask)
    }

    #[inline(always)]
    fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        self.0.extract_lanes(word, mask)
    }

    #[inline(always)]
    fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        self.0.deposit_lanes(word, mask)
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
        // SAFETY: `bytes` has 64 bytes.
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
                // SAFETY: the value proves the features, and there are 32 bytes.
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

    #[inline(always)]
    fn masked_add(self, mask: u64, lanes: [__m256i; 2], byte: u8) -> [__m256i; 2] {
        let mut sums = lanes;
        // SAFETY: arithmetic only.
        unsafe {
            for i in 0..2 {
                let ones = spread((mask >> (32 * i)) as u32);
                sums[i] = if byte == 1 {
                    // All ones are -1.
                    _mm256_sub_epi8(lanes[i], ones)
                } else {
                    let added = _mm256_and_si256(ones, _mm256_set1_epi8(byte as i8));
                    _mm256_add_epi8(lanes[i], added)
                };
            }
        }
        sums
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
    fn max_signed(self, lanes: [__m256i; 2], byte: u8) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe {
            let bytes = _mm256_set1_epi8(byte as i8);
            [_mm256_max_epi8(lanes[0], bytes), _mm256_max_epi8(lanes[1], bytes)]
        }
    }

    #[inline(always)]
    fn blend(self, mask: u64, one: [__m256i; 2], other: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: arithmetic only.
        unsafe {
            [
                _mm256_blendv_epi8(one[0], other[0], spread(mask as u32)),
                _mm256_blendv_epi8(one[1], other[1], spread((mask >> 32) as u32)),
            ]
        }
    }

    #[inline(always)]
    fn shuffle<const N: usize>(
        self,
        sources: [[__m256i; 2]; N],
        places: [__m256i; 2],
    ) -> [__m256i; 2] {
        let mut shuffled = self.splat(0);
        // SAFETY: arithmetic only. A shuffle returns zero where the top bit of a place is set; the
        // saturating addition sets it for all places outside of the sixteen at hand.
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
                            shuffled[i] = _mm256_or_si256(shuffled[i], chosen);
                            places[i] = _mm256_sub_epi8(places[i], sixteen);
                        }
                    }
                }
            }
        }
        shuffled
    }

    #[inline(always)]
    fn shuffle_long(
        self,
        bytes: &[u8],
        len: usize,
        low: [__m256i; 2],
        high: [__m256i; 2],
    ) -> [__m256i; 2] {
        let mut shuffled = self.splat(0);
        for part in 0..len.div_ceil(256) {
            let sources: [_; 4] = self.load_all(bytes, 256 * part);
            let here = self.shuffle(sources, low);
            // SAFETY: arithmetic only.
            unsafe {
                let part = _mm256_set1_epi8(part as i8);
                for i in 0..2 {
                    let is_here = _mm256_cmpeq_epi8(high[i], part);
                    shuffled[i] = _mm256_or_si256(shuffled[i], _mm256_and_si256(here[i], is_here));
                }
            }
        }
        shuffled
    }

    #[inline(always)]
    fn before(self, lanes: [__m256i; 2]) -> [__m256i; 2] {
        let mut before = lanes;
        // SAFETY: arithmetic only.
        unsafe {
            for i in 0..2 {
                let turned = _mm256_xor_si256(lanes[i], _mm256_set1_epi8(-1));
                let above = _mm256_cmpgt_epi8(_mm256_setzero_si256(), lanes[i]);
                let middle = _mm256_cmpeq_epi8(lanes[i], _mm256_set1_epi8(MIDDLE as i8));
                before[i] = _mm256_add_epi8(_mm256_sub_epi8(turned, above), middle);
            }
        }
        before
    }
}

/// The bytes of lanes.
#[inline(always)]
fn bytes_of(lanes: [__m256i; 2]) -> [u8; 64] {
    let mut bytes = [0_u8; 64];
    // SAFETY: `bytes` has 64 bytes.
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

/// Stores 32 bytes to the addresses from `to` on.
///
/// In assembly because no vector intrinsic is an atomic store. To the language this is
/// [`AtomicU8::store`] with relaxed ordering for each byte, which is what the processor does, too:
/// it never tears a byte, and promises nothing about their order.
///
/// # Safety
/// There must be 32 bytes at `to`.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store_relaxed(lanes: __m256i, to: *const AtomicU8) {
    // SAFETY: writes to 32 bytes, which the caller promises, through atomics.
    unsafe {
        asm!(
            "vmovdqu ymmword ptr [{to}], {lanes}",
            to = in(reg) to,
            lanes = in(ymm_reg) lanes,
            options(nostack, preserves_flags),
        );
    }
}
