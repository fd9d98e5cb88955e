//! [`extract`] and [`deposit`] for code that is not generic over a [`Cpu`](crate::Cpu).

#[cfg(target_arch = "x86_64")]
use crate::forms::avx2::Bmi2;
use crate::plain;

/// [`Cpu::extract`](crate::Cpu::extract) in the best form for this processor; each call looks it
/// up.
#[inline]
pub fn extract(word: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.extract(word, mask);
    }
    plain::bits::extract(word, mask)
}

/// [`Cpu::deposit`](crate::Cpu::deposit) in the best form for this processor; each call looks it
/// up.
#[inline]
pub fn deposit(word: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.deposit(word, mask);
    }
    plain::bits::deposit(word, mask)
}
