//! Choosing the code for the processor at hand.
//!
//! Sorting by class moves bytes by the bits of masks, and some processors have instructions for that.
//! Work on a block is generic over [`Cpu`], which names these moves. It is compiled once for any
//! processor and, on x86-64, once more for each [`Processor`] that has more. All forms give the same
//! results; tests compare them.

#![allow(unsafe_code)]

#[macro_use]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use merels_core::Processor;
use merels_core::bits::{BitTricks, Portable};

/// Bytes that may lie behind the last one of a buffer that is read or written 64 at a time.
pub(crate) const SLACK: usize = 64;

/// What processors have instructions of their own for. A *run* is up to 64 bytes, bit `i` of a word
/// stands for its byte `i`, and no two words have the same bit.
pub(crate) trait Cpu: BitTricks {
    /// For each word, copies the bytes of the run that it names to `sorted`, one after the other from
    /// its place on, and moves the place behind them.
    fn sort_run(self, run: &[u8], words: &[u64], places: &mut [usize], sorted: &mut [u8]);

    /// The reverse of [`Cpu::sort_run`]: fills a run from what was sorted. Bytes that no word names become
    /// `rest`. Behind `sorted` are [`SLACK`] bytes more.
    fn spread_run(
        self,
        sorted: &[u8],
        words: &[u64],
        places: &mut [usize],
        rest: u8,
        run: &mut [u8],
    );

    /// Copies the complements of codes above the draw's to `wins` and codes below it to `losses`; gives
    /// the numbers of both. There is room for all codes and [`SLACK`] bytes more in each.
    fn split(self, codes: &[u8], wins: &mut [u8], losses: &mut [u8]) -> (usize, usize);

    /// The reverse of [`Cpu::split`]: replaces the codes above the draw's and those below it. There are
    /// as many wins and losses as needed, and [`SLACK`] bytes more in each.
    fn join(self, codes: &mut [u8], wins: &[u8], losses: &[u8]);
}

impl Cpu for Portable {
    plain_moves!();
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every move once: a run is sorted and spread again, codes are split and joined again.
    struct Moves<'a> {
        run: &'a [u8],
        words: [u64; 3],
        codes: &'a [u8],
    }

    impl Work for Moves<'_> {
        type Output = Vec<Vec<u8>>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<Vec<u8>> {
            let Self { run, words, codes } = self;
            let sizes = words.map(|word| word.count_ones() as usize);
            let starts = [3, 3 + sizes[0], 3 + sizes[0] + sizes[1]];
            let total = starts[2] + sizes[2];
            // A full buffer: a byte written too far would be noticed.
            let mut sorted = vec![9; total];
            let mut places = starts;
            cpu.sort_run(run, &words, &mut places, &mut sorted);
            assert_eq!(places, [starts[1], starts[2], total]);
            let mut padded = sorted.clone();
            padded.resize(total + SLACK, 1);
            places = starts;
            let mut spread = vec![5; run.len()];
            cpu.spread_run(&padded, &words, &mut places, 77, &mut spread);
            assert_eq!(places, [starts[1], starts[2], total]);

            let mut wins = vec![0; codes.len() + SLACK];
            let mut losses = wins.clone();
            let (won, lost) = cpu.split(codes, &mut wins, &mut losses);
            let outcome = |&code: &u8| if code > 127 { 255 } else { 127 * u8::from(code == 127) };
            let mut joined: Vec<u8> = codes.iter().map(outcome).collect();
            cpu.join(&mut joined, &wins, &losses);
            assert_eq!(joined, codes);
            vec![sorted, spread, wins[..won].to_vec(), losses[..lost].to_vec()]
        }
    }

    proptest! {
        #[test]
        fn moves_alike_by_all_processors(
            bytes in prop::collection::vec(any::<u8>(), 1..=64),
            bits: (u64, u64),
            codes in prop::collection::vec(prop_oneof![Just(127), any::<u8>()], 0..300),
        ) {
            let (run, lanes) = (&bytes, u64::MAX >> (64 - bytes.len()));
            let words = [bits.0 & bits.1, bits.0 & !bits.1, !bits.0 & bits.1].map(|w| w & lanes);
            let work = || Moves { run, words, codes: &codes };
            let plain = super::run(Processor::Portable, work());
            let mut expected = vec![9; 3];
            for word in words {
                expected.extend((0..run.len()).filter(|i| word >> i & 1 == 1).map(|i| run[i]));
            }
            prop_assert_eq!(&plain[0], &expected);
            let named = words[0] | words[1] | words[2];
            let spread = |(i, &byte)| if named >> i & 1 == 1 { byte } else { 77 };
            let expected: Vec<u8> = run.iter().enumerate().map(spread).collect();
            prop_assert_eq!(&plain[1], &expected);
            for processor in Processor::available() {
                prop_assert_eq!(&super::run(processor, work()), &plain, "{:?}", processor);
            }
        }
    }
}
