//! The check of every entry, on masks.
//!
//! A move changes the mover's stones only. After a move without removal the other side's stones are
//! the key of the successor's entry; so its class, and the symmetry that leads to the class's
//! representative, are looked up once for all such moves of a position, and the moves are made on the
//! image. Each removed stone makes another key, looked up once for all mills that are closed.
//!
//! Where stones are symmetric, a position has several entries (twins), and the one read here may be
//! another one than [`SubspaceIndex::index_of`] gives. That is as good: every entry is checked.
//!
//! The successors' tables stand one behind the other in one array of codes, see [`Codes`]; a move is a
//! place in it. The codes are read for a group of positions at a time, so that the processor waits
//! for many of them at once. The order of codes makes the best move the minimum of its successors.
//!
//! What is found here is a suspicion: it is told only after the plain rules have confirmed it.

use merels_core::bits::BitTricks;
use merels_core::{
    Classes, DoubleMill, FullBoard, Points, Ranking, Ruleset, Subspace, SubspaceIndex, Symmetries,
    Symmetry, ValueCode,
};

use crate::entries::runs;
use crate::masks::{Masks, point_count, singles};
use crate::processor::{self, Work};
use crate::successors::{Action, is_over, needed};

/// The codes of all successors: at [`OVER`] that of a game that is over, then the tables.
pub(crate) trait Codes: Sync {
    /// The byte at `place`.
    fn code(&self, place: u32) -> u8;
}

impl Codes for [u8] {
    #[inline(always)]
    fn code(&self, place: u32) -> u8 {
        self[place as usize]
    }
}

/// The place of a side with too few stones: it has lost.
pub(crate) const OVER: u32 = 0;

/// Positions whose successors are read together: enough that waiting for memory overlaps, few
/// enough that the places stay in the first-level cache.
const GROUP: usize = 32;

/// What a byte is worth one ply earlier: by the code of the best successor (the opponent's view), the
/// code of the position. 128, which no table holds, where no code can express it.
static BEFORE: [u8; 256] = {
    let mut table = [128; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(code) = ValueCode::from_byte(byte as u8)
            && let Some(before) = ValueCode::from_value(code.value().before())
        {
            table[byte] = before.byte();
        }
        byte += 1;
    }
    table
};

/// Checks entries of one subspace.
#[derive(Debug)]
pub(crate) struct Checker {
    index: SubspaceIndex,
    masks: Masks,
    symmetries: &'static Symmetries,
    two_removals: bool,
    flies: bool,
    /// The value of all entries if the game is over in all.
    over: bool,
    /// The value of an entry without moves.
    stuck: ValueCode,
    /// The successors' tables, in the order of their places.
    tables: Vec<Successor>,
    /// By action and number of removed stones: where moves lead.
    destinations: [[Destination; 3]; 2],
    /// By number of removed stones: the classes of what is left to the other side.
    classes: [Option<&'static Classes>; 3],
}

/// A successor's table in the array of codes.
#[derive(Debug)]
pub(crate) struct Successor {
    pub(crate) index: SubspaceIndex,
    /// The place of its first entry.
    pub(crate) first: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    /// No move does this.
    Nowhere,
    /// The game is over.
    Over,
    /// Number of a table.
    Table(usize),
}

/// An entry whose stored value is not what its successors say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suspect {
    /// Its index.
    pub(crate) index: u64,
    /// What is stored.
    pub(crate) stored: u8,
    /// What the successors say; 128 if no code says it.
    pub(crate) recomputed: u8,
}

/// A move that closes mills, before anything is removed: the mover's stones after it.
#[derive(Clone, Copy)]
struct Closing {
    action: Action,
    stones: u32,
    mills: u32,
}

/// Memory of a worker, used again.
#[derive(Default)]
struct Scratch {
    places: Vec<u32>,
    ends: [u32; GROUP],
    closing: Vec<Closing>,
}

/// How to get from stones to places, for one set of the other side's stones.
struct Key<'a> {
    class: u32,
    symmetry: &'a Symmetry,
    stones: Points,
    free: u32,
}

/// A row of a successor's table.
struct Row<'a> {
    first: u32,
    free: u32,
    ranking: &'a Ranking,
}

impl Row<'_> {
    #[inline(always)]
    fn place<B: BitTricks>(&self, bits: B, stones: u32) -> u32 {
        self.first + self.ranking.rank(bits.extract(stones, self.free))
    }
}

impl Checker {
    /// A checker for `subspace`; none if its successors have more entries than a place can number.
    pub(crate) fn new(ruleset: &Ruleset, subspace: Subspace) -> Option<Self> {
        let board = ruleset.board;
        let mut next = OVER + 1;
        let mut tables = Vec::new();
        for successor in needed(ruleset, subspace) {
            let index = SubspaceIndex::new(board, successor);
            let entries = u32::try_from(index.entries()).ok()?;
            tables.push(Successor { index, first: next });
            next = next.checked_add(entries)?;
        }
        let destinations = Action::ALL.map(|action| {
            [0, 1, 2].map(|removed| match action.leads_to(ruleset, subspace, removed) {
                _ if is_over(subspace) => Destination::Nowhere,
                None => Destination::Nowhere,
                Some(next) if is_over(next) => Destination::Over,
                Some(next) => {
                    let number = tables.iter().position(|table| table.index.subspace() == next);
                    Destination::Table(number.expect("a needed subspace"))
                }
            })
        });
        let full = subspace.on_board() == point_count(board);
        let drawn = full && ruleset.full_board == FullBoard::Draw;
        Some(Self {
            index: SubspaceIndex::new(board, subspace),
            masks: Masks::new(ruleset),
            symmetries: board.geometry().symmetries(),
            two_removals: ruleset.double_mill == DoubleMill::Two,
            flies: ruleset.flies(subspace.mover() + subspace.mover_hand()),
            over: is_over(subspace),
            stuck: if drawn { ValueCode::DRAW } else { ValueCode::LOST },
            tables,
            destinations,
            classes: [0, 1, 2]
                .map(|removed| Some(Classes::of(board, subspace.other().checked_sub(removed)?))),
        })
    }

    /// The order of the entries.
    pub(crate) const fn index(&self) -> &SubspaceIndex {
        &self.index
    }

    /// The successors' tables.
    pub(crate) fn tables(&self) -> &[Successor] {
        &self.tables
    }

    /// How many codes the successors take, that of [`OVER`] included.
    pub(crate) fn codes_len(&self) -> usize {
        let entries = self.tables.iter().map(|table| table.index.entries() as usize);
        1 + entries.sum::<usize>()
    }

    /// Compares the entries from index `first` on, which hold `stored`, with their successors.
    pub(crate) fn check(
        &self,
        first: u64,
        stored: &[u8],
        codes: &(impl Codes + ?Sized),
    ) -> Vec<Suspect> {
        processor::run(CheckWork { checker: self, first, stored, codes })
    }

    /// The places of all successors of a position.
    #[cfg(test)]
    fn successors(&self, mover: Points, other: Points) -> Vec<u32> {
        processor::run(SuccessorsWork { checker: self, mover, other })
    }

    #[inline(always)]
    fn check_with<B: BitTricks>(
        &self,
        bits: B,
        first: u64,
        stored: &[u8],
        codes: &(impl Codes + ?Sized),
    ) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        let mut scratch = Scratch::default();
        let mut done = 0;
        for mut run in runs(&self.index, first..first + stored.len() as u64) {
            while run.len > 0 {
                let count = run.len.min(GROUP);
                scratch.places.clear();
                for end in &mut scratch.ends[..count] {
                    let other = run.next_other(bits);
                    self.collect(
                        bits,
                        run.mover,
                        Points::from_bits(other),
                        &mut scratch.places,
                        &mut scratch.closing,
                    );
                    *end = scratch.places.len() as u32;
                }
                let mut start = 0;
                for (i, &end) in scratch.ends[..count].iter().enumerate() {
                    let places = &scratch.places[start..end as usize];
                    start = end as usize;
                    let recomputed = self.value(places, codes);
                    let (index, stored) = (first + (done + i) as u64, stored[done + i]);
                    if stored != recomputed {
                        suspects.push(Suspect { index, stored, recomputed });
                    }
                }
                run.len -= count;
                done += count;
            }
        }
        suspects
    }

    /// The code that the successors at `places` give.
    #[inline(always)]
    fn value(&self, places: &[u32], codes: &(impl Codes + ?Sized)) -> u8 {
        if self.over {
            return ValueCode::LOST.byte();
        }
        if places.is_empty() {
            return self.stuck.byte();
        }
        let best = places.iter().fold(u8::MAX, |best, &place| best.min(codes.code(place)));
        BEFORE[usize::from(best)]
    }

    /// Adds the places of all successors of a position.
    #[inline(always)]
    fn collect<B: BitTricks>(
        &self,
        bits: B,
        mover: Points,
        other: Points,
        places: &mut Vec<u32>,
        closing: &mut Vec<Closing>,
    ) {
        if self.over {
            return;
        }
        // From here on everything is an image under the symmetry of the other side's stones.
        let key = self.key(0, other);
        let mover = key.symmetry.apply_set(mover).bits();
        let empty = self.masks.empty(mover | key.stones.bits());
        let nearly_closed = self.masks.nearly_closed(mover);
        closing.clear();
        let mut arrive =
            |action, row: &Option<Row<'_>>, rest: u32, to: u32, places: &mut Vec<u32>| {
                let stones = rest | to;
                if nearly_closed & to != 0 {
                    let mills = self.masks.mills_closed(rest, to.trailing_zeros());
                    if mills > 0 {
                        closing.push(Closing { action, stones, mills });
                        return;
                    }
                }
                places.push(row.as_ref().map_or(OVER, |row| row.place(bits, stones)));
            };
        if let Some(row) = self.row(Action::Move, 0, &key) {
            for from in singles(mover) {
                let near = self.masks.neighbours(from.trailing_zeros());
                for to in singles(if self.flies { empty } else { near & empty }) {
                    arrive(Action::Move, &row, mover ^ from, to, places);
                }
            }
        }
        if let Some(row) = self.row(Action::Place, 0, &key) {
            for to in singles(empty) {
                arrive(Action::Place, &row, mover, to, places);
            }
        }
        if !closing.is_empty() {
            self.collect_removals(bits, &key, closing, places);
        }
    }

    /// Adds the places to which moves lead that close mills. All sets are images under `key`.
    #[inline(always)]
    fn collect_removals<B: BitTricks>(
        &self,
        bits: B,
        key: &Key<'_>,
        closing: &[Closing],
        places: &mut Vec<u32>,
    ) {
        let others = key.stones.bits();
        let open = self.masks.removable(others);
        if open == 0 {
            return self.add(bits, 0, key, closing, |_| true, places);
        }
        let takes_two = |closing: &Closing| self.two_removals && closing.mills >= 2;
        let mut pairs = 0;
        if closing.iter().any(takes_two) {
            for first in singles(open) {
                for second in singles(self.masks.removable(others ^ first)) {
                    let left = self.key(2, Points::from_bits(others ^ first ^ second));
                    self.add(bits, 2, &left, closing, takes_two, places);
                    pairs += 1;
                }
            }
        }
        // Where no second stone may go, one is all that two mills take.
        for first in singles(open) {
            let left = self.key(1, Points::from_bits(others ^ first));
            self.add(bits, 1, &left, closing, |mv| pairs == 0 || !takes_two(mv), places);
        }
    }

    /// Adds the places of those moves of `closing` that `wanted` picks, with `removed` stones taken
    /// from the other side and `key` the key of what is left of them.
    #[inline(always)]
    fn add<B: BitTricks>(
        &self,
        bits: B,
        removed: usize,
        key: &Key<'_>,
        closing: &[Closing],
        wanted: impl Fn(&Closing) -> bool,
        places: &mut Vec<u32>,
    ) {
        let rows = Action::ALL.map(|action| self.row(action, removed, key));
        for mv in closing.iter().filter(|mv| wanted(mv)) {
            let Some(row) = &rows[mv.action as usize] else {
                unreachable!("a move leads where no move should lead: {removed} stones removed");
            };
            places.push(row.as_ref().map_or(OVER, |row| {
                // With nothing removed the stones are images under this key already.
                let stones = match removed {
                    0 => mv.stones,
                    _ => key.symmetry.apply_set(Points::from_bits(mv.stones)).bits(),
                };
                row.place(bits, stones)
            }));
        }
    }

    /// The key for what is left of the other side's stones after `removed` have been taken.
    #[inline(always)]
    fn key(&self, removed: usize, others: Points) -> Key<'static> {
        let classes = self.classes[removed].expect("no more stones are removed than there are");
        let located = classes.locate(others);
        let stones = classes.representative(located.class);
        Key {
            class: located.class.index() as u32,
            symmetry: self.symmetries.get(located.symmetry),
            stones,
            free: self.masks.empty(stones.bits()),
        }
    }

    /// The row of the successors after an action and a removal. None if no move does this; a row of
    /// none if the game is over then.
    #[inline(always)]
    fn row(&self, action: Action, removed: usize, key: &Key<'_>) -> Option<Option<Row<'_>>> {
        match self.destinations[action as usize][removed] {
            Destination::Nowhere => None,
            Destination::Over => Some(None),
            Destination::Table(number) => {
                let Successor { index, first } = &self.tables[number];
                Some(Some(Row {
                    first: first + key.class * index.row_len(),
                    free: key.free,
                    ranking: index.rankings().of(key.stones),
                }))
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

impl<C: Codes + ?Sized> Work for CheckWork<'_, C> {
    type Output = Vec<Suspect>;

    #[inline(always)]
    fn run<B: BitTricks>(self, bits: B) -> Vec<Suspect> {
        self.checker.check_with(bits, self.first, self.stored, self.codes)
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
    fn run<B: BitTricks>(self, bits: B) -> Vec<u32> {
        let (mut places, mut closing) = (Vec::new(), Vec::new());
        self.checker.collect(bits, self.mover, self.other, &mut places, &mut closing);
        places
    }
}

#[cfg(test)]
#[path = "fast_tests.rs"]
mod tests;
