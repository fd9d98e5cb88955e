//! `merels query`: the value of a position and of each of its moves.

mod answer;
mod args;
mod as_form;
mod asked;
mod format;
mod formats;
mod lines;
mod request;
mod stream;

pub(crate) use args::QueryArgs;

use std::io::Read;

use anyhow::Context;
use merels_core::{ReadOptions, RulesetChoice};
use merels_query::QueryError;

use crate::commands::query::asked::Asked;
use crate::commands::query::lines::Input;
use crate::commands::query::request::{Question, Request};
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::note::note;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::oracle::{self, Oracle};
use crate::shared::output::Format;
use crate::shared::terminal::TerminalArgs;
use crate::shared::threads;

/// Runs the command.
pub(crate) fn run(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &QueryArgs,
) -> anyhow::Result<Exit> {
    let &QueryArgs { line, all_best, symmetries, .. } = args;
    let format = formats::writer(args.output.format());
    anyhow::ensure!(
        !symmetries || format.has_symmetries(),
        "--symmetries: this format cannot show symmetries; use --format jsonl"
    );
    let request = Request { line, all_best, symmetries, game: args.moves.is_some() };
    let options = database.read_options(args.notation);
    // Read before any database is opened: a position that cannot be read needs none.
    let (game, text) = match asked::read(args, &options, terminal)? {
        Asked::Position(game, text) => (game, text),
        Asked::Lines(input) => {
            return answer_lines(database, terminal, args, request, &options, input);
        }
    };
    let ruleset = game.ruleset();
    if let Some(form) = args.as_form {
        let text = form.write(game.situation(), ruleset)?;
        return args.output.write(|out| {
            writeln!(out, "{text}").context(CANNOT_WRITE)?;
            Ok(Exit::Fine)
        });
    }
    let is_game = !game.steps().is_empty();
    let end = if is_game { game.end() } else { None };
    let text = if is_game { game.situation().text(ruleset).to_string() } else { text };
    let situation = *game.situation();
    let oracle = oracle::open(database, *ruleset)?;
    let (oracle, request) = (&oracle, &Request { game: is_game, ..request });
    let question =
        Question { oracle, request, line: None, text: &text, situation, value: None, end };
    tell_edition(oracle, args, terminal);
    let mut answer = Vec::new();
    let missing = format.write_answer(&question, &mut answer)?;
    args.output.write(|out| {
        format.write_heading(request, out).context(CANNOT_WRITE)?;
        out.write_all(&answer).context(CANNOT_WRITE)?;
        out.write_all(format.frame().end.as_bytes()).context(CANNOT_WRITE)?;
        Ok(())
    })?;
    missing.map_or(Ok(Exit::Fine), |missing| Err(QueryError::from(missing).into()))
}

/// Answers the lines of a file or of standard input.
fn answer_lines(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &QueryArgs,
    request: Request,
    options: &ReadOptions,
    input: Input<Box<dyn Read>>,
) -> anyhow::Result<Exit> {
    let (RulesetChoice::Given(ruleset) | RulesetChoice::Default(ruleset)) = options.ruleset;
    anyhow::ensure!(
        args.as_form.is_none(),
        "--as writes one position: name it, as in `merels query --as plain POSITION`"
    );
    let oracle = oracle::open(database, ruleset)?;
    tell_edition(&oracle, args, terminal);
    let pool = threads::pool(args.threads)?;
    // All lines are answered under the same rules.
    let options = ReadOptions { ruleset: RulesetChoice::Given(ruleset), ..*options };
    let format = formats::writer(args.output.format());
    let answerer = stream::Answerer { oracle: &oracle, format, request, options, pool: &pool };
    args.output.write(|out| answerer.answer_lines(input, out))
}

/// Tells a reader of text once why values have no distances, if they have none.
fn tell_edition(oracle: &Oracle, args: &QueryArgs, terminal: TerminalArgs) {
    let edition = oracle.source().tables().map(|tables| tables.folder().edition());
    if let Some(edition) = edition.filter(|edition| !edition.has_distances())
        && args.output.format() == Format::Text
        && !terminal.quiet
    {
        note(format_args!("merels: the edition '{edition}' keeps no distances"));
    }
}
