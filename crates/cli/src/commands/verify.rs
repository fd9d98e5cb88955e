//! `merels verify`: whether the databases are right.

mod json;
mod progress;
mod text;

use std::io;

use anyhow::{Context, bail};
use bytesize::ByteSize;
use clap::Args;
use merels_core::Subspace;
use merels_db::Folder;
use merels_verify::{
    Answer, ClaimReport, FullOptions, QuickProblem, QuickReport, SampleOptions, SampleReport,
    SubspaceReport, verify_claims, verify_full, verify_quick, verify_sample,
};

use crate::exit::Exit;
use crate::shared::arguments::{DatabaseArgs, seed_or_random};
use crate::shared::interrupt::stop_on_signals;
use crate::shared::{memory, threads};

use progress::Progress;

/// Check the databases: every value against the moves, files against their checksums
///
/// A value is right if it is that of the position's best move, one ply on. --full checks that for
/// every entry, which proves the databases right (docs/proof.md says why, and what it proves where
/// distances are not kept); without it, random entries are checked. None of it uses code of the solver.
///
/// A wrong value is shown with its position, the value that its moves give it, and the moves that
/// decide; the exit code is 6 then.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Files only: manifest, headers, checksums, digests. Takes a minute for the whole game
    #[arg(long, group = "mode")]
    quick: bool,
    /// Recompute N random entries of each subspace (the default, with N = 10000)
    #[arg(long, value_name = "N", group = "mode", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Recompute every entry
    ///
    /// Takes a good while for the whole game (docs/results.md). Can be interrupted at any time; the
    /// next run goes on where it was. What has been found right is noted in the file
    /// `verified.merels` beside the databases: later runs look only whether it is still the same.
    #[arg(long, group = "mode")]
    full: bool,
    /// Recompute published facts about the game, as far as there are databases for them
    ///
    /// In the edition `compact` what is left out of the whole moving phase is restored for that, which takes
    /// many minutes.
    #[arg(long, group = "mode")]
    claims: bool,
    /// Only this subspace; may be given several times
    #[arg(long, value_name = "A-B", conflicts_with = "claims")]
    only: Vec<Subspace>,
    /// Pick the random entries by this number; the one that was used is printed
    #[arg(long, value_name = "N", conflicts_with_all = ["quick", "full", "claims"])]
    seed: Option<u64>,
    /// Check again what earlier runs have found right
    #[arg(long, requires = "full")]
    again: bool,
    /// Threads to compute with [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Most memory to use for --full [default: 3/4 of what is available, 7GiB at most]
    ///
    /// The standard game takes at most 1.3 GiB in the edition `full`, 4.5 in the others, where what is
    /// left out is restored meanwhile.
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
    /// Write JSON: an object with `ruleset`, `edition`, `mode`, `holds`, and what was found
    #[arg(long)]
    json: bool,
    /// Show no progress bar and no progress lines
    #[arg(long)]
    no_progress: bool,
}

/// What a run has found.
enum Findings {
    Quick(Vec<QuickReport>),
    Sample { seed: u64, reports: Vec<SampleReport> },
    Full(Vec<SubspaceReport>),
    Claims(Vec<ClaimReport>),
}

impl Findings {
    /// Fine only if all that could be checked holds.
    fn exit(&self) -> Exit {
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
        }
    }
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &VerifyArgs) -> anyhow::Result<Exit> {
    let folder = Folder::open(&database.db, database.solved_ruleset())?;
    let known = Subspace::all_moving(folder.ruleset()).into_iter();
    let known: Vec<_> = known.chain(Subspace::placing_layers(folder.ruleset()).concat()).collect();
    if let Some(only) = args.only.iter().find(|only| !known.contains(only)) {
        bail!("{only} is not a subspace of '{}' that has a database", folder.ruleset());
    }
    let stop = stop_on_signals(|| {})?;
    let progress = Progress::new(args.no_progress);
    let pool = threads::pool(args.threads)?;
    let only = args.only.clone();
    let findings = pool.install(|| {
        Ok::<_, merels_verify::VerifyError>(if args.quick {
            Findings::Quick(verify_quick(&folder, &only, &progress, stop)?)
        } else if args.full {
            let options = FullOptions {
                only,
                memory: args.memory.unwrap_or_else(memory::safe_share).as_u64(),
                again: args.again,
            };
            Findings::Full(verify_full(&folder, &options, &progress, stop)?)
        } else if args.claims {
            Findings::Claims(verify_claims(&folder, &progress, stop)?)
        } else {
            // Other entries each time, unless told otherwise.
            let seed = seed_or_random(args.seed);
            let options = SampleOptions { only, samples: args.sample.unwrap_or(10_000), seed };
            Findings::Sample { seed, reports: verify_sample(&folder, &options, &progress, stop)? }
        })
    });
    progress.finish();
    let findings = findings?;
    let out = &mut io::stdout().lock();
    let written = if args.json {
        json::write(out, &folder, &findings)
    } else {
        text::write(out, &folder, &findings)
    };
    written.context("cannot write to standard output")?;
    Ok(findings.exit())
}
