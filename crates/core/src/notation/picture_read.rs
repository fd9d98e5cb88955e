//! Positions from pictures: what [`draw`](crate::draw) prints and the lines that follow it, as the
//! program shows them.
//!
//! ```text
//! 3  .---.---.
//!    | \ | / |
//! 2  .---O---.
//!    | / | \ |
//! 1  @---.---.
//!    a   b   c
//!
//! In hand: White (O) 2, Black (@) 2
//! White (O) to move
//! ```
//!
//! The reader finds rows by their numbers. Within a row it takes the points in order, so lost
//! indentation does no harm. It ignores everything after the line with the side to move. The same
//! position in another form may be above the picture.

use crate::board::geometry::Coordinates;
use crate::notation::error::{NotationError, NotationField, TextLocation};
use crate::notation::form::Form;
use crate::notation::problem::{NotationProblem, Part};
use crate::notation::setup::Setup;
use crate::notation::shown::{number, shown};
use crate::play::position::{Position, Side, Stones};
use crate::play::situation::Situation;
use crate::rules::ruleset::Ruleset;

use crate::notation::one_line;

const TURN: &str = "write whose turn it is below the picture, as in 'White (O) to move'";
const HANDS: &str = "write stones in hand as in 'In hand: White (O) 3, Black (@) 3'";
const BELOW: &str = "write the stones in hand and whose turn it is below the picture, as in \
                     'In hand: White (O) 3, Black (@) 3' and 'White (O) to move'";
const ABOVE: &str = "only the same position in another form may stand above a picture";

/// The number of a row of the picture and the rest of the line with the column where it starts.
fn row_of(line: &str) -> Option<(u8, usize, &str)> {
    let text = line.trim_start();
    let indent = line.chars().count() - text.chars().count();
    let row = text.chars().next().filter(|found| ('1'..='9').contains(found))? as u8 - b'0';
    let rest = &text[1..];
    rest.starts_with(char::is_whitespace).then_some((row, indent + 2, rest))
}

/// Whether the text has a row of a picture.
pub(crate) fn looks_like_one(text: &str) -> bool {
    text.lines().filter_map(row_of).any(|(_, _, rest)| {
        let rest = rest.trim_start();
        rest.starts_with(['O', 'o', '@', '.']) && !rest[1..].starts_with(char::is_alphanumeric)
    })
}

/// What stands between rows, and the letters below.
fn is_decoration(line: &str) -> bool {
    line.chars().all(|found| " \t|/\\-".contains(found))
        || ('a'..).zip(line.split_whitespace()).all(|(letter, word)| word == letter.to_string())
}

fn fault(line: usize, column: usize, problem: NotationProblem) -> NotationError {
    NotationError::new(Form::Picture, TextLocation { line: Some(line), column }, problem)
}

/// The column of the first character that is not blank.
fn first_column(line: &str) -> usize {
    line.chars().take_while(|found| found.is_whitespace()).count() + 1
}

/// Reads a picture with what stands below it.
pub(crate) fn read(text: &str, ruleset: &Ruleset) -> Result<Situation, NotationError> {
    let mut reader = Reader {
        ruleset,
        setup: Setup::new(ruleset),
        due: ruleset.board.geometry().grid(),
        first_row: 0,
        above: None,
        hands: None,
        turn: None,
    };
    let mut count = 0;
    for (number, line) in (1..).zip(text.lines()) {
        count = number;
        reader.line(number, line)?;
    }
    reader.finish(count + 1)
}

/// What has been read so far.
struct Reader<'a> {
    ruleset: &'a Ruleset,
    setup: Setup<'a>,
    /// The number of the row that comes next; 0 after the last.
    due: u8,
    /// The line of the first row.
    first_row: usize,
    /// A position above the picture, with its line.
    above: Option<(usize, Situation)>,
    /// Stones in hand, with their line.
    hands: Option<(usize, [u8; 2])>,
    /// Whose turn it is and what is to be removed, with the line.
    turn: Option<(usize, Side, u8)>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), NotationError> {
        let line = line.trim_end();
        if self.turn.is_some() {
            // Moves and their values may follow.
            let second = looks_like_one(line).then(|| row_of(line)).flatten();
            return match second {
                Some((row, column, _)) => Err(self.surplus(number, column - 1, row)),
                None => Ok(()),
            };
        }
        if let Some((row, column, rest)) = row_of(line) {
            return self.row(number, row, column, rest);
        }
        if is_decoration(line) {
            return Ok(());
        }
        let column = first_column(line);
        let lower = line.trim_start().to_ascii_lowercase();
        if lower.starts_with("in hand") {
            return self.hands(number, line);
        }
        if self.due > 0 {
            let form = if self.first_row == 0 { one_line::form_of(line) } else { None };
            let Some(form) = form else {
                let problem =
                    NotationProblem::Unexpected { found: shown(line.trim()), expected: ABOVE };
                return Err(fault(number, column, problem));
            };
            let above = one_line::read(form, line, self.ruleset).map_err(|error| {
                let found = error.location().map_or(column, |place| place.column);
                let placed = fault(number, found, error.problem().clone());
                error.field().map_or(placed.clone(), |field| placed.in_field(field))
            })?;
            self.above = Some((number, above));
            return Ok(());
        }
        self.turn = Some(turn(number, column, line.trim())?);
        Ok(())
    }

    fn surplus(&self, number: usize, column: usize, row: u8) -> NotationError {
        let (board, rows) = (self.ruleset.board, self.ruleset.board.geometry().grid());
        fault(number, column, NotationProblem::RowSurplus { row, board, rows })
    }

    fn row(
        &mut self,
        number: usize,
        row: u8,
        column: usize,
        rest: &str,
    ) -> Result<(), NotationError> {
        let geometry = self.ruleset.board.geometry();
        if self.due == 0 || row > geometry.grid() {
            return Err(self.surplus(number, column - 1, row));
        }
        if row != self.due {
            let problem = NotationProblem::RowOrder { row, expected: self.due };
            return Err(fault(number, column - 1, problem));
        }
        if self.first_row == 0 {
            self.first_row = number;
        }
        self.due -= 1;
        let points = (0..geometry.grid())
            .filter_map(|column| geometry.point_at(Coordinates { column, row: row - 1 }));
        let points: Vec<_> = points.collect();
        let mut found_points = 0;
        for (column, found) in (column..).zip(rest.chars()) {
            let side = match found {
                'O' | 'o' => Some(Side::White),
                '@' => Some(Side::Black),
                '.' => None,
                '-' | '|' | '/' | '\\' => continue,
                _ if found.is_whitespace() => continue,
                _ => {
                    let allowed = "O (white), @ (black) or . (empty)";
                    return Err(fault(number, column, NotationProblem::Stone { found, allowed }));
                }
            };
            if let (Some(side), Some(&point)) = (side, points.get(found_points)) {
                let put = self.setup.put(side, point);
                put.map_err(|problem| fault(number, column, problem))?;
            }
            found_points += 1;
        }
        if found_points == points.len() {
            return Ok(());
        }
        let names: Vec<_> = points.iter().map(|&point| geometry.name(point).to_string()).collect();
        let board = self.ruleset.board;
        let points = names.join(" ");
        let problem = NotationProblem::Row { row, found: found_points, board, points };
        Err(fault(number, column - 1, problem))
    }

    /// `In hand: White (O) 3, Black (@) 3`.
    fn hands(&mut self, line_number: usize, line: &str) -> Result<(), NotationError> {
        let start = first_column(line);
        if self.hands.is_some() {
            let problem = NotationProblem::PartTwice { part: "In hand" };
            return Err(fault(line_number, start, problem));
        }
        let missing = || fault(line_number, start, NotationProblem::Missing { needed: HANDS });
        let mut found = [None; 2];
        let mut side = None;
        let mut column = 1;
        for piece in line.split_inclusive([' ', ',', ':', '\t']) {
            let word = piece.trim_end_matches([' ', ',', ':', '\t']);
            let at = column;
            column += piece.chars().count();
            match word.to_ascii_lowercase().as_str() {
                "" | "in" | "hand" | "(o)" | "(@)" => {}
                "white" => side = Some(0),
                "black" => side = Some(1),
                _ => {
                    let problem = match (number(word), side.take()) {
                        (Some(hand), Some(side)) => {
                            found[side] = Some(hand);
                            continue;
                        }
                        (Some(_), None) => {
                            NotationProblem::Unexpected { found: shown(word), expected: HANDS }
                        }
                        (None, _) => NotationProblem::Number { found: shown(word) },
                    };
                    return Err(fault(line_number, at, problem));
                }
            }
        }
        let [Some(white), Some(black)] = found else { return Err(missing()) };
        self.hands = Some((line_number, [white, black]));
        Ok(())
    }

    fn finish(self, end: usize) -> Result<Situation, NotationError> {
        if self.due > 0 {
            return Err(fault(end, 1, NotationProblem::RowMissing { row: self.due }));
        }
        let Some((turn_line, side, pending)) = self.turn else {
            let problem = NotationProblem::Missing { needed: TURN };
            return Err(fault(end, 1, problem).in_field(NotationField::Side));
        };
        let [white, black] = self.hands.map_or([0, 0], |(_, hands)| hands);
        let stones = |side, hand| Stones { board: self.setup.stones(side), hand };
        let position = Position::new(stones(Side::White, white), stones(Side::Black, black), side);
        let checked = Situation::pending_removal(position, pending, self.ruleset);
        let situation = checked.map_err(|cause| {
            let line = match Part::of(&cause) {
                Part::Stones(_) => self.first_row,
                Part::Hands => self.hands.map_or(turn_line, |(line, _)| line),
                Part::Removal => turn_line,
            };
            let problem = match self.hands {
                Some(_) => cause.into(),
                None => {
                    let example =
                        |white, black| format!("'In hand: White (O) {white}, Black (@) {black}'");
                    NotationProblem::without_hands(cause, &position, pending, self.ruleset, example)
                }
            };
            fault(line, 1, problem)
        })?;
        if let Some((line, above)) = self.above
            && above != situation
        {
            let shown = situation.plain(self.ruleset).to_string();
            return Err(fault(line, 1, NotationProblem::Contradiction { shown }));
        }
        Ok(situation)
    }
}

/// `White (O) to move...`, `Black (@) has closed a mill and is to remove a stone...`.
fn turn(number: usize, column: usize, line: &str) -> Result<(usize, Side, u8), NotationError> {
    let lower = line.to_ascii_lowercase();
    let clause = lower.split(':').next().unwrap_or_default();
    let words: Vec<&str> =
        clause.split_whitespace().filter(|word| !word.starts_with('(')).collect();
    let side = match words.first() {
        Some(&"white") => Side::White,
        Some(&"black") => Side::Black,
        _ => {
            let problem = NotationProblem::Unexpected { found: shown(line), expected: BELOW };
            return Err(fault(number, column, problem));
        }
    };
    let pending = match &words[1..] {
        ["to", "move"] => 0,
        ["has", "closed", "a", "mill", "and", "is", "to", "remove", "a", "stone"] => 1,
        ["has", "closed", "two", "mills", "and", "is", "to", "remove", "two", "stones"] => 2,
        _ => {
            let problem = NotationProblem::Unexpected { found: shown(line), expected: TURN };
            return Err(fault(number, column, problem));
        }
    };
    Ok((number, side, pending))
}
