//! Legal moves, what they remove, and how a game ends.
//!
//! This is the plain form of the rules, one stone at a time. Queries use it, and tests compare the
//! solver with it.

use std::fmt;

use crate::board::geometry::Geometry;
use crate::board::point::{Point, Points};
use crate::play::position::{Position, Stones};
use crate::rules::choices::{DoubleMill, FullBoard, Placing, Removal};
use crate::rules::ruleset::Ruleset;
use crate::value::values::Value;

/// A move: a stone placed or moved, with the stones that it removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the stone comes from; none if it is placed from the hand.
    pub from: Option<Point>,
    /// Where the stone goes.
    pub to: Point,
    /// The opponent's stones that it removes: none, one, or two.
    pub removes: Points,
}

impl Move {
    /// The move as people write it: `d2`, `a1-a4`, `a1-a4xd7`.
    pub const fn display<'a>(&'a self, geometry: &'a Geometry) -> DisplayMove<'a> {
        DisplayMove { mv: self, geometry }
    }

    /// The position after the move.
    ///
    /// The result is meaningful only if the move is legal in `position`.
    #[must_use]
    pub fn apply(&self, position: &Position) -> Position {
        let Stones { board, hand } = position.mover();
        let mover = match self.from {
            Some(from) => Stones { board: board.without(from).with(self.to), hand },
            None => Stones { board: board.with(self.to), hand: hand - 1 },
        };
        let other = position.other();
        position.moved(mover, Stones { board: other.board.difference(self.removes), ..other })
    }
}

/// A move to be printed, see [`Move::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayMove<'a> {
    mv: &'a Move,
    geometry: &'a Geometry,
}

impl fmt::Display for DisplayMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let mut text = String::new();
        if let Some(from) = self.mv.from {
            write!(text, "{}-", self.geometry.name(from))?;
        }
        write!(text, "{}", self.geometry.name(self.mv.to))?;
        for point in self.mv.removes {
            write!(text, "x{}", self.geometry.name(point))?;
        }
        f.pad(&text)
    }
}

impl Ruleset {
    /// The stones among `stones` (all of one side on the board) that the opponent may remove.
    pub fn removable(&self, stones: Points) -> Points {
        let open = stones.difference(self.board.geometry().in_mills(stones));
        match self.removal {
            Removal::Free => stones,
            Removal::Strict => open,
            Removal::Protected => {
                if open.is_empty() {
                    stones
                } else {
                    open
                }
            }
        }
    }

    /// The sets of `count` stones among `stones` that the opponent may remove one after the other,
    /// or of fewer stones if the rules do not allow `count`, in the order of the sets. Never empty:
    /// if no stone may be removed, it holds the empty set.
    pub(crate) fn removals(&self, stones: Points, count: usize) -> Vec<Points> {
        let mut choices = vec![Points::EMPTY];
        for _ in 0..count {
            let mut longer: Vec<Points> = Vec::new();
            for &taken in &choices {
                let open = self.removable(stones.difference(taken));
                longer.extend(open.into_iter().map(|point| taken.with(point)));
            }
            if longer.is_empty() {
                break;
            }
            longer.sort_unstable();
            longer.dedup();
            choices = longer;
        }
        choices
    }

    /// All legal moves in `position`, in the order of points (from, to, removed). Empty if the
    /// game is over.
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let mover = position.mover();
        if mover.total() < Self::MIN_STONES {
            return moves;
        }
        let geometry = self.board.geometry();
        let empty = geometry.points().difference(position.occupied());
        if mover.hand > 0 {
            for to in empty {
                self.with_removals(position, None, to, &mut moves);
            }
        }
        if mover.hand == 0 || self.placing == Placing::Mixed {
            let flies = self.flies(mover.total());
            for from in mover.board {
                let targets =
                    if flies { empty } else { geometry.neighbours(from).intersection(empty) };
                for to in targets {
                    self.with_removals(position, Some(from), to, &mut moves);
                }
            }
        }
        moves
    }

    /// The value of a position in which the game is over: the mover has too few stones or cannot
    /// move. None if the game is not over.
    pub fn ending(&self, position: &Position) -> Option<Value> {
        if position.mover().total() < Self::MIN_STONES {
            return Some(Value::LOST);
        }
        if self.can_move(position) {
            return None;
        }
        let full = position.occupied() == self.board.geometry().points();
        Some(if full && self.full_board == FullBoard::Draw { Value::Draw } else { Value::LOST })
    }

    /// Whether there is a legal move, for a mover with enough stones. Removals do not matter here:
    /// a move stays legal if no stone may be removed.
    fn can_move(&self, position: &Position) -> bool {
        let mover = position.mover();
        let geometry = self.board.geometry();
        let empty = geometry.points().difference(position.occupied());
        let places = mover.hand > 0 && !empty.is_empty();
        let moves = || {
            let jumps = self.flies(mover.total()) && !empty.is_empty();
            let slides = |from| geometry.neighbours(from).intersects(empty);
            mover.board.into_iter().any(|from| jumps || slides(from))
        };
        places || ((mover.hand == 0 || self.placing == Placing::Mixed) && moves())
    }

    /// Adds the move from `from` to `to` with every choice of removals.
    fn with_removals(
        &self,
        position: &Position,
        from: Option<Point>,
        to: Point,
        moves: &mut Vec<Move>,
    ) {
        let placed = position.mover().board.with(to);
        let stones = from.map_or(placed, |from| placed.without(from));
        let mills = self.board.geometry().mills_at(stones, to);
        let removals = match self.double_mill {
            DoubleMill::One => mills.min(1),
            DoubleMill::Two => mills.min(2),
        };
        let choices = self.removals(position.other().board, removals);
        moves.extend(choices.into_iter().map(|removes| Move { from, to, removes }));
    }
}

#[cfg(test)]
mod tests {
    use crate::board::boards::Board;
    use crate::play::position::Side;

    use super::*;

    fn points(names: &str) -> Points {
        let nine = Board::Nine.geometry();
        names.split_whitespace().map(|name| nine.point_named(name).unwrap()).collect()
    }

    fn position(white: &str, black: &str, hands: (u8, u8), side: Side) -> Position {
        let white = Stones { board: points(white), hand: hands.0 };
        let black = Stones { board: points(black), hand: hands.1 };
        Position::new(white, black, side)
    }

    fn listed(ruleset: &Ruleset, position: &Position) -> Vec<String> {
        let geometry = ruleset.board.geometry();
        let mut moves: Vec<_> = ruleset
            .legal_moves(position)
            .iter()
            .map(|mv| mv.display(geometry).to_string())
            .collect();
        moves.sort();
        moves
    }

    /// Positions after `plies` steps from the start, a removal counted as a step of its own.
    fn steps(ruleset: &Ruleset, position: &Position, left: u32) -> u64 {
        if left == 0 {
            return 1;
        }
        let moves = ruleset.legal_moves(position);
        let mut total = 0;
        let mut seen = Vec::new();
        for mv in moves {
            if mv.removes.is_empty() {
                total += steps(ruleset, &mv.apply(position), left - 1);
            } else if left == 1 {
                // The step that closes the mill, once for all its removals.
                if !seen.contains(&(mv.from, mv.to)) {
                    seen.push((mv.from, mv.to));
                    total += 1;
                }
            } else {
                total += steps(ruleset, &mv.apply(position), left - 2);
            }
        }
        total
    }

    #[test]
    fn move_counts_from_the_empty_board() {
        let start = Position::start(&Ruleset::STANDARD);
        let counts: Vec<_> = (1..=4).map(|left| steps(&Ruleset::STANDARD, &start, left)).collect();
        assert_eq!(counts, [24, 552, 12_144, 255_024]);
    }

    #[test]
    fn stones_in_mills_are_protected() {
        // Figure 2 of Gasser's paper: a stone placed on b6 closes the mill b6-d6-f6.
        let before = position("d6 f6 f4 g1", "b4 d3 d2 d1 a1", (1, 1), Side::White);
        let closing = |ruleset: &Ruleset| {
            listed(ruleset, &before)
                .into_iter()
                .filter(|mv| mv.starts_with("b6"))
                .collect::<Vec<_>>()
        };
        assert_eq!(closing(&Ruleset::STANDARD), ["b6xa1", "b6xb4"]);
        let free = Ruleset { removal: Removal::Free, ..Ruleset::STANDARD };
        assert_eq!(closing(&free).len(), 5);
    }

    #[test]
    fn a_side_that_stands_in_mills_only_is_not_safe_unless_the_rules_say_so() {
        let before = position("a4 a7 d7", "g7 g4 g1", (0, 0), Side::White);
        let closing = |ruleset: &Ruleset| {
            let moves = listed(ruleset, &before);
            moves.into_iter().filter(|mv| mv.starts_with("d7-a1")).collect::<Vec<_>>()
        };
        assert_eq!(closing(&Ruleset::STANDARD), ["d7-a1xg1", "d7-a1xg4", "d7-a1xg7"]);
        let strict = Ruleset { removal: Removal::Strict, ..Ruleset::STANDARD };
        assert_eq!(closing(&strict), ["d7-a1"]);
    }

    #[test]
    fn two_mills_at_once() {
        let before = position("a7 g7 d6 d5", "a1 g1 b4 f4", (1, 0), Side::White);
        let closing = |ruleset: &Ruleset| {
            listed(ruleset, &before)
                .into_iter()
                .filter(|mv| mv.starts_with("d7"))
                .collect::<Vec<_>>()
        };
        assert_eq!(closing(&Ruleset::STANDARD).len(), 4);
        let two = Ruleset { double_mill: DoubleMill::Two, ..Ruleset::STANDARD };
        assert_eq!(closing(&two).len(), 6);
    }

    #[test]
    fn blocked_is_lost() {
        let figure_3 = position(
            "d7 d6 a4 b4 e5 c3 e3 d2 g1",
            "a7 b6 c5 d5 c4 d3 b2 a1 d1",
            (0, 0),
            Side::Black,
        );
        assert_eq!(Ruleset::STANDARD.ending(&figure_3), Some(Value::LOST));
        let other =
            Position::new(figure_3.stones(Side::White), figure_3.stones(Side::Black), Side::White);
        assert_eq!(Ruleset::STANDARD.ending(&other), None);
    }

    #[test]
    fn blocked_positions_are_those_without_legal_moves() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as u32
        };
        let mut blocked = 0;
        for preset in Ruleset::PRESETS {
            let rules = preset.ruleset;
            let all = rules.board.geometry().points();
            for round in 0..500 {
                let mover = Points::from_bits(random() & random()).intersection(all);
                // Crowded boards, where stones are stuck.
                let empty = Points::from_bits(random() & random() & random());
                let other = all.difference(mover).difference(empty);
                let hand = u8::from(round % 4 == 0);
                let mover = Stones { board: mover, hand };
                let other = Stones { board: other, hand };
                let position = Position::new(mover, other, Side::White);
                if mover.total() >= Ruleset::MIN_STONES {
                    let stuck = rules.legal_moves(&position).is_empty();
                    assert_eq!(rules.ending(&position).is_some(), stuck, "{}", preset.name);
                    blocked += u32::from(stuck);
                }
            }
        }
        assert!(blocked > 100, "{blocked}");
    }

    #[test]
    fn two_stones_are_lost_but_a_stone_in_hand_counts() {
        let two = position("a7 g1", "d6 d2 f4", (0, 0), Side::White);
        assert_eq!(Ruleset::STANDARD.ending(&two), Some(Value::LOST));
        let three = position("a7 g1", "d6 d2 f4", (1, 0), Side::White);
        assert_eq!(Ruleset::STANDARD.ending(&three), None);
    }

    #[test]
    fn three_stones_jump_four_slide() {
        let three = position("a7 d7 g1", "a4 g4 d5", (0, 0), Side::White);
        let quiet = Ruleset::STANDARD.legal_moves(&three);
        // 3 stones x 18 empty points; d7 and a7 reach no mill with g1, so nothing is removed.
        assert_eq!(quiet.iter().filter(|mv| mv.removes.is_empty()).count(), 3 * 18 - 1);
        let no_flying = Ruleset { flying: crate::Flying::Never, ..Ruleset::STANDARD };
        assert_eq!(listed(&no_flying, &three), ["d7-d6", "d7-g7", "g1-d1"]);
    }

    #[test]
    fn impossible_positions_are_named() {
        let check = |position: Position| {
            position.check(&Ruleset::STANDARD).map_err(|error| error.to_string())
        };
        assert_eq!(check(Position::start(&Ruleset::STANDARD)), Ok(()));
        assert!(
            check(position("a7", "a7 d6", (8, 7), Side::White)).unwrap_err().contains("a7 holds")
        );
        assert!(
            check(position("a7", "d6", (9, 8), Side::White)).unwrap_err().contains("10 stones")
        );
        assert!(
            check(position("a7 d7 g7", "d6 d5", (0, 0), Side::White)).unwrap_err().contains("lost")
        );
        assert!(check(position("a7", "d6", (8, 7), Side::White)).unwrap_err().contains("in hand"));
        assert_eq!(check(position("a7 d7 g7", "d6 d5", (0, 0), Side::Black)), Ok(()));
    }
}
