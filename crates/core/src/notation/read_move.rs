//! Moves and removals from text: `d2`, `a1-a4`, `a1-a4xd7`, `xd7`.

use crate::board::boards::Board;
use crate::board::geometry::Geometry;
use crate::board::point::{Point, Points};
use crate::notation::move_error::{MoveError, MoveProblem};
use crate::notation::shown::{point_hint, shown};
use crate::notation::words::ply::{Names, PointNumbers};
use crate::notation::words::token::{Kind, Token, tokens};
use crate::play::end::GameEnd;
use crate::play::moves::Move;
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::{Choice, Situation};
use crate::rules::choices::{Flying, Placing};
use crate::rules::ruleset::Ruleset;

impl Situation {
    /// Reads a move that is legal here, or a removal if one is pending. Upper or lower case and
    /// space do not matter.
    ///
    /// ```
    /// use merels_core::{Ruleset, Situation};
    ///
    /// let rules = Ruleset::STANDARD;
    /// let nine = rules.board.geometry();
    /// let situation = Situation::parse("w:a1,a4,d7,g1 b:b4,d5,g4,g7 move:w", &rules)?;
    /// let quiet = situation.choice("D7-D6", &rules).unwrap();
    /// assert_eq!(quiet.display(nine).to_string(), "d7-d6");
    ///
    /// let error = situation.choice("d7-a7", &rules).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "move 'd7-a7': it closes a mill; name the stone to remove, as in d7-a7xb4"
    /// );
    /// # Ok::<(), merels_core::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the move, with a legal move as an example where it helps.
    pub fn choice(&self, text: &str, ruleset: &Ruleset) -> Result<Choice, MoveError> {
        let error = |problem| MoveError::new(shown(text.trim()), problem);
        let reader = Reader::new(self, ruleset);
        Written::read(text, reader.geometry)
            .and_then(|written| reader.resolve(&written))
            .map_err(error)
    }

    /// The move in `text`, which closes a mill, without its removal of `pending` stones; and the
    /// situation between the two.
    pub(crate) fn half_move(
        &self,
        text: &str,
        pending: u8,
        ruleset: &Ruleset,
    ) -> Option<(Move, Self)> {
        let written = Written::read(text, ruleset.board.geometry()).ok()?;
        let mv = Move { from: written.from, to: written.to?, removes: Points::EMPTY };
        let (position, side) = (self.position(), self.position().side());
        let Stones { board, hand } = position.mover();
        let mover = match mv.from {
            Some(from) => Stones { board: board.without(from).with(mv.to), hand },
            None => Stones { board: board.with(mv.to), hand: hand.checked_sub(1)? },
        };
        let (white, black) = match side {
            Side::White => (mover, position.other()),
            Side::Black => (position.other(), mover),
        };
        let closed = Position::new(white, black, side);
        Some((mv, Self::pending_removal(closed, pending, ruleset).ok()?))
    }
}

/// The move in a text, legal or not.
struct Written {
    from: Option<Point>,
    to: Option<Point>,
    removes: Vec<Point>,
}

impl Written {
    fn read(text: &str, geometry: &Geometry) -> Result<Self, MoveProblem> {
        let usual = usual(text, geometry.board());
        let compact: String = usual.chars().filter(|found| !found.is_whitespace()).collect();
        let point = |name: &str| {
            let shape = name.chars().count() == 2
                && name.starts_with(|found: char| found.is_ascii_alphabetic())
                && name.ends_with(|found: char| found.is_ascii_digit());
            if !shape {
                let halves = name.split_at_checked(2);
                let points = halves
                    .map(|halves| (geometry.point_named(halves.0), geometry.point_named(halves.1)));
                let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
                return Err(match points {
                    _ if is_number && geometry.point_count() == 24 => {
                        let first = geometry.points().into_iter().next().expect("a point");
                        MoveProblem::Numbers { example: geometry.name(first).to_string() }
                    }
                    Some((Some(from), Some(to))) => {
                        let [from, to] = [from, to].map(|point| geometry.name(point).to_string());
                        MoveProblem::Joined { from, to }
                    }
                    _ => MoveProblem::Form,
                });
            }
            geometry.point_named(name).ok_or_else(|| MoveProblem::NoPoint {
                found: name.to_owned(),
                board: geometry.board(),
                hint: point_hint(geometry, name),
            })
        };
        let mut parts = compact.split(['x', 'X']);
        let mut step = parts.next().unwrap_or_default().split('-');
        let (first, second) = (step.next().unwrap_or_default(), step.next());
        if step.next().is_some() {
            return Err(MoveProblem::Form);
        }
        let (from, to) = match second {
            Some(second) => (Some(point(first)?), Some(point(second)?)),
            None if first.is_empty() => (None, None),
            None => (None, Some(point(first)?)),
        };
        let removes = parts.map(point).collect::<Result<Vec<_>, _>>()?;
        if to.is_none() && removes.is_empty() {
            return Err(MoveProblem::Form);
        }
        Ok(Self { from, to, removes })
    }
}

/// The move in the usual notation, if it is written with other signs or in words; else as it is.
fn usual(text: &str, board: Board) -> String {
    let tokens = tokens(text);
    let ply = Names::new(board, PointNumbers::FromOne).ply(&tokens);
    let is_number = |token: &Token<'_>| matches!(token.kind, Kind::Digits(_));
    match ply {
        Ok(ply) if ply.tokens == tokens.len() && !tokens.iter().any(is_number) => ply.text,
        _ => text.to_owned(),
    }
}

/// Finds the choice that a text means, or what is wrong with it.
struct Reader<'a> {
    situation: &'a Situation,
    ruleset: &'a Ruleset,
    geometry: &'static Geometry,
}

impl<'a> Reader<'a> {
    fn new(situation: &'a Situation, ruleset: &'a Ruleset) -> Self {
        Self { situation, ruleset, geometry: ruleset.board.geometry() }
    }

    fn position(&self) -> &'a Position {
        self.situation.position()
    }

    fn name(&self, point: Point) -> String {
        self.geometry.name(point).to_string()
    }

    fn names(&self, points: Points) -> String {
        let mut names: Vec<_> = points.into_iter().map(|point| self.name(point)).collect();
        names.sort_unstable();
        names.join(" ")
    }

    fn display(&self, choice: Choice) -> String {
        choice.display(self.geometry).to_string()
    }

    /// The first of `choices` in the order of their notation.
    fn example(&self, choices: impl IntoIterator<Item = Choice>) -> String {
        let first = choices.into_iter().min_by_key(|choice| choice.notation_order(self.geometry));
        first.map(|choice| self.display(choice)).unwrap_or_default()
    }

    /// Checks that the point `to` is empty.
    fn is_empty(&self, to: Point) -> Result<(), MoveProblem> {
        let taken = |side| self.position().stones(side).board.contains(to);
        match [Side::White, Side::Black].into_iter().find(|&side| taken(side)) {
            Some(side) => Err(MoveProblem::Occupied { point: self.name(to), side }),
            None => Ok(()),
        }
    }

    /// Checks that `side` has a stone on `point`.
    fn is_stone_of(&self, side: Side, point: Point) -> Result<(), MoveProblem> {
        if self.position().stones(side).board.contains(point) {
            Ok(())
        } else if self.position().occupied().contains(point) {
            Err(MoveProblem::Whose { point: self.name(point), side: side.opponent() })
        } else {
            Err(MoveProblem::Empty { point: self.name(point) })
        }
    }

    fn resolve(&self, written: &Written) -> Result<Choice, MoveProblem> {
        if let Some(end) = GameEnd::of_situation(self.situation, self.ruleset) {
            return Err(MoveProblem::Over { end });
        }
        let choices = self.situation.choices(self.ruleset);
        let example = |choices: &[Choice]| self.example(choices.iter().copied());
        if self.situation.is_pending() {
            if written.to.is_some() {
                return Err(MoveProblem::RemovalPending {
                    side: self.position().side(),
                    count: self.situation.pending(),
                    example: example(&choices),
                });
            }
            return self.removal(written, &choices);
        }
        let Some(to) = written.to else {
            return Err(MoveProblem::NothingPending { example: example(&choices) });
        };
        self.step(written.from, to, &choices)?;
        let step = Move { from: written.from, to, removes: Points::EMPTY };
        let of_step = |choice: &Choice| matches!(choice, Choice::Move(mv) if mv.from == step.from && mv.to == step.to);
        let choices: Vec<Choice> = choices.into_iter().filter(of_step).collect();
        if written.removes.is_empty() || choices != [Choice::Move(step)] {
            return self.removal(written, &choices);
        }
        // The text removes stones, but the move removes nothing.
        let stones = self.position().mover().board;
        let stones = step.from.map_or(stones, |from| stones.without(from)).with(to);
        let example = self.display(Choice::Move(step));
        Err(if self.geometry.mills_at(stones, to) == 0 {
            MoveProblem::NoMill { example }
        } else {
            MoveProblem::NothingRemovable { side: self.position().side().opponent(), example }
        })
    }

    /// Checks that the stone can go from `from` (none: from the hand) to `to`, whatever it removes.
    fn step(&self, from: Option<Point>, to: Point, choices: &[Choice]) -> Result<(), MoveProblem> {
        let (side, mover) = (self.position().side(), self.position().mover());
        let moves = |placing: bool| {
            let fits = move |choice: &Choice| matches!(choice, Choice::Move(mv) if mv.from.is_none() == placing);
            self.example(choices.iter().copied().filter(fits))
        };
        let Some(from) = from else {
            if mover.hand == 0 {
                return Err(MoveProblem::NoHand { side, example: moves(false) });
            }
            return self.is_empty(to);
        };
        if mover.hand > 0 && self.ruleset.placing == Placing::First {
            return Err(MoveProblem::PlaceFirst { side, hand: mover.hand, example: moves(true) });
        }
        self.is_stone_of(side, from)?;
        self.is_empty(to)?;
        let next = self.geometry.neighbours(from);
        if next.contains(to) || self.ruleset.flies(mover.total()) {
            return Ok(());
        }
        let (from, to) = (self.name(from), self.name(to));
        let jumping = self.ruleset.flying == Flying::AtThree;
        Err(MoveProblem::NotNext { from, to, open: self.names(next), jumping })
    }

    /// The one among `choices` (which differ only in the stones that they remove) that removes the
    /// stones in the text.
    fn removal(&self, written: &Written, choices: &[Choice]) -> Result<Choice, MoveProblem> {
        let removed = |choice: &Choice| match choice {
            Choice::Move(mv) => mv.removes,
            Choice::Removal(removes) => *removes,
        };
        let named: Points = written.removes.iter().copied().collect();
        let found = choices.iter().find(|choice| removed(choice) == named);
        if let Some(&choice) = found
            && usize::from(named.len()) == written.removes.len()
        {
            return Ok(choice);
        }
        let example = || self.example(choices.iter().copied());
        // All choices remove the same number.
        let count = choices.first().map_or(0, |choice| removed(choice).len());
        if written.removes.is_empty() {
            return Err(MoveProblem::NameRemoval { count, example: example() });
        }
        let other = self.position().side().opponent();
        let mut seen = Points::EMPTY;
        for &point in &written.removes {
            if seen.contains(point) {
                return Err(MoveProblem::Twice { point: self.name(point) });
            }
            seen = seen.with(point);
            self.is_stone_of(other, point)?;
        }
        if written.removes.len() != usize::from(count) {
            let found = written.removes.len();
            return Err(MoveProblem::RemovalCount { found, count, example: example() });
        }
        let open = choices.iter().map(removed).fold(Points::EMPTY, Points::union);
        let kept = written.removes.iter().find(|&&point| !open.contains(point));
        match kept {
            Some(&point) => {
                let (point, open) = (self.name(point), self.names(open));
                Err(MoveProblem::Protected { point, open })
            }
            None => {
                let sets =
                    choices.iter().map(|choice| self.display(Choice::Removal(removed(choice))));
                Err(MoveProblem::NotBoth { open: sets.collect::<Vec<_>>().join(" ") })
            }
        }
    }
}
