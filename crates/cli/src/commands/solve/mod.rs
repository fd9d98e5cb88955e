//! `merels solve`: makes the databases that are missing.

mod args;
mod findings;
mod json;
mod progress;
mod report;
mod text;
mod timings;

pub(crate) use args::SolveArgs;

use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use merels_db::Folder;

use crate::commands::solve::findings::Findings;
use crate::commands::solve::progress::Progress;
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::interrupt::stop_on_signals;
use crate::shared::records;
use crate::shared::terminal::TerminalArgs;
use crate::shared::threads;

/// Runs the command.
pub(crate) fn run(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &SolveArgs,
) -> anyhow::Result<Exit> {
    // Wrong arguments are refused before anything is written to disk.
    let plan = args.plan(&database.solved_ruleset())?;
    let options = args.options()?;
    let pool = threads::pool(args.threads)?;
    let ruleset = database.solved_ruleset();
    let db = database.folder()?;
    if !Folder::exists(&db, ruleset) {
        // A refused run leaves no folder behind.
        let edition = args.edition.unwrap_or(Folder::DEFAULT_EDITION);
        pool.install(|| merels_solver::check_new(&db, &plan, edition, &options))?;
    }
    let folder = Folder::create(&db, ruleset, args.edition)?;

    let progress = Arc::new(Progress::new(ruleset, terminal.quiet));
    let on_first = Arc::clone(&progress);
    let stop = stop_on_signals(move || {
        on_first.line("merels: stopping; finished databases are kept (Ctrl-C again stops at once)");
    })?;
    let result =
        pool.install(|| merels_solver::run(&folder, &plan, &options, progress.as_ref(), stop));
    progress.finish();
    let summary = result?;
    let result = Findings::new(database, args.timings, &plan, &summary, &folder)?;
    args.output.write(|out| {
        let text = |out: &mut dyn Write| text::write(out, &result);
        let document = json::Document::new(&result);
        records::write(out, args.output.format(), text, &document, || document.rows())
            .context(CANNOT_WRITE)
    })?;
    Ok(Exit::Fine)
}
