//! `/api/rules`: the game, and the board as it is drawn.

use axum::Json;
use axum::extract::State;
use merels_core::{Geometry, Point, Repetition, Ruleset, Situation};
use serde::Serialize;

use crate::api::question::{NoParameters, Parameters};
use crate::explorer::Explorer;
use merels_json::{Rules, Section, point_names};

/// The answer.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    program: &'static str,
    version: &'static str,
    #[serde(flatten)]
    rules: Rules,
    /// The rules in words.
    sections: Vec<Section>,
    /// Stones of each side at the start.
    stones: u8,
    /// Whether the rules look at more than the position: at repetition, or at plies without a removal.
    needs_history: bool,
    /// Whether it is known how far away the end is; not if the edition of the databases keeps no distances.
    distances: bool,
    /// The position before the first move.
    start: String,
    board: Drawing,
}

/// What is needed to draw a board.
#[derive(Debug, Serialize)]
struct Drawing {
    name: &'static str,
    /// Columns of the grid, and rows of it.
    grid: u8,
    points: Vec<PointPlace>,
    /// Every line on which three stones are a mill.
    lines: Vec<Vec<String>>,
}

/// A point.
#[derive(Debug, Serialize)]
struct PointPlace {
    name: String,
    /// From 0 at the left.
    column: u8,
    /// From 0 at the bottom.
    row: u8,
    /// The points next to it along a line.
    neighbours: Vec<String>,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
) -> Json<Answer> {
    let ruleset = explorer.ruleset();
    let geometry = ruleset.board.geometry();
    let lines = geometry.lines().iter().map(|&line| point_names(geometry, line));
    Json(Answer {
        program: "merels",
        version: env!("CARGO_PKG_VERSION"),
        rules: ruleset.into(),
        sections: sections(ruleset),
        stones: ruleset.stones,
        needs_history: ruleset.repetition == Repetition::Threefold || ruleset.ply_limit.is_some(),
        distances: explorer.has_distances(),
        start: Situation::start(ruleset).text(ruleset).to_string(),
        board: Drawing {
            name: ruleset.board.name(),
            grid: geometry.grid(),
            points: geometry.points().into_iter().map(|point| place(geometry, point)).collect(),
            lines: lines.collect(),
        },
    })
}

/// The rules in words; none of rules that do not go together, which are no game.
fn sections(ruleset: &Ruleset) -> Vec<Section> {
    ruleset.in_words().unwrap_or_default().into_iter().map(Section::from).collect()
}

fn place(geometry: &Geometry, point: Point) -> PointPlace {
    let place = geometry.coordinates(point);
    PointPlace {
        name: geometry.name(point).to_string(),
        column: place.column,
        row: place.row,
        neighbours: point_names(geometry, geometry.neighbours(point)),
    }
}
