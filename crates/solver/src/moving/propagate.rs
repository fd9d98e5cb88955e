//! One layer on a chunk of rows: from decided positions back to the positions before them.
//!
//! In a row keyed by X, a *source* is an arrangement of the stones of the other side (Y) after Y's
//! move. Either X is to move and its value is decided at the layer's distance, or the arrangement
//! holds a mill and the value after the removal is decided at that distance. The un-moves of a
//! source lead to entries of the counter row, in which Y is to move. A lost source makes them won.
//! A won source takes one off their counters; at zero they are lost. The point of arrival decides
//! which un-moves belong to which kind of source: a stone in a mill closed the mill by arriving.
//!
//! If Y has stones in hand, its best placing is one more way out of a position with Y to move, and
//! the value of that placing is known from the start. It takes part in the layer of its distance
//! without an un-move, since it belongs to the same entry of the counter row.
//!
//! A counter of zero means decided.

use merels_core::{Board, Plies, Removal, Ruleset};
use merels_simd::{Cpu, Work, equal_bytes, prefetch};

use crate::moving::counters::Movement;
use crate::moving::decided::{Decided, Effect, Tally};
use crate::moving::queue::ValueQueue;
use crate::moving::sweep::{RowBits, SweepRow, Sweeper};
use crate::moving::unmove_buffer::{ChunkRow, UnmoveBuffer};
use crate::moving::unmoves::{
    AnySlides, Arrival, DoubleSlides, Jumps, NineSlides, TwelveSlides, Unmoves,
};
use crate::rows::edges::Edges;
use crate::rows::row::{LINE, Rows};

/// One layer on a chunk of rows.
pub(crate) struct ChunkLayer<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) rows: &'a Rows,
    pub(crate) movement: Movement,
    pub(crate) distance: Plies,
    /// The code of positions decided at `distance`.
    pub(crate) code: u8,
    /// The class of the first row.
    pub(crate) first: usize,
    pub(crate) counters: &'a mut [u8],
    pub(crate) values: &'a [u8],
    /// For each cache line of `values`, whether it holds `code`. The layer clears it.
    pub(crate) touched: &'a mut [u8],
    pub(crate) queue: &'a mut ValueQueue,
    /// The placing values, if there are any.
    pub(crate) placings: Option<&'a mut ValueQueue>,
    pub(crate) decided: &'a mut Decided,
    pub(crate) scratch: &'a mut Scratch,
    /// The edges of the board, if rows can be swept.
    pub(crate) edges: Option<&'a Edges>,
    /// A row is swept if at least one in `sweep_share` of its entries is a source; zero means
    /// never.
    pub(crate) sweep_share: usize,
}

impl Work for ChunkLayer<'_> {
    type Output = Tally;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let slides = self.rows.slides();
        match self.movement {
            Movement::Jump => Self { edges: None, ..self }.work_back(cpu, Jumps(slides)),
            Movement::Slide => match slides.board() {
                Board::Nine => self.work_back(cpu, NineSlides(slides)),
                Board::Twelve => self.work_back(cpu, TwelveSlides(slides)),
                _ => self.work_back(cpu, AnySlides(slides)),
            },
            Movement::DoubleSlide => {
                let all = Self { edges: None, ..self };
                match slides.board() {
                    Board::Twelve => {
                        all.work_back(cpu, DoubleSlides { slides, moves: TwelveSlides(slides) })
                    }
                    _ => all.work_back(cpu, DoubleSlides { slides, moves: AnySlides(slides) }),
                }
            }
        }
    }
}

impl ChunkLayer<'_> {
    /// Lines of values to prefetch ahead of their use.
    const AHEAD: usize = 16;

    #[inline(always)]
    fn work_back<C: Cpu, M: Unmoves>(mut self, cpu: C, moves: M) -> Tally {
        let effect = Effect::of(self.distance);
        let stride = self.rows.stride();
        let Scratch { lines, sources, buffer, swept, sweeper, placed } = self.scratch;
        self.decided.clear();
        take_touched(self.touched, lines);
        let mut edges = 0;
        let mut next = 0;
        for i in 0..self.counters.len() / stride {
            let row_end = ((i + 1) * stride / LINE) as u32;
            let removals = self.queue.len(i, self.distance);
            let first = next;
            let mut values = 0;
            sources.clear();
            while let Some(&line) = lines.get(next).filter(|&&line| line < row_end) {
                if let Some(&ahead) = lines.get(next + Self::AHEAD) {
                    prefetch(self.values, ahead as usize * LINE);
                }
                next += 1;
                let bytes = self.values[line as usize * LINE..].first_chunk();
                let found = equal_bytes(bytes.expect("rows are whole lines"), self.code);
                values += found.count_ones() as usize;
                sources.push(found);
            }
            let lines = &lines[first..next];
            if let Some(queue) = self.placings.as_deref_mut()
                && queue.len(i, self.distance) > 0
            {
                let class = self.first + i;
                let row = self.rows.row(class);
                let counters = &mut self.counters[i * stride..][..stride];
                placed.clear();
                queue.take(i, self.distance, |rank| {
                    edges += 1;
                    if effect.decides(&mut counters[rank]) {
                        placed.push(cpu.deposit(row.unranked[rank], row.free));
                    }
                });
                self.decided.add_all(class, placed);
            }
            if removals == 0 && lines.is_empty() {
                continue;
            }
            let class = self.first + i;
            let row = self.rows.row(class);
            let strict = self.ruleset.removal == Removal::Strict;
            let mills_remove = !(strict && self.ruleset.removable(row.key).is_empty());
            let is_dense = (values + removals) * self.sweep_share >= self.rows.row_len();
            if let Some(edges_of_board) = self.edges.filter(|_| is_dense) {
                swept.values.clear(stride);
                swept.removals.clear(stride);
                let before = i * stride / LINE;
                for (&line, &found) in lines.iter().zip(&*sources) {
                    swept.values.set_line(line as usize - before, found);
                }
                self.queue.take(i, self.distance, |rank| swept.removals.insert(rank));
                edges += cpu.call(SweepRow {
                    edges: edges_of_board,
                    row: &row,
                    effect,
                    values: &swept.values,
                    removals: &swept.removals,
                    mills_remove,
                    counters: &mut self.counters[i * stride..][..stride],
                    sweeper,
                    class,
                    decided: self.decided,
                });
                continue;
            }
            let chunk_row = ChunkRow { class, start: i * stride, row };
            let mut row_layer = RowLayer {
                chunk_row: &chunk_row,
                effect,
                counters: self.counters,
                decided: self.decided,
            };
            let row_len = self.rows.row_len();
            self.queue.take(i, self.distance, |queued| {
                let (rank, arrival) = moves.removal(queued, row_len);
                edges += row_layer.unmove(cpu, moves, buffer, rank, arrival);
            });
            let arrival = if mills_remove { Arrival::Quiet } else { Arrival::Anywhere };
            for (&line, &found) in lines.iter().zip(&*sources) {
                let start = line as usize * LINE - chunk_row.start;
                let mut found = found;
                while found != 0 {
                    let rank = start + found.trailing_zeros() as usize;
                    edges += row_layer.unmove(cpu, moves, buffer, rank, arrival);
                    found &= found - 1;
                }
            }
            edges += buffer.end_row(cpu, &chunk_row, effect, self.counters, self.decided, false);
        }
        edges += buffer.finish(cpu, effect, self.counters, self.decided);
        Tally { edges, decided: self.decided.len() as u64 }
    }
}

/// Lists the touched lines and clears the notes.
fn take_touched(touched: &mut [u8], lines: &mut Vec<u32>) {
    lines.clear();
    for (i, notes) in touched.chunks_mut(8).enumerate() {
        if notes.iter().fold(0, |all, note| all | note) == 0 {
            continue;
        }
        for (j, note) in notes.iter_mut().enumerate() {
            if std::mem::take(note) != 0 {
                lines.push((8 * i + j) as u32);
            }
        }
    }
}

/// One layer on one row, un-move by un-move.
struct RowLayer<'a> {
    chunk_row: &'a ChunkRow<'a>,
    effect: Effect,
    counters: &'a mut [u8],
    decided: &'a mut Decided,
}

impl RowLayer<'_> {
    /// Adds the un-moves of a source. If they may not fit, tests the waiting counters first and
    /// returns their number.
    #[inline(always)]
    fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        moves: impl Unmoves,
        buffer: &mut UnmoveBuffer,
        rank: usize,
        arrival: Arrival,
    ) -> u64 {
        let mut edges = 0;
        if buffer.is_full() {
            edges =
                buffer.end_row(cpu, self.chunk_row, self.effect, self.counters, self.decided, true);
        }
        buffer.unmove(cpu, moves, &self.chunk_row.row, rank, arrival);
        edges
    }
}

/// Scratch memory of a thread, used for one chunk after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The touched lines of the chunk.
    lines: Vec<u32>,
    /// The sources among the lines of a row.
    sources: Vec<u64>,
    buffer: UnmoveBuffer,
    /// The sources of a row that is swept.
    swept: SweptSources,
    sweeper: Sweeper,
    /// The positions that placings in a row decide.
    placed: Vec<u32>,
}

#[derive(Default)]
struct SweptSources {
    values: RowBits,
    removals: RowBits,
}
