//! What the readers of all forms share: the stones read so far, numbers, and how texts and points
//! are shown in errors.

use std::fmt;

use crate::{Geometry, NotationProblem, Point, Points, Position, Ruleset, Side};

/// The stones that have been read so far.
pub(super) struct Setup<'a> {
    ruleset: &'a Ruleset,
    white: Points,
    black: Points,
}

impl<'a> Setup<'a> {
    pub(super) const fn new(ruleset: &'a Ruleset) -> Self {
        Self { ruleset, white: Points::EMPTY, black: Points::EMPTY }
    }

    pub(super) const fn stones(&self, side: Side) -> Points {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// Puts a stone of `side` on `point`, unless it is taken or the side has no more stones.
    pub(super) fn put(&mut self, side: Side, point: Point) -> Result<(), NotationProblem> {
        let name = || self.ruleset.board.geometry().name(point).to_string();
        if self.stones(side).contains(point) {
            return Err(NotationProblem::Twice { point: name() });
        }
        if self.stones(side.opponent()).contains(point) {
            return Err(NotationProblem::Both { point: name() });
        }
        if self.stones(side).len() == self.ruleset.stones {
            return Err(NotationProblem::Surplus { side, most: self.ruleset.stones });
        }
        let stones = match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        };
        *stones = stones.with(point);
        Ok(())
    }
}

/// A text as errors show it: cut if it is long, control characters escaped.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// What points there are, for someone who has written `found`.
pub(super) fn point_hint(geometry: &Geometry, found: &str) -> String {
    let grid = geometry.grid();
    let last = char::from(b'a' + grid - 1);
    let column = found.bytes().next().map(|byte| byte.to_ascii_lowercase());
    match column {
        Some(column @ b'a'..) if found.len() == 2 && column <= last as u8 => {
            let mut rows: Vec<u8> = geometry
                .points()
                .into_iter()
                .map(|point| geometry.place(point))
                .filter(|place| place.column == column - b'a')
                .map(|place| place.row + 1)
                .collect();
            rows.sort_unstable();
            let rows: Vec<String> = rows.iter().map(u8::to_string).collect();
            format!("column {} has points in rows {}", char::from(column), rows.join(" "))
        }
        _ => {
            format!("points are a letter from a to {last} and a number from 1 to {grid}, as in a1")
        }
    }
}

/// Writes the `points` points of a board of rings, eight in a group, with slashes between the groups:
/// `symbols` stand for white and black stones and for nothing.
pub(super) fn write_rings(
    f: &mut fmt::Formatter<'_>,
    position: &Position,
    points: usize,
    point_at: impl Fn(usize) -> Point,
    symbols: [&str; 3],
) -> fmt::Result {
    let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).board);
    for index in 0..points {
        if index > 0 && index % 8 == 0 {
            f.write_str("/")?;
        }
        let point = point_at(index);
        f.write_str(match (white.contains(point), black.contains(point)) {
            (true, _) => symbols[0],
            (_, true) => symbols[1],
            _ => symbols[2],
        })?;
    }
    Ok(())
}

/// A plain decimal number of stones.
pub(super) fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
