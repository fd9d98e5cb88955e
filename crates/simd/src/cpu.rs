//! The operations that hot code uses, and the form of such code.

use std::sync::atomic::AtomicU8;

use crate::plain;

pub use crate::plain::lanes::MIDDLE;

/// Bytes that [`Cpu::expand`], [`Cpu::split`] and [`Cpu::join`] may touch behind the last one that
/// they need.
pub const SLACK: usize = 64;

/// The operations for which processors have instructions of their own. A value proves that the
/// processor has them. A form without a better way uses the plain one.
pub trait Cpu: Copy + Send + Sync + 'static {
    /// Does `work` in a function of its own, for a loop that needs all registers.
    fn call<W: Work>(self, work: W) -> W::Output;

    // Words.

    /// The bits of `word` at the places where `mask` has ones, moved together at the low end.
    #[inline(always)]
    fn extract(self, word: u32, mask: u32) -> u32 {
        plain::bits::extract(word, mask)
    }

    /// The low bits of `word` moved to the places where `mask` has ones.
    #[inline(always)]
    fn deposit(self, word: u32, mask: u32) -> u32 {
        plain::bits::deposit(word, mask)
    }

    /// [`Cpu::extract`] for words of 64 bits.
    #[inline(always)]
    fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        plain::bits::extract_lanes(word, mask)
    }

    /// [`Cpu::deposit`] for words of 64 bits.
    #[inline(always)]
    fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        plain::bits::deposit_lanes(word, mask)
    }

    /// Writes `word ^ others[i]` for every bit `i` of `mask`, in rising order, to the start of
    /// `results`, and returns their number. Whatever lies behind them may be overwritten.
    #[inline(always)]
    fn xor_each(self, word: u32, mask: u64, others: &[u32; 64], results: &mut [u32; 64]) -> usize {
        plain::lanes::xor_each(word, mask, others, results)
    }

    // Vectors of 64 bytes.

    /// 64 bytes, called lanes.
    type Lanes: Copy;

    /// Whether a shuffle works on one lane after the other, so that each lane costs time.
    const ONE_BY_ONE: bool = false;

    /// The same byte in every lane.
    fn splat(self, byte: u8) -> Self::Lanes;

    /// The 64 bytes of `bytes` from `at` on.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(self, bytes: &[u8], at: usize) -> Self::Lanes;

    /// The `N` times 64 bytes of `bytes` from `at` on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn load_all<const N: usize>(self, bytes: &[u8], at: usize) -> [Self::Lanes; N] {
        let bytes = &bytes[at..at + 64 * N];
        let mut lanes = [self.splat(0); N];
        // A loop over indices, since an iterator is not always inlined here.
        #[allow(clippy::needless_range_loop)]
        for part in 0..N {
            lanes[part] = self.load(bytes, 64 * part);
        }
        lanes
    }

    /// Stores the first lanes to `bytes`: 64, or as many as there is room for.
    ///
    /// Loading what was just stored is slow after a store of fewer than 64 lanes: the load waits
    /// until the store has reached the cache.
    fn store(self, lanes: Self::Lanes, bytes: &mut [u8]);

    /// [`Cpu::store`] to bytes to which other threads may write: each byte is a relaxed atomic
    /// store.
    fn store_shared(self, lanes: Self::Lanes, bytes: &[AtomicU8]);

    /// The first byte minus the second in each lane, or zero if the second is greater.
    fn subtract(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// Adds `byte`, wrapping, in the lanes whose bit is set in `mask`.
    fn masked_add(self, mask: u64, lanes: Self::Lanes, byte: u8) -> Self::Lanes;

    /// The lanes that hold `byte`, as bits.
    fn equal(self, lanes: Self::Lanes, byte: u8) -> u64;

    /// The lesser byte in each lane.
    fn min(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// The greater of each lane and `byte`, as signed numbers.
    fn max_signed(self, lanes: Self::Lanes, byte: u8) -> Self::Lanes;

    /// `other` in the lanes whose bit is set in `mask`, `one` in the others.
    fn blend(self, mask: u64, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// The bytes of `sources`, `N` (1, 2 or 4) times 64 bytes in sequence, at `places`. The result
    /// for a place beyond them is any byte.
    fn shuffle<const N: usize>(self, sources: [Self::Lanes; N], places: Self::Lanes)
    -> Self::Lanes;

    /// [`Cpu::shuffle`], if the caller uses only the first `wanted` lanes.
    #[inline(always)]
    fn shuffle_first<const N: usize>(
        self,
        sources: [Self::Lanes; N],
        places: Self::Lanes,
        _wanted: usize,
    ) -> Self::Lanes {
        self.shuffle(sources, places)
    }

    /// The first `len` bytes of `bytes` at the places whose low bytes are `low` and whose high
    /// bytes are `high`. The result for a place beyond them is any byte.
    ///
    /// # Panics
    /// If `bytes` does not have `len` bytes, rounded up to a multiple of 256.
    fn shuffle_long(
        self,
        bytes: &[u8],
        len: usize,
        low: Self::Lanes,
        high: Self::Lanes,
    ) -> Self::Lanes;

    /// `255 - x` for each byte `x`, plus one if `x` is above [`MIDDLE`], minus one if it equals it.
    fn before(self, lanes: Self::Lanes) -> Self::Lanes;

    // Lists of bytes.

    /// For each word, copies the bytes that its bits name to `sorted`, one after the other from its
    /// place on, and moves the place behind them. There are up to 64 `bytes`, bit `i` names byte
    /// `i`, and no two words share a bit.
    #[inline(always)]
    fn compress(self, bytes: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]) {
        plain::sorting::compress(bytes, words, places, sorted);
    }

    /// The reverse of [`Cpu::compress`]: fills `bytes` from `sorted`. Bytes that no word names
    /// become `rest`. `sorted` has [`SLACK`] more bytes than needed.
    #[inline(always)]
    fn expand(
        self,
        sorted: &[u8],
        words: &[u64],
        places: &mut [usize],
        rest: u8,
        bytes: &mut [u8],
    ) {
        plain::sorting::expand(sorted, words, places, rest, bytes);
    }

    /// Copies the complements of the bytes above [`MIDDLE`] to `above` and the bytes below it to
    /// `below`, and returns how many there are of both. Each has room for all bytes and [`SLACK`]
    /// more.
    #[inline(always)]
    fn split(self, bytes: &[u8], above: &mut [u8], below: &mut [u8]) -> (usize, usize) {
        plain::sorting::split(bytes, above, below)
    }

    /// The reverse of [`Cpu::split`]: replaces the bytes above [`MIDDLE`] and those below it.
    /// `above` and `below` have as many bytes as needed and [`SLACK`] more.
    #[inline(always)]
    fn join(self, bytes: &mut [u8], above: &[u8], below: &[u8]) {
        plain::sorting::join(bytes, above, below);
    }
}

/// A piece of work that is generic over the processor.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that
    /// [`Processor::dispatch`](crate::Processor::dispatch) compiles them for its processor.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}
