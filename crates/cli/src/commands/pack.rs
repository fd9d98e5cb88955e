//! `merels pack`: makes a smaller edition of databases.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use bytesize::ByteSize;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use merels_advice::SolveCommand;
use merels_db::{Edition, Folder, TableSpec, pack, to_be_packed};

use crate::exit::Exit;
use crate::output::bars::Bars;
use crate::output::clock::Clock;
use crate::output::note::complain;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::completers;
use crate::shared::terminal::TerminalArgs;

/// Make a smaller edition of databases without solving
///
/// Reads the folder that --db and --ruleset name, checks every table, and writes it to another
/// folder. You can make compact, outcome or statistics from full, and outcome from compact. You can
/// stop it at any time; the next run resumes. The standard game takes about 600 MB of memory.
#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    /// Edition to make: compact, outcome or statistics
    #[arg(long, value_name = "EDITION", add = ArgValueCandidates::new(completers::editions))]
    edition: Edition,
    /// Folder to write to; like --db, it has a folder for each ruleset
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Compression level of zstd, from 1 (fast) to 19 (smaller files, far slower)
    #[arg(long, value_name = "L", default_value_t = TableSpec::DEFAULT_LEVEL,
          value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
}

/// Runs the command.
pub(crate) fn run(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &PackArgs,
) -> anyhow::Result<Exit> {
    let from = Folder::open(&database.existing_folder()?, database.solved_ruleset())?;
    if from.edition() == args.edition {
        bail!("{} is already of the edition '{}'", from.path().display(), from.edition());
    }
    from.covers(args.edition)?;
    let tables = to_be_packed(&from)?;
    if tables.is_empty() {
        let (path, command) = (from.path().display(), SolveCommand::new(from.path()));
        complain(format_args!(
            "there is nothing to pack: {path} has no databases yet; make them with `{command}`"
        ));
        return Ok(Exit::Missing);
    }
    let to = Folder::create(&args.to, *from.ruleset(), Some(args.edition))?;
    let _lock = to.lock()?;
    to.reconcile()?;
    let clock = Arc::new(Clock::new());
    let shows = !terminal.quiet && io::stderr().is_terminal();
    let bars = shows.then(|| Bars::new(Arc::clone(&clock)));
    let all: u64 = tables.iter().map(|&(_, entries)| entries).sum();
    let mut done = 0;
    for (number, &(subspace, entries)) in (1_usize..).zip(&tables) {
        if let Some(bars) = &bars {
            let (count, name) = (tables.len(), subspace.to_string());
            bars.show_whole(done as f64 / all.max(1) as f64);
            let share = number as f64 / count as f64;
            bars.show_part(&name, share, &format!("table {number} of {count}"));
        }
        pack(&from, &to, subspace, args.level)?;
        done += entries;
        clock.expect_like(done, all);
    }
    if let Some(bars) = &bars {
        bars.finish();
    }
    let size: u64 = to.load_manifest()?.iter().map(|info| info.size).sum();
    let size = ByteSize::b(size).display().iec();
    println!(
        "{} tables, {size} in {} (edition {})",
        tables.len(),
        to.path().display(),
        args.edition
    );
    Ok(Exit::Fine)
}
