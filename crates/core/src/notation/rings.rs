//! Boards written ring by ring.

use std::fmt;

use crate::board::point::Point;
use crate::play::position::{Position, Side};

/// Writes the points of a board of rings, eight in a group, with slashes between the groups.
/// `symbols` are those of a white stone, a black stone and an empty point.
pub(crate) fn write_rings(
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
