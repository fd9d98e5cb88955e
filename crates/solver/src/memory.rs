//! Large tables of bytes, and two views of bytes that need `unsafe`.
//!
//! A subspace's values are half a gigabyte, written at random places. [`ByteTable`] asks the system
//! for large pages, without which most stores would miss the translation buffer, and gives the
//! memory back when dropped. The two functions below it are the only unsafe code of this module.

#![allow(unsafe_code)]

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;

use memmap2::MmapMut;

/// Bytes past the end of every table that vector loads may read (and must not use).
pub(crate) const SLACK: usize = 256;

/// A large table of bytes, zero at first.
pub(crate) struct ByteTable {
    map: MmapMut,
    len: usize,
}

impl ByteTable {
    /// A table of `len` zero bytes (and [`SLACK`] more).
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(crate) fn zeroed(len: usize) -> std::io::Result<Self> {
        let map = MmapMut::map_anon(len + SLACK)?;
        // Only advice: on systems that refuse it everything works, more slowly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len })
    }
}

impl Deref for ByteTable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[..self.len]
    }
}

impl DerefMut for ByteTable {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.len]
    }
}

/// The same bytes as atomics, for stores from several threads to places that may coincide.
pub(crate) fn as_atomic(bytes: &mut [u8]) -> &[AtomicU8] {
    // SAFETY: `AtomicU8` has the size, alignment and bit validity of `u8`, and the exclusive borrow
    // lasts as long as the result, so that nobody accesses the bytes in any other way meanwhile.
    unsafe { &*(std::ptr::from_mut(bytes) as *const [AtomicU8]) }
}

/// Asks the processor to bring the cache line of `slice[index]` near; does nothing where there is
/// no such instruction or the index is out of range.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn the_atomic_view_writes_the_same_bytes() {
        let mut table = ByteTable::zeroed(100).unwrap();
        assert!(table.iter().all(|&byte| byte == 0) && table.len() == 100);
        as_atomic(&mut table)[42].store(7, Ordering::Relaxed);
        assert_eq!(table[42], 7);
        prefetch(&table, 1 << 40);
    }
}
