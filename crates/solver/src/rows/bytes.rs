//! Large tables of bytes, and a view of bytes as atomics.
//!
//! The values of a subspace take half a gigabyte, written at random addresses. A [`ByteTable`] asks
//! the system for large pages; without them most stores would miss the translation buffer. The
//! first touch of memory is expensive, so tables come from a [`Pool`] and return to it when
//! dropped, for the next job. The functions below the tables are the only unsafe code of this
//! module.

#![allow(unsafe_code)]

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::MmapMut;

/// Bytes past the end of every table that vector loads may read and must not use.
pub(crate) const SLACK: usize = 256;

/// A table may get a used map that is up to this many times as long.
const MOST_LONGER: usize = 2;

/// Memory for tables.
pub(crate) struct Pool {
    maps: Mutex<Maps>,
}

#[derive(Default)]
struct Maps {
    /// The most bytes of used and free maps together; the pool returns free maps to the system to
    /// stay below.
    limit: u64,
    free: Vec<MmapMut>,
    /// Bytes of all maps, free or not.
    bytes: u64,
}

impl Pool {
    /// A pool that keeps free memory while all maps together stay below `limit` bytes.
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { maps: Mutex::new(Maps { limit, ..Maps::default() }) })
    }

    /// Changes the limit; see [`Pool::new`].
    pub(crate) fn set_limit(&self, limit: u64) {
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        maps.limit = limit;
        maps.make_room(0);
    }

    /// A table of `len` bytes with arbitrary contents.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(crate) fn table(self: &Arc<Self>, len: usize) -> std::io::Result<ByteTable> {
        let needed = len + SLACK;
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = maps.free.iter().enumerate().filter(|(_, map)| {
            needed <= map.len() && map.len() <= needed.saturating_mul(MOST_LONGER)
        });
        let map = match fitting.min_by_key(|(_, map)| map.len()) {
            Some((i, _)) => maps.free.swap_remove(i),
            None => {
                maps.make_room(needed as u64);
                let map = large_pages(needed)?;
                maps.bytes += needed as u64;
                map
            }
        };
        Ok(ByteTable { map: Some(map), len, pool: Arc::clone(self) })
    }
}

impl Maps {
    /// Returns free maps to the system until there is room for `needed` bytes or no free map is
    /// left.
    fn make_room(&mut self, needed: u64) {
        while self.bytes + needed > self.limit
            && let Some(map) = self.free.pop()
        {
            self.bytes -= map.len() as u64;
        }
    }
}

/// A large table of bytes.
pub(crate) struct ByteTable {
    /// None only while it is dropped.
    map: Option<MmapMut>,
    len: usize,
    pool: Arc<Pool>,
}

impl ByteTable {
    /// Bytes of memory that it takes.
    pub(crate) fn capacity(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len() - SLACK)
    }

    /// The bytes, with [`SLACK`] more of arbitrary contents behind them.
    pub(crate) fn padded(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[..self.len + SLACK])
    }
}

impl Deref for ByteTable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[..self.len])
    }
}

impl DerefMut for ByteTable {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.map.as_mut().map_or(&mut [], |map| &mut map[..self.len])
    }
}

impl Drop for ByteTable {
    fn drop(&mut self) {
        if let Some(map) = self.map.take() {
            self.pool.maps.lock().unwrap_or_else(PoisonError::into_inner).free.push(map);
        }
    }
}

/// A buffer that one thread uses again and again; it grows to the largest size that is asked for.
#[derive(Default)]
pub(crate) struct Buffer(Option<MmapMut>);

impl Buffer {
    /// At least `len` bytes with arbitrary contents.
    ///
    /// # Errors
    /// If the system does not grant the memory.
    pub(crate) fn at_least(&mut self, len: usize) -> std::io::Result<&mut [u8]> {
        if self.0.as_ref().is_none_or(|map| map.len() < len) {
            self.0 = None;
            self.0 = Some(large_pages(len)?);
        }
        Ok(self.0.as_mut().map_or(&mut [], |map| &mut map[..]))
    }
}

fn large_pages(len: usize) -> std::io::Result<MmapMut> {
    let map = MmapMut::map_anon(len)?;
    // Only advice: on systems that refuse it everything works, but more slowly.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

/// The same bytes as atomics, for stores from several threads to addresses that may coincide.
pub(crate) fn as_atomic(bytes: &mut [u8]) -> &[AtomicU8] {
    // SAFETY: `AtomicU8` has the size, alignment and bit validity of `u8`, and the exclusive borrow
    // lasts as long as the result, so nothing accesses the bytes in any other way meanwhile.
    unsafe { &*(std::ptr::from_mut(bytes) as *const [AtomicU8]) }
}

/// Returns freed small allocations to the system. The allocator would keep up to a gigabyte after a
/// pair of subspaces, while the tables of later jobs come from the system directly. Does nothing
/// with other allocators.
pub(crate) fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes no pointer and may be called at any time, from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn the_atomic_view_writes_the_same_bytes() {
        let mut table = Pool::new(100).table(100).unwrap();
        assert_eq!(table.len(), 100);
        as_atomic(&mut table)[42].store(7, Ordering::Relaxed);
        assert_eq!(table[42], 7);
        give_back_freed();
        assert_eq!(table[42], 7);
    }

    #[test]
    fn memory_is_used_again() {
        let pool = Pool::new(10_000);
        let first = pool.table(1000).unwrap();
        let address = first.as_ptr();
        drop(first);
        let second = pool.table(900).unwrap();
        assert_eq!((second.as_ptr(), second.len(), second.capacity()), (address, 900, 1000));
        assert_ne!(pool.table(900).unwrap().as_ptr(), address);
    }

    #[test]
    fn memory_is_given_back() {
        let bytes = |pool: &Pool| pool.maps.lock().unwrap().bytes;
        let of = |tables: &[u64]| tables.iter().map(|len| len + SLACK as u64).sum::<u64>();
        let pool = Pool::new(10_000);
        let small = pool.table(100).unwrap();
        drop(pool.table(5_000).unwrap());
        // The free table is too long for this one, and may stay.
        let other = pool.table(2_000).unwrap();
        assert_eq!(bytes(&pool), of(&[100, 5_000, 2_000]));
        // For this one it must go.
        let large = pool.table(9_000).unwrap();
        assert_eq!(bytes(&pool), of(&[100, 2_000, 9_000]));
        assert_eq!((small.len(), other.len(), large.len()), (100, 2_000, 9_000));
    }
}
