//! A position as an SVG picture.

use std::fmt::Write;

use merels_core::{Geometry, Position, Side};

/// The distance of two points, and the margin, in the picture's units.
const STEP: u32 = 40;

/// Draws the lines, points and stones of a position.
pub(crate) fn draw(position: &Position, geometry: &Geometry) -> String {
    let grid = u32::from(geometry.grid());
    let size = STEP * (grid + 1);
    let place = |point| {
        let at = geometry.coordinates(point);
        (STEP * (u32::from(at.column) + 1), STEP * (grid - u32::from(at.row)))
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#f3e3c3\"/>\n\
         <g stroke=\"#40301a\" stroke-width=\"2\" stroke-linecap=\"round\">\n"
    );
    // Writing to a string cannot fail.
    for from in geometry.points() {
        for to in geometry.neighbours(from).into_iter().filter(|to| to.index() > from.index()) {
            let ((x1, y1), (x2, y2)) = (place(from), place(to));
            let _ = writeln!(svg, "<path d=\"M{x1} {y1}L{x2} {y2}\"/>");
        }
    }
    svg.push_str("</g>\n");
    for point in geometry.points() {
        let (x, y) = place(point);
        let of = |side: Side| position.stones(side).board.contains(point);
        let (radius, fill) = match (of(Side::White), of(Side::Black)) {
            (true, _) => (14, "#fff"),
            (_, true) => (14, "#222"),
            _ => (4, "#40301a"),
        };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#40301a\"/>"
        );
    }
    for number in 1..=grid {
        let letter = char::from(b'a' + (number - 1) as u8);
        let (x, y) = (STEP * number, STEP * (grid + 1 - number) + 5);
        let _ = writeln!(svg, "<text x=\"12\" y=\"{y}\">{number}</text>");
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{letter}</text>", size - 6);
    }
    svg + "</svg>"
}
