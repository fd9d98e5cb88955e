//! What the terminal shows: colours, progress.

use clap::{Args, ColorChoice};

/// Options about what the terminal shows. All commands have them.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct TerminalArgs {
    /// Show no progress and no hints; warnings and errors stay
    #[arg(short, long, global = true, alias = "no-progress")]
    pub(crate) quiet: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

impl TerminalArgs {
    /// Makes the choice of colours that of everything that the program writes.
    pub(crate) fn apply(self) {
        let choice = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
