//! The fast form for processors with BMI2, and the plain form for all others.
//!
//! Work is generic over [`BitTricks`]. [`run`] compiles it a second time for processors that have
//! the instructions for it, so that they are inlined; both forms give the same results. This is the
//! one place of the crate with unsafe code.

#![allow(unsafe_code)]

use merels_core::bits::{BitTricks, Portable};

/// A piece of work that is generic over how bits are gathered.
pub(crate) trait Work {
    /// What the work gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled for the
    /// processor of [`run`].
    fn run<B: BitTricks>(self, bits: B) -> Self::Output;
}

/// Does `work` in the fastest form that this processor has.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bits) = merels_core::Avx2::detect() {
        // SAFETY: the value proves all four features of the function.
        return unsafe { run_bmi2(work, bits) };
    }
    work.run(Portable)
}

/// Asks for the cache line of `bytes[place]`, which will be read soon; does nothing where there is no
/// such instruction.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], place: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = bytes.as_ptr().wrapping_add(place);
        // SAFETY: a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, place);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_bmi2<W: Work>(work: W, bits: merels_core::Avx2) -> W::Output {
    work.run(bits)
}
