//! `merels query`: the value of a position and of each of its moves.

mod answer;
mod args;
mod format;
mod formats;
mod lines;
mod request;
mod stream;

pub(crate) use args::QueryArgs;

use std::io::{self, BufWriter, Write};

use anyhow::Context;
use merels_core::Situation;

use crate::commands::query::format::Format;
use crate::commands::query::request::{Question, Request};
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::{self, DatabaseArgs};
use crate::shared::{oracle, threads};

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &QueryArgs) -> anyhow::Result<Exit> {
    let &QueryArgs { line, all_best, symmetries, format, .. } = args;
    anyhow::ensure!(
        !symmetries || format.has_symmetries(),
        "--symmetries: this format cannot show symmetries; use --format jsonl"
    );
    let request = Request { line, all_best, symmetries, game: args.moves.is_some() };
    let ruleset = &database.ruleset;
    // Read before any database is opened: a position that cannot be read needs none.
    let (text, situation, end) = if let Some(moves) = &args.moves {
        let game = arguments::game(moves, ruleset)?;
        let situation = *game.situation();
        (situation.text(ruleset).to_string(), situation, game.end())
    } else if !args.position.is_empty() {
        let text = args.position.join(" ");
        let situation = Situation::parse(&text, ruleset)?;
        (text, situation, None)
    } else {
        let oracle = oracle::open(database)?;
        let pool = threads::pool(args.threads)?;
        let answerer = stream::Answerer { oracle: &oracle, format, request, pool: &pool };
        return with_output(format, |out| answerer.answer_lines(lines::Input::stdin(), out));
    };
    let oracle = oracle::open(database)?;
    let (oracle, request) = (&oracle, &request);
    let question =
        Question { oracle, request, line: None, text: &text, situation, value: None, end };
    let mut answer = Vec::new();
    format.write_answer(&question, &mut answer)?;
    with_output(format, |out| {
        format.write_heading(request, out).context(CANNOT_WRITE)?;
        out.write_all(&answer).context(CANNOT_WRITE)?;
        out.write_all(format.frame().end.as_bytes()).context(CANNOT_WRITE)?;
        out.flush().context(CANNOT_WRITE)?;
        Ok(Exit::Fine)
    })
}

/// Calls `write` with the standard output. Looking for colours takes time, so it is done only for a
/// format that has them.
fn with_output(
    format: &dyn Format,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    if format.has_colours() {
        write(&mut BufWriter::new(anstream::stdout().lock()))
    } else {
        write(&mut BufWriter::new(io::stdout().lock()))
    }
}
