//! The integers with which an older program copies a position: `-1,0,-1,1,...`.
//!
//! 24 of them are the points: `-1` empty, `0` white, `1` black. The rings come outer, middle, inner,
//! each clockwise from the midpoint at the left. Nine or more follow: the side to move (`0` white),
//! two zeros, the phase (`1` placing, `2` moving), the stones that white and black have placed so
//! far, those on the board, whether a removal is pending (`True`, `False`), and counters.

use crate::board::point::Point;
use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::fill_in::fill_in;
use crate::notation::form::Form;
use crate::notation::letters;
use crate::notation::plain::unsupported;
use crate::notation::problem::{NotationProblem, Part};
use crate::notation::setup::Setup;
use crate::notation::shown::{number, shown};
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// Whether the text is such a list.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let mut points = text.split(',').take(letters::ALL).map(str::trim);
    text.matches(',').count() + 1 >= letters::ALL
        && points.all(|word| ["-1", "0", "1"].contains(&word))
}

/// The point at `index` of the list.
const fn point_at(index: usize) -> Point {
    // The letters begin at the corner that follows the midpoint at the left.
    let (ring, around) = (index / 8, (index + 7) % 8);
    letters::point_at(8 * ring + around)
}

fn fault(column: usize, field: NotationField, problem: NotationProblem) -> NotationError {
    NotationError::new(Form::Integers, TextLocation::column(column), problem).in_field(field)
}

/// Reads a position in this form.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    if !letters::is_for(ruleset.board) {
        return Err(fault(1, NotationField::Board, unsupported(ruleset)));
    }
    let mut column = 1;
    let mut words = Vec::new();
    for word in text.trim_end().split(',') {
        let blank = word.chars().take_while(|found| found.is_whitespace()).count();
        words.push((column + blank, word.trim()));
        column += word.chars().count() + 1;
    }
    let mut setup = Setup::new(ruleset);
    for (index, &(column, word)) in words[..letters::ALL].iter().enumerate() {
        let side = match word {
            "0" => Side::White,
            "1" => Side::Black,
            _ => continue,
        };
        let put = setup.put(side, point_at(index));
        put.map_err(|problem| fault(column, NotationField::Board, problem))?;
    }
    let rest = &words[letters::ALL..];
    if rest.is_empty() {
        let example = |position: &Position| format!("'{}'", position.text(ruleset));
        let filled = fill_in(&setup, None, ruleset, example);
        return filled.map_err(|problem| fault(column, NotationField::Side, problem));
    }
    let get = |place: usize, field| {
        const NEEDED: &str = "behind the 24 points stand at least nine fields: the side to move, 0, 0, \
                              the phase, the stones placed and on the board, and the removal";
        let missing = || fault(column, field, NotationProblem::Missing { needed: NEEDED });
        rest.get(place).copied().ok_or_else(missing)
    };
    let word = |place, field, allowed: &'static str| {
        let (column, found) = get(place, field)?;
        let place = allowed.split(", ").position(|known| known.eq_ignore_ascii_case(found));
        let wrong = || NotationProblem::Word { found: shown(found), allowed };
        place.ok_or_else(|| fault(column, field, wrong()))
    };
    let side = [Side::White, Side::Black][word(0, NotationField::Side, "0, 1")?];
    let stones = |side: Side, place: usize| {
        let field = NotationField::Placed(side);
        let (column, found) = get(4 + place, field)?;
        let board = setup.stones(side);
        let problem = match number(found) {
            None => NotationProblem::Number { found: shown(found) },
            Some(said) if said > ruleset.stones => {
                NotationProblem::PlacedSurplus { said, most: ruleset.stones }
            }
            Some(said) if said < board.len() => {
                NotationProblem::PlacedShort { said, shown: board.len() }
            }
            Some(said) => {
                let (column, counted) = get(6 + place, NotationField::OnBoard(side))?;
                let shown = board.len();
                return match number(counted) {
                    Some(counted) if counted == shown => {
                        Ok(Stones { board, hand: ruleset.stones - said })
                    }
                    counted => {
                        let problem = NotationProblem::Count { said: counted.unwrap_or(0), shown };
                        Err(fault(column, NotationField::OnBoard(side), problem))
                    }
                };
            }
        };
        Err(fault(column, field, problem))
    };
    let (white, black) = (stones(Side::White, 0)?, stones(Side::Black, 1)?);
    let pending = word(8, NotationField::Action, "False, True")? as u8;
    Situation::pending_removal(Position::new(white, black, side), pending, ruleset).map_err(
        |cause| {
            let (place, field) = match Part::of(&cause) {
                Part::Stones(_) => return fault(1, NotationField::Board, cause.into()),
                Part::Hands => (4, NotationField::Placed(Side::White)),
                Part::Removal => (8, NotationField::Action),
            };
            fault(rest[place].0, field, cause.into())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::boards::Board;

    #[test]
    fn points_come_in_the_order_of_the_program() {
        let nine = Board::Nine.geometry();
        let names: Vec<_> = (0..24).map(|index| nine.name(point_at(index)).to_string()).collect();
        let expected = "a4 a7 d7 g7 g4 g1 d1 a1 b4 b6 d6 f6 f4 f2 d2 b2 c4 c5 d5 e5 e4 e3 d3 c3";
        assert_eq!(names.join(" "), expected);
    }
}
