//! Gathering and scattering the bits of a mask: the one place where `core` uses `unsafe`.
//!
//! [`BitTricks::extract`] collects the bits of a word at the places of a mask into its low bits;
//! [`BitTricks::deposit`] is its inverse. x86-64 processors with BMI2 have an instruction for each
//! ([`Bmi2`]); everything else uses [`Portable`], which gives the same results. Code that runs hot
//! is generic over [`BitTricks`] and picks one at its start; all else calls [`extract`] and
//! [`deposit`].

#![allow(unsafe_code)]

/// Bit gathering and scattering on 32-bit words.
pub trait BitTricks: Copy + Send + Sync + 'static {
    /// The bits of `word` at the places where `mask` has ones, moved together at the low end.
    fn extract(self, word: u32, mask: u32) -> u32;

    /// The low bits of `word` moved to the places where `mask` has ones.
    fn deposit(self, word: u32, mask: u32) -> u32;
}

/// Plain arithmetic, for any processor: a loop over the ones of a word.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl BitTricks for Portable {
    #[inline]
    fn extract(self, word: u32, mask: u32) -> u32 {
        let mut left = word & mask;
        let mut result = 0;
        while left != 0 {
            let lowest = left & left.wrapping_neg();
            result |= 1 << (mask & (lowest - 1)).count_ones();
            left ^= lowest;
        }
        result
    }

    #[inline]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        let mut left = mask;
        let mut word = word;
        let mut result = 0;
        while left != 0 && word != 0 {
            let lowest = left & left.wrapping_neg();
            result |= lowest & (word & 1).wrapping_neg();
            word >>= 1;
            left ^= lowest;
        }
        result
    }
}

/// The instructions `pext` and `pdep`. A value of this type proves that the processor has them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The proof, if this processor has BMI2.
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl BitTricks for Bmi2 {
    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        // SAFETY: `Bmi2` values come from `detect` only, so the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u32(word, mask) }
    }

    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(word, mask) }
    }
}

/// [`BitTricks::extract`] by the best means that the processor has.
#[inline]
pub fn extract(word: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.extract(word, mask);
    }
    Portable.extract(word, mask)
}

/// [`BitTricks::deposit`] by the best means that the processor has.
#[inline]
pub fn deposit(word: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.deposit(word, mask);
    }
    Portable.deposit(word, mask)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn deposit_undoes_extract(word: u32, mask: u32) {
            prop_assert_eq!(Portable.deposit(Portable.extract(word, mask), mask), word & mask);
        }

        #[test]
        fn both_ways_agree(word: u32, mask: u32) {
            prop_assert_eq!(extract(word, mask), Portable.extract(word, mask));
            prop_assert_eq!(deposit(word, mask), Portable.deposit(word, mask));
        }
    }

    #[test]
    fn by_hand() {
        assert_eq!(Portable.extract(0b1010_0110, 0b1111_0000), 0b1010);
        assert_eq!(Portable.deposit(0b1010, 0b1111_0000), 0b1010_0000);
        assert_eq!(Portable.deposit(0b101, 0b1001_0010), 0b1000_0010);
    }
}
