//! Bits gathered from the places of a mask, and scattered to them.
//!
//! For 32 bits there are tables for the bytes of a word. Where masks stay the same for a while, as
//! the free points of a row do, the few lines of the tables that are used stay in the nearest
//! cache.

/// A result for each mask of eight bits and each byte.
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

/// For a mask of eight bits and a byte: the bits under the mask, moved together.
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

/// For a mask of eight bits and a byte: the low bits, moved to the places of the mask.
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

/// See [`Cpu::extract`](crate::Cpu::extract).
#[inline]
pub(crate) fn extract(word: u32, mask: u32) -> u32 {
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

/// See [`Cpu::deposit`](crate::Cpu::deposit).
#[inline]
pub(crate) fn deposit(word: u32, mask: u32) -> u32 {
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

/// See [`Cpu::extract_lanes`](crate::Cpu::extract_lanes).
#[inline(always)]
pub(crate) fn extract_lanes(word: u64, mask: u64) -> u64 {
    let mut left = word & mask;
    let mut result = 0;
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        result |= 1 << (mask & (lowest - 1)).count_ones();
        left ^= lowest;
    }
    result
}

/// See [`Cpu::deposit_lanes`](crate::Cpu::deposit_lanes).
#[inline(always)]
pub(crate) fn deposit_lanes(mut word: u64, mask: u64) -> u64 {
    let mut left = mask;
    let mut result = 0;
    while left != 0 && word != 0 {
        let lowest = left & left.wrapping_neg();
        result |= lowest & (word & 1).wrapping_neg();
        word >>= 1;
        left ^= lowest;
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn deposit_undoes_extract(word: u32, mask: u32, wide: u64, wide_mask: u64) {
            prop_assert_eq!(deposit(extract(word, mask), mask), word & mask);
            let extracted = extract_lanes(wide, wide_mask);
            prop_assert_eq!(deposit_lanes(extracted, wide_mask), wide & wide_mask);
        }

        #[test]
        fn words_of_both_widths_agree(word: u32, mask: u32) {
            let (wide, wide_mask) = (u64::from(word), u64::from(mask));
            prop_assert_eq!(extract_lanes(wide, wide_mask), u64::from(extract(word, mask)));
            prop_assert_eq!(deposit_lanes(wide, wide_mask), u64::from(deposit(word, mask)));
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
                assert_eq!(extract(word, mask), extracted, "{word:x} {mask:x}");
                assert_eq!(deposit(word, mask), deposited, "{word:x} {mask:x}");
            }
        }
    }

    #[test]
    fn by_hand() {
        assert_eq!(extract(0b1010_0110, 0b1111_0000), 0b1010);
        assert_eq!(deposit(0b1010, 0b1111_0000), 0b1010_0000);
        assert_eq!(deposit(0b101, 0b1001_0010), 0b1000_0010);
    }
}
