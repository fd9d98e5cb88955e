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

/// Tables for the bytes of a word, for any processor. Where masks stay the same for a while, as the free
/// points of a row do, the few rows of the tables that are used stay in the nearest cache.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// For a mask of eight bits and a byte, what [`BitTricks::extract`] and [`BitTricks::deposit`] give.
type ByteTable = [[u8; 256]; 256];

/// Ones in a byte.
static ONES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = table[byte >> 1] + (byte & 1) as u8;
        byte += 1;
    }
    table
};

static EXTRACTED: ByteTable = {
    let mut table = [[0; 256]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut byte = 1_usize;
        while byte < 256 {
            let lowest = byte & byte.wrapping_neg();
            let place = if mask & lowest == 0 { 0 } else { 1 << ONES[mask & (lowest - 1)] };
            table[mask][byte] = table[mask][byte ^ lowest] | place;
            byte += 1;
        }
        mask += 1;
    }
    table
};

static DEPOSITED: ByteTable = {
    let mut table = [[0; 256]; 256];
    let mut mask = 1_usize;
    while mask < 256 {
        let lowest = mask & mask.wrapping_neg();
        let mut byte = 0;
        while byte < 256 {
            // The lowest bit goes to the lowest place, the others to the other places.
            let others = table[mask ^ lowest][byte >> 1];
            table[mask][byte] = others | (lowest as u8 & (byte as u8 & 1).wrapping_neg());
            byte += 1;
        }
        mask += 1;
    }
    table
};

impl BitTricks for Portable {
    #[inline]
    fn extract(self, word: u32, mask: u32) -> u32 {
        let (words, masks) = (word.to_le_bytes(), mask.to_le_bytes());
        let mut result = 0;
        let mut shift = 0;
        for (word, mask) in words.into_iter().zip(masks) {
            let extracted = EXTRACTED[usize::from(mask)][usize::from(word)];
            result |= u64::from(extracted) << shift;
            shift += ONES[usize::from(mask)];
        }
        result as u32
    }

    #[inline]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        let masks = mask.to_le_bytes();
        let mut left = u64::from(word);
        masks
            .map(|mask| {
                let deposited = DEPOSITED[usize::from(mask)][left as usize & 255];
                left >>= ONES[usize::from(mask)];
                deposited
            })
            .into_iter()
            .rev()
            .fold(0, |result, byte| result << 8 | u32::from(byte))
    }
}

/// The instructions `pext` and `pdep`. A value of this type proves that the processor has them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    fn bit_by_bit() {
        for mask in [0, 1, 0x80, 0xff, 0x0f0f_a5a5, 0xffff_ffff, 0x8000_0001, 0x00ff_fe01] {
            for word in [0, 1, 0xffff_ffff, 0x1234_5678, 0x8765_4321, 0x00f0_0f0f] {
                let places: Vec<u32> = (0..32).filter(|place| mask >> place & 1 == 1).collect();
                let bit = |word: u32, place: u32| word >> place & 1;
                let extracted = places.iter().rev().fold(0, |all, &p| all << 1 | bit(word, p));
                let deposited =
                    places.iter().zip(0..).fold(0, |all, (p, i)| all | bit(word, i) << p);
                assert_eq!(Portable.extract(word, mask), extracted, "{word:x} {mask:x}");
                assert_eq!(Portable.deposit(word, mask), deposited, "{word:x} {mask:x}");
            }
        }
    }

    #[test]
    fn by_hand() {
        assert_eq!(Portable.extract(0b1010_0110, 0b1111_0000), 0b1010);
        assert_eq!(Portable.deposit(0b1010, 0b1111_0000), 0b1010_0000);
        assert_eq!(Portable.deposit(0b101, 0b1001_0010), 0b1000_0010);
    }
}
