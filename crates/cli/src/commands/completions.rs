//! `merels completions`: what a shell needs to complete the command line.

use std::io::{self, Write};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;

/// Print completions for a shell
///
/// The output is a script for the shell to read when it starts:
///
///   merels completions bash > ~/.local/share/bash-completion/completions/merels
///   merels completions zsh  > a file named _merels in a folder of $fpath
///   merels completions fish > ~/.config/fish/completions/merels.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Runs the command. `command` is the whole program's.
pub(crate) fn run(args: &CompletionsArgs, mut command: Command) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "merels", &mut script);
    io::stdout().write_all(&script).context(CANNOT_WRITE)?;
    Ok(Exit::Fine)
}
