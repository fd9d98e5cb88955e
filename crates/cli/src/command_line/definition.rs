//! The commands, and what all of them share.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::command_line::examples;
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
use crate::shared::terminal::TerminalArgs;

/// Solve mill games (Nine Men's Morris and its relatives) and look positions up
///
/// `solve` makes databases with the outcome of every position and its distance to the end of the
/// game. `query` looks positions up, `list` lists those of a subspace, `play` plays, `annotate`
/// judges games, and `serve` shows everything in a browser. `stats` counts positions, `verify`
/// checks the databases, `pack` makes smaller ones, and `atlas` writes pages about them. `rules`
/// explains the rules of the games that have a name: standard, no-flying, free-removal,
/// strict-removal, double-removal, lasker, morabaraba, eleven, seven, six, five, four, three.
#[derive(Debug, Parser)]
#[command(name = "merels", version)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Stats(StatsArgs),
    Query(QueryArgs),
    List(ListArgs),
    Play(PlayArgs),
    Rules(RulesArgs),
    Annotate(AnnotateArgs),
    Serve(ServeArgs),
    Verify(VerifyArgs),
    Pack(PackArgs),
    Atlas(AtlasArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The definition of the command line, with examples and exit codes in the help.
pub(crate) fn definition() -> clap::Command {
    let command = examples::add_to(Arguments::command());
    let command = command.after_help(Exit::HELP).after_long_help(Exit::HELP);
    let names = command.get_subcommands().map(|command| command.get_name().to_owned());
    let names: Vec<_> = names.collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |command| command.after_long_help(Exit::HELP))
    })
}

/// Reads the command line.
///
/// # Errors
/// If it is wrong, or asks for help or the version.
pub(crate) fn read() -> Result<Arguments, clap::Error> {
    let mut definition = definition();
    let matches = definition.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use merels_core::Ruleset;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    /// Once: the help of a command points to `merels rules`.
    #[test]
    fn the_help_names_every_ruleset_once() {
        let help = definition().render_long_help().to_string();
        let words: Vec<_> = help.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        for preset in Ruleset::PRESETS {
            let count = words.iter().filter(|word| **word == preset.name).count();
            assert!(count >= 1, "{}", preset.name);
        }
        assert_eq!(help.matches("morabaraba").count(), 1);
    }

    #[test]
    fn options_of_the_database_may_stand_anywhere() {
        let before = ["merels", "--db", "x", "-r", "lasker", "stats"];
        let after = ["merels", "stats", "--ruleset", "lasker", "-d", "x"];
        for line in [before, after] {
            let arguments = Arguments::try_parse_from(line).unwrap();
            assert_eq!(arguments.database.folder().unwrap(), PathBuf::from("x"));
            assert_eq!(arguments.database.ruleset().stones, 10);
        }
    }

    /// Terminals of 80 columns show each line of the help as it is written.
    #[test]
    fn lines_that_stay_as_they_are_fit_80_columns() {
        for command in definition().get_subcommands() {
            let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
            for line in about.lines().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn every_command_has_examples_that_it_understands() {
        let names: Vec<_> =
            Arguments::command().get_subcommands().map(|it| it.get_name().to_owned()).collect();
        for name in &names {
            assert!(examples::EXAMPLES.iter().any(|(command, _)| command == name), "{name}");
        }
        for example in examples::EXAMPLES.iter().flat_map(|(_, examples)| examples) {
            let words = example.split_whitespace().take_while(|word| *word != "<");
            if let Err(error) = definition().try_get_matches_from(words) {
                panic!("{example}: {error}");
            }
        }
    }
}
