//! `/api/rules`: the rules, and a drawing of the board.

use axum::Json;
use axum::extract::State;
use merels_core::{Geometry, Point, Repetition, Ruleset, Situation};
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::question::{NoParameters, Parameters};
use crate::error::ApiError;
use crate::explorer::Explorer;
use merels_json::{Rules, Section, point_names};

/// The rules, and a drawing of the board.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RulesAnswer")]
pub(crate) struct Answer {
    /// The name of the program.
    program: &'static str,
    /// Its version.
    version: &'static str,
    #[serde(flatten)]
    rules: Rules,
    /// The rules in words.
    sections: Vec<Section>,
    /// Stones of each side at the start.
    stones: u8,
    /// Whether the rules depend on the history of the game: repetition, or plies without a removal.
    needs_history: bool,
    /// Whether distances are known, which depends on the edition of the databases.
    distances: bool,
    /// The position before the first move.
    start: String,
    /// The board.
    board: Drawing,
}

/// The drawing of a board.
#[derive(Debug, JsonSchema, Serialize)]
struct Drawing {
    /// The name of the board.
    name: &'static str,
    /// The number of columns of the grid, and of rows.
    grid: u8,
    /// The points, each with its place in the grid.
    points: Vec<PointPlace>,
    /// The lines on which three stones are a mill.
    lines: Vec<Vec<String>>,
}

/// A point.
#[derive(Debug, JsonSchema, Serialize)]
struct PointPlace {
    /// Its name.
    name: String,
    /// Its column, from 0 at the left.
    column: u8,
    /// Its row, from 0 at the bottom.
    row: u8,
    /// The adjacent points.
    neighbours: Vec<String>,
}

/// Answers.
pub(crate) async fn answer(
    State(explorer): State<Explorer>,
    Parameters(NoParameters {}): Parameters<NoParameters>,
) -> Result<Json<Answer>, ApiError> {
    let ruleset = explorer.ruleset();
    let geometry = ruleset.board.geometry();
    let lines = geometry.lines().iter().map(|&line| point_names(geometry, line));
    Ok(Json(Answer {
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
    }))
}

/// The rules in words; none if the rules contradict each other.
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
