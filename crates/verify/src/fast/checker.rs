//! The check of every entry, on masks.
//!
//! One array holds the codes of all successors, see [`Lookup`]; [`Reach`] finds their places. The
//! checker prefetches them as soon as it knows the places, and reads them after a group of
//! positions, so that the processor does not wait for memory. The order of codes makes the best
//! move the minimum of its successors.
//!
//! A difference found here is a suspicion: reports name it only after the plain rules confirm it.

use std::io;

use merels_core::numbering::{Codes, SubspaceIndex, ValueCode};
use merels_core::{FullBoard, Points, Ruleset, Subspace};

use merels_db::LEFT_OUT;
use merels_simd::{Cpu, Processor, Work, prefetch};

use crate::error::VerifyError;
use crate::fast::coded::Steps;
use crate::fast::entries::runs;
use crate::fast::precision::Precision;
use crate::fast::reach::{Found, Reach};

/// The codes of all successors, by place: that of a game that is over, then the tables.
pub(crate) trait Lookup: Sync {
    /// The byte at `place`.
    fn code(&self, place: u32) -> u8;

    /// Announces that the byte at `place` will be read soon.
    #[inline(always)]
    fn expect(&self, place: u32) {
        let _ = place;
    }
}

impl Lookup for [u8] {
    #[inline(always)]
    fn code(&self, place: u32) -> u8 {
        self[place as usize]
    }

    #[inline(always)]
    fn expect(&self, place: u32) {
        prefetch(self, place as usize);
    }
}

/// Positions whose successors are read together: enough that the first have arrived when the last
/// are prefetched, few enough that all stay in the first-level cache.
const GROUP: usize = 32;

/// Checks entries of one subspace.
#[derive(Debug)]
pub(crate) struct Checker {
    index: SubspaceIndex,
    reach: Reach,
    /// The value of an entry without moves.
    stuck: ValueCode,
    precision: Precision,
}

/// An entry whose stored value differs from the value that follows from its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suspect {
    /// Its index.
    pub(crate) index: u64,
    /// The stored code.
    pub(crate) stored: Codes<u8>,
    /// The code that follows from the successors; 128 if there is none.
    pub(crate) recomputed: Codes<u8>,
}

impl Checker {
    /// A checker for `subspace`; none if its successors have more entries than a place can number.
    pub(crate) fn new(ruleset: &Ruleset, subspace: Subspace, precision: Precision) -> Option<Self> {
        let full = subspace.on_board() == ruleset.board.geometry().point_count();
        let drawn = full && ruleset.full_board == FullBoard::Draw;
        Some(Self {
            index: SubspaceIndex::new(ruleset.board, subspace),
            reach: Reach::new(ruleset, subspace)?,
            stuck: if drawn { ValueCode::DRAW } else { ValueCode::LOST },
            precision,
        })
    }

    /// Like [`Checker::new`], with an error instead of none.
    pub(crate) fn for_subspace(
        ruleset: &Ruleset,
        subspace: Subspace,
        precision: Precision,
    ) -> Result<Self, VerifyError> {
        Self::new(ruleset, subspace, precision).ok_or_else(|| VerifyError::Memory {
            subspace,
            source: io::Error::other("its successors have more than 2^32 entries"),
        })
    }

    /// The order of the entries.
    pub(crate) const fn index(&self) -> &SubspaceIndex {
        &self.index
    }

    /// Where the moves lead.
    pub(crate) const fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Compares the entries from index `first` on, which hold `stored`, with their successors.
    pub(crate) fn check(
        &self,
        first: u64,
        stored: &[u8],
        codes: &(impl Lookup + ?Sized),
    ) -> Vec<Suspect> {
        Processor::detect().dispatch(CheckWork { checker: self, first, stored, codes })
    }

    /// The places of all successors of a position.
    #[cfg(test)]
    fn successors(&self, mover: Points, other: Points) -> Vec<u32> {
        Processor::detect().dispatch(SuccessorsWork { checker: self, mover, other })
    }

    /// Computes the entries from index `first` on that are marked as left out.
    pub(crate) fn restore(&self, first: u64, values: &mut [u8], codes: &(impl Lookup + ?Sized)) {
        self.restore_by(self.precision.before(), first, values, codes);
    }

    /// Like [`Checker::restore`]; `before` maps the code of the best successor to that of the
    /// position.
    pub(crate) fn restore_by(
        &self,
        before: &[u8; 256],
        first: u64,
        values: &mut [u8],
        codes: &(impl Lookup + ?Sized),
    ) {
        if values.contains(&LEFT_OUT) {
            Processor::detect().dispatch(RestoreWork {
                checker: self,
                before,
                first,
                values,
                codes,
            });
        }
    }

    #[inline(always)]
    fn check_with<C: Cpu>(
        &self,
        cpu: C,
        first: u64,
        stored: &[u8],
        codes: &(impl Lookup + ?Sized),
    ) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        let (before, count) = (self.precision.before(), stored.len() as u64);
        self.recompute_with(cpu, before, first, count, codes, |i, recomputed| {
            if stored[i] != recomputed {
                let [stored, recomputed] = [stored[i], recomputed].map(Codes::near);
                suspects.push(Suspect { index: first + i as u64, stored, recomputed });
            }
        });
        suspects
    }

    /// Calls `each` with the number and the recomputed code of each of `count` entries from index
    /// `first` on, in order.
    #[inline(always)]
    fn recompute_with<C: Cpu>(
        &self,
        cpu: C,
        before: &[u8; 256],
        first: u64,
        count: u64,
        codes: &(impl Lookup + ?Sized),
        mut each: impl FnMut(usize, u8),
    ) {
        let mut found = Found::default();
        let mut ends = [0; GROUP];
        let mut done = 0;
        for mut run in runs(&self.index, first..first + count) {
            while run.len > 0 {
                let count = run.len.min(GROUP);
                found.places.clear();
                let mut start = 0;
                for end in &mut ends[..count] {
                    let other = run.next_other(cpu);
                    self.reach.collect(cpu, run.mover, Points::from_bits(other), &mut found);
                    found.places[start..].iter().for_each(|&place| codes.expect(place));
                    start = found.places.len();
                    *end = start as u32;
                }
                let mut start = 0;
                for (i, &end) in ends[..count].iter().enumerate() {
                    let places = &found.places[start..end as usize];
                    start = end as usize;
                    each(done + i, self.value(before, places, codes));
                }
                run.len -= count;
                done += count;
            }
        }
    }

    /// The code that follows from the successors at `places`.
    #[inline(always)]
    fn value(&self, before: &[u8; 256], places: &[u32], codes: &(impl Lookup + ?Sized)) -> u8 {
        if places.is_empty() {
            return if self.reach.is_over() { ValueCode::LOST } else { self.stuck }.byte();
        }
        let best = places.iter().fold(u8::MAX, |best, &place| best.min(codes.code(place)));
        before[usize::from(best)]
    }
}

impl Checker {
    /// Compares the entries from index `first` on with their successors.
    pub(crate) fn check_coded<C: Lookup + ?Sized>(
        &self,
        steps: &Steps,
        first: u64,
        stored: Codes<&[u8]>,
        successors: Codes<&C>,
    ) -> Vec<Suspect> {
        let (Some(stored_far), Some(_)) = (stored.far, successors.far) else {
            return self.check(first, stored.near, successors.near);
        };
        let [mut near, mut far] = [(); 2].map(|()| vec![LEFT_OUT; stored.near.len()]);
        self.restore_coded(
            steps,
            first,
            Codes { near: &mut near, far: Some(&mut far) },
            successors,
        );
        let found = near.into_iter().zip(far);
        let stored = stored.near.iter().copied().zip(stored_far.iter().copied());
        let coded = |(near, far)| Codes { near, far: Some(far) };
        let pairs = (first..).zip(stored.map(coded).zip(found.map(coded)));
        let differ = pairs.filter(|(_, (stored, recomputed))| stored != recomputed);
        differ.map(|(index, (stored, recomputed))| Suspect { index, stored, recomputed }).collect()
    }

    /// Computes the entries from index `first` on that are marked as left out.
    pub(crate) fn restore_coded<C: Lookup + ?Sized>(
        &self,
        steps: &Steps,
        first: u64,
        codes: Codes<&mut [u8]>,
        successors: Codes<&C>,
    ) {
        let Codes { near, far } = codes;
        let (Some(far), Some(far_successors)) = (far, successors.far) else {
            return self.restore(first, near, successors.near);
        };
        let places = (0..near.len()).filter(|&place| near[place] == LEFT_OUT);
        let left_out: Vec<_> = places.collect();
        self.restore_by(&steps.near, first, near, successors.near);
        self.restore_by(Precision::Exact.before(), first, far, far_successors);
        for place in left_out {
            if !steps.is_far(near[place]) {
                far[place] = steps.far_of[usize::from(near[place])];
            }
        }
    }
}

struct CheckWork<'a, C: ?Sized> {
    checker: &'a Checker,
    first: u64,
    stored: &'a [u8],
    codes: &'a C,
}

impl<C: Lookup + ?Sized> Work for CheckWork<'_, C> {
    type Output = Vec<Suspect>;

    #[inline(always)]
    fn run<P: Cpu>(self, cpu: P) -> Vec<Suspect> {
        self.checker.check_with(cpu, self.first, self.stored, self.codes)
    }
}

struct RestoreWork<'a, C: ?Sized> {
    checker: &'a Checker,
    before: &'a [u8; 256],
    first: u64,
    values: &'a mut [u8],
    codes: &'a C,
}

impl<C: Lookup + ?Sized> Work for RestoreWork<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<P: Cpu>(self, cpu: P) {
        let Self { checker, before, first, values, codes } = self;
        let count = values.len() as u64;
        checker.recompute_with(cpu, before, first, count, codes, |i, recomputed| {
            if values[i] == LEFT_OUT {
                values[i] = recomputed;
            }
        });
    }
}

#[cfg(test)]
struct SuccessorsWork<'a> {
    checker: &'a Checker,
    mover: Points,
    other: Points,
}

#[cfg(test)]
impl Work for SuccessorsWork<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<P: Cpu>(self, cpu: P) -> Vec<u32> {
        let mut found = Found::default();
        self.checker.reach.collect(cpu, self.mover, self.other, &mut found);
        found.places
    }
}

#[cfg(test)]
#[path = "checker_tests.rs"]
mod tests;
