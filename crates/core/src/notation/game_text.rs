//! Games as text: `1. d6 f4 2. f2 b4xa1 ...`.
//!
//! Move numbers are optional. Comments stand in braces, or from a semicolon to the end of the line.
//! The removal may be a word of its own (`a1-a4 xd7`). A result (`1-0`, `0-1`, `1/2-1/2`,
//! `*`) may be the last word. A game that does not start from the empty board says so first:
//! `[position "w:a1,d7,g7 b:a4,g4,d5 move:b hand:0,0"] 1... d5-d6`; other such tags are skipped.

use std::fmt;

use crate::notation::error::{NotationError, TextLocation};
use crate::notation::game::Game;
use crate::notation::move_error::MoveProblem;
use crate::notation::shown::shown;
use crate::play::position::Side;
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game, {location}{}: {problem}", .ply.as_ref().map(|ply| format!(", move {ply}")).unwrap_or_default())]
pub struct GameError {
    location: TextLocation,
    ply: Option<PlyName>,
    #[source]
    problem: GameProblem,
}

/// The number of a move with its text, `12... a1-a4`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlyName {
    number: usize,
    side: Side,
    text: String,
}

impl fmt::Display for PlyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {}", self.number, dots(self.side), self.text)
    }
}

const fn dots(side: Side) -> &'static str {
    match side {
        Side::White => ".",
        Side::Black => "...",
    }
}

impl GameError {
    /// Where the fault is; it always has a line.
    pub const fn location(&self) -> TextLocation {
        self.location
    }

    /// The number of the move at fault (from 1, counted as it is printed) and the side that makes
    /// it; none if the fault lies elsewhere.
    pub fn number(&self) -> Option<(usize, Side)> {
        self.ply.as_ref().map(|ply| (ply.number, ply.side))
    }

    /// The text of the move at fault.
    pub fn text(&self) -> Option<&str> {
        self.ply.as_ref().map(|ply| ply.text.as_str())
    }

    /// What is wrong.
    pub const fn problem(&self) -> &GameProblem {
        &self.problem
    }
}

/// What is wrong with a game in text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// A move that cannot be made.
    #[error(transparent)]
    Move(#[from] Box<MoveProblem>),
    /// The starting position cannot be read.
    #[error("the game starts from a position that cannot be read: {0}")]
    Start(#[source] Box<NotationError>),
    /// A second starting position, or one after the first move.
    #[error("a game has one starting position, before its first move")]
    LateStart,
    /// A comment or tag without an end.
    #[error("'{open}' is never closed by '{close}'")]
    Open {
        /// How it begins.
        open: char,
        /// How it would end.
        close: char,
    },
    /// Something after the result.
    #[error("'{found}' follows the result '{result}'")]
    AfterResult {
        /// What follows.
        found: String,
        /// The result.
        result: String,
    },
}

impl Game {
    /// Reads a game. [`Game`]'s display form is read back as the same game.
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
    /// The first fault, with its place, and with the number and the text of the move.
    pub fn parse(text: &str, ruleset: &Ruleset) -> Result<Self, GameError> {
        Self::read(None, text, ruleset)
    }

    /// Reads the moves that follow, like [`Game::parse`]. The text has no starting position.
    ///
    /// ```
    /// use merels_core::{Game, Ruleset};
    ///
    /// let opening = Game::parse("1. d6 f4", &Ruleset::STANDARD)?;
    /// let game = opening.followed_by("2. d7 f2")?;
    /// assert_eq!(game.to_string(), "1. d6 f4 2. d7 f2");
    /// # Ok::<(), merels_core::GameError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, its place counted in `text`.
    pub fn followed_by(self, text: &str) -> Result<Self, GameError> {
        let ruleset = *self.ruleset();
        Self::read(Some(self), text, &ruleset)
    }

    /// Reads the moves of `text` after those of `game`, or a game of its own.
    fn read(game: Option<Self>, text: &str, ruleset: &Ruleset) -> Result<Self, GameError> {
        let mut game = game;
        let mut result: Option<&str> = None;
        // Some programs begin a text with a byte order mark, which marks it as UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut tokens = Tokens { rest: text, line: 1, column: 1 };
        let mut next = tokens.next().transpose()?;
        while let Some(token) = next {
            next = tokens.next().transpose()?;
            let fault = |problem| GameError { location: token.location, ply: None, problem };
            if let Some(start) = token.start() {
                if game.is_some() {
                    return Err(fault(GameProblem::LateStart));
                }
                let start = Situation::parse(start, ruleset)
                    .map_err(|error| fault(GameProblem::Start(error.into())))?;
                game = Some(Self::starting_at(ruleset, start));
                continue;
            }
            if token.is_tag() {
                continue;
            }
            let word = token.without_number();
            if word.is_empty() {
                continue;
            }
            if let Some(result) = result {
                let (found, result) = (shown(word), shown(result));
                return Err(fault(GameProblem::AfterResult { found, result }));
            }
            if ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*"].contains(&word) {
                result = Some(word);
                continue;
            }
            let mut name = word.trim_end_matches(['!', '?']).to_owned();
            // The removal may be a word of its own.
            while let Some(removal) = next.filter(|next| next.text.starts_with(['x', 'X'])) {
                name.push_str(removal.text.trim_end_matches(['!', '?']));
                next = tokens.next().transpose()?;
            }
            let game = game.get_or_insert_with(|| Self::new(ruleset));
            let (number, side) = game.next_number();
            game.play_text(&name).map_err(|error| GameError {
                location: token.location,
                ply: Some(PlyName { number, side, text: error.text().to_owned() }),
                problem: Box::new(error.into_problem()).into(),
            })?;
        }
        Ok(game.unwrap_or_else(|| Self::new(ruleset)))
    }

    /// The number of the next move in print, and its side. White's moves raise the number.
    fn next_number(&self) -> (usize, Side) {
        let first = self.start().position().side();
        let plies = self.steps().len() + usize::from(first == Side::Black);
        (plies / 2 + 1, self.situation().position().side())
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
        Ok(())
    }
}

/// A word, or a tag in brackets.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    location: TextLocation,
}

impl<'a> Token<'a> {
    fn is_tag(&self) -> bool {
        self.text.starts_with('[')
    }

    /// The starting position that a tag holds.
    fn start(&self) -> Option<&'a str> {
        let tag = self.text.strip_prefix('[')?.trim_end_matches(']').trim();
        let (name, value) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let known = ["position", "fen"].iter().any(|known| name.eq_ignore_ascii_case(known));
        known.then(|| value.trim().trim_matches('"'))
    }

    /// The word without the number of the move: of `1.d6` the move, of `12...` and `12` nothing.
    fn without_number(&self) -> &'a str {
        let rest = self.text.trim_start_matches(|found: char| found.is_ascii_digit());
        match rest.trim_start_matches(['.', '…']) {
            // Digits without a dot begin a result.
            unchanged if unchanged.len() == rest.len() && !rest.is_empty() => self.text,
            word => word,
        }
    }
}

/// The words and tags of a text; comments are left out.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Tokens<'a> {
    /// Takes `length` bytes of the text.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        for found in taken.chars() {
            if found == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        taken
    }

    /// The length up to the end of what begins here with `open` and ends with `close`.
    fn closed(&self, open: char, close: char) -> Result<usize, GameError> {
        self.rest.find(close).map(|at| at + 1).ok_or(GameError {
            location: self.location(),
            ply: None,
            problem: GameProblem::Open { open, close },
        })
    }

    const fn location(&self) -> TextLocation {
        TextLocation { line: Some(self.line), column: self.column }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let is_space = |found: char| found.is_whitespace() || found == ',';
            let found = self.rest.chars().next()?;
            let location = self.location();
            let length = match found {
                '{' => match self.closed('{', '}') {
                    Ok(length) => {
                        self.take(length);
                        continue;
                    }
                    Err(error) => return Some(Err(error)),
                },
                ';' => {
                    let length = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.take(length);
                    continue;
                }
                _ if is_space(found) => {
                    self.take(found.len_utf8());
                    continue;
                }
                '[' => match self.closed('[', ']') {
                    Ok(length) => length,
                    Err(error) => return Some(Err(error)),
                },
                _ => {
                    let ends = |found: char| is_space(found) || "{;[".contains(found);
                    self.rest.find(ends).unwrap_or(self.rest.len())
                }
            };
            return Some(Ok(Token { text: self.take(length), location }));
        }
    }
}
