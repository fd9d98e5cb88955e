//! The places of a position's successors.
//!
//! A move changes the mover's stones only. After a move without removal the other side's stones
//! are the key of the successor's entry. So this code looks up their class, and the symmetry that
//! leads to the class's representative, once for all such moves of a position, and makes the moves
//! on the image. Each removed stone makes another key. The code looks it up once for all moves
//! that close a mill.
//!
//! If stones are symmetric, a position has several entries (twins). The one found here may differ
//! from that of [`SubspaceIndex::index_of`]. That does not matter: every entry is checked.
//!
//! The successors' tables are numbered one behind the other: a *place* is an entry of one of them.

use merels_core::numbering::{Classes, Ranking, SubspaceIndex};
use merels_core::{DoubleMill, Points, Ruleset, Subspace, Symmetries, Symmetry};
use merels_simd::Cpu;

use crate::fast::masks::{Masks, singles};
use crate::fast::successors::{Action, is_over, needed};

/// The place of a side with too few stones: it has lost.
pub(crate) const OVER: u32 = 0;

/// The moves of the positions of one subspace.
#[derive(Debug)]
pub(crate) struct Reach {
    masks: Masks,
    symmetries: &'static Symmetries,
    two_removals: bool,
    flies: bool,
    /// Whether the game is over in all positions, so that there are no moves.
    over: bool,
    /// The successors' tables, in the order of their places.
    tables: Vec<Successor>,
    /// The destinations of moves, by action and number of removed stones.
    destinations: [[Destination; 3]; 2],
    /// The classes of the other side's remaining stones, by number of removed stones.
    classes: [Option<&'static Classes>; 3],
}

/// A successor's table.
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

/// A move that closes mills, before anything is removed: the mover's stones after it.
#[derive(Clone, Copy, Debug)]
struct Closing {
    action: Action,
    stones: u32,
    mills: u32,
}

/// The successors of a position. Its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The places of successors.
    pub(crate) places: Vec<u32>,
    /// The moves that close mills.
    closing: Vec<Closing>,
}

/// A stone that arrives at a point, and the mover's other stones.
#[derive(Clone, Copy)]
struct Arrival {
    action: Action,
    rest: u32,
    to: u32,
}

/// The way from stones to places, for one set of the other side's stones.
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

/// The place in a row of the position with these stones; no row if the game is over.
#[inline(always)]
fn place<C: Cpu>(cpu: C, row: &Option<Row<'_>>, stones: u32) -> u32 {
    match row {
        Some(row) => row.first + row.ranking.rank(cpu.extract(stones, row.free)),
        None => OVER,
    }
}

impl Reach {
    /// The moves in `subspace`; none if its successors have more entries than a place can number.
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
        let over = is_over(subspace);
        let destinations = Action::ALL.map(|action| {
            [0, 1, 2].map(|removed| match action.leads_to(ruleset, subspace, removed) {
                _ if over => Destination::Nowhere,
                None => Destination::Nowhere,
                Some(next) if is_over(next) => Destination::Over,
                Some(next) => {
                    let number = tables.iter().position(|table| table.index.subspace() == next);
                    Destination::Table(number.expect("a needed subspace"))
                }
            })
        });
        Some(Self {
            masks: Masks::new(ruleset),
            symmetries: board.geometry().symmetries(),
            two_removals: ruleset.double_mill == DoubleMill::Two,
            flies: ruleset.flies(subspace.mover() + subspace.mover_hand()),
            over,
            tables,
            destinations,
            classes: [0, 1, 2]
                .map(|removed| Some(Classes::of(board, subspace.other().checked_sub(removed)?))),
        })
    }

    /// Whether the game is over in all positions.
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// The successors' tables.
    pub(crate) fn tables(&self) -> &[Successor] {
        &self.tables
    }

    /// The number of places, with that of [`OVER`].
    pub(crate) fn len(&self) -> usize {
        let entries = self.tables.iter().map(|table| table.index.entries() as usize);
        1 + entries.sum::<usize>()
    }

    /// Adds the places of all successors of a position.
    #[inline(always)]
    pub(crate) fn collect<C: Cpu>(&self, cpu: C, mover: Points, other: Points, found: &mut Found) {
        if self.over {
            return;
        }
        // From here on everything is an image under the symmetry of the other side's stones.
        let key = self.key(0, other);
        let mover = key.symmetry.apply_set(mover).bits();
        let empty = self.masks.empty(mover | key.stones.bits());
        let nearly_closed = self.masks.nearly_closed(mover);
        found.closing.clear();
        if let Some(row) = self.row(Action::Move, 0, &key) {
            for from in singles(mover) {
                let near = self.masks.neighbours(from.trailing_zeros());
                for to in singles(if self.flies { empty } else { near & empty }) {
                    let arrival = Arrival { action: Action::Move, rest: mover ^ from, to };
                    self.arrive(cpu, arrival, nearly_closed, &row, found);
                }
            }
        }
        if let Some(row) = self.row(Action::Place, 0, &key) {
            for to in singles(empty) {
                let arrival = Arrival { action: Action::Place, rest: mover, to };
                self.arrive(cpu, arrival, nearly_closed, &row, found);
            }
        }
        if !found.closing.is_empty() {
            self.collect_removals(cpu, &key, &found.closing, &mut found.places);
        }
    }

    /// Adds the place of a move, or notes the move as one that closes mills.
    #[inline(always)]
    fn arrive<C: Cpu>(
        &self,
        cpu: C,
        Arrival { action, rest, to }: Arrival,
        nearly_closed: u32,
        row: &Option<Row<'_>>,
        found: &mut Found,
    ) {
        let stones = rest | to;
        if nearly_closed & to != 0 {
            let mills = self.masks.mills_closed(rest, to.trailing_zeros());
            if mills > 0 {
                found.closing.push(Closing { action, stones, mills });
                return;
            }
        }
        found.places.push(place(cpu, row, stones));
    }

    /// Adds the places after moves that close mills. All sets are images under `key`.
    #[inline(always)]
    fn collect_removals<C: Cpu>(
        &self,
        cpu: C,
        key: &Key<'_>,
        closing: &[Closing],
        places: &mut Vec<u32>,
    ) {
        let others = key.stones.bits();
        let open = self.masks.removable(others);
        if open == 0 {
            return self.add(cpu, 0, key, closing, |_| true, places);
        }
        let takes_two = |closing: &Closing| self.two_removals && closing.mills >= 2;
        let mut pairs = 0;
        if closing.iter().any(takes_two) {
            for first in singles(open) {
                for second in singles(self.masks.removable(others ^ first)) {
                    let left = self.key(2, Points::from_bits(others ^ first ^ second));
                    self.add(cpu, 2, &left, closing, takes_two, places);
                    pairs += 1;
                }
            }
        }
        // If no second stone may be removed, two mills take one stone only.
        for first in singles(open) {
            let left = self.key(1, Points::from_bits(others ^ first));
            self.add(cpu, 1, &left, closing, |mv| pairs == 0 || !takes_two(mv), places);
        }
    }

    /// Adds the places of the moves of `closing` that are `wanted`. `removed` is the number of
    /// stones that the other side loses, `key` the key of its remaining stones.
    #[inline(always)]
    fn add<C: Cpu>(
        &self,
        cpu: C,
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
            // If no stone is removed, the stones are images under this key already.
            let stones = match removed {
                0 => mv.stones,
                _ => key.symmetry.apply_set(Points::from_bits(mv.stones)).bits(),
            };
            places.push(place(cpu, row, stones));
        }
    }

    /// The key of the other side's remaining stones after the removal of `removed` stones.
    #[inline(always)]
    fn key(&self, removed: usize, others: Points) -> Key<'static> {
        let classes = self.classes[removed].expect("at most all stones are removed");
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
