//! The plain form, for every board: `w:a1,d7,g7 b:a4,g4,d5 move:b hand:0,0`.
//!
//! Each part is a word, a colon and a value: the points of white and of black, the side to move,
//! the stones in hand (white's, then black's; none if the part is missing), and `remove:1` if a
//! stone is still to be removed. Parts may come in any order, in upper or lower case. Commas and
//! spaces separate alike.

use std::fmt;

use crate::board::point::Point;
use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::form::Form;
use crate::notation::problem::{NotationProblem, Part};
use crate::notation::setup::Setup;
use crate::notation::shown::{number, shown};
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

impl Position {
    /// The position in the plain form, see [`Situation::plain`]. It need not be one that can occur.
    pub const fn plain<'a>(&'a self, ruleset: &'a Ruleset) -> DisplayPlain<'a> {
        DisplayPlain { position: self, pending: 0, ruleset }
    }
}

impl Situation {
    /// The position in the plain form. Reading it back gives the same.
    ///
    /// ```
    /// use merels_core::{Ruleset, Situation};
    ///
    /// let rules: Ruleset = "three".parse()?;
    /// let start = Situation::start(&rules);
    /// assert_eq!(start.plain(&rules).to_string(), "w: b: move:w hand:3,3");
    /// # Ok::<(), merels_core::RulesetError>(())
    /// ```
    pub const fn plain<'a>(&'a self, ruleset: &'a Ruleset) -> DisplayPlain<'a> {
        DisplayPlain { position: self.position(), pending: self.pending(), ruleset }
    }
}

/// A position to be printed in the plain form, see [`Situation::plain`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayPlain<'a> {
    position: &'a Position,
    pending: u8,
    ruleset: &'a Ruleset,
}

impl fmt::Display for DisplayPlain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = self.ruleset.board.geometry();
        let position = self.position;
        let names = |side| {
            let mut names: Vec<String> = position
                .stones(side)
                .board
                .into_iter()
                .map(|point| geometry.name(point).to_string())
                .collect();
            names.sort_unstable();
            names.join(",")
        };
        let (white, black) = (position.stones(Side::White), position.stones(Side::Black));
        let side = match position.side() {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let (on_white, on_black) = (names(Side::White), names(Side::Black));
        write!(f, "w:{on_white} b:{on_black} move:{side} hand:{},{}", white.hand, black.hand)?;
        if self.pending > 0 {
            write!(f, " remove:{}", self.pending)?;
        }
        Ok(())
    }
}

/// A part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    White,
    Black,
    Move,
    Hand,
    Remove,
}

impl Key {
    const PARTS: &str = "write the parts of a position as in w:a1 b:a7 move:w hand:8,8 remove:1";

    fn named(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "w" | "white" => Self::White,
            "b" | "black" => Self::Black,
            "move" => Self::Move,
            "hand" | "hands" => Self::Hand,
            "remove" => Self::Remove,
            _ => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::White => "w:",
            Self::Black => "b:",
            Self::Move => "move:",
            Self::Hand => "hand:",
            Self::Remove => "remove:",
        }
    }

    /// How to write the part.
    const fn needed(self) -> &'static str {
        match self {
            Self::White => "write the points of the white stones as in w:a1,d7",
            Self::Black => "write the points of the black stones as in b:a1,d7",
            Self::Move => "write whose turn it is as move:w or move:b",
            Self::Hand => "write white's stones in hand, then black's, as in hand:3,3",
            Self::Remove => "write the number of stones still to be removed as in remove:1",
        }
    }
}

/// A word with the column at which it starts; a colon is a word.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    column: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut begun: Option<(usize, usize)> = None;
    let mut finish = |begun: &mut Option<(usize, usize)>, end: usize| {
        if let Some((start, column)) = begun.take() {
            words.push(Word { text: &text[start..end], column });
        }
    };
    for (column, (at, found)) in (1..).zip(text.char_indices()) {
        if found == ':' {
            finish(&mut begun, at);
            begun = Some((at, column));
            finish(&mut begun, at + 1);
        } else if found == ',' || found.is_whitespace() {
            finish(&mut begun, at);
        } else if begun.is_none() {
            begun = Some((at, column));
        }
    }
    finish(&mut begun, text.len());
    words
}

/// Whether the text has a part of this form.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let words = words(text);
    words.windows(2).any(|pair| pair[1].text == ":" && Key::named(pair[0].text).is_some())
}

/// A part with its value.
struct Section<'a> {
    key: Key,
    column: usize,
    words: Vec<Word<'a>>,
}

/// All parts, none of them twice.
struct Sections<'a> {
    sections: Vec<Section<'a>>,
    /// The column after the last character.
    end: usize,
}

fn fault(column: usize, problem: NotationProblem) -> NotationError {
    NotationError::new(Form::Plain, TextLocation::column(column), problem)
}

impl<'a> Sections<'a> {
    fn split(text: &'a str) -> Result<Self, NotationError> {
        let mut sections: Vec<Section<'a>> = Vec::new();
        let mut words = words(text).into_iter().peekable();
        while let Some(word) = words.next() {
            let unexpected = || {
                let found = shown(word.text);
                fault(word.column, NotationProblem::Unexpected { found, expected: Key::PARTS })
            };
            if words.next_if(|next| next.text == ":").is_some() {
                let key = Key::named(word.text).ok_or_else(unexpected)?;
                if sections.iter().any(|section| section.key == key) {
                    let problem = NotationProblem::PartTwice { part: key.name() };
                    return Err(fault(word.column, problem));
                }
                sections.push(Section { key, column: word.column, words: Vec::new() });
            } else if word.text == ":" {
                return Err(unexpected());
            } else {
                sections.last_mut().ok_or_else(unexpected)?.words.push(word);
            }
        }
        Ok(Self { sections, end: text.trim_end().chars().count() + 1 })
    }

    fn get(&self, key: Key) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.key == key)
    }

    /// The column of the part; of the end if it is not there.
    fn column(&self, key: Key) -> usize {
        self.get(key).map_or(self.end, |section| section.column)
    }
}

impl Section<'_> {
    /// The words of a part that holds exactly `N`.
    fn exactly<const N: usize>(&self) -> Result<[Word<'_>; N], NotationError> {
        if let Some(word) = self.words.get(N) {
            let (found, expected) = (shown(word.text), self.key.needed());
            return Err(fault(word.column, NotationProblem::Unexpected { found, expected }));
        }
        <[Word<'_>; N]>::try_from(&self.words[..])
            .map_err(|_| fault(self.column, NotationProblem::Missing { needed: self.key.needed() }))
    }

    fn numbers<const N: usize>(&self) -> Result<[u8; N], NotationError> {
        let mut numbers = [0; N];
        for (place, word) in numbers.iter_mut().zip(self.exactly::<N>()?) {
            let wrong = || NotationProblem::Number { found: shown(word.text) };
            *place = number(word.text).ok_or_else(|| fault(word.column, wrong()))?;
        }
        Ok(numbers)
    }
}

/// Reads a position in the plain form.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    let geometry = ruleset.board.geometry();
    let sections = Sections::split(text)?;
    let mut setup = Setup::new(ruleset);
    for section in &sections.sections {
        let side = match section.key {
            Key::White => Side::White,
            Key::Black => Side::Black,
            _ => continue,
        };
        for word in &section.words {
            let point = geometry.point_named(word.text);
            let point = point.ok_or_else(|| NotationProblem::no_point(geometry, word.text));
            let put = point.and_then(|point| setup.put(side, point));
            put.map_err(|problem| fault(word.column, problem))?;
        }
    }
    let turn = sections.get(Key::Move).ok_or_else(|| {
        let problem = NotationProblem::Missing { needed: Key::Move.needed() };
        fault(sections.end, problem).in_field(NotationField::Side)
    })?;
    let [word] = turn.exactly()?;
    let side = match Key::named(word.text) {
        Some(Key::White) => Side::White,
        Some(Key::Black) => Side::Black,
        _ => {
            let problem = NotationProblem::Word { found: shown(word.text), allowed: "w, b" };
            return Err(fault(word.column, problem).in_field(NotationField::Side));
        }
    };
    let hands = sections.get(Key::Hand);
    let [white, black] = hands.map(Section::numbers).transpose()?.unwrap_or_default();
    let pending = sections.get(Key::Remove).map(Section::numbers).transpose()?;
    let [pending] = pending.unwrap_or_default();

    let stones = |side, hand| Stones { board: setup.stones(side), hand };
    let position = Position::new(stones(Side::White, white), stones(Side::Black, black), side);
    Situation::pending_removal(position, pending, ruleset).map_err(|cause| {
        let column = match Part::of(&cause) {
            Part::Stones(Side::White) => sections.column(Key::White),
            Part::Stones(Side::Black) => sections.column(Key::Black),
            Part::Hands => sections.column(Key::Hand),
            Part::Removal => sections.column(Key::Remove),
        };
        let problem = match hands {
            Some(_) => cause.into(),
            None => NotationProblem::without_hands(
                cause,
                &position,
                pending,
                ruleset,
                |white, black| format!("hand:{white},{black}"),
            ),
        };
        fault(column, problem)
    })
}

/// The problem that a form cannot show the ruleset's board.
pub(crate) fn unsupported(ruleset: &Ruleset) -> NotationProblem {
    let example = example(ruleset).plain(ruleset).to_string();
    NotationProblem::Unsupported { board: ruleset.board, example }
}

/// A position for examples of forms: a stone of each side in a corner.
pub(crate) fn example(ruleset: &Ruleset) -> Position {
    let stones =
        |corner| Stones { board: Point::new(corner).set(), hand: ruleset.stones.saturating_sub(1) };
    Position::new(stones(3), stones(0), Side::White)
}
