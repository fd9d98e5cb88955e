//! The command `merels`: arguments, wiring, exit code. The libraries do the work.

mod advice;
mod closed_output;
mod command_line;
mod commands;
mod exit;
mod limits;
mod output;
mod shared;

use std::process::ExitCode;

use clap_complete::CompleteEnv;
use command_line::{Arguments, Command};
use output::note::complain;

fn main() -> ExitCode {
    limits::refuse_large_files_by_errors();
    limits::share_memory_pools();
    merels_db::report_cut_files(exit::Exit::Damaged as i32, "merels", advice::CUT_FILE);
    if closed_output::is_closed() {
        complain("standard output is closed; open it, or write `>/dev/null` to throw results away");
        return exit::Exit::System.into();
    }
    CompleteEnv::with_factory(command_line::definition)
        .var(commands::completions::VARIABLE)
        .complete();
    let Arguments { database, terminal, command } = match command_line::read() {
        Ok(arguments) => arguments,
        Err(help) if !help.use_stderr() => return exit::show(&help).into(),
        Err(error) => return command_line::report(&error).into(),
    };
    terminal.apply();
    let result = match &command {
        Command::Solve(args) => commands::solve::run(&database, terminal, args),
        Command::Stats(args) => commands::stats::run(&database, args),
        Command::Query(args) => commands::query::run(&database, terminal, args),
        Command::List(args) => commands::list::run(&database, args),
        Command::Play(args) => commands::play::run(&database, args),
        Command::Rules(args) => commands::rules::run(&database, args),
        Command::Annotate(args) => commands::annotate::run(&database, terminal, args),
        Command::Serve(args) => commands::serve::run(&database, args),
        Command::Verify(args) => commands::verify::run(&database, terminal, args),
        Command::Pack(args) => commands::pack::run(&database, terminal, args),
        Command::Atlas(args) => commands::atlas::run(&database, args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args, command_line::definition()),
    };
    result.unwrap_or_else(|error| exit::report(&error)).into()
}
