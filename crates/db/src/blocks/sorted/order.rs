//! The order of the entries of a block: sorted by class, and within a class as they stand.

use std::ops::Range;

use merels_core::{Ruleset, Subspace};
use merels_simd::{Cpu, Work};

use crate::blocks::sorted::shape::Shape;
use crate::blocks::sorted::threats::{CLASSES, Counts, OctetClasses, RowClasses};
use crate::edition::Stored;

/// In decoded values: an entry that is left out. No value has this code.
pub const LEFT_OUT: u8 = 128;

/// What the order of the entries of a table depends on.
#[derive(Debug)]
pub(super) struct Sorting {
    pub(super) ruleset: Ruleset,
    pub(super) subspace: Subspace,
    pub(super) stored: Stored,
    pub(super) shape: Shape,
}

/// The classes of the entries of a block.
#[derive(Default)]
pub(super) struct Order {
    /// For each octet, part by part.
    classes: Vec<OctetClasses>,
    /// For each part, how many classes there can be.
    classes_of_parts: Vec<usize>,
    /// Where each class begins among the sorted entries.
    starts: [usize; CLASSES],
    /// How many entries are stored.
    pub(super) total: usize,
}

/// Finds the classes of the entries of a block.
pub(super) struct Classify<'a> {
    pub(super) sorting: &'a Sorting,
    pub(super) block: u64,
    pub(super) order: &'a mut Order,
}

impl Work for Classify<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { sorting: Sorting { ruleset, subspace, stored, shape }, block, order } = self;
        order.classes.clear();
        order.classes_of_parts.clear();
        let mut counts = Counts::default();
        let mut classes = RowClasses::new(cpu, ruleset, *subspace, *stored);
        for part in shape.parts(block) {
            classes.turn_to(shape.index().classes().representative(part.class), part.ranking);
            classes.classify(part.runs(), &mut order.classes, &mut counts);
            order.classes_of_parts.push(classes.classes());
        }
        order.total = 0;
        for (start, counts) in order.starts.iter_mut().zip(&counts) {
            *start = order.total;
            order.total += counts.iter().sum::<u64>() as usize;
        }
    }
}

/// Sorts the values of a block by class.
pub(super) struct Sort<'a> {
    pub(super) sorting: &'a Sorting,
    pub(super) block: u64,
    pub(super) values: &'a [u8],
    pub(super) order: &'a mut Order,
    pub(super) sorted: &'a mut [u8],
}

impl Work for Sort<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { sorting, block, values, order, sorted } = self;
        Classify { sorting, block, order: &mut *order }.run(cpu);
        order.for_each_run(&sorting.shape, block, |entries, words, places| {
            cpu.compress(&values[entries], words, places, sorted);
        });
    }
}

/// The reverse of [`Sort`]: puts the entries of a block where they belong.
pub(super) struct Spread<'a> {
    pub(super) sorting: &'a Sorting,
    pub(super) block: u64,
    pub(super) sorted: &'a [u8],
    pub(super) order: &'a Order,
    pub(super) values: &'a mut [u8],
}

impl Work for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { sorting, block, sorted, order, values } = self;
        order.for_each_run(&sorting.shape, block, |entries, words, places| {
            cpu.expand(sorted, words, places, LEFT_OUT, &mut values[entries]);
        });
    }
}

impl Order {
    /// Gives `work` each run of the block: its entries, their classes, and the places of the classes
    /// in the sorted order, which it moves on.
    #[inline(always)]
    fn for_each_run(
        &self,
        shape: &Shape,
        block: u64,
        mut work: impl FnMut(Range<usize>, &[u64], &mut [usize]),
    ) {
        let mut places = self.starts;
        let mut octets = &self.classes[..];
        let mut first = 0;
        for (part, &classes) in shape.parts(block).zip(&self.classes_of_parts) {
            let runs = part.runs();
            for run in runs.in_order() {
                let (octet, place) = run.octet_and_place();
                let octet = &octets[octet];
                let words: [u64; CLASSES] = std::array::from_fn(|class| octet[class][place]);
                let entries = run.entries();
                let entries = first + entries.start..first + entries.end;
                work(entries, &words[..classes], &mut places[..classes]);
            }
            octets = &octets[runs.octet_count()..];
            first += part.len();
        }
    }
}
