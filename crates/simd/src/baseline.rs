//! Operations whose instructions every processor of an architecture has, so that no form is chosen
//! at run time.

#![allow(unsafe_code)]

/// Asks the processor to prefetch the cache line of `slice[index]`. Does nothing on architectures
/// without a known instruction for it. The index may be out of range.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    let address = slice.as_ptr().wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: as above; the instruction changes neither memory nor registers.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{address}]",
            address = in(reg) address,
            options(readonly, nostack, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri)))))]
    let _ = address;
}

/// Which of the 64 bytes of a cache line equal `byte`: bit `i` for byte `i`.
#[inline(always)]
pub fn equal_bytes(line: &[u8; 64], byte: u8) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
        };
        let mut bits = 0;
        for part in 0..4 {
            // SAFETY: every x86-64 processor has SSE2, and the line has the 16 bytes.
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
        fn equal_bytes_in_both_forms(bytes in prop::collection::vec(0_u8..4, 64), byte in 0_u8..5) {
            let line: &[u8; 64] = bytes.as_slice().try_into().unwrap();
            prop_assert_eq!(equal_bytes(line, byte), equal_bytes_plain(line, byte));
        }
    }

    #[test]
    fn a_prefetch_changes_nothing() {
        let table = [7_u8; 300];
        prefetch(&table, 42);
        prefetch(&table, 1 << 40);
        assert_eq!(table, [7; 300]);
    }
}
