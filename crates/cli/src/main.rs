//! The command `merels`: arguments, wiring, exit code. The libraries do the work.

mod args;
mod commands;
mod exit;
mod limits;
mod output;
mod shared;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Arguments, Command};

fn main() -> ExitCode {
    limits::refuse_large_files_by_errors();
    limits::share_memory_pools();
    merels_db::report_cut_files(exit::Exit::Damaged as i32);
    let Arguments { database, command } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(help) if !help.use_stderr() => return exit::show(&help).into(),
        Err(error) => error.exit(),
    };
    let result = match &command {
        Command::Solve(args) => commands::solve::run(&database, args),
        Command::Stats(args) => commands::stats::run(&database, args),
        Command::Query(args) => commands::query::run(&database, args),
        Command::List(args) => commands::list::run(&database, args),
        Command::Play(args) => commands::play::run(&database, args),
        Command::Rules(args) => commands::rules::run(&database, args),
        Command::Annotate(args) => commands::annotate::run(&database, args),
        Command::Serve(args) => commands::serve::run(&database, args),
        Command::Verify(args) => commands::verify::run(&database, args),
        Command::Pack(args) => commands::pack::run(&database, args),
        Command::Atlas(args) => commands::atlas::run(&database, args),
        Command::Completions(args) => commands::completions::run(args, Arguments::command()),
        Command::Man(args) => commands::man::run(args, Arguments::command()),
    };
    result.unwrap_or_else(|error| exit::report(&error)).into()
}
