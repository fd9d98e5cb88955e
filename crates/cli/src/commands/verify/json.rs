//! Findings as JSON.

use std::io;

use merels_core::{Ruleset, Side};
use merels_db::Folder;
use merels_verify::{Answer, ClaimReport, Mismatch, SubspaceReport};
use serde::Serialize;

use crate::commands::verify::findings::Findings;
use crate::commands::verify::text::{
    DISTANCES_DIFFER, LONGEST_DIFFERS, describe, describe_restored, fen,
};
use crate::exit::Exit;
use crate::shared::records::Records;

#[derive(Serialize)]
pub(super) struct Document {
    ruleset: String,
    edition: &'static str,
    mode: &'static str,
    /// Whether everything that can be checked holds.
    holds: bool,
    /// The seed of a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The digest of the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subspaces: Vec<Subspace>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<Claim>,
}

#[derive(Serialize)]
struct Subspace {
    subspace: String,
    /// Checked entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<u64>,
    /// Of these, taken from notes of an earlier run.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<u64>,
    /// Only if false: the edition keeps no values to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<bool>,
    /// The problem of the file or its header.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Of its exact values; of their near codes if `far_digest` is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    far_digest: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mismatches: Vec<Wrong>,
}

/// A wrong entry.
#[derive(Serialize)]
struct Wrong {
    index: u64,
    /// In the notation for all boards.
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The points of the side to move, and of the other side.
    mover: Vec<String>,
    other: Vec<String>,
    stored: String,
    recomputed: String,
    /// All legal moves, best first.
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Claim {
    claim: String,
    source: &'static str,
    expected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// None if it cannot be answered.
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needs: Vec<String>,
}

impl Document {
    pub(super) fn new(folder: &Folder, findings: &Findings) -> Self {
        let ruleset = folder.ruleset();
        let mut document = Self {
            ruleset: ruleset.to_string(),
            edition: folder.edition().name(),
            mode: "",
            holds: findings.exit() == Exit::Fine,
            seed: None,
            digest: None,
            subspaces: Vec::new(),
            claims: Vec::new(),
        };
        match findings {
            Findings::Quick(reports) => {
                document.mode = "quick";
                let subspaces = reports.iter().map(|report| Subspace {
                    problem: report.problem.as_ref().map(describe),
                    ..Subspace::named(report.subspace)
                });
                document.subspaces = subspaces.collect();
            }
            Findings::Sample { seed, reports } => {
                (document.mode, document.seed) = ("sample", Some(*seed));
                let subspaces = reports.iter().map(|report| Subspace {
                    entries: Some(report.samples),
                    wrong: Some(report.wrong),
                    compared: (!report.compared).then_some(false),
                    mismatches: wrong(ruleset, &report.mismatches),
                    ..Subspace::named(report.subspace)
                });
                document.subspaces = subspaces.collect();
            }
            Findings::Full(reports) => {
                document.mode = "full";
                let problem = |report: &SubspaceReport| {
                    let counts = report.statistics.as_ref().map(|(stated, counted)| {
                        format!("the header says {stated}; its entries are {counted}")
                    });
                    let restored = report.restored.iter().map(describe_restored);
                    let distances = report.distances_differ.then(|| DISTANCES_DIFFER.to_owned());
                    let longest = report.longest_differs.then(|| LONGEST_DIFFERS.to_owned());
                    let problems: Vec<_> = counts
                        .into_iter()
                        .chain(distances)
                        .chain(longest)
                        .chain(restored)
                        .collect();
                    (!problems.is_empty()).then(|| problems.join("; "))
                };
                let subspaces = reports.iter().map(|report| Subspace {
                    entries: Some(report.entries),
                    known_before: Some(report.before),
                    wrong: Some(report.wrong),
                    compared: (!report.compared).then_some(false),
                    problem: problem(report),
                    seconds: Some(report.elapsed.as_secs_f64()),
                    mismatches: wrong(ruleset, &report.mismatches),
                    ..Subspace::named(report.subspace)
                });
                document.subspaces = subspaces.collect();
            }
            Findings::Claims(reports) => {
                document.mode = "claims";
                document.claims = reports.iter().map(Claim::new).collect();
            }
            Findings::Digests(digests) => {
                (document.mode, document.digest) = ("digests", Some(digests.folder().to_string()));
                let subspaces = digests.subspaces.iter().map(|found| Subspace {
                    digest: Some(found.digest.to_string()),
                    far_digest: found.far.map(|far| far.to_string()),
                    ..Subspace::named(found.subspace)
                });
                document.subspaces = subspaces.collect();
            }
        }
        document
    }

    /// The subspaces, or the claims.
    pub(super) fn rows(&self) -> io::Result<Records> {
        if self.claims.is_empty() {
            Records::new(&self.subspaces)
        } else {
            Records::new(&self.claims)
        }
    }
}

impl Subspace {
    fn named(subspace: merels_core::Subspace) -> Self {
        Self {
            subspace: subspace.to_string(),
            entries: None,
            known_before: None,
            wrong: None,
            compared: None,
            problem: None,
            seconds: None,
            digest: None,
            far_digest: None,
            mismatches: Vec::new(),
        }
    }
}

impl Claim {
    fn new(report: &ClaimReport) -> Self {
        let (found, holds, needs) = match &report.answer {
            Answer::Holds => (Some(report.expected.clone()), Some(true), &[][..]),
            Answer::Differs { found } => (Some(found.clone()), Some(false), &[][..]),
            Answer::Needs(needs) => (None, None, needs.as_slice()),
            Answer::NeedsDistances | Answer::NeedsValues(_) => (None, None, &[][..]),
        };
        Self {
            claim: report.claim.clone(),
            source: report.source,
            expected: report.expected.clone(),
            found,
            holds,
            needs: needs.iter().map(ToString::to_string).collect(),
        }
    }
}

fn wrong(ruleset: &Ruleset, mismatches: &[Mismatch]) -> Vec<Wrong> {
    let geometry = ruleset.board.geometry();
    let names = |mismatch: &Mismatch, side: Side| {
        let points = mismatch.position.stones(side).board.into_iter();
        points.map(|point| geometry.name(point).to_string()).collect()
    };
    let wrong = |mismatch: &Mismatch| Wrong {
        index: mismatch.index.0,
        position: mismatch.position.text(ruleset).to_string(),
        fen: fen(ruleset, mismatch),
        // Positions are shown with white to move.
        mover: names(mismatch, Side::White),
        other: names(mismatch, Side::Black),
        stored: mismatch.stored.to_string(),
        recomputed: mismatch.recomputed.to_string(),
        moves: mismatch
            .moves
            .iter()
            .map(|ranked| Move {
                name: ranked.mv.display(geometry).to_string(),
                value: ranked.value.to_string(),
            })
            .collect(),
    };
    mismatches.iter().map(wrong).collect()
}
