//! The forms, and the choice among them at run time.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod portable;

use crate::cpu::Work;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::Avx512;

pub use portable::Portable;

/// A form of the code to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Plain code for any processor.
    Portable,
    /// x86-64 with BMI1, BMI2, AVX2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// The same with AVX-512 (F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ).
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Processor {
    /// All forms that this processor can run, the best last.
    pub fn available() -> Vec<Self> {
        Self::forms().collect()
    }

    /// The best form that this processor can run.
    pub fn detect() -> Self {
        Self::forms().last().unwrap_or(Self::Portable)
    }

    /// The forms of [`Processor::available`], one by one.
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

    /// Does `work` in this form.
    #[inline]
    pub fn dispatch<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(cpu) => avx2::dispatch(cpu, work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(cpu) => avx512::dispatch(cpu, work),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_form_is_always_available_and_the_best_one_comes_last() {
        let available = Processor::available();
        assert_eq!(available.first(), Some(&Processor::Portable));
        assert_eq!(available.last(), Some(&Processor::detect()));
        let names: Vec<_> = available.iter().map(|processor| processor.name()).collect();
        assert!(["portable", "avx2", "avx512"].starts_with(&names), "{names:?}");
    }
}
