//! A game: the moves so far, and whether it is over, by rules that need its history too.

use std::fmt;

use crate::board::point::{Point, Points};
use crate::notation::move_error::{MoveError, MoveProblem};
use crate::notation::shown::shown;
use crate::play::end::GameEnd;
use crate::play::moves::Move;
use crate::play::position::Side;
use crate::play::situation::{Choice, Situation};
use crate::rules::choices::Repetition;
use crate::rules::ruleset::Ruleset;

/// A game from its first position on.
///
/// A game ends when a side has lost or the board is full. Some rulesets also end it when a position
/// occurs for the third time (the same stones on the same points, the same stones in hand, the same
/// side to move), or when a number of plies in a row have neither placed nor removed a stone. A
/// game that is over takes no further moves.
///
/// ```
/// use merels_core::{Game, GameEnd, Ruleset, Side};
///
/// let rules: Ruleset = "three".parse()?;
/// let mut game = Game::new(&rules);
/// for text in ["b2", "a1", "a2", "c1", "c2xa1"] {
///     game.play_text(text)?;
/// }
/// assert_eq!(game.to_string(), "1. b2 a1 2. a2 c1 3. c2xa1");
/// assert_eq!(game.end(), Some(GameEnd::TooFewStones { loser: Side::Black }));
/// game.undo();
/// assert_eq!((game.end(), game.steps().len()), (None, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    ruleset: Ruleset,
    start: Situation,
    steps: Vec<GameStep>,
    /// A move that has closed a mill, without its removal; and the situation before it.
    half: Option<(Situation, Move)>,
    situation: Situation,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStep {
    /// Where it was made.
    pub before: Situation,
    /// The move, or the removal that was pending.
    pub choice: Choice,
}

impl GameStep {
    /// Whether it took a stone.
    fn removes(&self) -> bool {
        match self.choice {
            Choice::Move(mv) => !mv.removes.is_empty(),
            Choice::Removal(_) => true,
        }
    }

    /// Whether no earlier position can occur again: a stone was taken or placed.
    fn is_final(&self) -> bool {
        self.removes() || matches!(self.choice, Choice::Move(mv) if mv.from.is_none())
    }
}

impl Game {
    /// A game from the empty board.
    pub const fn new(ruleset: &Ruleset) -> Self {
        Self::starting_at(ruleset, Situation::start(ruleset))
    }

    /// A game from `start`, a situation of the same rules.
    pub const fn starting_at(ruleset: &Ruleset, start: Situation) -> Self {
        Self { ruleset: *ruleset, start, steps: Vec::new(), half: None, situation: start }
    }

    /// The rules.
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Where the game started.
    pub const fn start(&self) -> &Situation {
        &self.start
    }

    /// Where the game stands.
    pub const fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The moves in their order.
    pub fn steps(&self) -> &[GameStep] {
        &self.steps
    }

    /// Makes a move, or a pending removal.
    ///
    /// # Errors
    /// The game is over, or the move is not legal; then the game is as it was.
    pub fn play(&mut self, choice: Choice) -> Result<(), MoveError> {
        let geometry = self.ruleset.board.geometry();
        let points: Points = match choice {
            Choice::Move(mv) => {
                let from = mv.from.map_or(Points::EMPTY, Point::set);
                mv.removes.union(mv.to.set()).union(from)
            }
            Choice::Removal(removes) => removes,
        };
        if let Some(point) = points.difference(geometry.points()).into_iter().next() {
            let problem = MoveProblem::NoPoint {
                found: format!("{point:?}"),
                board: self.ruleset.board,
                hint: format!("its points are numbered from 0 to {}", geometry.point_count() - 1),
            };
            return Err(MoveError::new(format!("{choice:?}"), problem));
        }
        self.play_text(&choice.display(geometry).to_string()).map(|_| ())
    }

    /// Reads a move like [`Situation::choice`], and makes it. After [`Game::play_half`] that is the
    /// removal.
    ///
    /// # Errors
    /// The game is over, or the move is not legal; then the game is as it was.
    pub fn play_text(&mut self, text: &str) -> Result<Choice, MoveError> {
        if let Some(end) = self.end() {
            return Err(MoveError::new(shown(text), MoveProblem::Over { end }));
        }
        let choice = self.situation.choice(text, &self.ruleset)?;
        let (before, choice) = match (self.half.take(), choice) {
            (Some((before, mv)), Choice::Removal(removes)) => {
                (before, Choice::Move(Move { removes, ..mv }))
            }
            _ => (self.situation, choice),
        };
        self.steps.push(GameStep { before, choice });
        self.situation = before.after(&choice);
        Ok(choice)
    }

    /// Makes a move as [`Game::play_text`]; if it closes a mill and names no stone, the removal is
    /// pending afterwards. [`Game::steps`] has such a move only when its removal has been made.
    ///
    /// ```
    /// use merels_core::{Game, Ruleset};
    ///
    /// let mut game = Game::new(&Ruleset::STANDARD);
    /// for text in ["d6", "f4", "d7", "f2"] {
    ///     game.play_text(text)?;
    /// }
    /// game.play_half("d5")?;
    /// assert_eq!((game.to_string().as_str(), game.steps().len()), ("1. d6 f4 2. d7 f2 3. d5", 4));
    /// assert!(game.situation().is_pending());
    /// game.play_text("xf4")?;
    /// assert_eq!((game.to_string().as_str(), game.steps().len()), ("1. d6 f4 2. d7 f2 3. d5xf4", 5));
    /// # Ok::<(), merels_core::MoveError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Game::play_text`], if the fault is another one than the missing removal.
    pub fn play_half(&mut self, text: &str) -> Result<(), MoveError> {
        let error = match self.play_text(text) {
            Err(error) if self.half.is_none() => error,
            other => return other.map(|_| ()),
        };
        let MoveProblem::NameRemoval { count, .. } = *error.problem() else { return Err(error) };
        let before = self.situation;
        let Some((mv, closed)) = before.half_move(text, count, &self.ruleset) else {
            return Err(error);
        };
        self.half = Some((before, mv));
        self.situation = closed;
        Ok(())
    }

    /// The move that has closed a mill and whose removal is pending, if there is one.
    pub fn half(&self) -> Option<Move> {
        self.half.map(|(_, mv)| mv)
    }

    /// Takes the last move back, or the last half of one.
    pub fn undo(&mut self) -> Option<Choice> {
        if let Some((before, mv)) = self.half.take() {
            self.situation = before;
            return Some(Choice::Move(mv));
        }
        let GameStep { before, choice } = self.steps.pop()?;
        self.situation = before;
        Some(choice)
    }

    /// The number that the next move has in print, and its side. White's moves raise the number.
    pub(crate) fn next_number(&self) -> (usize, Side) {
        let first = self.start().position().side();
        let plies = self.steps().len() + usize::from(first == Side::Black);
        (plies / 2 + 1, self.situation().position().side())
    }

    /// How the game has ended; none if it is not over.
    pub fn end(&self) -> Option<GameEnd> {
        if let Some(end) = GameEnd::of_situation(&self.situation, &self.ruleset) {
            return Some(end);
        }
        if self.ruleset.repetition == Repetition::Threefold && self.occurrences() >= 3 {
            return Some(GameEnd::Repetition);
        }
        let limit = self.ruleset.ply_limit?;
        (self.plies_of_moving() >= limit.get().into())
            .then_some(GameEnd::PlyLimit { plies: limit.get() })
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let steps = self.steps.iter().rev().take_while(|step| !step.is_final());
        1 + steps.filter(|step| step.before == self.situation).count()
    }

    /// How many plies in a row, up to now, have only moved a stone: the count of
    /// [`Ruleset::ply_limit`]. A ply that places or removes a stone resets it.
    pub fn plies_of_moving(&self) -> usize {
        self.steps.iter().rev().take_while(|step| !step.is_final()).count()
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = self.ruleset().board.geometry();
        let mut space = "";
        let usual = Self::new(self.ruleset());
        if self.start() != usual.start() {
            write!(f, "[position \"{}\"]", self.start().plain(self.ruleset()))?;
            space = " ";
        }
        let black_first = usize::from(self.start().position().side() == Side::Black);
        for (ply, step) in (black_first..).zip(self.steps()) {
            let side = step.before.position().side();
            f.write_str(space)?;
            if side == Side::White || ply == black_first {
                write!(f, "{}{} ", ply / 2 + 1, dots(side))?;
            }
            write!(f, "{}", step.choice.display(geometry))?;
            space = " ";
        }
        if let Some(mv) = self.half() {
            f.write_str(space)?;
            let (number, side) = self.next_number();
            if side == Side::White || self.steps().is_empty() {
                write!(f, "{number}{} ", dots(side))?;
            }
            write!(f, "{}", Choice::Move(mv).display(geometry))?;
        }
        Ok(())
    }
}

/// What stands between the number of a move and the move.
pub(crate) const fn dots(side: Side) -> &'static str {
    match side {
        Side::White => ".",
        Side::Black => "...",
    }
}
