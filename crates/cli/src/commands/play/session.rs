//! A game with its players: the side to move, the program's moves, the end of the game.

use fastrand::Rng;
use merels_core::{Choice, Game, GameEnd, Ruleset, Side, Situation, Value};
use merels_db::Edition;
use merels_query::{QueryError, pick};

use crate::commands::play::player::Player;
use crate::output::screen::{name, wrapped};
use crate::shared::oracle::Oracle;

/// A game in play.
pub(super) struct Session<'a> {
    oracle: &'a Oracle,
    game: Game,
    /// The players of White and Black.
    players: [Player; 2],
    seed: u64,
    rng: Rng,
    /// The longest game of the program against itself.
    max_plies: usize,
    resigned: Option<Side>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By the rules.
    Rules(GameEnd),
    /// This side resigned.
    Resigned(Side),
    /// The program plays against itself, and a position has occurred for the third time.
    Circle,
    /// The program plays against itself and has reached the limit of plies.
    Cut,
}

/// What was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undone {
    /// No person has moved.
    Nothing,
    Resignation,
    Plies(usize),
}

impl<'a> Session<'a> {
    /// A session that continues `game`.
    pub(super) fn new(
        oracle: &'a Oracle,
        game: Game,
        players: [Player; 2],
        seed: u64,
        max_plies: usize,
    ) -> Self {
        let rng = Rng::with_seed(seed);
        Self { oracle, game, players, seed, rng, max_plies, resigned: None }
    }

    pub(super) const fn oracle(&self) -> &Oracle {
        self.oracle
    }

    pub(super) const fn ruleset(&self) -> &Ruleset {
        self.oracle.ruleset()
    }

    pub(super) const fn situation(&self) -> &Situation {
        self.game.situation()
    }

    /// The edition of the databases that have the position; none if it was solved on the spot or if
    /// no database has it.
    pub(super) fn edition(&self) -> Option<Edition> {
        self.oracle.source().edition_of(self.situation().position().subspace())
    }

    /// The seed of the program's choices.
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// Who plays `side`.
    pub(super) const fn player(&self, side: Side) -> Player {
        match side {
            Side::White => self.players[0],
            Side::Black => self.players[1],
        }
    }

    /// The side to move.
    pub(super) fn side(&self) -> Side {
        self.situation().position().side()
    }

    /// Whether a person plays.
    pub(super) fn has_person(&self) -> bool {
        self.players.contains(&Player::Person)
    }

    /// How the game ended; none if it is not over.
    pub(super) fn ending(&self) -> Option<Ending> {
        if let Some(side) = self.resigned {
            return Some(Ending::Resigned(side));
        }
        if let Some(end) = self.game.end() {
            return Some(Ending::Rules(end));
        }
        if self.has_person() {
            return None;
        }
        if self.game.occurrences() >= 3 {
            return Some(Ending::Circle);
        }
        (self.game.steps().len() >= self.max_plies).then_some(Ending::Cut)
    }

    /// The value of the position for the side to move, without the history of the game.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn value(&self) -> Result<Value, QueryError> {
        self.oracle.value(*self.situation())
    }

    /// The move that the program would play now. The game must not be over.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn hint(&self) -> Result<Choice, QueryError> {
        self.choose(&mut self.rng.clone())
    }

    /// Makes the program's move and returns it. The game must not be over.
    ///
    /// # Errors
    /// Those of the oracle.
    pub(super) fn let_program_play(&mut self) -> anyhow::Result<Choice> {
        let mut rng = self.rng.clone();
        let choice = self.choose(&mut rng)?;
        self.rng = rng;
        self.game.play(choice)?;
        Ok(choice)
    }

    fn choose(&self, rng: &mut Rng) -> Result<Choice, QueryError> {
        self.oracle.source().refresh()?;
        let analysis = self.oracle.analyse(*self.situation())?;
        let temptations = self.oracle.temptations(&analysis)?;
        let picked = pick(&temptations, rng).expect("a game that is not over has a move");
        Ok(picked.choice.choice)
    }

    /// Makes the move that `text` names.
    ///
    /// # Errors
    /// If `text` does not name a legal move.
    pub(super) fn play(&mut self, text: &str) -> anyhow::Result<()> {
        self.game.play_text(text)?;
        Ok(())
    }

    /// Takes back the last move of a person and everything after it, or the resignation.
    pub(super) fn take_back(&mut self) -> Undone {
        if self.resigned.take().is_some() {
            return Undone::Resignation;
        }
        let steps = self.game.steps();
        let by_person =
            |before: &Situation| self.player(before.position().side()) == Player::Person;
        let Some(last) = steps.iter().rposition(|step| by_person(&step.before)) else {
            return Undone::Nothing;
        };
        let plies = steps.len() - last;
        for _ in 0..plies {
            self.game.undo();
        }
        Undone::Plies(plies)
    }

    /// The side to move resigns.
    pub(super) fn resign(&mut self) {
        self.resigned = Some(self.side());
    }

    /// The moves with their numbers and the result, in lines of 80 columns. If the game began with
    /// another position than the empty board, a line before them has that position.
    pub(super) fn moves_and_result(&self) -> String {
        let game = format!("{} {}", self.game, self.result());
        let (start, moves) = match game.split_once("] ") {
            Some((start, moves)) => (format!("{start}]\n"), moves),
            None => (String::new(), game.as_str()),
        };
        // A number and its move stay on one line.
        let mut words: Vec<String> = Vec::new();
        for word in moves.split(' ') {
            match words.last_mut() {
                Some(last) if last.ends_with('.') => *last += &format!(" {word}"),
                _ => words.push(word.to_owned()),
            }
        }
        start + &wrapped(words.iter())
    }

    /// The result in the notation of games; `*` if there is none.
    fn result(&self) -> &'static str {
        let winner = match self.ending() {
            None | Some(Ending::Cut) => return "*",
            Some(Ending::Resigned(side)) => Some(side.opponent()),
            Some(Ending::Circle) => None,
            Some(Ending::Rules(end)) => end.winner(),
        };
        match winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// How the game ended, in words.
    pub(super) fn in_words(&self, ending: Ending) -> String {
        let reason = match ending {
            Ending::Rules(end) => end.to_string(),
            Ending::Resigned(side) => format!("{} has resigned", name(side)),
            Ending::Circle => {
                "the position has occurred three times, and perfect play would repeat it for ever: \
                 a draw"
                    .to_owned()
            }
            Ending::Cut if self.max_plies == 1 => "stopped after 1 ply".to_owned(),
            Ending::Cut => format!("stopped after {} plies", self.max_plies),
        };
        format!("The game is over: {reason}.")
    }
}
