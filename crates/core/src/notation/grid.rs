//! Boards drawn as rows of `X`, `O` and dots, as programs for many games draw them.
//!
//! Seven rows show the points from left to right; blanks and the signs of lines between them mean
//! nothing. `X` is white, `O` black: the side that begins has the `X`. Whose turn it is may stand
//! below, as `X to move`; without it, and always for the stones in hand, the only numbers that fit
//! are taken.

use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::fill_in::fill_in;
use crate::notation::form::Form;
use crate::notation::letters;
use crate::notation::plain::unsupported;
use crate::notation::problem::NotationProblem;
use crate::notation::setup::Setup;
use crate::notation::shown::shown;
use crate::notation::words::ply::points_in_rows;
use crate::play::position::{Position, Side};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

/// The points in a row of the text, with their columns; none if it is another line.
fn row_of(line: &str) -> Option<Vec<(usize, char)>> {
    let is_sign = |found: char| "|-+/\\_ \t\r".contains(found);
    let is_point = |found: char| matches!(found, 'X' | 'x' | 'O' | 'o' | '.');
    if !line.chars().all(|found| is_sign(found) || is_point(found)) {
        return None;
    }
    let points: Vec<_> = (1..).zip(line.chars()).filter(|&(_, found)| is_point(found)).collect();
    (!points.is_empty()).then_some(points)
}

/// Whether the text has rows of points without their numbers.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let rows = text.lines().filter_map(row_of);
    text.lines().count() >= 3 && rows.map(|row| row.len()).sum::<usize>() == letters::ALL
}

fn fault(
    line: usize,
    column: usize,
    field: NotationField,
    problem: NotationProblem,
) -> NotationError {
    NotationError::new(Form::Grid, TextLocation { line: Some(line), column }, problem)
        .in_field(field)
}

/// Reads a position in this form.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    if !letters::is_for(ruleset.board) {
        return Err(fault(1, 1, NotationField::Board, unsupported(ruleset)));
    }
    let mut points = points_in_rows(ruleset.board.geometry()).into_iter();
    let mut setup = Setup::new(ruleset);
    let mut side = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(row) = row_of(line) {
            for (column, found) in row {
                let point = points.next().expect("24 points are counted before");
                let side = match found {
                    'X' | 'x' => Side::White,
                    'O' | 'o' => Side::Black,
                    _ => continue,
                };
                let put = setup.put(side, point);
                put.map_err(|problem| fault(number, column, NotationField::Board, problem))?;
            }
            continue;
        }
        let words: Vec<_> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        side = Some(match words[..] {
            [] => continue,
            ["x" | "white", "to", "move" | "play"] => Side::White,
            ["o" | "black", "to", "move" | "play"] => Side::Black,
            _ if line.chars().all(|found| "|-+/\\_ \t\r".contains(found)) => continue,
            _ => {
                let expected = "below the board may stand 'X to move' or 'O to move'";
                let problem = NotationProblem::Unexpected { found: shown(line.trim()), expected };
                return Err(fault(number, 1, NotationField::Side, problem));
            }
        });
    }
    let example = |position: &Position| format!("'{}'", position.text(ruleset));
    let filled = fill_in(&setup, side, ruleset, example);
    filled.map_err(|problem| fault(text.lines().count(), 1, NotationField::Side, problem))
}
