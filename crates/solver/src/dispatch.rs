//! Choosing the code for the processor at hand.
//!
//! The stages of a layer are generic over [`Cpu`]: the few operations for which processors have
//! instructions of their own. They are compiled once for any processor and, on x86-64, once more for
//! each [`Processor`] that has such instructions, which are then inlined. All forms give the same
//! results. Any form that the machine can run can be asked for, which is how tests compare them.

#![allow(unsafe_code)]

use merels_core::bits::{BitTricks, Portable};

/// Which form of the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Plain code for any processor.
    Portable,
    /// x86-64 with BMI2, AVX2 and what comes with them.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX-512 (F, BW, DQ, VL, VBMI) on top of that.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Processor {
    /// All forms that this processor runs, the best last.
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(Self::Avx2));
            all.extend(Avx512::detect().map(Self::Avx512));
        }
        all
    }

    /// The best form that this processor runs.
    pub fn detect() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
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

    /// Sets every byte of `target` to the least of `block[lanes[i]]` over the `count` pairs of a
    /// block (of at most 256 bytes) and its lanes that `source` gives; to 255 if there are none.
    ///
    /// # Panics
    /// If lanes are shorter than `target`. A lane that is not in its block panics or gives any byte.
    fn least_of_permuted<'a>(
        self,
        target: &mut [u8],
        count: usize,
        source: impl Fn(usize) -> (&'a [u8], &'a [u8]),
    );
}

impl Cpu for Portable {
    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    fn apply_edges(
        self,
        stones: u32,
        edges: u64,
        pairs: &[u32; 64],
        reached: &mut [u32; 64],
    ) -> usize {
        apply_edges_plain(stones, edges, pairs, reached)
    }

    #[inline(always)]
    fn least_of_permuted<'a>(
        self,
        target: &mut [u8],
        count: usize,
        source: impl Fn(usize) -> (&'a [u8], &'a [u8]),
    ) {
        least_of_permuted_plain(target, count, source);
    }
}

#[inline(always)]
fn least_of_permuted_plain<'a>(
    target: &mut [u8],
    count: usize,
    source: impl Fn(usize) -> (&'a [u8], &'a [u8]),
) {
    target.fill(u8::MAX);
    for (block, lanes) in (0..count).map(source) {
        let lanes = &lanes[..target.len()];
        for (value, &lane) in target.iter_mut().zip(lanes) {
            *value = (*value).min(block[usize::from(lane)]);
        }
    }
}

#[inline(always)]
fn apply_edges_plain(stones: u32, edges: u64, pairs: &[u32; 64], reached: &mut [u32; 64]) -> usize {
    let mut left = edges;
    let mut count = 0;
    while left != 0 {
        reached[count] = stones ^ pairs[left.trailing_zeros() as usize];
        left &= left - 1;
        count += 1;
    }
    count
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
        // SAFETY (both): the proof of the features can only come from their detection.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2(cpu) => unsafe { x86::run_avx2(work, cpu) },
        #[cfg(target_arch = "x86_64")]
        Processor::Avx512(cpu) => unsafe { x86::run_avx512(work, cpu) },
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use merels_core::bits::{BitTricks, Bmi2};
    use std::arch::is_x86_feature_detected as has;
    use std::arch::x86_64::{
        _mm512_loadu_epi32, _mm512_mask_blend_epi8, _mm512_mask_storeu_epi8,
        _mm512_maskz_compress_epi32, _mm512_maskz_loadu_epi8, _mm512_min_epu8, _mm512_movepi8_mask,
        _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi32,
        _mm512_storeu_epi32, _mm512_xor_epi32,
    };

    use super::{Cpu, Work, apply_edges_plain, least_of_permuted_plain};

    /// Proves that the processor has BMI1, BMI2, AVX2, LZCNT and POPCNT.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(Bmi2);

    /// Proves that the processor has AVX-512 F, BW, DQ, VL and VBMI, and what [`Avx2`] proves.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(Bmi2);

    impl PartialEq for Avx2 {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }

    impl Eq for Avx2 {}

    impl PartialEq for Avx512 {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }

    impl Eq for Avx512 {}

    impl Avx2 {
        pub(super) fn detect() -> Option<Self> {
            let others = has!("bmi1") && has!("avx2") && has!("lzcnt") && has!("popcnt");
            Bmi2::detect().filter(|_| others).map(Self)
        }
    }

    impl Avx512 {
        pub(super) fn detect() -> Option<Self> {
            let wide = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
            Avx2::detect().filter(|_| wide && has!("avx512vbmi")).map(|Avx2(bits)| Self(bits))
        }
    }

    impl BitTricks for Avx2 {
        #[inline(always)]
        fn extract(self, word: u32, mask: u32) -> u32 {
            self.0.extract(word, mask)
        }

        #[inline(always)]
        fn deposit(self, word: u32, mask: u32) -> u32 {
            self.0.deposit(word, mask)
        }
    }

    impl BitTricks for Avx512 {
        #[inline(always)]
        fn extract(self, word: u32, mask: u32) -> u32 {
            self.0.extract(word, mask)
        }

        #[inline(always)]
        fn deposit(self, word: u32, mask: u32) -> u32 {
            self.0.deposit(word, mask)
        }
    }

    impl Cpu for Avx2 {
        #[inline(always)]
        fn call<W: Work>(self, work: W) -> W::Output {
            // SAFETY: the value proves the features.
            unsafe { run_avx2(work, self) }
        }

        #[inline(always)]
        fn apply_edges(
            self,
            stones: u32,
            edges: u64,
            pairs: &[u32; 64],
            reached: &mut [u32; 64],
        ) -> usize {
            apply_edges_plain(stones, edges, pairs, reached)
        }

        #[inline(always)]
        fn least_of_permuted<'a>(
            self,
            target: &mut [u8],
            count: usize,
            source: impl Fn(usize) -> (&'a [u8], &'a [u8]),
        ) {
            least_of_permuted_plain(target, count, source);
        }
    }

    impl Cpu for Avx512 {
        #[inline(always)]
        fn call<W: Work>(self, work: W) -> W::Output {
            // SAFETY: the value proves the features.
            unsafe { run_avx512(work, self) }
        }

        #[inline(always)]
        fn apply_edges(
            self,
            stones: u32,
            edges: u64,
            pairs: &[u32; 64],
            reached: &mut [u32; 64],
        ) -> usize {
            let mut count = 0;
            // SAFETY: the value proves AVX-512 F. Each load reads 16 words within `pairs`. A store of
            // 16 words at `count` stays within `reached`, because `count` is at most 16 for each
            // part before it.
            unsafe {
                let stones = _mm512_set1_epi32(stones as i32);
                for part in 0..4 {
                    let mask = (edges >> (16 * part)) as u16;
                    let pairs = _mm512_loadu_epi32(pairs.as_ptr().add(16 * part).cast());
                    let words = _mm512_maskz_compress_epi32(mask, _mm512_xor_epi32(pairs, stones));
                    _mm512_storeu_epi32(reached.as_mut_ptr().add(count).cast(), words);
                    count += mask.count_ones() as usize;
                }
            }
            count
        }

        /// The running minimum stays in a register: loading what a masked store has just written
        /// would wait for that store to reach the cache.
        #[inline(always)]
        fn least_of_permuted<'a>(
            self,
            target: &mut [u8],
            count: usize,
            source: impl Fn(usize) -> (&'a [u8], &'a [u8]),
        ) {
            for (i, target) in target.chunks_mut(64).enumerate() {
                let mask = first_bytes(target.len());
                // SAFETY: the value proves AVX-512 BW and VBMI. Loads and stores are masked to the
                // bytes that are there (`lanes` is cut to the chunk first); masked-out bytes are not
                // accessed. A lane that is not in its block picks a byte of a register.
                unsafe {
                    let mut least = _mm512_set1_epi8(-1);
                    for (block, lanes) in (0..count).map(&source) {
                        let lanes = &lanes[64 * i..][..target.len()];
                        let part = |i: usize| {
                            let rest = block.get(64 * i..).unwrap_or_default();
                            _mm512_maskz_loadu_epi8(first_bytes(rest.len()), rest.as_ptr().cast())
                        };
                        let lanes = _mm512_maskz_loadu_epi8(mask, lanes.as_ptr().cast());
                        let found = if block.len() <= 64 {
                            _mm512_permutexvar_epi8(lanes, part(0))
                        } else if block.len() <= 128 {
                            _mm512_permutex2var_epi8(part(0), lanes, part(1))
                        } else {
                            let lower = _mm512_permutex2var_epi8(part(0), lanes, part(1));
                            let upper = _mm512_permutex2var_epi8(part(2), lanes, part(3));
                            _mm512_mask_blend_epi8(_mm512_movepi8_mask(lanes), lower, upper)
                        };
                        least = _mm512_min_epu8(least, found);
                    }
                    _mm512_mask_storeu_epi8(target.as_mut_ptr().cast(), mask, least);
                }
            }
        }
    }

    /// Mask of the first `count` bytes of a register (all 64 if there are more).
    #[inline(always)]
    const fn first_bytes(count: usize) -> u64 {
        if count >= 64 { u64::MAX } else { (1 << count) - 1 }
    }

    #[inline(never)]
    #[target_feature(enable = "bmi1,bmi2,avx2,lzcnt,popcnt")]
    pub(super) fn run_avx2<W: Work>(work: W, cpu: Avx2) -> W::Output {
        work.run(cpu)
    }

    #[inline(never)]
    #[target_feature(
        enable = "bmi1,bmi2,avx2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"
    )]
    pub(super) fn run_avx512<W: Work>(work: W, cpu: Avx512) -> W::Output {
        work.run(cpu)
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

    struct Least<'a>(usize, &'a [(Vec<u8>, Vec<u8>)]);

    impl Work for Least<'_> {
        type Output = Vec<u8>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<u8> {
            let mut target = vec![0; self.0];
            cpu.least_of_permuted(&mut target, self.1.len(), |i| (&self.1[i].0, &self.1[i].1));
            target
        }
    }

    proptest! {
        #[test]
        fn least_of_permuted_alike_by_all_processors(
            len in 0_usize..300,
            sources in prop::collection::vec(
                (prop::collection::vec(any::<u8>(), 1..=256), prop::collection::vec(any::<u8>(), 300)),
                0..5,
            ),
        ) {
            let mut sources = sources;
            for (block, lanes) in &mut sources {
                lanes.iter_mut().for_each(|lane| *lane = (usize::from(*lane) % block.len()) as u8);
            }
            let plain = run(Processor::Portable, Least(len, &sources));
            for processor in Processor::available() {
                prop_assert_eq!(&run(processor, Least(len, &sources)), &plain, "{}", processor.name());
            }
        }

        #[test]
        fn equal_bytes_by_both_ways(bytes in prop::collection::vec(0_u8..4, 64), byte in 0_u8..5) {
            let line: &[u8; 64] = bytes.as_slice().try_into().unwrap();
            prop_assert_eq!(equal_bytes(line, byte), equal_bytes_plain(line, byte));
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
