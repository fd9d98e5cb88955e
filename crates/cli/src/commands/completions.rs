//! `merels completions`: what a shell needs to complete the command line.
//!
//! The script asks the program itself for what may follow, so that it knows the databases of the
//! folder, and never another version than the installed one.

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;

/// The environment variable that makes the program answer the shell.
pub(crate) const VARIABLE: &str = "MERELS_COMPLETE";

/// Print completions for a shell
///
/// Add a line to the file that the shell reads when it starts:
///
///   bash    source <(merels completions bash)          in ~/.bashrc
///   zsh     source <(merels completions zsh)           in ~/.zshrc
///   fish    merels completions fish | source           in config.fish
///   elvish  eval (merels completions elvish | slurp)   in rc.elv
///
/// The program must be in a folder of $PATH under the name merels.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// Runs the command.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let shell: &dyn EnvCompleter = match args.shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::Powershell => &Powershell,
        Shell::Zsh => &Zsh,
    };
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "merels", "merels", "merels", &mut script)
        .context("cannot make the script")?;
    io::stdout().write_all(&script).context(CANNOT_WRITE)?;
    Ok(Exit::Fine)
}
