//! A game: the moves so far, and whether it is over, by rules that need its history too.

use crate::board::point::{Point, Points};
use crate::notation::move_error::{MoveError, MoveProblem};
use crate::notation::shown::shown;
use crate::play::end::GameEnd;
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
        Self { ruleset: *ruleset, start, steps: Vec::new(), situation: start }
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

    /// Reads a move like [`Situation::choice`], and makes it.
    ///
    /// # Errors
    /// The game is over, or the move is not legal; then the game is as it was.
    pub fn play_text(&mut self, text: &str) -> Result<Choice, MoveError> {
        if let Some(end) = self.end() {
            return Err(MoveError::new(shown(text), MoveProblem::Over { end }));
        }
        let choice = self.situation.choice(text, &self.ruleset)?;
        self.steps.push(GameStep { before: self.situation, choice });
        self.situation = self.situation.after(&choice);
        Ok(choice)
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Choice> {
        let GameStep { before, choice } = self.steps.pop()?;
        self.situation = before;
        Some(choice)
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
