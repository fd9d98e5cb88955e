//! The form for any processor: the plain operations.

use std::sync::atomic::AtomicU8;

use crate::baseline::equal_bytes;
use crate::cpu::{Cpu, Work};
use crate::plain::lanes;

/// Plain code, which runs on every processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(never)]
    fn call<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    type Lanes = [u8; 64];

    const ONE_BY_ONE: bool = true;

    #[inline(always)]
    fn splat(self, byte: u8) -> [u8; 64] {
        lanes::splat(byte)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> [u8; 64] {
        lanes::load(bytes, at)
    }

    #[inline(always)]
    fn store(self, lanes: [u8; 64], bytes: &mut [u8]) {
        lanes::store(lanes, bytes);
    }

    #[inline(always)]
    fn store_shared(self, lanes: [u8; 64], bytes: &[AtomicU8]) {
        lanes::store_shared(lanes, bytes);
    }

    #[inline(always)]
    fn subtract(self, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
        lanes::subtract(one, other)
    }

    #[inline(always)]
    fn masked_add(self, mask: u64, lanes: [u8; 64], byte: u8) -> [u8; 64] {
        lanes::masked_add(mask, lanes, byte)
    }

    #[inline(always)]
    fn equal(self, lanes: [u8; 64], byte: u8) -> u64 {
        equal_bytes(&lanes, byte)
    }

    #[inline(always)]
    fn min(self, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
        lanes::min(one, other)
    }

    #[inline(always)]
    fn max_signed(self, lanes: [u8; 64], byte: u8) -> [u8; 64] {
        lanes::max_signed(lanes, byte)
    }

    #[inline(always)]
    fn blend(self, mask: u64, one: [u8; 64], other: [u8; 64]) -> [u8; 64] {
        lanes::blend(mask, one, other)
    }

    #[inline(always)]
    fn shuffle<const N: usize>(self, sources: [[u8; 64]; N], places: [u8; 64]) -> [u8; 64] {
        lanes::shuffle(sources, places, 64)
    }

    #[inline(always)]
    fn shuffle_first<const N: usize>(
        self,
        sources: [[u8; 64]; N],
        places: [u8; 64],
        wanted: usize,
    ) -> [u8; 64] {
        lanes::shuffle(sources, places, wanted)
    }

    #[inline(always)]
    fn shuffle_long(self, bytes: &[u8], len: usize, low: [u8; 64], high: [u8; 64]) -> [u8; 64] {
        lanes::shuffle_long(&bytes[..len], low, high)
    }

    #[inline(always)]
    fn before(self, lanes: [u8; 64]) -> [u8; 64] {
        lanes::before(lanes)
    }
}
