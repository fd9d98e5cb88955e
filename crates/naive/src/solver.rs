//! Solving by the definition of a value, layer by layer.
//!
//! A position is won in `d` plies if some move leads to a position lost in `d - 1`, and it is not
//! decided sooner; it is lost in `d` if all moves lead to won positions, the slowest in `d - 1`. So
//! for `d`
//! = 0, 1, 2, ... the solver examines every open position again. What stays open is drawn.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashMap;
use merels_core::numbering::Pair;
use merels_core::{Board, Outcome, Plies, Points, Position, Ruleset, Subspace, Value};

use crate::check::expand;
use crate::statistics::Statistics;

/// The stones of the mover and of the other side on the board.
type Sets = (Points, Points);

/// A position of a pair: the mover's stones in hand, and the stones on the board. The stones in
/// hand distinguish the two subspaces of a pair whose sides have equally many on the board.
type State = (u8, Sets);

/// Which positions a [`NaiveSolver`] distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum States {
    /// Positions up to symmetry, each by its smallest image (see [`canonical`]).
    Canonical,
    /// All positions: sixteen times as many, without any use of symmetry.
    Raw,
}

/// The smallest image of the two sets under the symmetries of the board: the smallest image of the
/// mover's stones, and among the symmetries that lead there the smallest image of the others.
pub fn canonical(board: Board, mover: Points, other: Points) -> (Points, Points) {
    let mut least = (mover, other);
    for (_, symmetry) in board.geometry().symmetries().iter() {
        let mover = symmetry.apply_set(mover);
        if mover <= least.0 {
            least = least.min((mover, symmetry.apply_set(other)));
        }
    }
    least
}

/// Solves pairs of subspaces, small ones first.
///
/// On the standard board all of 3-3, 4-3, 3-4 and 4-4 take 20 seconds and 300 MB on one core. Each
/// legal move costs about 150 ns, and 4 bytes while its pair is being solved.
#[derive(Debug)]
pub struct NaiveSolver {
    ruleset: Ruleset,
    states: States,
    solved: BTreeMap<Pair, Solved>,
}

/// A pair of subspaces with its values.
#[derive(Debug)]
struct Solved {
    positions: Vec<State>,
    numbers: HashMap<State, u32>,
    values: Vec<Value>,
}

/// Where the moves of the positions of a pair lead.
struct Successors {
    /// Where the successors of each position begin, and where the last ones end.
    starts: Vec<usize>,
    /// The numbers of successors within the pair.
    inside: Vec<u32>,
    /// The value for the mover of the best move that leaves the pair, or of the end of the game.
    outside: Vec<Option<Value>>,
}

impl NaiveSolver {
    /// A solver that has solved nothing yet, for positions up to symmetry.
    pub const fn new(ruleset: Ruleset) -> Self {
        Self::with_states(ruleset, States::Canonical)
    }

    /// A solver that has solved nothing yet.
    pub const fn with_states(ruleset: Ruleset, states: States) -> Self {
        Self { ruleset, states, solved: BTreeMap::new() }
    }

    /// The rules.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Solves all subspaces of the moving phase with up to this many stones on the board.
    pub fn solve_up_to(&mut self, stones_on_board: u8) {
        for pair in Pair::all_moving(&self.ruleset) {
            if pair.larger() + pair.smaller() <= stones_on_board {
                self.solve_alone(pair);
            }
        }
    }

    /// Solves a pair, and before it every pair to which its moves may lead. With stones in hand
    /// that is a large part of the game, down to its last three stones.
    ///
    /// # Panics
    /// If a side of the pair has more stones than the game.
    #[track_caller]
    pub fn solve(&mut self, pair: Pair) {
        let totals = |subspace: Subspace| subspace.mover() + subspace.mover_hand();
        let most = pair.subspaces().map(totals).max();
        assert!(most <= Some(self.ruleset.stones), "{pair} is not part of the game");
        if !pair.is_moving() {
            self.solve_with_children(pair);
            return;
        }
        for child in Pair::all_moving(&self.ruleset) {
            if child.larger() <= pair.larger() && child.smaller() <= pair.smaller() {
                self.solve_alone(child);
            }
        }
    }

    /// Solves a pair, and before it every pair to which its moves lead.
    fn solve_with_children(&mut self, pair: Pair) {
        if self.solved.contains_key(&pair) {
            return;
        }
        let mut children = BTreeSet::new();
        for subspace in pair.subspaces() {
            for (_, sets) in self.enumerate(subspace) {
                let position = Position::of_subspace(subspace, sets.0, sets.1);
                let next = expand(&self.ruleset, &position).into_iter();
                let goes_on = next.filter(|(_, next)| next.mover().total() >= Ruleset::MIN_STONES);
                children.extend(goes_on.map(|(_, next)| Pair::of(next.subspace())));
            }
        }
        children.remove(&pair);
        children.into_iter().for_each(|child| self.solve_with_children(child));
        self.solve_alone(pair);
    }

    /// The value of a position, for either side to move and in any orientation. None if its
    /// subspace is not solved.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let subspace = position.subspace();
        if position.mover().total() < Ruleset::MIN_STONES {
            return self.ruleset.ending(position);
        }
        let solved = self.solved.get(&Pair::of(subspace))?;
        let number = *solved.numbers.get(&self.state(position))?;
        Some(solved.values[number as usize])
    }

    /// The positions of a solved subspace in the order of their masks: the stones of the mover, of
    /// the other side, and the value.
    ///
    /// # Panics
    /// If the subspace is not solved.
    #[track_caller]
    pub fn positions(&self, subspace: Subspace) -> impl Iterator<Item = (Points, Points, Value)> {
        let solved = self.solved.get(&Pair::of(subspace));
        let Some(solved) = solved else { panic!("{subspace} is not solved") };
        let all = solved.positions.iter().zip(&solved.values);
        let is_of = move |hand: u8, mover: Points| {
            (mover.len(), hand) == (subspace.mover(), subspace.mover_hand())
        };
        all.filter(move |((hand, (mover, _)), _)| is_of(*hand, *mover))
            .map(|(&(_, (mover, other)), &value)| (mover, other, value))
    }

    /// Counts of a solved subspace.
    ///
    /// # Panics
    /// If the subspace is not solved.
    #[track_caller]
    pub fn statistics(&self, subspace: Subspace) -> Statistics {
        self.positions(subspace).map(|(_, _, value)| value).collect()
    }

    fn state(&self, position: &Position) -> State {
        let (mover, other) = (position.mover().board, position.other().board);
        let sets = match self.states {
            States::Canonical => canonical(self.ruleset.board, mover, other),
            States::Raw => (mover, other),
        };
        (position.mover().hand, sets)
    }

    /// Solves a pair whose children are solved.
    fn solve_alone(&mut self, pair: Pair) {
        if self.solved.contains_key(&pair) {
            return;
        }
        let positions: Vec<_> =
            pair.subspaces().flat_map(|subspace| self.enumerate(subspace)).collect();
        let numbers = positions.iter().copied().zip(0..).collect();
        let successors = self.successors(pair, &positions, &numbers);
        let values = decide(&successors);
        self.solved.insert(pair, Solved { positions, numbers, values });
    }

    /// All states of a subspace.
    fn enumerate(&self, subspace: Subspace) -> Vec<State> {
        let board = self.ruleset.board;
        let sets_of = |size: u8| -> Vec<Points> {
            let masks = 0..1_u32 << board.geometry().point_count();
            masks.map(Points::from_bits).filter(|set| set.len() == size).collect()
        };
        let (movers, others) = (sets_of(subspace.mover()), sets_of(subspace.other()));
        let mut found = Vec::new();
        for &mover in &movers {
            // No state has a mover with a smaller image.
            let is_least = canonical(board, mover, Points::EMPTY).0 == mover;
            if self.states == States::Canonical && !is_least {
                continue;
            }
            for &other in others.iter().filter(|other| !other.intersects(mover)) {
                let sets = (mover, other);
                if self.states == States::Raw || canonical(board, mover, other) == sets {
                    found.push((subspace.mover_hand(), sets));
                }
            }
        }
        found
    }

    /// Makes every move in every position.
    fn successors(
        &self,
        pair: Pair,
        positions: &[State],
        numbers: &HashMap<State, u32>,
    ) -> Successors {
        let mut starts = vec![0];
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        let mut states = Vec::new();
        for &(hand, (mover, other)) in positions {
            let is_it = |subspace: &Subspace| {
                (subspace.mover(), subspace.mover_hand()) == (mover.len(), hand)
            };
            let subspace = pair.subspaces().find(is_it).expect("a subspace of the pair");
            let position = Position::of_subspace(subspace, mover, other);
            let successors = expand(&self.ruleset, &position);
            let mut best =
                if successors.is_empty() { self.ruleset.ending(&position) } else { None };
            for (_, next) in successors {
                if Pair::of(next.subspace()) == pair {
                    states.push(self.state(&next));
                } else {
                    let value = self.value(&next).expect("children are solved first");
                    best = best.max(Some(value.before()));
                }
            }
            // All look-ups together, so that the processor overlaps their cache misses.
            inside.extend(states.drain(..).map(|sets| numbers[&sets]));
            starts.push(inside.len());
            outside.push(best);
        }
        Successors { starts, inside, outside }
    }
}

/// The values of the positions with these successors.
fn decide(successors: &Successors) -> Vec<Value> {
    let mut values: Vec<Option<Value>> = vec![None; successors.outside.len()];
    let outside = successors.outside.iter().flatten();
    // The last layer that may decide something: that of a move out of the pair, or the one after a
    // layer that did.
    let mut horizon = outside.filter_map(|value| value.distance()).max();
    let mut layer = Plies(0);
    while horizon.is_some_and(|horizon| layer <= horizon) {
        let mut decided = Vec::new();
        for (number, value) in values.iter().enumerate() {
            if value.is_some() {
                continue;
            }
            let inside =
                &successors.inside[successors.starts[number]..successors.starts[number + 1]];
            let mut best = successors.outside[number];
            let mut open = false;
            for &next in inside {
                match values[next as usize] {
                    Some(value) => best = best.max(Some(value.before())),
                    None => open = true,
                }
            }
            // A loss counts only when no move that may be better is left.
            let known = best
                .filter(|best| best.outcome() == Outcome::Win || !open)
                .filter(|best| best.distance() == Some(layer));
            decided.extend(known.map(|value| (number, value)));
        }
        if !decided.is_empty() {
            horizon = horizon.max(Some(layer.next()));
        }
        for (number, value) in decided {
            values[number] = Some(value);
        }
        layer = layer.next();
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}
