//! One layer within a chunk of rows: from decided positions back to those that lead to them.
//!
//! In a row keyed by X, a *source* is an arrangement of the other side's (Y's) stones after Y's
//! move: either X is to move and its value is decided at the layer's distance, or the arrangement
//! holds a mill and the removal that follows is. Its un-moves lead to entries of the counter row, in
//! which Y is to move. A lost source decides them as won; a won source takes one off their
//! counters, and at zero they are lost. Which un-moves belong to which kind of source is a matter of
//! where the stone arrived: a stone that stands in a mill closed it by arriving.
//!
//! Where Y has stones in hand, the best placing is one more way out of a position with Y to move, and its
//! value is known from the start. It takes part in the layer of its distance, without an un-move: it belongs
//! to the very entry of the counter row.
//!
//! A counter of zero means decided.
//!
//! In most layers a row has a few sources, and nothing of it is in a cache. So un-moves are worked on
//! in three steps, each a plain loop over many: collect the sets of stones, work out their places
//! and prefetch the counters there, look at the counters.

use merels_core::{Board, Plies, Removal, Ruleset, lower_ranks};

use crate::dispatch::{Cpu, Work, equal_bytes};
use crate::moving::counters::Movement;
use crate::moving::decided::{Decided, Effect, Tally};
use crate::moving::queue::ValueQueue;
use crate::moving::sweep::{RowBits, SweepRow, Sweeper};
use crate::moving::unmoves::{
    AnySlides, Arrival, DoubleSlides, Jumps, MOST_UNMOVES, NineSlides, TwelveSlides, Unmoves,
};
use crate::rows::bytes::prefetch;
use crate::rows::edges::Edges;
use crate::rows::row::{LINE, Row, Rows};

/// One layer on a chunk of rows.
pub(crate) struct ChunkLayer<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) rows: &'a Rows,
    pub(crate) movement: Movement,
    pub(crate) distance: Plies,
    /// The code of positions decided at that distance.
    pub(crate) code: u8,
    /// The class of the first row.
    pub(crate) first: usize,
    pub(crate) counters: &'a mut [u8],
    pub(crate) values: &'a [u8],
    /// For each cache line of `values`, whether it holds the code. Cleared.
    pub(crate) touched: &'a mut [u8],
    pub(crate) queue: &'a mut ValueQueue,
    /// The placing values, if there are any.
    pub(crate) placings: Option<&'a mut ValueQueue>,
    pub(crate) decided: &'a mut Decided,
    pub(crate) scratch: &'a mut Scratch,
    /// The edges of the board, if rows can be swept.
    pub(crate) edges: Option<&'a Edges>,
    /// A row is swept if one of so many entries, or more, is a source; zero for never.
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
    /// Lines of values that are prefetched ahead of their use.
    const AHEAD: usize = 16;

    #[inline(always)]
    fn work_back<C: Cpu, M: Unmoves>(mut self, cpu: C, moves: M) -> Tally {
        let effect = Effect::of(self.distance);
        let stride = self.rows.stride();
        let Scratch { lines, sources, reached, swept, sweeper, placed } = self.scratch;
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
            let place = Place { class, start: i * stride, row };
            let mut row_layer =
                RowLayer { place: &place, effect, counters: self.counters, decided: self.decided };
            let row_len = self.rows.row_len();
            self.queue.take(i, self.distance, |queued| {
                let (rank, arrival) = moves.removal(queued, row_len);
                edges += row_layer.unmove(cpu, moves, reached, rank, arrival);
            });
            let arrival = if mills_remove { Arrival::Quiet } else { Arrival::Anywhere };
            for (&line, &found) in lines.iter().zip(&*sources) {
                let start = line as usize * LINE - place.start;
                let mut found = found;
                while found != 0 {
                    let rank = start + found.trailing_zeros() as usize;
                    edges += row_layer.unmove(cpu, moves, reached, rank, arrival);
                    found &= found - 1;
                }
            }
            edges += reached.end_row(cpu, &place, effect, self.counters, self.decided, false);
        }
        edges += reached.finish(cpu, effect, self.counters, self.decided);
        Tally { edges, decided: self.decided.len() as u64 }
    }
}

/// Lists the lines that are touched, and clears the notes.
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

/// A row within its chunk.
struct Place<'a> {
    class: usize,
    /// Where its counters start within those of the chunk.
    start: usize,
    row: Row<'a>,
}

/// One layer on one row, by un-moves one by one.
struct RowLayer<'a> {
    place: &'a Place<'a>,
    effect: Effect,
    counters: &'a mut [u8],
    decided: &'a mut Decided,
}

impl RowLayer<'_> {
    /// Adds the un-moves of a source. If there may not be room for them, the counters of those that
    /// wait are looked at before; gives the number of those.
    #[inline(always)]
    fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        moves: impl Unmoves,
        reached: &mut Reached,
        rank: usize,
        arrival: Arrival,
    ) -> u64 {
        let mut edges = 0;
        if reached.is_full() {
            edges =
                reached.end_row(cpu, self.place, self.effect, self.counters, self.decided, true);
        }
        reached.unmove(cpu, moves, &self.place.row, rank, arrival);
        edges
    }
}

/// Memory of a thread that is used for one chunk after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The lines of the chunk that are touched.
    lines: Vec<u32>,
    /// The sources among the lines of a row.
    sources: Vec<u64>,
    reached: Reached,
    /// The sources of a row that is swept.
    swept: SweptSources,
    sweeper: Sweeper,
    /// What the placings of a row decide.
    placed: Vec<u32>,
}

#[derive(Default)]
struct SweptSources {
    values: RowBits,
    removals: RowBits,
}

/// Un-moves on their way to the counters.
struct Reached {
    /// The sets of stones before the move.
    stones: Box<[u32; Self::CAPACITY]>,
    /// Where their counters are, within those of the chunk; worked out for rows that have ended.
    places: Box<[u32; Self::CAPACITY]>,
    len: usize,
    /// The classes of the rows that have ended, and where their un-moves end.
    rows: Vec<(usize, usize)>,
}

impl Default for Reached {
    fn default() -> Self {
        let zeros = || Box::new([0; Self::CAPACITY]);
        Self { stones: zeros(), places: zeros(), len: 0, rows: Vec::new() }
    }
}

impl Reached {
    const CAPACITY: usize = 4096;

    /// How many may wait: their counters, each in a line of its own, fit a first-level cache.
    const WAITING: usize = 384;

    /// Whether the un-moves of one more source may not fit.
    #[inline(always)]
    const fn is_full(&self) -> bool {
        self.len > Self::CAPACITY - MOST_UNMOVES
    }

    /// Adds the un-moves of the source of rank `rank`.
    ///
    /// # Panics
    /// If this [is full](Self::is_full).
    #[inline(always)]
    fn unmove<C: Cpu>(
        &mut self,
        cpu: C,
        moves: impl Unmoves,
        row: &Row<'_>,
        rank: usize,
        arrival: Arrival,
    ) {
        let stones = cpu.deposit(row.unranked[rank], row.free);
        let arrived = moves.arrived(stones, arrival);
        let window = self.stones[self.len..].first_chunk_mut().expect("room for one more source");
        self.len += moves.unmoves(cpu, stones, arrived, row.free & !stones, window);
    }

    /// Works out the places of the un-moves added since the last row ended; looks at the counters if
    /// enough of them wait, or if `all` of them must be looked at. Gives the number of un-moves
    /// completed.
    #[inline(always)]
    fn end_row<C: Cpu>(
        &mut self,
        cpu: C,
        place: &Place<'_>,
        effect: Effect,
        counters: &mut [u8],
        decided: &mut Decided,
        all: bool,
    ) -> u64 {
        let new = self.rows.last().map_or(0, |&(_, end)| end)..self.len;
        let (row, start) = (place.row, place.start);
        let (stones, places) = (&self.stones[new.clone()], &mut self.places[new]);
        cpu.call(Locate { row, start, stones, places, counters });
        self.rows.push((place.class, self.len));
        if all || self.len > Self::WAITING {
            self.finish(cpu, effect, counters, decided)
        } else {
            0
        }
    }

    /// Looks at the counters of all un-moves that wait. Gives their number.
    #[inline(always)]
    fn finish<C: Cpu>(
        &mut self,
        cpu: C,
        effect: Effect,
        counters: &mut [u8],
        decided: &mut Decided,
    ) -> u64 {
        let mut start = 0;
        for (class, end) in self.rows.drain(..) {
            let (stones, places) = (&self.stones[start..end], &self.places[start..end]);
            decided.add_row(class, end - start, |decided| match effect {
                Effect::Win => cpu.call(Apply::<true> { stones, places, counters, decided }),
                Effect::OneWayLess => {
                    cpu.call(Apply::<false> { stones, places, counters, decided })
                }
            });
            start = end;
        }
        std::mem::take(&mut self.len) as u64
    }
}

/// Works out where the counters of un-moves of one row are, and prefetches them.
struct Locate<'a> {
    row: Row<'a>,
    start: usize,
    stones: &'a [u32],
    places: &'a mut [u32],
    counters: &'a [u8],
}

impl Work for Locate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { row, start, stones, places, counters } = self;
        let lower_ranks = lower_ranks();
        let corner_mask = (1_u32 << row.corners) - 1;
        for (&stones, place) in stones.iter().zip(places) {
            let compressed = cpu.extract(stones, row.free);
            let group = row.starts[(compressed >> row.corners) as usize];
            let lane = u32::from(lower_ranks[(compressed & corner_mask & 0xfff) as usize]);
            *place = start as u32 + group + lane;
            prefetch(counters, *place as usize);
        }
    }
}

/// Looks at the counters of un-moves: `WIN` for [`Effect::Win`], else [`Effect::OneWayLess`].
///
/// Free of branches: whether a position is decided is as good as random. Writes the decided ones to
/// the start of `decided` and gives their number.
struct Apply<'a, const WIN: bool> {
    stones: &'a [u32],
    places: &'a [u32],
    counters: &'a mut [u8],
    decided: &'a mut [u32],
}

impl<const WIN: bool> Work for Apply<'_, WIN> {
    type Output = usize;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> usize {
        let Self { stones, places, counters, decided } = self;
        let mut count = 0;
        for (&stones, &place) in stones.iter().zip(places) {
            let counter = &mut counters[place as usize];
            decided[count] = stones;
            if WIN {
                count += usize::from(*counter != 0);
                *counter = 0;
            } else {
                count += usize::from(*counter == 1);
                *counter = counter.saturating_sub(1);
            }
        }
        count
    }
}
