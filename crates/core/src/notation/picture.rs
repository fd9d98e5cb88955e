//! A picture of the board in plain characters, and the side to move in words. The readers accept
//! both together as a form of a position.

use crate::board::geometry::Geometry;
use crate::board::point::{Point, Points};
use crate::play::position::{Position, Side};
use crate::play::situation::Situation;

/// Columns of the picture from one column of the grid to the next.
const STEP_X: usize = 4;
/// Rows of the picture from one row of the grid to the next.
const STEP_Y: usize = 2;

/// Draws the board with its stones: `O` white, `@` black, `.` an empty point, the names of rows and
/// columns at the edges. The text ends with a line break.
///
/// ```
/// use merels_core::{Board, Point, Position, Side, Stones, draw};
///
/// let three = Board::Three.geometry();
/// let stones = |name| Stones { board: three.point_named(name).unwrap().set(), hand: 2 };
/// let position = Position::new(stones("b2"), stones("a1"), Side::White);
/// let picture = [
///     "3  .---.---.",
///     "   | \\ | / |",
///     "2  .---O---.",
///     "   | / | \\ |",
///     "1  @---.---.",
///     "   a   b   c",
/// ];
/// assert_eq!(draw(three, &position).lines().collect::<Vec<_>>(), picture);
/// ```
pub fn draw(geometry: &Geometry, position: &Position) -> String {
    let grid = usize::from(geometry.grid());
    let mut canvas = vec![vec![' '; (grid - 1) * STEP_X + 1]; (grid - 1) * STEP_Y + 1];
    let at = |point: Point| {
        let place = geometry.coordinates(point);
        (usize::from(place.column) * STEP_X, (grid - 1 - usize::from(place.row)) * STEP_Y)
    };
    for point in geometry.points() {
        let (x, y) = at(point);
        for neighbour in geometry.neighbours(point) {
            let (to_x, to_y) = at(neighbour);
            if to_y < y || (to_y == y && to_x < x) {
                continue;
            }
            // Downwards or to the right only, so that it draws every line once.
            let (line, steps) = match (to_x.cmp(&x), to_y.cmp(&y)) {
                (_, std::cmp::Ordering::Equal) => ('-', to_x - x),
                (std::cmp::Ordering::Equal, _) => ('|', to_y - y),
                (std::cmp::Ordering::Greater, _) => ('\\', to_y - y),
                (std::cmp::Ordering::Less, _) => ('/', to_y - y),
            };
            for step in 1..steps {
                let along = |from: usize, to: usize| (from * (steps - step) + to * step) / steps;
                canvas[along(y, to_y)][along(x, to_x)] = line;
            }
        }
    }
    let (white, black) = (position.stones(Side::White).board, position.stones(Side::Black).board);
    for point in geometry.points() {
        let (x, y) = at(point);
        canvas[y][x] = symbol(point, white, black);
    }

    let mut picture = String::new();
    for (y, row) in canvas.iter().enumerate() {
        let label = if y % STEP_Y == 0 { (grid - y / STEP_Y).to_string() } else { " ".into() };
        let line: String = row.iter().collect();
        picture.push_str(format!("{label}  {line}").trim_end());
        picture.push('\n');
    }
    let letters: Vec<String> =
        ('a'..).take(grid).map(|letter| format!("{letter:<STEP_X$}")).collect();
    picture.push_str(format!("   {}", letters.concat()).trim_end());
    picture.push('\n');
    picture
}

/// The text below the picture of a situation: the stones in hand, if there are any, and what the
/// side to move has to do. The text does not end with a line break.
///
/// ```
/// use merels_core::{Ruleset, Situation, draw_turn};
///
/// let start = Situation::start(&Ruleset::STANDARD);
/// let below = "In hand: White (O) 9, Black (@) 9\nWhite (O) to move";
/// assert_eq!(draw_turn(&start), below);
/// ```
pub fn draw_turn(situation: &Situation) -> String {
    let position = situation.position();
    let name = |side| match side {
        Side::White => "White (O)",
        Side::Black => "Black (@)",
    };
    let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).hand);
    let in_hand = match (white, black) {
        (0, 0) => String::new(),
        _ => format!("In hand: {} {white}, {} {black}\n", name(Side::White), name(Side::Black)),
    };
    let turn = match situation.pending() {
        0 => "to move",
        1 => "has closed a mill and is to remove a stone",
        _ => "has closed two mills and is to remove two stones",
    };
    format!("{in_hand}{} {turn}", name(position.side()))
}

fn symbol(point: Point, white: Points, black: Points) -> char {
    if white.contains(point) {
        'O'
    } else if black.contains(point) {
        '@'
    } else {
        '.'
    }
}

#[cfg(test)]
mod tests {
    use crate::board::boards::Board;
    use crate::rules::ruleset::Ruleset;

    use super::*;

    #[test]
    fn the_board_of_24_points() {
        let start = Position::start(&Ruleset::STANDARD);
        let picture = "\
7  .-----------.-----------.
   |           |           |
6  |   .-------.-------.   |
   |   |       |       |   |
5  |   |   .---.---.   |   |
   |   |   |       |   |   |
4  .---.---.       .---.---.
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   |       |       |   |
2  |   .-------.-------.   |
   |           |           |
1  .-----------.-----------.
   a   b   c   d   e   f   g
";
        assert_eq!(draw(Board::Nine.geometry(), &start), picture);
        let twelve = draw(Board::Twelve.geometry(), &start);
        assert_eq!(twelve.matches('\\').count(), 4);
        assert_eq!(twelve.matches('/').count(), 4);
    }
}
