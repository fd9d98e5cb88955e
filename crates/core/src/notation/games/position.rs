//! A position as people have it: in a [`Form`](crate::Form), with moves behind it, in tags, or as the
//! link of a page.

use crate::notation::error::{NotationError, TextLocation};
use crate::notation::game::Game;
use crate::notation::games::error::{GameError, GameProblem};
use crate::notation::games::record::{GameRecord, ReadOptions, RulesetChoice};
use crate::notation::shown::shown;
use crate::play::situation::Situation;

/// Why a text is not a position, perhaps with moves behind it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The position.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// The moves behind it, or the game in which it stands.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A link that names neither a position nor moves.
    #[error("this link has no position: it should end as in #fen=...&moves=... or #moves=d2+b4")]
    Link,
    /// A link, or a command of a protocol, with a part that means nothing here.
    #[error("'{found}' is not understood; behind a position may stand 'moves d6 f4'")]
    Unexpected {
        /// The part.
        found: String,
    },
}

impl Game {
    /// Reads a position and the moves behind it: the game stands where the text asks.
    ///
    /// Besides the forms of [`Situation::parse`] this reads `start`, `startpos`, `fen ...`, `position fen ...
    /// moves d6 f4`, a game with tags, and the link of the page.
    ///
    /// ```
    /// use merels_core::{Game, ReadOptions, Ruleset};
    ///
    /// let options = ReadOptions::given(&Ruleset::STANDARD);
    /// for text in [
    ///     "********/********/******** w p p 0 9 0 9 0 0 1 moves d6 f4",
    ///     "position startpos moves d6 f4",
    ///     "http://127.0.0.1:7878/#moves=d6+f4",
    ///     "1. d6 f4",
    /// ] {
    ///     assert_eq!(Game::to_position(text, &options)?.to_string(), "1. d6 f4");
    /// }
    /// # Ok::<(), merels_core::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, with its place in the part of the text that has it.
    pub fn to_position(text: &str, options: &ReadOptions) -> Result<Self, ReadError> {
        let (RulesetChoice::Given(ruleset) | RulesetChoice::Default(ruleset)) = options.ruleset;
        let text = text.trim().trim_start_matches('\u{feff}');
        if text.starts_with("http://") || text.starts_with("https://") {
            return of_link(text, options);
        }
        let beginning =
            || Self::starting_at(&ruleset, Situation::beginning(&ruleset, options.begins));
        let (text, is_command) = without_command(text);
        let (start, moves) = split_moves(text);
        let names_beginning = |word| start.eq_ignore_ascii_case(word);
        let is_beginning = ["start", "startpos"].into_iter().any(names_beginning)
            || start.is_empty() && moves.is_some();
        let game = if is_beginning {
            beginning()
        } else {
            match Situation::parse(start, &ruleset) {
                Ok(situation) => Self::starting_at(&ruleset, situation),
                Err(error) if error.form().is_none() && !is_command && !text.is_empty() => {
                    return of_game(text, options, error);
                }
                Err(error) => return Err(error.into()),
            }
        };
        Ok(match moves {
            Some(moves) => game.followed_by(moves, options.points)?,
            None => game,
        })
    }
}

/// The text behind `fen`, `position` and `position fen`, and whether there was such a word.
fn without_command(text: &str) -> (&str, bool) {
    let mut rest = text;
    for word in ["position", "fen"] {
        let (first, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if first.eq_ignore_ascii_case(word) && !behind.is_empty() {
            rest = behind.trim_start();
        }
    }
    (rest, rest.len() < text.len())
}

/// The text before and behind the word `moves`.
fn split_moves(text: &str) -> (&str, Option<&str>) {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if word.trim().eq_ignore_ascii_case("moves") {
            return (text[..at].trim(), Some(text[at + word.len()..].trim()));
        }
        at += word.len();
    }
    (text, None)
}

/// The position at the end of the one game of a text, which is not in a form of positions: that is
/// the error `position`.
fn of_game(text: &str, options: &ReadOptions, position: NotationError) -> Result<Game, ReadError> {
    // A position in tags needs no moves.
    let records = match GameRecord::read_all(text, options) {
        Ok(records) => records,
        Err(error) => {
            // A text whose first word is not understood is more likely a position than a game.
            let is_first = error.location() == TextLocation { line: Some(1), column: 1 }
                && matches!(error.problem(), GameProblem::NotUnderstood { .. });
            return Err(if is_first { position.into() } else { error.into() });
        }
    };
    match <[GameRecord; 1]>::try_from(records) {
        Ok([record]) => Ok(record.game),
        Err(records) => Err(GameError::several(records.len()).into()),
    }
}

/// The position of a link: `#fen=...&moves=...`, or the same behind a question mark.
fn of_link(link: &str, options: &ReadOptions) -> Result<Game, ReadError> {
    let place = link.find('#').or_else(|| link.find('?')).ok_or(ReadError::Link)?;
    let (RulesetChoice::Given(ruleset) | RulesetChoice::Default(ruleset)) = options.ruleset;
    let (mut start, mut moves, mut at) = (None, None, None);
    for (name, value) in form_urlencoded::parse(&link.as_bytes()[place + 1..]) {
        match &*name {
            "fen" | "position" => start = Some(value.into_owned()),
            "moves" => moves = Some(value.into_owned()),
            // How many plies the page shows.
            "at" if value.parse::<usize>().is_ok() => at = value.parse().ok(),
            _ => return Err(ReadError::Unexpected { found: shown(&name) }),
        }
    }
    let game = match &start {
        Some(text) => Game::starting_at(&ruleset, Situation::parse(text, &ruleset)?),
        None if moves.is_some() => {
            Game::starting_at(&ruleset, Situation::beginning(&ruleset, options.begins))
        }
        None => return Err(ReadError::Link),
    };
    let mut game = game.followed_by(moves.as_deref().unwrap_or_default(), options.points)?;
    while at.is_some_and(|at: usize| game.steps().len() + usize::from(game.half().is_some()) > at) {
        game.undo();
    }
    Ok(game)
}
