//! Choosing the code for the processor at hand.
//!
//! The stages of a layer are generic over [`BitTricks`]. They are compiled twice on x86-64: once for
//! any processor, and once with BMI2 and its companions, in which the bit instructions are inlined
//! and loops over bytes may use AVX2. Both give the same results. [`Processor::Portable`] can be
//! asked for, which is how tests compare the two.

#![allow(unsafe_code)]

use merels_core::bits::{BitTricks, Portable};

/// Which form of the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Plain code for any processor.
    Portable,
    /// x86-64 with BMI2, AVX2 and what comes with them.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

/// Proves that the processor has BMI2, AVX2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Processor {
    /// The best form that this processor runs.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Self::Avx2(Avx2(()));
        }
        Self::Portable
    }
}

/// A piece of work that is generic over the bit operations.
pub(crate) trait Work {
    /// What the work gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled for the
    /// processor of [`run`].
    fn run<B: BitTricks>(self, bits: B) -> Self::Output;
}

/// Does `work` in the form for `processor`.
#[inline]
pub(crate) fn run<W: Work>(processor: Processor, work: W) -> W::Output {
    match processor {
        Processor::Portable => work.run(Portable),
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2(_) => {
            let bits =
                merels_core::bits::Bmi2::detect().expect("found when the processor was looked at");
            // SAFETY: an `Avx2` comes from `Processor::detect` only, which has found the features.
            unsafe { run_avx2(work, bits) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,avx2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W, bits: merels_core::bits::Bmi2) -> W::Output {
    work.run(bits)
}

/// Which of the 64 bytes of a cache line equal `byte`: bit `i` for byte `i`.
#[inline(always)]
pub(crate) fn equal_bytes(line: &[u8; 64], byte: u8) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
        };
        let mut bits = 0;
        for part in 0..4 {
            // SAFETY: SSE2 belongs to every x86-64 processor, and the 16 bytes lie in the line.
            let mask = unsafe {
                let bytes = _mm_loadu_si128(line.as_ptr().add(16 * part).cast::<__m128i>());
                _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)))
            };
            bits |= u64::from(mask as u16) << (16 * part);
        }
        bits
    }
    #[cfg(not(target_arch = "x86_64"))]
    equal_bytes_plain(line, byte)
}

/// The plain form of [`equal_bytes`].
#[cfg(any(test, not(target_arch = "x86_64")))]
fn equal_bytes_plain(line: &[u8; 64], byte: u8) -> u64 {
    line.iter().enumerate().fold(0, |bits, (i, &other)| bits | u64::from(other == byte) << i)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_bytes_by_both_ways(bytes in prop::collection::vec(0_u8..4, 64), byte in 0_u8..5) {
            let line: &[u8; 64] = bytes.as_slice().try_into().unwrap();
            prop_assert_eq!(equal_bytes(line, byte), equal_bytes_plain(line, byte));
        }
    }
}
