//! Placing a stone: the values of a whole row from the rows that follow.
//!
//! In a subspace with stones in hand the side to move (W) places a stone, so that its stones grow by
//! one and the other side's (B) stay: the position after the placing, with B to move, is in the row
//! of the same key B. There are no cycles, so one pass is enough: the value of `w` is the least, for B,
//! over all empty points `x` of the value of `w + x`; or of its removal value where `x` closes a mill.
//!
//! A row is worked on block by block, 64 lanes at a time. A placing on an upper point leads to
//! another block, same lane; a placing on a lower point leads to a block with one lower stone more,
//! each lane to a fixed other lane. Which lanes close a mill is the intersection of fixed lane masks.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;
use merels_core::{LaneWords, Points, Ranking, RowRankings, Ruleset, Subspace, bits};

use crate::dispatch::{self, Cpu, Processor, Work};
use crate::lanes::LANE_STEPS;
use crate::memory::{ByteTable, Pool, as_atomic};
use crate::removals::{AfterRemoval, Child, RemovalValues};
use crate::rows::{Row, Rows};
use crate::transpose::{KeyGroup, Run, RunTables, Transposer};

/// Longest block whose lanes are bytes.
const SHORT: usize = u8::MAX as usize + 1;

/// A subspace with stones in hand, and what its moves lead to.
pub(crate) struct PlacingStep {
    /// The subspace.
    pub(crate) subspace: Subspace,
    /// Rows keyed by the other side that hold the mover's stones with one more of them.
    pub(crate) rows: Rows,
    /// The rankings of the mover's stones in those rows before the placing.
    pub(crate) rankings: RowRankings,
    /// The subspace after the placing.
    pub(crate) placed: Arc<Child>,
    /// The subspace after a removal.
    pub(crate) after: AfterRemoval,
}

impl PlacingStep {
    pub(crate) fn new(
        ruleset: &Ruleset,
        subspace: Subspace,
        placed: Arc<Child>,
        after: AfterRemoval,
    ) -> Self {
        let (mover, other) = (subspace.mover(), subspace.other());
        let rows = Rows::new(ruleset.board, other, mover + 1);
        let rankings = RowRankings::new(ruleset.board, other, mover);
        Self { subspace, rows, rankings, placed, after }
    }
}

/// The two other points of a line, compressed: what must be there for a stone to close the mill.
#[derive(Clone, Copy)]
struct Threat {
    upper: u32,
    lower: u32,
}

/// Works out the values of rows; holds scratch memory that is used again for every row.
pub(crate) struct RowPlacer<'a> {
    step: &'a PlacingStep,
    removals: RemovalValues<'a>,
    /// By free point, lower ones first.
    threats: Vec<ArrayVec<Threat, 4>>,
}

impl<'a> RowPlacer<'a> {
    pub(crate) fn new(ruleset: &'a Ruleset, step: &'a PlacingStep) -> Self {
        let removals = RemovalValues::new(ruleset, &step.rows, &step.after);
        Self { step, removals, threats: Vec::new() }
    }

    /// Writes the values of the row of `class`, by rank of the mover's stones before the placing.
    #[inline(always)]
    pub(crate) fn fill<C: Cpu>(&mut self, cpu: C, class: usize, values: &mut [u8]) {
        let step = self.step;
        let row = step.rows.row(class);
        self.find_threats(&row);
        let before = step.rankings.of(row.key);
        let placed = step.placed.row(class);
        let removed = self.removals.values(cpu, &row);
        let words = LaneWords::shared();
        let blocks = Blocks { row, before, placed, removed, threats: &self.threats, words };
        for stones in 0..1_u32 << before.upper() {
            blocks.fill(cpu, stones, values);
        }
    }

    fn find_threats(&mut self, row: &Row<'_>) {
        self.threats.clear();
        let board = self.step.rows.board().geometry();
        for point in Points::from_bits(row.free) {
            let mut threats = ArrayVec::new();
            for line in board.lines_through(point) {
                if line.bits() & !row.free == 0 {
                    let others = bits::extract(line.without(point).bits(), row.free);
                    let lower = others & ((1 << row.lower) - 1);
                    threats.push(Threat { upper: others >> row.lower, lower });
                }
            }
            self.threats.push(threats);
        }
    }
}

/// A row under work.
struct Blocks<'a> {
    /// The row after the placing.
    row: Row<'a>,
    /// The numbering before it.
    before: &'a Ranking,
    placed: &'a [u8],
    removed: Option<&'a [u8]>,
    threats: &'a [ArrayVec<Threat, 4>],
    words: &'static LaneWords,
}

impl Blocks<'_> {
    /// Where the block of these upper stones lies in the row after the placing.
    #[inline(always)]
    fn range(&self, stones: u32) -> std::ops::Range<usize> {
        self.row.starts[stones as usize] as usize..self.row.starts[stones as usize + 1] as usize
    }

    /// Fills the block of the mover's upper `stones`.
    #[inline(always)]
    fn fill<C: Cpu>(&self, cpu: C, stones: u32, values: &mut [u8]) {
        let starts = self.before.block_starts();
        let block = starts[stones as usize] as usize..starts[stones as usize + 1] as usize;
        if block.is_empty() {
            return;
        }
        let size = self.before.size() - stones.count_ones() as u8;
        let lower_block = self.range(stones);
        for (part, target) in values[block].chunks_mut(64).enumerate() {
            let mut least = cpu.splat(u8::MAX);
            let mut left = !stones & ((1 << self.before.upper()) - 1);
            while left != 0 {
                let point = left.trailing_zeros() as usize;
                left &= left - 1;
                let from = self.range(stones | 1 << point).start + 64 * part;
                let lanes = from..from + target.len();
                let mut value = cpu.load(&self.placed[lanes.clone()]);
                if let Some(removed) = self.removed {
                    let mills = self.mills(self.row.lower as usize + point, stones, size, part);
                    if mills != 0 {
                        value = cpu.select(mills, value, cpu.load(&removed[lanes]));
                    }
                }
                least = cpu.min(least, value);
            }
            if lower_block.len() > SHORT {
                least = self.place_below_singly(cpu, stones, size, part, target, least);
            } else if !lower_block.is_empty() {
                for point in 0..self.row.lower as usize {
                    let places = cpu.load(&LANE_STEPS.adding_short(size, point)[64 * part..]);
                    let mut value = cpu.pick(&self.placed[lower_block.clone()], places);
                    if let Some(removed) = self.removed {
                        let mills = self.mills(point, stones, size, part);
                        if mills != 0 {
                            let removed = cpu.pick(&removed[lower_block.clone()], places);
                            value = cpu.select(mills, value, removed);
                        }
                    }
                    let occupied = self.words.holding(size, part, 1 << point);
                    least = cpu.select(occupied, cpu.min(least, value), least);
                }
            }
            cpu.store(cpu.before(least), target);
        }
    }

    /// The lanes in which a stone on the free point `point` closes a mill.
    #[inline(always)]
    fn mills(&self, point: usize, stones: u32, size: u8, part: usize) -> u64 {
        let mut mills = 0;
        for threat in &self.threats[point] {
            if stones & threat.upper == threat.upper {
                mills |= self.words.holding(size, part, threat.lower);
            }
        }
        mills
    }

    /// Placings on lower points where the block that they lead to is longer than a byte can say.
    #[inline(always)]
    fn place_below_singly<C: Cpu>(
        &self,
        cpu: C,
        stones: u32,
        size: u8,
        part: usize,
        target: &mut [u8],
        least: C::Lanes,
    ) -> C::Lanes {
        cpu.store(least, target);
        let lower_block = self.range(stones);
        for point in 0..self.row.lower as usize {
            let mills = self.mills(point, stones, size, part);
            let occupied = self.words.holding(size, part, 1 << point);
            let places = &LANE_STEPS.adding(size, point)[64 * part..];
            for (lane, (value, &place)) in target.iter_mut().zip(places).enumerate() {
                let place = lower_block.start + usize::from(place);
                let source = match self.removed {
                    Some(removed) if mills >> lane & 1 == 1 => removed,
                    _ => self.placed,
                };
                if occupied >> lane & 1 == 0 {
                    *value = (*value).min(source[place]);
                }
            }
        }
        cpu.load(target)
    }
}

/// Memory of each thread that is used for one subspace after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    threads: Vec<Mutex<(Vec<u8>, Vec<Run>)>>,
}

/// Solves a subspace with stones in hand. Gives the rows keyed by the mover's stones, and their
/// table.
///
/// # Errors
/// If the system does not give the memory.
pub(crate) fn solve(
    ruleset: &Ruleset,
    step: &PlacingStep,
    tables: &RunTables,
    processor: Processor,
    pool: &Arc<Pool>,
    scratch: &mut Scratch,
) -> std::io::Result<(Rows, ByteTable)> {
    let target = Rows::new(ruleset.board, step.subspace.mover(), step.subspace.other());
    let mut values = pool.table(target.table_len())?;
    let transposer = Transposer {
        tables,
        source: &step.rows,
        rankings: &step.rankings,
        target: &target,
        values: as_atomic(&mut values),
    };
    let mut groups = KeyGroup::all(&step.rows);
    // Groups differ in size a thousandfold: each thread takes the largest that is left.
    groups.sort_by_key(|group| Reverse(group.classes.len()));
    let next = AtomicUsize::new(0);
    scratch.threads.resize_with(rayon::current_num_threads(), Mutex::default);
    let threads = &scratch.threads;
    rayon::broadcast(|thread| {
        let mut placer = RowPlacer::new(ruleset, step);
        let mut scratch = threads[thread.index()].lock().unwrap_or_else(PoisonError::into_inner);
        let (buffer, runs) = &mut *scratch;
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row_len = transposer.row_len(group);
            let len = group.buffer_rows(&step.rows) * row_len;
            if buffer.len() < len {
                buffer.resize(len, 0);
            }
            let buffer = &mut buffer[..len];
            dispatch::run(processor, GroupPlacing { placer: &mut placer, group, row_len, buffer });
            transposer.store(group, buffer, runs);
        }
    });
    Ok((target, values))
}

/// The values of the rows of a group.
struct GroupPlacing<'a, 'b> {
    placer: &'a mut RowPlacer<'b>,
    group: &'a KeyGroup,
    row_len: usize,
    buffer: &'a mut [u8],
}

impl Work for GroupPlacing<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        for class in self.group.classes.clone() {
            let row = self.group.buffer_row(self.placer.step.rows.row(class).key);
            let values = &mut self.buffer[row * self.row_len..][..self.row_len];
            self.placer.fill(cpu, class, values);
        }
    }
}

#[cfg(test)]
mod tests {
    use merels_core::{Board, Index, Position, SubspaceIndex, Value, ValueCode};

    use super::*;
    use crate::plan::AfterPlacing;
    use crate::removals::tests::made_up_child;

    /// Every entry by plain moves from made-up values of the subspaces that follow.
    fn check(ruleset: &Ruleset, subspace: Subspace) {
        let board = ruleset.board;
        let next = subspace.after_placing();
        let placed = Arc::new(made_up_child(board, next.mover(), next.other()));
        let after = match AfterPlacing::of(next) {
            AfterPlacing::Never => AfterRemoval::Never,
            AfterPlacing::Lost => AfterRemoval::Lost,
            AfterPlacing::Child(child) => {
                AfterRemoval::Child(Arc::new(made_up_child(board, child.mover(), child.other())))
            }
        };
        let step = PlacingStep::new(ruleset, subspace, placed, after);
        let value_of = |position: &Position| {
            let (mover, other) = (position.mover(), position.other());
            if mover.total() < Ruleset::MIN_STONES {
                return Value::LOST;
            }
            let child = match &step.after {
                AfterRemoval::Child(child) if mover.board.len() < next.mover() => child,
                _ => &step.placed,
            };
            let byte = child.values[child.index.index_of(mover.board, other.board).0 as usize];
            ValueCode::from_byte(byte).unwrap().value()
        };
        let index = SubspaceIndex::new(board, subspace);
        let expected: Vec<_> = (0..index.entries())
            .map(|i| {
                let (mover, other) = index.stones_at(Index(i));
                let position = Position::of_subspace(subspace, mover, other);
                let moves = ruleset.legal_moves(&position);
                let best = moves.iter().map(|mv| value_of(&mv.apply(&position)).before()).max();
                ValueCode::from_value(best.unwrap()).unwrap().byte()
            })
            .collect();
        let tables = RunTables::new(board);
        let pool = Pool::new(0);
        for processor in Processor::available() {
            let (rows, values) =
                solve(ruleset, &step, &tables, processor, &pool, &mut Scratch::default()).unwrap();
            let found: Vec<_> = values
                .chunks(rows.stride())
                .flat_map(|row| &row[..rows.row_len()])
                .copied()
                .collect();
            let wrong = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            assert_eq!(wrong, None, "{board} {subspace} {}", processor.name());
        }
    }

    #[test]
    fn rows_equal_plain_placings() {
        let six = Ruleset { board: Board::Six, stones: 6, ..Ruleset::STANDARD };
        let three = Ruleset { board: Board::Three, stones: 3, ..Ruleset::STANDARD };
        let twelve = Ruleset { board: Board::Twelve, ..Ruleset::STANDARD };
        let strict = Ruleset { removal: merels_core::Removal::Strict, ..Ruleset::STANDARD };
        for (ruleset, subspace) in [
            (Ruleset::STANDARD, Subspace::placing(0, 0, 9, 9)),
            (Ruleset::STANDARD, Subspace::placing(3, 0, 4, 7)),
            (Ruleset::STANDARD, Subspace::placing(2, 3, 2, 1)),
            (Ruleset::STANDARD, Subspace::placing(3, 4, 2, 2)),
            (Ruleset::STANDARD, Subspace::placing(3, 3, 1, 0)),
            (Ruleset::STANDARD, Subspace::placing(6, 1, 1, 2)),
            (strict, Subspace::placing(3, 3, 1, 1)),
            (twelve, Subspace::placing(3, 3, 1, 1)),
            (six, Subspace::placing(4, 5, 1, 0)),
            (six, Subspace::placing(3, 3, 2, 2)),
            (three, Subspace::placing(2, 2, 1, 1)),
        ] {
            check(&ruleset, subspace);
        }
    }
}
