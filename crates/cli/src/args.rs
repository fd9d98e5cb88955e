//! The command line as a whole; each command's own arguments are with the command.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Parser, Subcommand};
use merels_core::{Game, Ruleset, RulesetError};

use crate::commands::annotate::AnnotateArgs;
use crate::commands::atlas::AtlasArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::man::ManArgs;
use crate::commands::pack::PackArgs;
use crate::commands::play::PlayArgs;
use crate::commands::query::QueryArgs;
use crate::commands::rules::RulesArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::solve::SolveArgs;
use crate::commands::stats::StatsArgs;
use crate::commands::verify::VerifyArgs;
use crate::exit::Exit;

/// Solves mill games (Nine Men's Morris and its relatives) completely, and looks positions up.
///
/// `merels solve` computes databases that hold win, draw or loss and the distance to the end for
/// every position; `merels stats` counts them; `merels query` answers for single positions; `merels
/// play` plays; `merels annotate` judges games; `merels serve` shows all that in a browser; `merels verify`
/// checks the databases; `merels rules` tells the rules.
#[derive(Debug, Parser)]
#[command(name = "merels", version, after_help = Exit::HELP, after_long_help = Exit::HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Which databases a command is about.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    /// Folder of the databases; each ruleset has a folder of its own in it
    #[arg(long, global = true, value_name = "DIR", env = "MERELS_DB", default_value = "db")]
    pub(crate) db: PathBuf,
    /// Rules of the game: a name, or a name with changes
    ///
    /// Names: standard, no-flying, free-removal, strict-removal, double-removal, lasker,
    /// morabaraba, eleven, seven, six, five, four, three. Changes follow after commas, as in
    /// standard,flying=never,stones=7. `merels rules` tells them all.
    #[arg(long, global = true, value_name = "RULES", default_value = "standard", value_parser = ruleset)]
    pub(crate) ruleset: Ruleset,
}

impl DatabaseArgs {
    /// The rules that the databases are made for: those about the history of a game change no value.
    pub(crate) const fn solved_ruleset(&self) -> Ruleset {
        self.ruleset.without_history()
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(after_long_help = Exit::HELP)]
    Solve(SolveArgs),
    #[command(after_long_help = Exit::HELP)]
    Stats(StatsArgs),
    #[command(after_long_help = Exit::HELP)]
    Query(QueryArgs),
    #[command(after_long_help = Exit::HELP)]
    Play(PlayArgs),
    Rules(RulesArgs),
    #[command(after_long_help = Exit::HELP)]
    Annotate(AnnotateArgs),
    #[command(after_long_help = Exit::HELP)]
    Serve(ServeArgs),
    #[command(after_long_help = Exit::HELP)]
    Verify(VerifyArgs),
    #[command(after_long_help = Exit::HELP)]
    Pack(PackArgs),
    #[command(after_long_help = Exit::HELP)]
    Atlas(AtlasArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// A ruleset as options take it.
pub(crate) fn ruleset(text: &str) -> Result<Ruleset, RulesetError> {
    text.parse()
}

/// The game that an option `--moves` has the text of.
///
/// # Errors
/// If it is no game; the name of a file is told how to give what is in it.
pub(crate) fn game(text: &str, ruleset: &Ruleset) -> anyhow::Result<Game> {
    Game::parse(text, ruleset).map_err(|error| {
        if !Path::new(text).is_file() {
            return error.into();
        }
        anyhow!(
            "--moves takes the text of a game, and '{text}' is the name of a file; give what is in it: \
             --moves \"$(cat {text})\""
        )
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_names_every_ruleset() {
        let help = Arguments::command().render_long_help().to_string();
        for preset in Ruleset::PRESETS {
            assert!(help.contains(preset.name), "{}", preset.name);
        }
    }

    #[test]
    fn options_of_the_database_may_stand_anywhere() {
        let before = ["merels", "--db", "x", "--ruleset", "lasker", "stats"];
        let after = ["merels", "stats", "--ruleset", "lasker", "--db", "x"];
        for line in [before, after] {
            let arguments = Arguments::try_parse_from(line).unwrap();
            assert_eq!(arguments.database.db, PathBuf::from("x"));
            assert_eq!(arguments.database.ruleset.stones, 10);
        }
    }
}
