//! The class of every entry of a row, eight runs of up to 64 entries at a time.
//!
//! How a position is likely to end shows in what both sides threaten. A *threat* of a side is a line
//! with two of its stones and an empty third point to which it can bring a stone now: from its
//! hand, by a jump, or from a neighbouring point off the line. With `m` threats of the mover and `o` of
//! the other side, the class is `3 min(m, 2) + min(o, 2)`.
//!
//! Within a row the mover's stones are fixed, so its threats are a list of points that must be empty.
//! Threats of the other side are conditions on the stones of the row. Conditions on upper points
//! are the same for a whole run, and those on lower points are fixed sets of lanes ([`LaneWords`]), the
//! same for all runs of an [octet](super::runs), so threats are counted by a few operations on words.

use merels_core::numbering::{LaneWords, Ranking};
use merels_core::{Geometry, Points, Ruleset, Subspace};
use merels_simd::Cpu;

use super::runs::{Group, OCTET, Octet, Runs};
use crate::edition::Stored;

/// How many classes there are.
pub(super) const CLASSES: usize = 9;

/// The runs of an octet by class: bit `i` of a word for the `i`-th entry. Entries that are not stored
/// are in no class.
pub(super) type OctetClasses = [[u64; OCTET]; CLASSES];

/// How many entries of each class there are, counted for each place in an octet.
pub(super) type Counts = [[u64; OCTET]; CLASSES];

/// Points of a row, compressed and cut into upper and lower ones.
#[derive(Clone, Copy, Default)]
struct Parts {
    upper: u32,
    lower: u32,
}

/// What the stones of a row must be for a threat.
struct Condition {
    /// Upper points that must hold stones or be empty, and which of them hold stones.
    upper: u64,
    upper_stones: u64,
    /// Lower points that must hold stones, and those that must be empty.
    lower_stones: u32,
    lower_empty: u32,
    /// Points of which one must hold a stone; none if that is no condition.
    support: Option<Parts>,
}

/// The lanes of a group of octets in which a condition is met, as far as lower points are concerned.
#[derive(Clone, Copy)]
struct Lanes {
    /// If an upper point gives support.
    near: u64,
    /// If none does.
    far: u64,
}

/// Sorts the entries of rows by class.
pub(super) struct RowClasses<C> {
    cpu: C,
    geometry: &'static Geometry,
    mover_comes_from_anywhere: bool,
    other_comes_from_anywhere: bool,
    /// The points whose stones are counted where only even numbers of them are stored.
    half: Option<Points>,
    words: &'static LaneWords,
    own: Vec<Condition>,
    threats: Vec<Condition>,
    lanes: Vec<Lanes>,
    half_parts: Parts,
    key_is_odd: bool,
}

impl<C: Cpu> RowClasses<C> {
    /// For the rows of `subspace`.
    pub(super) fn new(cpu: C, ruleset: &Ruleset, subspace: Subspace, stored: Stored) -> Self {
        let anywhere = |hand: u8, board: u8| hand > 0 || ruleset.flies(board);
        let geometry = ruleset.board.geometry();
        Self {
            cpu,
            geometry,
            mover_comes_from_anywhere: anywhere(subspace.mover_hand(), subspace.mover()),
            other_comes_from_anywhere: anywhere(subspace.other_hand(), subspace.other()),
            half: if stored == Stored::Half { geometry.half() } else { None },
            words: LaneWords::shared(),
            own: Vec::new(),
            threats: Vec::new(),
            lanes: Vec::new(),
            half_parts: Parts::default(),
            key_is_odd: false,
        }
    }

    /// Turns to the row of `key`, numbered by `ranking`.
    #[inline(always)]
    pub(super) fn turn_to(&mut self, key: Points, ranking: &Ranking) {
        let Self { cpu, geometry, .. } = *self;
        let free = geometry.points().difference(key).bits();
        let parts = |points: Points| {
            let compressed = cpu.extract(points.bits() & free, free);
            let lower = compressed & ((1 << ranking.lower()) - 1);
            Parts { upper: compressed >> ranking.lower(), lower }
        };
        let condition = |stones: Parts, empty: Parts, support| Condition {
            upper: (stones.upper | empty.upper).into(),
            upper_stones: stones.upper.into(),
            lower_stones: stones.lower,
            lower_empty: empty.lower,
            support,
        };
        self.own.clear();
        self.threats.clear();
        for &line in geometry.lines() {
            let left = line.difference(key);
            if left.len() == 1 {
                let reached = |point| {
                    let near = geometry.neighbours(point).difference(line);
                    self.mover_comes_from_anywhere || near.intersects(key)
                };
                if left.into_iter().all(reached) {
                    self.own.push(condition(Parts::default(), parts(left), None));
                }
            } else if left == line {
                for point in line {
                    let near = geometry.neighbours(point).difference(line);
                    let support = (!self.other_comes_from_anywhere).then(|| parts(near));
                    let (stones, empty) = (parts(line.without(point)), parts(point.set()));
                    self.threats.push(condition(stones, empty, support));
                }
            }
        }
        if let Some(half) = self.half {
            self.half_parts = parts(half);
            self.key_is_odd = key.intersection(half).len() % 2 == 1;
        }
    }

    /// How many classes, from the first on, the entries of the row can be in: the mover makes as many
    /// threats as its stones make, or fewer.
    pub(super) fn classes(&self) -> usize {
        CLASSES / 3 * (self.own.len().min(2) + 1)
    }

    /// Appends the classes of the row's octets, and adds to the counts.
    #[inline(always)]
    pub(super) fn classify(
        &mut self,
        runs: &Runs,
        octet_classes: &mut Vec<OctetClasses>,
        counts: &mut Counts,
    ) {
        let classes = self.classes();
        for (group, octets) in runs.groups() {
            let mut lanes = std::mem::take(&mut self.lanes);
            lanes.clear();
            lanes.extend(self.own.iter().chain(&self.threats).map(|c| self.lanes_of(c, group)));
            let (own, threats) = lanes.split_at(self.own.len());
            let odd = self.words.odd(group.size, group.part, self.half_parts.lower);
            for octet in octets {
                let mover = count(&octet.stones, &self.own, own);
                let other = count(&octet.stones, &self.threats, threats);
                let stored = self.stored(octet, odd);
                let mut words = OctetClasses::default();
                for (class, words) in words[..classes].iter_mut().enumerate() {
                    let (mover, other) = (&mover[class / 3], &other[class % 3]);
                    *words = std::array::from_fn(|i| stored[i] & mover[i] & other[i]);
                    for (count, word) in counts[class].iter_mut().zip(words) {
                        *count += u64::from(word.count_ones());
                    }
                }
                octet_classes.push(words);
            }
            self.lanes = lanes;
        }
    }

    #[inline(always)]
    fn lanes_of(&self, condition: &Condition, group: &Group) -> Lanes {
        let (words, size, part) = (self.words, group.size, group.part);
        let stones = words.holding(size, part, condition.lower_stones);
        let near = stones & !words.touching(size, part, condition.lower_empty);
        let support = condition.support;
        let far = support.map_or(near, |parts| near & words.touching(size, part, parts.lower));
        Lanes { near, far }
    }

    /// The entries of an octet that are stored; `odd` are the lanes with an odd number of stones to be
    /// counted on lower points.
    #[inline(always)]
    fn stored(&self, octet: &Octet, odd: u64) -> [u64; OCTET] {
        if self.half.is_none() {
            return octet.lanes;
        }
        let (upper, odd) =
            (u64::from(self.half_parts.upper), if self.key_is_odd { !odd } else { odd });
        std::array::from_fn(|i| {
            let parity = u64::from((octet.stones[i] & upper).count_ones() % 2);
            // All ones where the number on upper points and of the key is odd.
            octet.lanes[i] & !(odd ^ parity.wrapping_neg())
        })
    }
}

/// In which lanes of an octet none, one and more of these conditions are met.
#[inline(always)]
fn count(stones: &[u64; OCTET], conditions: &[Condition], lanes: &[Lanes]) -> [[u64; OCTET]; 3] {
    let mut one = [0; OCTET];
    let mut more = [0; OCTET];
    for (condition, lanes) in conditions.iter().zip(lanes) {
        let support = condition.support.map_or(0, |parts| parts.upper.into());
        for i in 0..OCTET {
            // All ones or none: no branches, so that all eight are worked on at once.
            let met =
                u64::from(stones[i] & condition.upper == condition.upper_stones).wrapping_neg();
            let near = u64::from(stones[i] & support != 0).wrapping_neg();
            let word = met & (lanes.far | near & lanes.near);
            more[i] |= one[i] & word;
            one[i] |= word;
        }
    }
    [std::array::from_fn(|i| !one[i]), std::array::from_fn(|i| one[i] & !more[i]), more]
}

#[cfg(test)]
mod tests {
    use merels_core::Board;
    use merels_core::numbering::{Index, SubspaceIndex};
    use merels_simd::Portable;

    use super::*;

    /// The class by the text of `docs/format.md`, one position at a time; none if it is not stored.
    fn class_of(
        ruleset: &Ruleset,
        subspace: Subspace,
        stored: Stored,
        mover: Points,
        other: Points,
    ) -> Option<usize> {
        let geometry = ruleset.board.geometry();
        let occupied = mover.union(other);
        let threats = |own: Points, hand: u8| {
            let lines = geometry.lines().iter().filter(|line| {
                let rest = line.difference(own);
                rest.len() == 1
                    && !rest.intersects(occupied)
                    && (hand > 0
                        || ruleset.flies(own.len())
                        || rest.into_iter().any(|point| {
                            geometry.neighbours(point).difference(**line).intersects(own)
                        }))
            });
            lines.count().min(2)
        };
        if stored == Stored::Half && occupied.intersection(geometry.half().unwrap()).len() % 2 == 1
        {
            return None;
        }
        Some(3 * threats(mover, subspace.mover_hand()) + threats(other, subspace.other_hand()))
    }

    #[test]
    fn words_say_what_the_definition_says() {
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
        let seven = Ruleset { board: Board::Seven, stones: 7, ..Ruleset::STANDARD };
        let cases = [
            (Ruleset::STANDARD, Subspace::moving(3, 4), Stored::Whole),
            (Ruleset::STANDARD, Subspace::moving(4, 4), Stored::Half),
            (Ruleset::STANDARD, Subspace::moving(8, 8), Stored::Half),
            (Ruleset::STANDARD, Subspace::placing(4, 5, 1, 1), Stored::Whole),
            (Ruleset::STANDARD, Subspace::placing(3, 5, 0, 1), Stored::Whole),
            (twelve, Subspace::moving(5, 5), Stored::Half),
            (six, Subspace::moving(5, 5), Stored::Half),
            (seven, Subspace::moving(5, 5), Stored::Half),
            (seven, Subspace::placing(5, 4, 1, 1), Stored::Whole),
        ];
        for (ruleset, subspace, stored) in cases {
            let index = SubspaceIndex::new(ruleset.board, subspace);
            let mut classes = RowClasses::new(Portable, &ruleset, subspace, stored);
            let mut seen = [0; CLASSES];
            let step = 1 + index.rows() / 40;
            for row in (0..index.rows()).step_by(step) {
                let first = row as u64 * u64::from(index.row_len());
                let (key, _) = index.stones_at(Index(first));
                let ranking = index.rankings().of(key);
                let runs = Runs::new(ranking, 0..1 << ranking.upper());
                classes.turn_to(key, ranking);
                let (mut octets, mut counts) = (Vec::new(), Counts::default());
                classes.classify(&runs, &mut octets, &mut counts);
                assert_eq!(octets.len(), runs.octet_count());
                let mut expected_counts = [0; CLASSES];
                for run in runs.in_order() {
                    let (octet, place) = run.octet_and_place();
                    let words = octets[octet].map(|words| words[place]);
                    for (lane, rank) in run.entries().enumerate() {
                        let (mover, other) = index.stones_at(Index(first + rank as u64));
                        let expected = class_of(&ruleset, subspace, stored, mover, other);
                        let holds = |word: &u64| word >> lane & 1 == 1;
                        assert_eq!(words.iter().position(holds), expected, "{subspace} {rank}");
                        assert!(words.iter().filter(|word| holds(word)).count() <= 1);
                        if let Some(class) = expected {
                            assert!(class < classes.classes());
                            expected_counts[class] += 1;
                        }
                    }
                    let beyond = u64::MAX.checked_shl(run.entries().len() as u32).unwrap_or(0);
                    assert!(words.iter().all(|word| word & beyond == 0));
                }
                assert_eq!(counts.map(|counts| counts.iter().sum::<u64>()), expected_counts);
                for (seen, count) in seen.iter_mut().zip(expected_counts) {
                    *seen += count;
                }
            }
            assert!(seen.iter().filter(|&&count| count > 0).count() >= 4, "{subspace}: {seen:?}");
        }
    }
}
