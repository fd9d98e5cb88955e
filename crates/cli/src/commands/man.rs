//! `merels man`: the manual, made from the same definitions as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;

/// Print the manual page, or write one for each command
///
/// To read it at once: merels man | man -l -
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write merels.1, merels-solve.1 and so on to this folder, and create it if necessary
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Runs the command. `command` is the whole program's.
pub(crate) fn run(args: &ManArgs, command: Command) -> anyhow::Result<Exit> {
    if let Some(dir) = &args.dir {
        let cannot = || format!("cannot write the manual to {}", dir.display());
        fs::create_dir_all(dir).with_context(cannot)?;
        clap_mangen::generate_to(command, dir).with_context(cannot)?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page).context("cannot make the page")?;
        io::stdout().write_all(&page).context(CANNOT_WRITE)?;
    }
    Ok(Exit::Fine)
}
