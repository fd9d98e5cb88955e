//! The result of `merels solve` as one JSON object.

use std::io;

use merels_core::Plies;
use merels_json::Worth;
use merels_query::FirstMove;
use serde::Serialize;

use crate::commands::solve::findings::{Findings, RunFigures};
use crate::commands::solve::report::{GameReport, Longest};
use crate::commands::solve::timings::JobTimings;
use crate::output::rows::{PlyRow, Row};
use crate::shared::records::Records;

/// The whole result.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
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

impl<'a> Document<'a> {
    pub(super) fn new(result: &'a Findings<'_>) -> Self {
        let rows = result.rows.iter();
        let row = |(_, row, now): &'a (_, Row, bool)| SubspaceRow { row, solved_now: *now };
        Self {
            ruleset: result.ruleset.to_string(),
            subspaces: rows.map(row).collect(),
            plies: &result.plies,
            totals: &result.totals,
            report: result.report.as_ref().map(Report::from),
            run: &result.run,
            timings: result.timings.map(|jobs| jobs.iter().map(JobTimings::new).collect()),
        }
    }

    /// The subspaces, without what the whole run has.
    pub(super) fn rows(&self) -> io::Result<Records> {
        Records::new(&self.subspaces)
    }
}
