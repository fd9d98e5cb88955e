//! `merels verify`: checks the databases.

mod findings;
mod json;
mod progress;
mod text;

use std::io::Write;

use anyhow::{Context, bail};
use bytesize::ByteSize;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use merels_core::Subspace;
use merels_db::{Edition, Folder};
use merels_verify::{
    FullOptions, SampleOptions, read_digests, verify_claims, verify_full, verify_quick,
    verify_sample,
};

use crate::commands::verify::findings::Findings;
use crate::commands::verify::progress::Progress;
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::{DatabaseArgs, seed_or_random};
use crate::shared::interrupt::stop_on_signals;
use crate::shared::output::{Format, OutputArgs};
use crate::shared::records;
use crate::shared::terminal::TerminalArgs;
use crate::shared::{completers, memory, threads};

/// Check the databases: every value against the moves, files against their checksums
///
/// A value is right if it is that of the position's best move, one ply on. --full checks this for
/// every entry, which proves the databases right (docs/proof.md says why, and what it proves
/// without distances). By default the command checks random entries. It shares only the rules and
/// the numbering of positions with the solver.
///
/// For a wrong value the command prints the position, the value that its moves give it, and the
/// moves that decide. The exit code is then 6.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Check the files only: manifest, headers, checksums, digests. Takes a minute for the whole
    /// game
    #[arg(long, group = "mode")]
    quick: bool,
    /// Recompute N random entries of each subspace, of those that the edition keeps; this is the
    /// default, with 1000 in the edition full and 300 in the others, which takes a minute for the
    /// standard game
    #[arg(long, value_name = "N", group = "mode", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Recompute every entry
    ///
    /// docs/results.md has the time for the whole game. Stop it at any time; the next run resumes.
    /// The command notes checked entries in the file `verified.merels` beside the databases. Later
    /// runs skip them as long as the tables have the same digests. Use --again for a folder that
    /// you did not make.
    #[arg(long, group = "mode")]
    full: bool,
    /// Recompute published facts about the game, as far as the databases allow
    ///
    /// In the edition `compact` this restores what the edition leaves out of the moving phase,
    /// which takes many minutes.
    #[arg(long, group = "mode")]
    claims: bool,
    /// Print the digest of the values of each subspace, and one of the whole folder
    ///
    /// Digests do not depend on the edition: use `diff` to compare them with those of another
    /// folder, or with docs/digests. The command reads the digests from the headers; --full proves
    /// that the values behind them are right.
    #[arg(long, group = "mode")]
    digests: bool,
    /// Check only this subspace; may be repeated
    #[arg(
        long,
        value_name = "A-B",
        conflicts_with_all = ["claims", "digests"],
        add = ArgValueCandidates::new(completers::solved_subspaces)
    )]
    only: Vec<Subspace>,
    /// Seed of the random entries; the command prints the one it uses
    #[arg(long, value_name = "N", conflicts_with_all = ["quick", "full", "claims", "digests"])]
    seed: Option<u64>,
    /// Ignore `verified.merels` and check every entry again
    #[arg(long, requires = "full")]
    again: bool,
    /// Threads to compute with [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory limit for --full [default: 3/4 of the available memory, 7GiB at most]
    ///
    /// The standard game takes at most 1.3 GiB in the edition `full`, and 4.5 GiB in the others,
    /// where the command restores what the edition leaves out.
    #[arg(long, value_name = "SIZE", value_parser = memory::limit)]
    memory: Option<ByteSize>,
    #[command(flatten)]
    output: OutputArgs<Format>,
}

/// Runs the command.
pub(crate) fn run(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &VerifyArgs,
) -> anyhow::Result<Exit> {
    let folder = Folder::open(&database.existing_folder()?, database.solved_ruleset())?;
    let known = Subspace::all_moving(folder.ruleset()).into_iter();
    let known: Vec<_> = known.chain(Subspace::placing_layers(folder.ruleset()).concat()).collect();
    if let Some(only) = args.only.iter().find(|only| !known.contains(only)) {
        bail!("{only} is not a subspace of '{}' that has a database", folder.ruleset());
    }
    let stop = stop_on_signals(|| {})?;
    let progress = Progress::new(terminal.quiet);
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
        } else if args.digests {
            Findings::Digests(read_digests(&folder, stop)?)
        } else {
            let seed = seed_or_random(args.seed);
            let options = SampleOptions {
                only,
                samples: args.sample.unwrap_or(usual_sample(folder.edition())),
                seed,
            };
            Findings::Sample { seed, reports: verify_sample(&folder, &options, &progress, stop)? }
        })
    });
    progress.finish();
    let findings = findings?;
    args.output.write(|out| {
        let text = |out: &mut dyn Write| text::write(out, &folder, &findings);
        let document = json::Document::new(&folder, &findings);
        records::write(out, args.output.format(), text, &document, || document.rows())
            .context(CANNOT_WRITE)
    })?;
    Ok(findings.exit())
}

/// The entries of each subspace to check if the user names no number: as many as a minute allows.
/// Values that an edition leaves out must be worked out from others.
fn usual_sample(edition: Edition) -> u64 {
    if edition == Edition::Full { 1000 } else { 300 }
}
