//! What the processor at hand has instructions for.
//!
//! Hot code is compiled in a portable form and, on x86-64, in forms for AVX2 and AVX-512. Which of them
//! this processor runs is found out here, for all crates. [`Avx2`] and [`Avx512`] come from detection
//! only, so that a value of them is the proof on which `unsafe` code elsewhere rests.

#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as has;

#[cfg(target_arch = "x86_64")]
use crate::bits::{BitTricks, Bmi2};

/// Which form of the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Plain code for any processor.
    Portable,
    /// x86-64 with BMI2, AVX2 and what comes with them.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX-512 (F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ) on top of that.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Processor {
    /// All forms that this processor runs, the best last.
    pub fn available() -> Vec<Self> {
        Self::forms().collect()
    }

    /// The best form that this processor runs.
    pub fn detect() -> Self {
        Self::forms().last().unwrap_or(Self::Portable)
    }

    /// [`Processor::available`] one by one.
    fn forms() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [Avx2::detect().map(Self::Avx2), Avx512::detect().map(Self::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None];
        std::iter::once(Self::Portable).chain(special.into_iter().flatten())
    }

    /// The name of the form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }
}

/// Proves that the processor has BMI1, BMI2, AVX2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(Bmi2);

/// Proves that the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and VPOPCNTDQ, and what [`Avx2`] proves.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Avx2);

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The proof, if this processor has all of them.
    pub fn detect() -> Option<Self> {
        let others = has!("bmi1") && has!("avx2") && has!("lzcnt") && has!("popcnt");
        Bmi2::detect().filter(|_| others).map(Self)
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The proof, if this processor has all of them.
    pub fn detect() -> Option<Self> {
        let wide = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        let others = has!("avx512vbmi") && has!("avx512vbmi2") && has!("avx512vpopcntdq");
        Avx2::detect().filter(|_| wide && others).map(Self)
    }
}

/// Both have the instructions of what they hold.
#[cfg(target_arch = "x86_64")]
macro_rules! forward_bit_tricks {
    ($($form:ty),*) => {$(
        impl BitTricks for $form {
            #[inline(always)]
            fn extract(self, word: u32, mask: u32) -> u32 {
                self.0.extract(word, mask)
            }

            #[inline(always)]
            fn deposit(self, word: u32, mask: u32) -> u32 {
                self.0.deposit(word, mask)
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
forward_bit_tricks!(Avx2, Avx512);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_form_is_always_there_and_the_best_one_comes_last() {
        let available = Processor::available();
        assert_eq!(available.first(), Some(&Processor::Portable));
        assert_eq!(available.last(), Some(&Processor::detect()));
        let names: Vec<_> = available.iter().map(|processor| processor.name()).collect();
        assert!(["portable", "avx2", "avx512"].starts_with(&names), "{names:?}");
    }
}
