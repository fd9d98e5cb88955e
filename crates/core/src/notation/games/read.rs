//! Reading one game, all games of a text, and moves that follow a game.

use crate::notation::game::Game;
use crate::notation::games::error::{GameError, GameProblem};
use crate::notation::games::reader::Reader;
use crate::notation::games::record::{GameRecord, ReadOptions};
use crate::notation::words::ply::PointNumbers;
use crate::notation::words::source::Source;
use crate::notation::words::token::{Kind, tokens};
use crate::rules::ruleset::Ruleset;

impl GameRecord {
    /// Reads all games of a text.
    ///
    /// ```
    /// use merels_core::{GameRecord, ReadOptions, Ruleset};
    ///
    /// let text = r#"
    ///     [Event "Numbers"]
    ///     1. 5 14 2. 2 15 1-0
    ///     [Event "Letters"]
    ///     1. d6 f4 (1... d7 {why not?}) 2. Place to f2 *
    /// "#;
    /// let games = GameRecord::read_all(text, &ReadOptions::given(&Ruleset::STANDARD))?;
    /// assert_eq!(games[0].game.to_string(), "1. d6 f4 2. d7 g4");
    /// assert_eq!(games[1].game.to_string(), "1. d6 f4 2. f2");
    /// assert_eq!(games[1].variations[0].game.to_string(), "1. d6 d7");
    /// # Ok::<(), merels_core::GameError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, with its place, and with the number and the text of the move. A text without
    /// moves is a fault, too.
    pub fn read_all(text: &str, options: &ReadOptions) -> Result<Vec<Self>, GameError> {
        let source = Source::new(text);
        let tokens = tokens(source.text());
        let mut reader = Reader::new(&source, &tokens, *options);
        let mut records = Vec::new();
        while reader.peek().is_some() {
            match reader.record()? {
                Some(record) => records.push(record),
                None => break,
            }
        }
        if records.is_empty() {
            return Err(reader.no_moves(0));
        }
        Ok(records)
    }
}

impl Game {
    /// Reads one game. [`Game`]'s display form is read back as the same game, unless it has no move.
    ///
    /// ```
    /// use merels_core::{Game, Ruleset};
    ///
    /// let text = "1. d6 f4 {centre} 2. d7 f2 3. d5 xf4 *";
    /// let game = Game::parse(text, &Ruleset::STANDARD)?;
    /// assert_eq!(game.to_string(), "1. d6 f4 2. d7 f2 3. d5xf4");
    ///
    /// let error = Game::parse("1. d6 f4 2. d7 f4", &Ruleset::STANDARD).unwrap_err();
    /// let text = "game, line 1, column 16, move 2... f4: f4 is not empty: Black has a stone there";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), merels_core::GameError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`GameRecord::read_all`]; several games.
    pub fn parse(text: &str, ruleset: &Ruleset) -> Result<Self, GameError> {
        let mut records = GameRecord::read_all(text, &ReadOptions::given(ruleset))?;
        let count = records.len();
        match (records.pop(), count) {
            (Some(record), 1) => Ok(record.game),
            _ => Err(GameError::several(count)),
        }
    }

    /// Reads moves that follow this game. They bring no tags; a text of blanks has no moves.
    ///
    /// ```
    /// use merels_core::{Game, PointNumbers, Ruleset};
    ///
    /// let opening = Game::parse("1. d6 f4", &Ruleset::STANDARD)?;
    /// let game = opening.followed_by("2. d7 f2", PointNumbers::FromOne)?;
    /// assert_eq!(game.to_string(), "1. d6 f4 2. d7 f2");
    /// # Ok::<(), merels_core::GameError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, its place counted in `text`.
    pub fn followed_by(self, text: &str, points: PointNumbers) -> Result<Self, GameError> {
        let source = Source::new(text);
        let tokens = tokens(source.text());
        if tokens.is_empty() {
            return Ok(self);
        }
        let options = ReadOptions { points, ..ReadOptions::given(self.ruleset()) };
        let mut reader = Reader::new(&source, &tokens, options);
        let before = (self.steps().len(), self.half());
        let game = reader.movetext(self)?;
        match reader.peek() {
            Some(token) if matches!(token.kind, Kind::Tag { .. }) => {
                Err(reader.fault(token.start, GameProblem::LateStart))
            }
            Some(token) => Err(reader.not_understood(token.start)),
            None if (game.steps().len(), game.half()) == before => Err(reader.no_moves(0)),
            None => Ok(game),
        }
    }
}
