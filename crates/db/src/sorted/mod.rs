//! The block form of the small editions: entries sorted by class, outcomes and distances apart.
//!
//! Entries of a block are sorted by their [class](threats), which is known from the position alone, so
//! that like stands beside like; within a class they keep their order. Then three zstd
//! frames follow: the outcomes, five to a byte; the distances of won entries; those of lost ones. An
//! edition without distances has the first frame only. Entries that are left out take no room.

mod shape;
mod threats;

use std::cell::RefCell;
use std::io;
use std::ops::Range;

use merels_core::{Board, LaneWords, Ruleset, Subspace, SubspaceIndex, ValueCode, binomial};

use crate::edition::{Edition, Stored};
use crate::frames;

use shape::Shape;
use threats::{CLASSES, ClassWords, RowClasses};

/// In decoded values: an entry that is left out. No value has this code.
pub const LEFT_OUT: u8 = 128;

/// Outcomes in a byte.
const TRITS: usize = 5;

/// The bytes in front of the frames, where there are three: the lengths of the first two.
const PREFIX: usize = 8;

/// Codes and decodes the blocks of a table.
#[derive(Debug)]
pub(crate) struct SortedBlocks {
    ruleset: Ruleset,
    subspace: Subspace,
    stored: Stored,
    distances: bool,
    shape: Shape,
}

/// What a thread uses again for every block.
#[derive(Default)]
struct Scratch {
    /// Where each run of up to 64 entries begins in the block, and their classes.
    runs: Vec<(u32, ClassWords)>,
    /// The values sorted by class.
    sorted: Vec<u8>,
    outcomes: Vec<u8>,
    wins: Vec<u8>,
    losses: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl SortedBlocks {
    /// For the table that `edition` keeps of a subspace, in blocks of about `entries_per_block`.
    pub(crate) fn new(
        ruleset: &Ruleset,
        subspace: Subspace,
        edition: Edition,
        entries_per_block: u32,
    ) -> Self {
        let index = SubspaceIndex::new(ruleset.board, subspace);
        Self {
            ruleset: *ruleset,
            subspace,
            stored: edition.stored(ruleset, subspace),
            distances: edition.has_distances(),
            shape: Shape::new(index, entries_per_block),
        }
    }

    /// The most bytes of a block with about so many entries.
    pub(crate) fn longest(entries_per_block: u32) -> usize {
        // The last upper pattern of a block may go beyond it by 923 entries.
        let entries = entries_per_block as usize + 1024;
        PREFIX + 3 * zstd::zstd_safe::compress_bound(entries)
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        if self.stored == Stored::Nothing { 0 } else { self.shape.blocks() }
    }

    /// How many blocks a table of which something is stored must have with so many entries.
    pub(crate) fn count_for(
        board: Board,
        subspace: Subspace,
        entries: u64,
        entries_per_block: u32,
    ) -> u64 {
        let points = board.geometry().point_count();
        let free = points.saturating_sub(subspace.mover());
        let row_len = binomial(free, subspace.other()) as u32;
        Shape::count_for(entries / u64::from(row_len.max(1)), row_len, entries_per_block)
    }

    /// The block that holds an entry.
    pub(crate) fn block_of(&self, index: u64) -> u64 {
        self.shape.block_of(index)
    }

    /// The indices of the entries of a block; an empty range if there is no such block.
    pub(crate) fn indices_of(&self, block: u64) -> Range<u64> {
        self.shape.indices_of(block)
    }

    /// Finds the classes of the entries of a block, and how many are in each.
    fn classify(&self, block: u64, runs: &mut Vec<(u32, ClassWords)>) -> [usize; CLASSES] {
        runs.clear();
        let mut counts = [0; CLASSES];
        let mut classes = RowClasses::new(&self.ruleset, self.subspace, self.stored);
        let mut start = 0;
        for part in self.shape.parts(block) {
            let index = self.shape.index();
            let key = index.classes().representative(part.class);
            let ranking = index.rankings().of(key);
            classes.turn_to(key, ranking);
            let starts = ranking.block_starts();
            for stones in part.upper {
                let Some(size) = ranking.lower_size(stones) else { continue };
                let lanes = (starts[stones as usize + 1] - starts[stones as usize]) as usize;
                for part in 0..lanes.div_ceil(LaneWords::WORD) {
                    let left = lanes - part * LaneWords::WORD;
                    let words = classes.words(stones, size, part, left);
                    for (count, word) in counts.iter_mut().zip(words) {
                        *count += word.count_ones() as usize;
                    }
                    runs.push((start, words));
                    start += left.min(LaneWords::WORD) as u32;
                }
            }
        }
        counts
    }

    /// Whether decoding gives back all that was coded.
    pub(crate) fn keeps_all(&self) -> bool {
        self.distances && self.stored == Stored::Whole
    }

    /// Codes the values of a block into `bytes`, in place of what was there. The values are left as
    /// [`SortedBlocks::decode`] gives them back.
    ///
    /// # Errors
    /// Those of zstd.
    pub(crate) fn encode(
        &self,
        block: u64,
        values: &mut [u8],
        level: i32,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        SCRATCH.with_borrow_mut(|scratch| {
            let counts = self.classify(block, &mut scratch.runs);
            let total = sort(values, &scratch.runs, &counts, &mut scratch.sorted);
            let sorted = &mut scratch.sorted[..total];
            bytes.clear();
            pack_outcomes(sorted, &mut scratch.outcomes);
            if !self.distances {
                sorted.iter_mut().for_each(|code| *code = without_distance(*code));
            }
            if !self.keeps_all() {
                values.fill(LEFT_OUT);
                scatter(sorted, &scratch.runs, &counts, values);
            }
            if !self.distances {
                return frames::append(&scratch.outcomes, level, bytes);
            }
            split_distances(sorted, &mut scratch.wins, &mut scratch.losses);
            bytes.extend([0; PREFIX]);
            frames::append(&scratch.outcomes, level, bytes)?;
            let first = (bytes.len() - PREFIX) as u32;
            if !scratch.wins.is_empty() {
                frames::append(&scratch.wins, level, bytes)?;
            }
            let second = (bytes.len() - PREFIX) as u32 - first;
            if !scratch.losses.is_empty() {
                frames::append(&scratch.losses, level, bytes)?;
            }
            bytes[..4].copy_from_slice(&first.to_le_bytes());
            bytes[4..PREFIX].copy_from_slice(&second.to_le_bytes());
            Ok(())
        })
    }

    /// Decodes a block into a buffer of its exact size: codes of values, [`LEFT_OUT`] where the
    /// table has none. Without distances a win is one in 1 ply, a loss one in 0.
    ///
    /// # Errors
    /// Why the bytes are no such block.
    pub(crate) fn decode(&self, block: u64, bytes: &[u8], values: &mut [u8]) -> Result<(), String> {
        SCRATCH.with_borrow_mut(|scratch| {
            let counts = self.classify(block, &mut scratch.runs);
            let total: usize = counts.iter().sum();
            let cut_off = || "it is cut off".to_owned();
            let (outcomes, wins, losses) = if self.distances {
                let (prefix, rest) = bytes.split_at_checked(PREFIX).ok_or_else(cut_off)?;
                let length = |at: usize| {
                    let bytes = [prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]];
                    u32::from_le_bytes(bytes) as usize
                };
                let (outcomes, rest) = rest.split_at_checked(length(0)).ok_or_else(cut_off)?;
                let (wins, losses) = rest.split_at_checked(length(4)).ok_or_else(cut_off)?;
                (outcomes, wins, losses)
            } else {
                (bytes, &[][..], &[][..])
            };
            unframe(outcomes, total.div_ceil(TRITS), &mut scratch.outcomes)?;
            let (won, lost) = unpack_outcomes(&scratch.outcomes, total, &mut scratch.sorted)?;
            if self.distances {
                unframe(wins, won, &mut scratch.wins)?;
                unframe(losses, lost, &mut scratch.losses)?;
                join_distances(&mut scratch.sorted[..total], &scratch.wins, &scratch.losses)?;
            }
            if total < values.len() {
                values.fill(LEFT_OUT);
            }
            scatter(&scratch.sorted, &scratch.runs, &counts, values);
            Ok(())
        })
    }
}

/// Where each class begins among the sorted entries.
fn starts_of(counts: &[usize; CLASSES]) -> [usize; CLASSES] {
    let mut next = 0;
    counts.map(|count| {
        next += count;
        next - count
    })
}

/// Sorts stored values by class; gives how many there are. What `sorted` holds beyond means nothing.
fn sort(
    values: &[u8],
    runs: &[(u32, ClassWords)],
    counts: &[usize; CLASSES],
    sorted: &mut Vec<u8>,
) -> usize {
    let mut places = starts_of(counts);
    let total = counts.iter().sum();
    sorted.resize(total, 0);
    for (start, words) in runs {
        let values = &values[*start as usize..];
        for (place, &word) in places.iter_mut().zip(words) {
            let mut left = word;
            while left != 0 {
                sorted[*place] = values[left.trailing_zeros() as usize];
                *place += 1;
                left &= left - 1;
            }
        }
    }
    total
}

/// The reverse of [`sort`].
fn scatter(
    sorted: &[u8],
    runs: &[(u32, ClassWords)],
    counts: &[usize; CLASSES],
    values: &mut [u8],
) {
    let mut places = starts_of(counts);
    for (start, words) in runs {
        let values = &mut values[*start as usize..];
        for (place, &word) in places.iter_mut().zip(words) {
            let mut left = word;
            while left != 0 {
                values[left.trailing_zeros() as usize] = sorted[*place];
                *place += 1;
                left &= left - 1;
            }
        }
    }
}

const DRAW: u8 = ValueCode::DRAW.byte();

/// Codes that stand for a loss, a draw and a win where distances are not kept.
const OUTCOMES: [u8; 3] = [ValueCode::LOST.byte(), DRAW, u8::MAX];

/// 0 for a loss, 1 for a draw, 2 for a win.
#[inline]
fn trit(code: u8) -> u8 {
    u8::from(code >= DRAW) + u8::from(code > DRAW)
}

#[inline]
fn without_distance(code: u8) -> u8 {
    OUTCOMES[usize::from(trit(code))]
}

/// Five outcomes to a byte; the first of them counts least.
fn pack_outcomes(sorted: &[u8], outcomes: &mut Vec<u8>) {
    let whole = sorted.chunks_exact(TRITS);
    let rest = whole.remainder();
    outcomes.clear();
    outcomes.extend(whole.map(|five| {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| trit(five[i]));
        a + 3 * b + 9 * c + 27 * d + 81 * e
    }));
    if !rest.is_empty() {
        outcomes.push(rest.iter().rev().fold(0, |byte, code| 3 * byte + trit(*code)));
    }
}

/// The outcomes of every byte, as codes without distances.
static UNPACKED: [[u8; TRITS]; 243] = {
    let mut table = [[0; TRITS]; 243];
    let mut byte = 0;
    while byte < 243 {
        let (mut left, mut i) = (byte, 0);
        while i < TRITS {
            table[byte][i] = OUTCOMES[left % 3];
            left /= 3;
            i += 1;
        }
        byte += 1;
    }
    table
};

/// The reverse of [`pack_outcomes`]: codes without distances; gives the numbers of wins and losses.
fn unpack_outcomes(
    outcomes: &[u8],
    total: usize,
    sorted: &mut Vec<u8>,
) -> Result<(usize, usize), String> {
    sorted.resize(outcomes.len() * TRITS, 0);
    for (five, &byte) in sorted.chunks_exact_mut(TRITS).zip(outcomes) {
        let codes = UNPACKED.get(usize::from(byte)).ok_or("a byte is no five outcomes")?;
        five.copy_from_slice(codes);
    }
    let (codes, padding) = sorted.split_at(total);
    if padding.iter().any(|&code| code != ValueCode::LOST.byte()) {
        return Err("there are outcomes beyond its entries".into());
    }
    let won = codes.iter().filter(|&&code| code > DRAW).count();
    let lost = codes.iter().filter(|&&code| code < DRAW).count();
    Ok((won, lost))
}

/// Distances of wins in `2 k + 1` plies as `k`, of losses in `2 e` plies as `e`.
fn split_distances(sorted: &[u8], wins: &mut Vec<u8>, losses: &mut Vec<u8>) {
    // Every code is written to both, and stays in one or none: no branch that could be mispredicted.
    wins.resize(sorted.len() + 1, 0);
    losses.resize(sorted.len() + 1, 0);
    let (mut won, mut lost) = (0, 0);
    for &code in sorted {
        wins[won] = !code;
        won += usize::from(code > DRAW);
        losses[lost] = code;
        lost += usize::from(code < DRAW);
    }
    wins.truncate(won);
    losses.truncate(lost);
}

/// The reverse of [`split_distances`], on codes without distances.
fn join_distances(sorted: &mut [u8], wins: &[u8], losses: &[u8]) -> Result<(), String> {
    if wins.iter().chain(losses).any(|&distance| distance >= DRAW) {
        return Err("a distance is longer than a value can say".into());
    }
    let (mut wins, mut losses) = (wins.iter(), losses.iter());
    for code in sorted {
        let distance = match *code {
            DRAW => continue,
            win if win > DRAW => wins.next().map(|k| !k),
            _ => losses.next().copied(),
        };
        *code = distance.ok_or("it has fewer distances than outcomes")?;
    }
    Ok(())
}

/// Decompresses a frame that must hold `length` bytes; no frame at all stands for none.
fn unframe(frame: &[u8], length: usize, bytes: &mut Vec<u8>) -> Result<(), String> {
    bytes.resize(length, 0);
    let found = if frame.is_empty() {
        0
    } else {
        frames::decompress(frame, bytes)
            .map_err(|error| format!("it does not decompress: {error}"))?
    };
    if found == length {
        Ok(())
    } else {
        Err(format!("a frame has {found} bytes instead of {length}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made_up(index: u64) -> u8 {
        let mixed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        match mixed % 7 {
            0 => (mixed >> 8) as u8 % 127,
            1 | 2 => 255 - (mixed >> 8) as u8 % 127,
            _ => DRAW,
        }
    }

    #[test]
    fn blocks_are_decoded_as_they_were_coded() {
        let standard = Ruleset::STANDARD;
        let cases = [
            (Subspace::moving(3, 4), 5000),
            (Subspace::moving(4, 4), 5000),
            (Subspace::moving(3, 3), 1 << 16),
            (Subspace::placing(0, 0, 9, 9), 1000),
            (Subspace::placing(1, 2, 8, 8), 8),
        ];
        for (subspace, entries_per_block) in cases {
            for edition in [Edition::Compact, Edition::Outcome] {
                let blocks = SortedBlocks::new(&standard, subspace, edition, entries_per_block);
                let mut bytes = Vec::new();
                let (mut stored, mut all) = (0, 0);
                for block in 0..blocks.blocks() {
                    let indices = blocks.indices_of(block);
                    let values: Vec<u8> = indices.map(made_up).collect();
                    let mut reduced = values.clone();
                    blocks.encode(block, &mut reduced, 1, &mut bytes).unwrap();
                    assert!(bytes.len() <= SortedBlocks::longest(entries_per_block));
                    let mut decoded = vec![1; values.len()];
                    blocks.decode(block, &bytes, &mut decoded).unwrap();
                    assert_eq!(decoded, reduced);
                    for (&found, &value) in decoded.iter().zip(&values) {
                        all += 1;
                        if found == LEFT_OUT {
                            continue;
                        }
                        stored += 1;
                        if edition == Edition::Compact {
                            assert_eq!(found, value);
                        } else {
                            assert_eq!(found.cmp(&DRAW), value.cmp(&DRAW));
                        }
                    }
                }
                let half = blocks.stored == Stored::Half;
                let share = f64::from(stored) / f64::from(all);
                assert!(if half { (0.45..0.55).contains(&share) } else { share == 1.0 }, "{share}");
            }
        }
    }

    /// They come with blocks that are much smaller than those of files; both editions code them alike.
    #[test]
    fn blocks_without_stored_entries() {
        let four: Ruleset = "four".parse().unwrap();
        let of = |edition| SortedBlocks::new(&four, Subspace::moving(4, 4), edition, 4);
        let (compact, outcome) = (of(Edition::Compact), of(Edition::Outcome));
        let mut empty = 0;
        for block in 0..compact.blocks() {
            let values: Vec<u8> = compact.indices_of(block).map(made_up).collect();
            let (mut kept, mut same) = (values.clone(), values.clone());
            let (mut bytes, mut outcomes) = (Vec::new(), Vec::new());
            compact.encode(block, &mut kept, 1, &mut bytes).unwrap();
            outcome.encode(block, &mut same, 1, &mut outcomes).unwrap();
            assert!(!outcomes.is_empty());
            assert!(bytes[PREFIX..].starts_with(&outcomes));
            let mut decoded = vec![1; values.len()];
            compact.decode(block, &bytes, &mut decoded).unwrap();
            assert_eq!(decoded, kept);
            if decoded.iter().all(|&byte| byte == LEFT_OUT) {
                empty += 1;
                assert_eq!(bytes.len(), PREFIX + outcomes.len());
                outcome.decode(block, &outcomes, &mut decoded).unwrap();
                assert_eq!(decoded, kept);
            }
        }
        assert!(empty > 0);
    }

    #[test]
    fn damaged_blocks_are_refused() {
        let blocks =
            SortedBlocks::new(&Ruleset::STANDARD, Subspace::moving(3, 4), Edition::Compact, 5000);
        let mut values: Vec<u8> = blocks.indices_of(3).map(made_up).collect();
        let mut bytes = Vec::new();
        blocks.encode(3, &mut values, 1, &mut bytes).unwrap();
        let mut decoded = vec![0; values.len()];
        for length in 0..bytes.len() {
            assert!(blocks.decode(3, &bytes[..length], &mut decoded).is_err(), "{length} bytes");
        }
        let mut other = vec![0; blocks.indices_of(4).count()];
        assert!(blocks.decode(4, &bytes, &mut other).is_err(), "another block");
        for i in 0..PREFIX {
            let mut changed = bytes.clone();
            changed[i] ^= 0x41;
            assert!(blocks.decode(3, &changed, &mut decoded).is_err(), "byte {i}");
        }
    }
}
