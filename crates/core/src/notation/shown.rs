//! Texts, points and numbers, as errors show them.

use crate::board::geometry::Geometry;

/// A text as errors show it: cut if it is long, control characters escaped.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// A hint at the names of points, for a text that has `found` instead.
pub(crate) fn point_hint(geometry: &Geometry, found: &str) -> String {
    let grid = geometry.grid();
    let last = char::from(b'a' + grid - 1);
    let column = found.bytes().next().map(|byte| byte.to_ascii_lowercase());
    match column {
        Some(column @ b'a'..) if found.len() == 2 && column <= last as u8 => {
            let mut rows: Vec<u8> = geometry
                .points()
                .into_iter()
                .map(|point| geometry.coordinates(point))
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

/// A plain decimal number of stones.
pub(crate) fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
