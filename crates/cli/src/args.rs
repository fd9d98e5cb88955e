//! The whole command line. Each command defines its own arguments.

use clap::{Parser, Subcommand};

use crate::commands::annotate::AnnotateArgs;
use crate::commands::atlas::AtlasArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::list::ListArgs;
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
use crate::shared::arguments::DatabaseArgs;

/// Solve mill games (Nine Men's Morris and its relatives) and look positions up
///
/// `merels solve` makes databases with the outcome of every position and its distance to the end of
/// the game. `merels query` looks positions up, `merels list` lists those of a subspace, `merels play` plays, `merels annotate` judges
/// games, and `merels serve` shows everything in a browser. `merels stats` counts positions,
/// `merels verify` checks the databases, `merels pack` makes smaller ones, and `merels atlas`
/// writes pages about them. `merels rules` explains the rules.
#[derive(Debug, Parser)]
#[command(name = "merels", version, after_help = Exit::HELP, after_long_help = Exit::HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(after_long_help = Exit::HELP)]
    Solve(SolveArgs),
    #[command(after_long_help = Exit::HELP)]
    Stats(StatsArgs),
    #[command(after_long_help = Exit::HELP)]
    Query(QueryArgs),
    #[command(after_long_help = Exit::HELP)]
    List(ListArgs),
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use clap::CommandFactory;
    use merels_core::Ruleset;

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
            assert_eq!(arguments.database.folder().unwrap(), PathBuf::from("x"));
            assert_eq!(arguments.database.ruleset().stones, 10);
        }
    }
}
