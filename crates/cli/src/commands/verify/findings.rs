//! What a run of `merels verify` finds.

use merels_verify::{
    Answer, ClaimReport, Digests, QuickProblem, QuickReport, SampleReport, SubspaceReport,
};

use crate::exit::Exit;

/// The reports of a run, by mode.
pub(super) enum Findings {
    Quick(Vec<QuickReport>),
    Sample { seed: u64, reports: Vec<SampleReport> },
    Full(Vec<SubspaceReport>),
    Claims(Vec<ClaimReport>),
    Digests(Digests),
}

impl Findings {
    /// The exit code: fine only if everything that can be checked holds.
    pub(super) fn exit(&self) -> Exit {
        let wrong = |found: bool| if found { Exit::Wrong } else { Exit::Fine };
        match self {
            Self::Quick(reports) => {
                let exits = reports.iter().filter_map(|report| report.problem.as_ref());
                let exits = exits.map(|problem| match problem {
                    QuickProblem::Gone => Exit::Missing,
                    QuickProblem::Unreadable(error) => Exit::of_database(error),
                    _ => Exit::Damaged,
                });
                exits.max_by_key(|&exit| exit as u8).unwrap_or(Exit::Fine)
            }
            Self::Sample { reports, .. } => wrong(reports.iter().any(|report| report.wrong > 0)),
            Self::Full(reports) => wrong(!reports.iter().all(SubspaceReport::holds)),
            Self::Claims(reports) => {
                let unanswerable = |report: &ClaimReport| matches!(report.answer, Answer::Needs(_));
                if !reports.is_empty() && reports.iter().all(unanswerable) {
                    return Exit::Missing;
                }
                let differs =
                    |report: &ClaimReport| matches!(report.answer, Answer::Differs { .. });
                wrong(reports.iter().any(differs))
            }
            Self::Digests(_) => Exit::Fine,
        }
    }
}
