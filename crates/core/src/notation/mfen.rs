//! The string `MFEN/1.0` in its profile `mill24-state-v1`:
//! `MFEN/1.0 mill24-state-v1 W......./......../........ b p p 8,9 - 0 1 -`.
//!
//! Behind the names of form and profile stand the 24 letters of the board, as in
//! [letters](super::letters); the side to move; phase and action (`p`, `m`, `r`, `o`); the stones in
//! hand; what must be removed, `-` if nothing; the plies without a removal; the plies so far; the
//! outcome, `-` while the game goes on. Further fields have names and an equals sign.

use std::fmt;

use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::form::Form;
use crate::notation::letters;
use crate::notation::plain::unsupported;
use crate::notation::problem::{NotationProblem, Part};
use crate::notation::rings::write_rings;
use crate::notation::shown::{number, shown};
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

const PROFILE: &str = "mill24-state-v1";
const NEEDED: &str = "a position is written as in MFEN/1.0 mill24-state-v1 \
                      W......./......../........ b p p 8,9 - 0 1 -";

impl Situation {
    /// The position as `MFEN/1.0`. None if the form cannot show it: a removal is pending, the game is
    /// over, or the board does not have 24 points.
    pub fn mfen<'a>(&'a self, ruleset: &'a Ruleset) -> Option<DisplayMfen<'a>> {
        let position = self.position();
        let fits = letters::is_for(ruleset.board) && !self.is_pending();
        (fits && ruleset.ending(position).is_none()).then_some(DisplayMfen { position })
    }
}

/// A position to be printed as `MFEN/1.0`, see [`Situation::mfen`]. The numbers of plies are 0.
#[derive(Clone, Copy, Debug)]
pub struct DisplayMfen<'a> {
    position: &'a Position,
}

impl fmt::Display for DisplayMfen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        write!(f, "MFEN/1.0 {PROFILE} ")?;
        write_rings(f, position, letters::ALL, letters::point_at, ["W", "B", "."])?;
        let side = match position.side() {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).hand);
        let phase = if white > 0 || black > 0 { 'p' } else { 'm' };
        write!(f, " {side} {phase} {phase} {white},{black} - 0 0 -")
    }
}

fn fault(column: usize, field: Option<NotationField>, problem: NotationProblem) -> NotationError {
    let error = NotationError::new(Form::Mfen, TextLocation::column(column), problem);
    match field {
        Some(field) => error.in_field(field),
        None => error,
    }
}

/// Reads a position in this form.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    let text = text.trim_end();
    if !letters::is_for(ruleset.board) {
        return Err(fault(1, Some(NotationField::Board), unsupported(ruleset)));
    }
    let mut column = 1;
    let mut fields = Vec::new();
    for word in text.split(char::is_whitespace) {
        if !word.is_empty() {
            fields.push((column, word));
        }
        column += word.chars().count() + 1;
    }
    let end = text.chars().count() + 1;
    let get = |place: usize, field| {
        let missing = || fault(end, field, NotationProblem::Missing { needed: NEEDED });
        fields.get(place).copied().ok_or_else(missing)
    };
    let unexpected = |(column, found): (usize, &str), expected| {
        fault(column, None, NotationProblem::Unexpected { found: shown(found), expected })
    };
    let (form, profile) = (get(0, None)?, get(1, None)?);
    if form.1 != "MFEN/1.0" {
        return Err(unexpected(form, "only MFEN/1.0 is known"));
    }
    if profile.1 != PROFILE {
        return Err(unexpected(profile, "only the profile mill24-state-v1 is known"));
    }
    let (column, board) = get(2, Some(NotationField::Board))?;
    if let Some(at) = board.chars().position(|found| matches!(found, 'w' | 'b')) {
        let problem = NotationProblem::Stone {
            found: board.chars().nth(at).unwrap_or_default(),
            allowed: "W (white), B (black) or . (empty); small letters mark stones of other rules",
        };
        return Err(fault(column + at, Some(NotationField::Board), problem));
    }
    let setup = letters::read_board(Form::Mfen, column, board, ruleset)?;
    let letter = |place: usize, field, allowed: &'static str| {
        let (column, found) = get(place, Some(field))?;
        let known = allowed.split(", ").any(|known| known == found);
        let wrong = || NotationProblem::Word { found: shown(found), allowed };
        if known { Ok(found) } else { Err(fault(column, Some(field), wrong())) }
    };
    let side = match letter(3, NotationField::Side, "w, b")? {
        "w" => Side::White,
        _ => Side::Black,
    };
    letter(4, NotationField::Phase, "p, m")?;
    let action = letter(5, NotationField::Action, "p, m, r")?;
    let hands = get(6, Some(NotationField::InHand(Side::White)))?;
    let numbers =
        hands.1.split_once(',').and_then(|(white, black)| Some((number(white)?, number(black)?)));
    let Some((white, black)) = numbers else {
        return Err(unexpected(hands, "stones in hand are written as in 8,9"));
    };
    let obligation = get(7, Some(NotationField::Action))?;
    let pending = pending(obligation.1, action == "r").ok_or_else(|| {
        unexpected(obligation, "only the removal of stones from the board is known")
    })?;
    let outcome = get(10, None)?;
    if outcome.1 != "-" {
        return Err(unexpected(outcome, "the outcome is - while the game goes on"));
    }
    if let Some(&field) = fields[11..].iter().find(|(_, word)| !word.contains('=')) {
        return Err(unexpected(field, "further fields are written as in lm=a1,a4;-,-"));
    }

    let stones = |side, hand| Stones { board: setup.stones(side), hand };
    let position = Position::new(stones(Side::White, white), stones(Side::Black, black), side);
    Situation::pending_removal(position, pending, ruleset).map_err(|cause| {
        let (column, field) = match Part::of(&cause) {
            Part::Hands => (hands.0, NotationField::InHand(Side::White)),
            Part::Stones(_) => (column, NotationField::Board),
            Part::Removal => (obligation.0, NotationField::Action),
        };
        fault(column, Some(field), cause.into())
    })
}

/// How many stones must be removed; none if the field is not known. Alternatives stand behind a bar,
/// and differ in the cause alone.
fn pending(field: &str, is_action: bool) -> Option<u8> {
    if field == "-" {
        return (!is_action).then_some(0);
    }
    let first = field.split('|').next()?;
    let mut removals = 0;
    for part in first.split(';') {
        let parts: Vec<_> = part.split(':').collect();
        let &[_, _, "b", _, count, _, _] = &parts[..] else { return None };
        removals += number(count)?;
    }
    is_action.then_some(removals)
}
