//! `merels atlas`: pages about solved games.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use merels_atlas::{Atlas, rulesets_in};
use merels_core::Ruleset;

use crate::exit::{self, Exit};
use crate::output::note::GONE;
use crate::output::note::complain;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::completers;

/// Write pages about solved games, with plots
///
/// Reads the headers of the databases, which takes no time. Where the edition has values, it also
/// looks up the first moves and a line of best play from the longest win and loss. Writes
/// DIR/atlas.md with plots in DIR/atlas, or with --html one page that contains everything, and
/// replaces existing files. Prints the names of the files. The same databases make the same files.
/// The page says which games are only partly solved.
#[derive(Debug, Args)]
pub(crate) struct AtlasArgs {
    /// Rulesets to describe [default: all in the folder of the databases, or that of --ruleset]
    #[arg(value_name = "RULES", add = ArgValueCandidates::new(completers::rulesets))]
    rulesets: Vec<Ruleset>,
    /// Folder for atlas.md and its plots [default: the current folder, or none with --html]
    #[arg(short, long, value_name = "DIR", alias = "out")]
    output: Option<PathBuf>,
    /// File for one page that contains everything
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &AtlasArgs) -> anyhow::Result<Exit> {
    let folder = database.existing_folder()?;
    let rulesets = if !args.rulesets.is_empty() {
        args.rulesets.clone()
    } else if database.ruleset() != Ruleset::STANDARD {
        vec![database.ruleset()]
    } else {
        rulesets_in(&folder)?
    };
    let atlas = Atlas::read(&folder, &rulesets)?;
    let mut exit = Exit::Fine;
    // The page still describes the others.
    for (ruleset, error) in atlas.failed() {
        exit = exit.or(exit::report_one(ruleset, error));
    }
    for (ruleset, subspace) in atlas.gone() {
        complain(format_args!("{ruleset}: {subspace}: {GONE}"));
        exit = exit.or(Exit::Missing);
    }
    let mut out = io::stdout().lock();
    if let Some(file) = &args.html {
        let written = fs::write(file, atlas.to_html());
        written.with_context(|| format!("cannot write {}", file.display()))?;
        writeln!(out, "wrote {}", file.display())?;
    }
    let default = args.html.is_none().then(|| PathBuf::from("."));
    if let Some(dir) = args.output.as_ref().or(default.as_ref()) {
        let page = atlas.write_markdown(dir)?;
        let plots = page.with_extension("");
        writeln!(out, "wrote {}, with its plots in {}", page.display(), plots.display())?;
    }
    Ok(exit)
}
