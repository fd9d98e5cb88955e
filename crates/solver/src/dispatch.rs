//! Choosing the code for the processor at hand.
//!
//! The stages of a layer are generic over [`Cpu`]: the few operations for which processors have
//! instructions of their own. They are compiled once for any processor and, on x86-64, once more for
//! each [`Processor`] that has such instructions, which are then inlined. All forms give the same
//! results. Any form that the machine can run can be asked for, which is how tests compare them.

#![allow(unsafe_code)]

#[macro_use]
mod plain;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::atomic::AtomicU8;

pub(crate) use merels_core::Processor;
use merels_core::bits::{BitTricks, Portable};

/// How sparse the sources in a row may be if sweeping over its blocks is to be cheaper than making un-moves
/// one by one: one of so many entries. Zero if it never is.
pub(crate) const fn sweep_share(processor: Processor) -> usize {
    match processor {
        Processor::Portable => 0,
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2(_) | Processor::Avx512(_) => 12,
    }
}

/// The operations for which there are special instructions.
pub(crate) trait Cpu: BitTricks {
    /// Does `work` in a function of its own: a loop that needs all registers for itself.
    fn call<W: Work>(self, work: W) -> W::Output;

    /// Writes `stones ^ pairs[edge]` for every edge in `edges`, in rising order, to the start of
    /// `reached`; gives their number. What lies behind them may be overwritten.
    fn apply_edges(
        self,
        stones: u32,
        edges: u64,
        pairs: &[u32; 64],
        reached: &mut [u32; 64],
    ) -> usize;

    /// The bits of `word` at the places where `mask` has ones, moved together at the low end.
    fn extract_lanes(self, word: u64, mask: u64) -> u64;

    /// The low bits of `word` moved to the places where `mask` has ones.
    fn deposit_lanes(self, word: u64, mask: u64) -> u64;

    /// 64 bytes, one for each lane of a block (or of a part of a long block).
    type Lanes: Copy;

    /// The same byte in every lane.
    fn splat(self, byte: u8) -> Self::Lanes;

    /// The 64 bytes of `bytes` from `at` on. What lies behind a block is loaded with it and must not
    /// be used.
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
        // Not by an iterator, which is not always inlined here.
        #[allow(clippy::needless_range_loop)]
        for part in 0..N {
            lanes[part] = self.load(bytes, 64 * part);
        }
        lanes
    }

    /// Stores the first 64 lanes to `bytes`, or as many as there is room for.
    ///
    /// Loading what was just stored is slow where the store is a masked one: the load waits until
    /// the store has reached the cache.
    fn store(self, lanes: Self::Lanes, bytes: &mut [u8]);

    /// The same to bytes that other threads may write to: each byte is a relaxed atomic store.
    fn store_shared(self, lanes: Self::Lanes, bytes: &[AtomicU8]);

    /// The first byte less the second one in each lane, or zero if that is the greater one.
    fn subtract(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// One more in the lanes whose bit is set in `mask`.
    fn increase(self, mask: u64, lanes: Self::Lanes) -> Self::Lanes;

    /// The lanes that hold `byte`.
    fn equal(self, lanes: Self::Lanes, byte: u8) -> u64;

    /// The lesser byte in each lane.
    fn min(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// `other` in the lanes whose bit is set in `mask`, else `one`.
    fn select(self, mask: u64, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// The bytes of `sources`, `N` (1, 2 or 4) times 64 bytes in a row, at `places`. A place beyond
    /// them gives any byte.
    fn pick<const N: usize>(self, sources: [Self::Lanes; N], places: Self::Lanes) -> Self::Lanes;

    /// [`pick`](Self::pick), of which only the first `wanted` lanes mean anything.
    #[inline(always)]
    fn pick_first<const N: usize>(
        self,
        sources: [Self::Lanes; N],
        places: Self::Lanes,
        _wanted: usize,
    ) -> Self::Lanes {
        self.pick(sources, places)
    }

    /// Whether lanes are worked on one after the other, so that each of them costs.
    const ONE_BY_ONE: bool = false;

    /// The bytes of `block` at the places whose low bytes are `low` and whose high bytes are `high`. A
    /// place beyond the first `len` bytes gives any byte.
    ///
    /// # Panics
    /// If `block` does not have `len` bytes, rounded up to a multiple of 256.
    fn pick_long(
        self,
        block: &[u8],
        len: usize,
        low: Self::Lanes,
        high: Self::Lanes,
    ) -> Self::Lanes;

    /// The codes, with wins that are slower than `slowest`, the code of a win, taken for it.
    fn limit_wins(self, lanes: Self::Lanes, slowest: u8) -> Self::Lanes;

    /// What codes are worth to the side that moves there: outcome turned round, one ply more.
    fn before(self, lanes: Self::Lanes) -> Self::Lanes;
}

impl Cpu for Portable {
    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    fn extract_lanes(self, word: u64, mask: u64) -> u64 {
        plain::extract_lanes(word, mask)
    }

    #[inline(always)]
    fn deposit_lanes(self, word: u64, mask: u64) -> u64 {
        plain::deposit_lanes(word, mask)
    }

    plain_operations!();
}

/// A piece of work that is generic over the processor.
pub(crate) trait Work {
    /// What the work gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled for the
    /// processor of [`run`].
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Does `work` in the form for `processor`.
#[inline]
pub(crate) fn run<W: Work>(processor: Processor, work: W) -> W::Output {
    match processor {
        Processor::Portable => work.run(Portable),
        // SAFETY: the proof of the features can only come from their detection.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2(cpu) => unsafe { x86::run_avx2(work, cpu) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx512(cpu) => unsafe { x86::run_avx512(work, cpu) },
    }
}

/// Which of the 64 bytes of a cache line equal `byte`: bit `i` for byte `i`.
#[inline(always)]
pub(crate) fn equal_bytes(line: &[u8; 64], byte: u8) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8,
        };
        let mut bits = 0;
        for part in 0..4 {
            // SAFETY: SSE2 belongs to every x86-64 processor, and the 16 bytes lie in the line.
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

    /// Every operation on lanes once.
    struct LaneOperations<'a> {
        block: &'a [u8],
        other: &'a [u8],
        mask: u64,
    }

    impl Work for LaneOperations<'_> {
        type Output = Vec<Vec<u8>>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<Vec<u8>> {
            let Self { block, other, mask } = self;
            let stored = |lanes: C::Lanes| {
                let mut bytes = vec![7; 64];
                cpu.store(lanes, &mut bytes);
                bytes
            };
            let (one, two) = (cpu.load(block, 0), cpu.load(other, 0));
            let places = |most: usize| -> Vec<u8> {
                other.iter().map(|&place| (usize::from(place) % most) as u8).collect()
            };
            let sources: [_; 4] = cpu.load_all(block, 0);
            let [first, second, ..] = sources;
            let high: Vec<_> = other.iter().rev().map(|byte| byte % 2).collect();
            let mut short = vec![7; other.len() - 64];
            cpu.store(two, &mut short);
            let shared: Vec<_> = (0..other.len() - 64).map(|_| AtomicU8::new(7)).collect();
            cpu.store_shared(two, &shared);
            vec![
                stored(one),
                stored(cpu.min(one, two)),
                stored(cpu.select(mask, one, two)),
                stored(cpu.select(0, one, two)),
                stored(cpu.pick([first], cpu.load(&places(64), 0))),
                stored(cpu.pick([first, second], cpu.load(&places(128), 0))),
                stored(cpu.pick(sources, two)),
                stored(cpu.pick_first(sources, two, 41))[..41].to_vec(),
                stored(cpu.pick_long(block, 512, two, cpu.load(&high, 0))),
                stored(cpu.min(cpu.splat(99), one)),
                stored(cpu.before(one)),
                stored(cpu.limit_wins(one, 200)),
                short,
                shared.into_iter().map(AtomicU8::into_inner).collect(),
                stored(cpu.subtract(one, two)),
                stored(cpu.increase(mask, one)),
                cpu.equal(one, block[0]).to_le_bytes().to_vec(),
            ]
        }
    }

    #[test]
    fn before_turns_every_code_round() {
        use merels_core::ValueCode;
        for byte in 0..=255 {
            let Some(code) = ValueCode::from_byte(byte) else { continue };
            let Some(before) = ValueCode::from_value(code.value().before()) else { continue };
            assert_eq!(plain::before([byte; 64]), [before.byte(); 64], "{code:?}");
        }
    }

    #[test]
    fn only_slow_wins_are_limited() {
        let limited = |byte| plain::limit_wins([byte; 64], 200)[0];
        let expected = |byte| if (128..200).contains(&byte) { 200 } else { byte };
        assert!((0..=255).all(|byte| limited(byte) == expected(byte)));
    }

    proptest! {
        #[test]
        fn lanes_alike_by_all_processors(
            block in prop::collection::vec(any::<u8>(), 512..600),
            other in prop::collection::vec(any::<u8>(), 64..200),
            mask: u64,
        ) {
            let work = || LaneOperations { block: &block, other: &other, mask };
            let plain = run(Processor::Portable, work());
            for processor in Processor::available() {
                prop_assert_eq!(&run(processor, work()), &plain, "{}", processor.name());
            }
        }

        #[test]
        fn equal_bytes_by_both_ways(bytes in prop::collection::vec(0_u8..4, 64), byte in 0_u8..5) {
            let line: &[u8; 64] = bytes.as_slice().try_into().unwrap();
            prop_assert_eq!(equal_bytes(line, byte), equal_bytes_plain(line, byte));
        }

        #[test]
        fn lanes_are_moved_alike_by_all_processors(word: u64, mask: u64) {
            struct Move(u64, u64);
            impl Work for Move {
                type Output = [u64; 2];
                #[inline(always)]
                fn run<C: Cpu>(self, cpu: C) -> [u64; 2] {
                    [cpu.extract_lanes(self.0, self.1), cpu.deposit_lanes(self.0, self.1)]
                }
            }
            let plain = run(Processor::Portable, Move(word, mask));
            let places: Vec<_> = (0..64).filter(|i| mask >> i & 1 == 1).collect();
            let bit = |from: usize, to: usize| (word >> from & 1) << to;
            let extracted = places.iter().enumerate().map(|(i, &place)| bit(place, i)).sum();
            let deposited = places.iter().enumerate().map(|(i, &place)| bit(i, place)).sum();
            prop_assert_eq!(plain, [extracted, deposited]);
            for processor in Processor::available() {
                prop_assert_eq!(run(processor, Move(word, mask)), plain, "{}", processor.name());
            }
        }

        #[test]
        fn edges_are_applied_alike_by_all_processors(stones: u32, edges: u64) {
            struct Apply(u32, u64);
            impl Work for Apply {
                type Output = Vec<u32>;
                #[inline(always)]
                fn run<C: Cpu>(self, cpu: C) -> Vec<u32> {
                    let mut reached = [0; 64];
                    let pairs = std::array::from_fn(|i| (i as u32) << 8 | 0x8000_0001);
                    let count = cpu.apply_edges(self.0, self.1, &pairs, &mut reached);
                    reached[..count].to_vec()
                }
            }
            let plain = run(Processor::Portable, Apply(stones, edges));
            prop_assert_eq!(plain.len(), edges.count_ones() as usize);
            for processor in Processor::available() {
                prop_assert_eq!(&run(processor, Apply(stones, edges)), &plain, "{}", processor.name());
            }
        }
    }
}
