//! Reads games: from the tokens of a text to records.
//!
//! A tag behind moves begins the next game; so does the number 1 behind a result. Every token has a
//! meaning or is refused with its place. The points of a game are numbers only if the game names no
//! point by a letter or a pair.

use crate::notation::game::Game;
use crate::notation::games::cause::cause;
use crate::notation::games::error::{GameError, GameProblem, PlyName};
use crate::notation::games::numbering::{Numbering, is_blacks_number};
use crate::notation::games::record::{GameRecord, ReadOptions, RulesetChoice, Variation};
use crate::notation::games::signs;
use crate::notation::games::tags::{self, Meaning};
use crate::notation::move_error::{MoveError, MoveProblem};
use crate::notation::shown::shown;
use crate::notation::words::ply::{Names, NotAPly};
use crate::notation::words::source::Source;
use crate::notation::words::token::{Kind, Token};
use crate::play::position::Side;
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// The deepest variation of a variation.
const DEEPEST: usize = 32;

/// The most variations of a text: each holds a whole game.
const MOST_VARIATIONS: usize = 2000;

const MOVES: &str = "moves are written as in 1. d2 f4 2. d6xf4 a1-a4";

/// A place among the tokens of a text.
pub(super) struct Reader<'t> {
    source: &'t Source,
    tokens: &'t [Token<'t>],
    options: ReadOptions,
    at: usize,
    /// Of the current game.
    names: Names,
    numbers_are_points: bool,
    result: Option<&'t str>,
    /// What is wrong if the last move, which closes a mill, is followed by no removal.
    half: Option<GameError>,
    variations: Vec<Variation>,
    count: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(source: &'t Source, tokens: &'t [Token<'t>], options: ReadOptions) -> Self {
        let (RulesetChoice::Given(ruleset) | RulesetChoice::Default(ruleset)) = options.ruleset;
        let names = Names::new(ruleset.board, options.points);
        Self {
            source,
            tokens,
            options,
            at: 0,
            names,
            numbers_are_points: false,
            result: None,
            half: None,
            variations: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn fault(&self, at: usize, problem: GameProblem) -> GameError {
        GameError::new(self.source.location(at), None, problem)
    }

    /// That the words from `at` to the next blank are not understood.
    pub(super) fn not_understood(&self, at: usize) -> GameError {
        let found = self.source.text()[at..].split_whitespace().next().unwrap_or_default();
        let hint =
            if found.starts_with('[') { "a tag is written as in [Event \"Final\"]" } else { MOVES };
        self.fault(at, GameProblem::NotUnderstood { found: shown(found), hint })
    }

    /// That a word is not understood; for two points without a sign between them, what to write.
    fn strange(&self, token: Token<'_>, game: &Game) -> GameError {
        let (number, side) = game.next_number();
        match game.situation().choice(token.text, game.ruleset()).map_err(MoveError::into_problem) {
            Err(problem @ MoveProblem::Joined { .. }) => {
                let name = PlyName { number, side, text: shown(token.text) };
                let location = self.source.location(token.start);
                GameError::new(location, Some(name), Box::new(problem).into())
            }
            _ => self.not_understood(token.start),
        }
    }

    pub(super) fn no_moves(&self, at: usize) -> GameError {
        let text = self.source.text().trim_start();
        let hint = if text.starts_with("{\"") {
            ": what stands in braces is a comment; pass the text of the game alone, not JSON"
        } else if self.tokens.is_empty() {
            ": the text is empty"
        } else {
            ""
        };
        self.fault(at, GameProblem::NoMoves { hint })
    }

    /// The next game; none if only comments are left.
    pub(super) fn record(&mut self) -> Result<Option<GameRecord>, GameError> {
        let (RulesetChoice::Given(mut ruleset) | RulesetChoice::Default(mut ruleset)) =
            self.options.ruleset;
        let begin = self.at;
        let mut tags = Vec::new();
        let mut start: Option<(usize, String)> = None;
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Tag { name, value } => {
                    let value = tags::unescaped(value);
                    match tags::meaning(name, &value) {
                        Meaning::Rules(rules) => ruleset = self.rules(token.start, &rules)?,
                        Meaning::Start(_) if start.is_some() => {
                            return Err(self.fault(token.start, GameProblem::LateStart));
                        }
                        Meaning::Start(text) => start = Some((token.start, text)),
                        Meaning::Other => {}
                    }
                    tags.push((name.to_owned(), value));
                }
                Kind::Comment(text) => {
                    if let Some(rules) = tags::rules_in_comment(text) {
                        ruleset = self.rules(token.start, rules)?;
                    }
                }
                _ => break,
            }
            self.at += 1;
        }
        let at = self.tokens[begin].start;
        if self.peek().is_none() && tags.is_empty() {
            return Ok(None);
        }
        self.names = Names::new(ruleset.board, self.options.points);
        self.result = None;
        self.variations = Vec::new();
        let game = match start {
            Some((at, text)) => {
                let start = Situation::parse(&text, &ruleset)
                    .map_err(|error| self.fault(at, GameProblem::Start(error.into())))?;
                Game::starting_at(&ruleset, start)
            }
            None => Game::starting_at(&ruleset, Situation::beginning(&ruleset, self.begins())),
        };
        let game = self.movetext(game)?;
        if game.steps().is_empty() && game.half().is_none() {
            return Err(self.no_moves(at));
        }
        Ok(Some(GameRecord {
            tags,
            game,
            variations: std::mem::take(&mut self.variations),
            result: self.result.map(str::to_owned),
        }))
    }

    /// Who begins a game from the empty board: Black if the first move has Black's number, as in
    /// `1... d6`.
    fn begins(&self) -> Side {
        let first = self.tokens[self.at..]
            .iter()
            .find(|token| !matches!(token.kind, Kind::Comment(_) | Kind::Glyph | Kind::Clock(..)));
        match first {
            Some(token)
                if matches!(token.kind, Kind::Number(_)) && is_blacks_number(token.text) =>
            {
                Side::Black
            }
            _ => self.options.begins,
        }
    }

    /// The rules of this name, if the user has not named others.
    fn rules(&self, at: usize, name: &str) -> Result<Ruleset, GameError> {
        let Some(found) = tags::rules_named(name) else {
            return Err(self.fault(at, GameProblem::Ruleset { found: shown(name) }));
        };
        match self.options.ruleset {
            RulesetChoice::Given(expected) if expected != found => {
                let (found, expected) = (Box::new(found), Box::new(expected));
                Err(self.fault(at, GameProblem::OtherRuleset { found, expected }))
            }
            _ => Ok(found),
        }
    }

    /// Whether the numbers of the current game name points: nothing else does.
    fn numbers_are_points(&self) -> bool {
        let rest = &self.tokens[self.at..];
        let game = rest.iter().take_while(|token| !matches!(token.kind, Kind::Tag { .. }));
        !game.clone().any(|token| {
            matches!(token.kind, Kind::Point(_) | Kind::Pair(..) | Kind::InParentheses(_))
        })
    }

    /// The moves of a game, up to its end.
    pub(super) fn movetext(&mut self, game: Game) -> Result<Game, GameError> {
        self.numbers_are_points = self.numbers_are_points();
        let numbering = Numbering { start: game.steps().len(), offsets: None };
        self.line(game, numbering, 0, 0)
    }

    /// The moves of a line up to the end of its game or of its variation.
    fn line(
        &mut self,
        mut game: Game,
        mut numbering: Numbering,
        depth: usize,
        opened: usize,
    ) -> Result<Game, GameError> {
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Tag { .. } if depth == 0 => return Ok(game),
                Kind::Comment(_) | Kind::Glyph | Kind::Comma => self.at += 1,
                Kind::Clock(..) if !self.numbers_are_points => self.at += 1,
                Kind::Open { open, close } => {
                    return Err(self.fault(token.start, GameProblem::Open { open, close }));
                }
                Kind::Number(digits) => {
                    if depth == 0 && self.result.is_some() && digits == "1" {
                        return Ok(game);
                    }
                    numbering.check(digits, &game).map_err(|due| {
                        let found = shown(token.text);
                        self.fault(token.start, GameProblem::OtherNumber { found, due })
                    })?;
                    self.at += 1;
                }
                Kind::Digits(digits) if !self.numbers_are_points => {
                    numbering.check(digits, &game).map_err(|_| self.not_understood(token.start))?;
                    self.at += 1;
                }
                Kind::Dots if self.follows_number() => self.at += 1,
                Kind::Side(word) => {
                    let side = game.situation().position().side();
                    let is_it = word.eq_ignore_ascii_case(if side == Side::White {
                        "white"
                    } else {
                        "black"
                    });
                    if !is_it {
                        return Err(self.fault(token.start, GameProblem::OtherSide { side }));
                    }
                    self.at += 1;
                }
                Kind::Result(result) if !self.is_move_from_zero(result) => {
                    if depth == 0 {
                        if let Some(before) = self.result {
                            return Err(self.after_result(token, before));
                        }
                        self.result = Some(result);
                    }
                    self.at += 1;
                }
                Kind::Begin => {
                    self.at += 1;
                    self.variation(&game, depth, token.start, |reader, game| {
                        reader.line(game, numbering, depth + 1, token.start)
                    })?;
                }
                Kind::InParentheses(_) if game.half().is_none() => {
                    self.variation(&game, depth, token.start, |reader, mut game| {
                        reader.ply(&mut game)?;
                        Ok(game)
                    })?;
                }
                Kind::End if depth > 0 => {
                    self.at += 1;
                    return Ok(game);
                }
                Kind::Tag { .. } => break,
                Kind::Word | Kind::End | Kind::Dots => return Err(self.strange(token, &game)),
                _ => {
                    if let Some(result) = self.result.filter(|_| depth == 0) {
                        return Err(self.after_result(token, result));
                    }
                    self.ply(&mut game)?;
                }
            }
        }
        if depth > 0 {
            return Err(self.fault(opened, GameProblem::Open { open: '(', close: ')' }));
        }
        Ok(game)
    }

    fn after_result(&self, token: Token<'_>, result: &str) -> GameError {
        let (found, result) = (shown(token.text), shown(result));
        self.fault(token.start, GameProblem::AfterResult { found, result })
    }

    fn follows_number(&self) -> bool {
        let before = self.at.checked_sub(1).map(|before| self.tokens[before].kind);
        matches!(before, Some(Kind::Number(_) | Kind::Digits(_)))
    }

    /// Where points are numbered from 0, `1-0` before the end of a game is a move.
    fn is_move_from_zero(&self, result: &str) -> bool {
        let is_end = || {
            let next = self.tokens.get(self.at + 1).map(|token| token.kind);
            matches!(next, None | Some(Kind::Tag { .. }))
        };
        self.numbers_are_points
            && self.options.points.first() == 0
            && matches!(result, "1-0" | "0-1")
            && !is_end()
    }

    /// The moves in parentheses, instead of the last one of `game`.
    fn variation(
        &mut self,
        game: &Game,
        depth: usize,
        at: usize,
        read: impl FnOnce(&mut Self, Game) -> Result<Game, GameError>,
    ) -> Result<(), GameError> {
        let refuse = |reason| self.fault(at, GameProblem::Variation { reason });
        if depth == DEEPEST {
            return Err(refuse("the variations are too deep"));
        }
        if self.count == MOST_VARIATIONS {
            return Err(refuse("the text has too many variations"));
        }
        let mut line = game.clone();
        if line.undo().is_none() {
            return Err(refuse("a variation stands behind the move that it replaces"));
        }
        self.count += 1;
        // Variations stand in the order in which they begin.
        let place = self.variations.len();
        let shared = line.steps().len();
        self.variations.push(Variation { game: line.clone(), shared });
        let game = read(self, line)?;
        self.variations[place].game = game;
        Ok(())
    }

    /// Reads one move and makes it.
    fn ply(&mut self, game: &mut Game) -> Result<(), GameError> {
        let first = self.tokens[self.at];
        let rest = &self.tokens[self.at..];
        let split = signs::split(rest, |result| self.is_move_from_zero(result))
            .filter(|_| self.numbers_are_points);
        let tokens = split.as_ref().map_or(rest, |(_, tokens)| &tokens[..]);
        let ply = self.names.ply(tokens).map_err(|NotAPly(at)| {
            let at = tokens.get(at).map_or(first.start, |token| token.start);
            self.not_understood(at)
        })?;
        let used = match split {
            Some((place, _)) if ply.tokens > place => ply.tokens - 2,
            _ => ply.tokens,
        };
        let last = self.tokens[self.at + used - 1];
        let written = &self.source.text()[first.start..last.start + last.text.len()];
        let (number, side) = game.next_number();
        // A point in parentheses behind a mill is the stone that it removes.
        let is_removal = matches!(first.kind, Kind::InParentheses(_)) && game.half().is_some();
        let text = if is_removal { format!("x{}", ply.text) } else { ply.text };
        let name = PlyName { number, side, text: shown(written) };
        let location = self.source.location(first.start);
        if let Err(error) = game.play_half(&text) {
            return Err(match (error.into_problem(), self.half.take()) {
                // The fault is the missing removal of the move before.
                (MoveProblem::RemovalPending { .. }, Some(half)) => half,
                (problem, _) => {
                    let numbers = self.numbers_are_points.then_some(self.options.points);
                    GameError::new(location, Some(name), cause(game, written, numbers, problem))
                }
            });
        }
        self.half = game.half().map(|_| {
            let mut before = game.clone();
            before.undo();
            let problem = before.play_text(&text).err().map(MoveError::into_problem);
            GameError::new(
                location,
                Some(name),
                Box::new(problem.unwrap_or(MoveProblem::Form)).into(),
            )
        });
        self.at += used;
        Ok(())
    }
}
