//! The class of every entry of a row, 64 entries at a time.
//!
//! How a position is likely to end shows in what both sides threaten. A *threat* of a side is a line
//! with two of its stones and an empty third point to which it can bring a stone now: from its
//! hand, by a jump, or from a neighbouring point off the line. With `m` threats of the mover and `o` of
//! the other side, the class is `3 min(m, 2) + min(o, 2)`.
//!
//! Within a row the mover's stones are fixed, so its threats are a list of points that must be empty.
//! Threats of the other side are conditions on the stones of the row. Conditions on upper points
//! are the same for a whole block of the row, and those on lower points are fixed sets of lanes
//! ([`LaneWords`]), so threats are counted by a few operations on words.

use merels_core::{Geometry, LaneWords, Points, Ranking, Ruleset, Subspace, bits};

use crate::edition::Stored;

/// How many classes there are.
pub(crate) const CLASSES: usize = 9;

/// Up to 64 entries of a row by class: bit `i` of a word for the `i`-th. Entries that are not
/// stored are in no class.
pub(crate) type ClassWords = [u64; CLASSES];

/// Points of a row, compressed and cut into upper and lower ones.
#[derive(Clone, Copy, Default)]
struct Parts {
    upper: u32,
    lower: u32,
}

/// A threat that the stones of a row may make.
struct Threat {
    /// Two points that must hold stones.
    stones: Parts,
    /// The third, which must be empty.
    target: Parts,
    /// Points of which one must hold a stone that can go there; none if stones come from anywhere.
    support: Option<Parts>,
}

/// Sorts the entries of rows by class.
pub(crate) struct RowClasses {
    geometry: &'static Geometry,
    mover_comes_from_anywhere: bool,
    other_comes_from_anywhere: bool,
    /// The points whose stones are counted where only even numbers of them are stored.
    half: Option<Points>,
    words: &'static LaneWords,
    own: Vec<Parts>,
    threats: Vec<Threat>,
    half_parts: Parts,
    key_is_odd: bool,
}

impl RowClasses {
    /// For the rows of `subspace`.
    pub(crate) fn new(ruleset: &Ruleset, subspace: Subspace, stored: Stored) -> Self {
        let anywhere = |hand: u8, board: u8| hand > 0 || ruleset.flies(board);
        let geometry = ruleset.board.geometry();
        Self {
            geometry,
            mover_comes_from_anywhere: anywhere(subspace.mover_hand(), subspace.mover()),
            other_comes_from_anywhere: anywhere(subspace.other_hand(), subspace.other()),
            half: if stored == Stored::Half { geometry.half() } else { None },
            words: LaneWords::shared(),
            own: Vec::new(),
            threats: Vec::new(),
            half_parts: Parts::default(),
            key_is_odd: false,
        }
    }

    /// Turns to the row of `key`, numbered by `ranking`.
    pub(crate) fn turn_to(&mut self, key: Points, ranking: &Ranking) {
        let free = self.geometry.points().difference(key);
        let parts = |points: Points| {
            let compressed = bits::extract(points.intersection(free).bits(), free.bits());
            let lower = compressed & ((1 << ranking.lower()) - 1);
            Parts { upper: compressed >> ranking.lower(), lower }
        };
        self.own.clear();
        self.threats.clear();
        for &line in self.geometry.lines() {
            let target = line.difference(key);
            if target.len() == 1 {
                let reached = |point| {
                    let near = self.geometry.neighbours(point).difference(line);
                    self.mover_comes_from_anywhere || near.intersects(key)
                };
                if target.into_iter().all(reached) {
                    self.own.push(parts(target));
                }
            } else if target == line {
                for point in line {
                    let near = self.geometry.neighbours(point).difference(line);
                    self.threats.push(Threat {
                        stones: parts(line.without(point)),
                        target: parts(point.set()),
                        support: (!self.other_comes_from_anywhere).then(|| parts(near)),
                    });
                }
            }
        }
        if let Some(half) = self.half {
            self.half_parts = parts(half);
            self.key_is_odd = key.intersection(half).len() % 2 == 1;
        }
    }

    /// The classes of the lanes from `64 * part` on, of which there are `lanes`, in the block of
    /// these upper `stones` with `size` lower stones.
    #[inline]
    pub(crate) fn words(&self, stones: u32, size: u8, part: usize, lanes: usize) -> ClassWords {
        let holding = |points| self.words.holding(size, part, points);
        let mut mover = Count::default();
        for target in &self.own {
            if stones & target.upper == 0 {
                mover.add(if target.lower == 0 { u64::MAX } else { !holding(target.lower) });
            }
        }
        let mut other = Count::default();
        for threat in &self.threats {
            if stones & threat.stones.upper != threat.stones.upper
                || stones & threat.target.upper != 0
            {
                continue;
            }
            let mut lanes = holding(threat.stones.lower);
            if threat.target.lower != 0 {
                lanes &= !holding(threat.target.lower);
            }
            if let Some(support) = threat.support
                && stones & support.upper == 0
            {
                lanes &= self.words.touching(size, part, support.lower);
            }
            other.add(lanes);
        }
        let mut stored = u64::MAX >> (LaneWords::WORD - lanes.min(LaneWords::WORD));
        if self.half.is_some() {
            let odd = self.words.odd(size, part, self.half_parts.lower);
            let upper_is_odd = (stones & self.half_parts.upper).count_ones() % 2 == 1;
            stored &= if upper_is_odd ^ self.key_is_odd { odd } else { !odd };
        }
        let (mover, other) = (mover.none_one_more(), other.none_one_more());
        std::array::from_fn(|class| stored & mover[class / 3] & other[class % 3])
    }
}

/// Counts for 64 lanes at once, as far as two.
#[derive(Default)]
struct Count {
    one: u64,
    more: u64,
}

impl Count {
    fn add(&mut self, lanes: u64) {
        self.more |= self.one & lanes;
        self.one |= lanes;
    }

    const fn none_one_more(&self) -> [u64; 3] {
        [!self.one, self.one & !self.more, self.more]
    }
}

#[cfg(test)]
mod tests {
    use merels_core::{Board, Index, SubspaceIndex, lower_patterns};

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
        let cases = [
            (Ruleset::STANDARD, Subspace::moving(3, 4), Stored::Whole),
            (Ruleset::STANDARD, Subspace::moving(4, 4), Stored::Half),
            (Ruleset::STANDARD, Subspace::moving(8, 8), Stored::Half),
            (Ruleset::STANDARD, Subspace::placing(4, 5, 1, 1), Stored::Whole),
            (Ruleset::STANDARD, Subspace::placing(3, 5, 0, 1), Stored::Whole),
            (twelve, Subspace::moving(5, 5), Stored::Half),
            (six, Subspace::moving(5, 5), Stored::Half),
        ];
        for (ruleset, subspace, stored) in cases {
            let index = SubspaceIndex::new(ruleset.board, subspace);
            let mut classes = RowClasses::new(&ruleset, subspace, stored);
            let mut seen = [0; CLASSES];
            let step = 1 + index.rows() / 40;
            for row in (0..index.rows()).step_by(step) {
                let first = row as u64 * u64::from(index.row_len());
                let (key, _) = index.stones_at(Index(first));
                let ranking = index.rankings().of(key);
                classes.turn_to(key, ranking);
                for stones in 0..1 << ranking.upper() {
                    let Some(size) = ranking.lower_size(stones) else { continue };
                    let lanes = lower_patterns(ranking.lower(), size).len();
                    for lane in 0..lanes {
                        let part = lane / 64;
                        let words = classes.words(stones, size, part, lanes - 64 * part);
                        let rank = ranking.block_starts()[stones as usize] as usize + lane;
                        let (mover, other) = index.stones_at(Index(first + rank as u64));
                        let expected = class_of(&ruleset, subspace, stored, mover, other);
                        let holds = |word: &u64| word >> (lane % 64) & 1 == 1;
                        assert_eq!(words.iter().position(holds), expected, "{subspace} {rank}");
                        assert!(words.iter().filter(|word| holds(word)).count() <= 1);
                        seen[expected.unwrap_or(0)] += 1;
                    }
                }
            }
            assert!(seen.iter().filter(|&&count| count > 0).count() >= 4, "{subspace}: {seen:?}");
        }
    }
}
