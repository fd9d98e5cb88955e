//! The result of `merels solve` as one JSON object.

use std::io::{self, Write};

use merels_core::Plies;
use merels_json::{Worth, write_pretty};
use merels_query::FirstMove;
use serde::Serialize;

use crate::commands::solve::findings::{Findings, RunFigures};
use crate::commands::solve::report::{GameReport, Longest};
use crate::commands::solve::timings::JobTimings;
use crate::output::rows::{PlyRow, Row};

/// The whole result.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    ruleset: String,
    /// The rows of `merels stats`.
    subspaces: Vec<SubspaceRow<'a>>,
    /// The rows of `merels stats --by-ply`.
    plies: &'a [PlyRow],
    totals: &'a Row,
    /// Null unless the game is solved to the empty board.
    report: Option<Report<'a>>,
    run: &'a RunFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    timings: Option<Vec<JobTimings>>,
}

#[derive(Debug, Serialize)]
struct SubspaceRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    solved_now: bool,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    /// For the side that moves first.
    empty_board: Worth,
    /// Best first.
    first_moves: Vec<JsonFirstMove<'a>>,
    longest_win: Option<JsonLongest>,
    longest_loss: Option<JsonLongest>,
}

#[derive(Debug, Serialize)]
struct JsonFirstMove<'a> {
    r#move: &'a str,
    points: u8,
    #[serde(flatten)]
    worth: Worth,
    replies: usize,
    holding_replies: usize,
}

#[derive(Debug, Serialize)]
struct JsonLongest {
    plies: u16,
    subspace: String,
}

impl<'a> From<&'a FirstMove> for JsonFirstMove<'a> {
    fn from(first: &'a FirstMove) -> Self {
        Self {
            r#move: &first.point,
            points: first.points,
            worth: first.value.into(),
            replies: first.replies,
            holding_replies: first.holding,
        }
    }
}

impl From<Longest> for JsonLongest {
    fn from(Longest { subspace, plies: Plies(plies) }: Longest) -> Self {
        Self { plies, subspace: subspace.to_string() }
    }
}

impl<'a> From<&'a GameReport> for Report<'a> {
    fn from(report: &'a GameReport) -> Self {
        Self {
            empty_board: report.opening.value.into(),
            first_moves: report.opening.first_moves.iter().map(JsonFirstMove::from).collect(),
            longest_win: report.longest_win.map(JsonLongest::from),
            longest_loss: report.longest_loss.map(JsonLongest::from),
        }
    }
}

/// Writes the object.
pub(super) fn write(out: &mut impl Write, result: &Findings<'_>) -> io::Result<()> {
    let subspaces =
        result.rows.iter().map(|(_, row, solved_now)| SubspaceRow { row, solved_now: *solved_now });
    let answer = Answer {
        ruleset: result.ruleset.to_string(),
        subspaces: subspaces.collect(),
        plies: &result.plies,
        totals: &result.totals,
        report: result.report.as_ref().map(Report::from),
        run: &result.run,
        timings: result.timings.map(|jobs| jobs.iter().map(JobTimings::new).collect()),
    };
    write_pretty(out, &answer)?;
    out.flush()
}
