//! The words for outcomes and sides, and the names of points.

use merels_core::{Geometry, Outcome, Points, Side};

/// The words for outcomes.
pub const OUTCOMES: [&str; 3] = ["win", "draw", "loss"];

/// The words for sides.
pub const SIDES: [&str; 2] = ["white", "black"];

/// `win`, `draw` or `loss`.
pub const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// `white` or `black`.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The names of points, in their order.
pub fn point_names(geometry: &Geometry, points: Points) -> Vec<String> {
    points.into_iter().map(|point| geometry.name(point).to_string()).collect()
}
