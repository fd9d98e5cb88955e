//! The runs of entries that lie in a part of a row, eight alike at a time.
//!
//! A *run* is up to 64 lanes of a block of the row: one pattern of upper stones, and a word of lower
//! ones. Runs of as many lower stones have the same lanes, whatever their upper stones are; so they are
//! taken together in *octets*, for which conditions on lanes are looked up once, and which are worked on
//! as vectors of eight words. All this is the same for all rows with as many free lower points.

use std::ops::Range;

use merels_core::numbering::{LaneWords, Ranking, lower_patterns};

/// Runs of an octet.
pub(super) const OCTET: usize = 8;

/// The runs of a part of a row.
#[derive(Debug)]
pub(super) struct Runs {
    groups: Vec<Group>,
    octets: Vec<Octet>,
    in_order: Vec<Run>,
}

/// Octets with the same lanes.
#[derive(Debug)]
pub(super) struct Group {
    /// Lower stones.
    pub(super) size: u8,
    /// The lanes from `64 * part` on.
    pub(super) part: usize,
    octets: Range<usize>,
}

/// Eight runs with the same lanes, or fewer.
#[derive(Clone, Debug)]
pub(super) struct Octet {
    /// The upper stones of each.
    pub(super) stones: [u64; OCTET],
    /// The lanes that each has: none for those that are missing.
    pub(super) lanes: [u64; OCTET],
}

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Its first entry, counted from the start of the part.
    start: u32,
    /// How many entries it has.
    len: u8,
    /// Its place in the octet.
    place: u8,
    octet: u16,
}

impl Run {
    /// Its entries, counted from the start of the part.
    #[inline(always)]
    pub(super) fn entries(self) -> Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.len)
    }

    /// The number of its octet, and its place in it.
    #[inline(always)]
    pub(super) fn octet_and_place(self) -> (usize, usize) {
        (usize::from(self.octet), usize::from(self.place) % OCTET)
    }
}

impl Runs {
    /// The runs with these patterns of upper stones.
    pub(super) fn new(ranking: &Ranking, upper: Range<u32>) -> Self {
        let starts = ranking.group_starts();
        let first = starts[upper.start as usize];
        let mut runs = Self { groups: Vec::new(), octets: Vec::new(), in_order: Vec::new() };
        for size in 0..=ranking.lower() {
            let alike = |&stones: &u32| ranking.lower_size(stones) == Some(size);
            let alike: Vec<u32> = upper.clone().filter(alike).collect();
            let lanes = lower_patterns(ranking.lower(), size).len();
            for part in 0..lanes.div_ceil(LaneWords::WORD) {
                let len = (lanes - part * LaneWords::WORD).min(LaneWords::WORD);
                let begin = runs.octets.len();
                for eight in alike.chunks(OCTET) {
                    let mut octet = Octet { stones: [0; OCTET], lanes: [0; OCTET] };
                    for (place, &stones) in eight.iter().enumerate() {
                        octet.stones[place] = stones.into();
                        octet.lanes[place] = u64::MAX >> (LaneWords::WORD - len);
                        let start = starts[stones as usize] - first;
                        runs.in_order.push(Run {
                            start: start + (part * LaneWords::WORD) as u32,
                            len: len as u8,
                            place: place as u8,
                            octet: runs.octets.len() as u16,
                        });
                    }
                    runs.octets.push(octet);
                }
                runs.groups.push(Group { size, part, octets: begin..runs.octets.len() });
            }
        }
        runs.in_order.sort_unstable_by_key(|run| run.start);
        runs
    }

    /// The runs in the order of their entries.
    pub(super) fn in_order(&self) -> &[Run] {
        &self.in_order
    }

    /// How many octets there are.
    pub(super) fn octet_count(&self) -> usize {
        self.octets.len()
    }

    /// The octets in their own order, those with the same lanes together.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Group, &[Octet])> {
        self.groups.iter().map(|group| (group, &self.octets[group.octets.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_follow_each_other_without_gap() {
        for (lower, upper, size, part) in
            [(12, 9, 5, 0..512), (8, 8, 8, 100..256), (9, 10, 7, 3..4)]
        {
            let ranking = Ranking::new(lower, upper, size);
            let starts = ranking.group_starts();
            let runs = Runs::new(&ranking, part.clone());
            let mut next = 0;
            let mut seen = 0;
            let octets: Vec<_> = runs
                .groups()
                .flat_map(|(group, octets)| octets.iter().map(move |octet| (group, octet)))
                .collect();
            assert_eq!(octets.len(), runs.octet_count());
            for run in runs.in_order() {
                assert_eq!(run.entries().start, next);
                next = run.entries().end;
                let (number, place) = run.octet_and_place();
                let (group, octet) = octets[number];
                assert_eq!(octet.lanes[place].count_ones() as usize, run.entries().len());
                let start = starts[octet.stones[place] as usize] - starts[part.start as usize];
                assert_eq!(run.entries().start, start as usize + 64 * group.part);
                let size = ranking.lower_size(octet.stones[place] as u32);
                assert_eq!(size, Some(group.size));
                seen += 1;
            }
            assert_eq!(next as u32, starts[part.end as usize] - starts[part.start as usize]);
            let lanes = octets.iter().flat_map(|(_, octet)| octet.lanes);
            assert_eq!(lanes.filter(|&lanes| lanes != 0).count(), seen);
        }
    }
}
