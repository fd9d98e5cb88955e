//! `merels list`: the positions of a subspace with their values.

mod args;
mod choice;
mod lines;
mod parquet;
mod sample;
mod writer;

pub(crate) use args::ListArgs;

use anyhow::Context;
use merels_core::Arrangements;
use merels_query::Listed;

use crate::commands::list::args::{Filter, ListFormat};
use crate::commands::list::choice::List;
use crate::commands::list::lines::{Form, Lines};
use crate::commands::list::parquet::Parquet;
use crate::commands::list::writer::Writer;
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::{DatabaseArgs, seed_or_random};
use crate::shared::oracle;

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &ListArgs) -> anyhow::Result<Exit> {
    let ruleset = database.ruleset();
    let filter = Filter::new(args)?;
    let arrangements = Arrangements::of(&ruleset, args.subspace).with_context(|| {
        format!("the game by the rules '{ruleset}' has no subspace {}", args.subspace)
    })?;
    let list = List {
        oracle: oracle::open(database, ruleset)?,
        arrangements,
        filter,
        listed: if args.all { Listed::All } else { Listed::Classes },
    };
    if args.distance.is_some() || args.longest {
        list.check_distances()?;
    }
    args.output.write(|out| {
        let mut writer: Box<dyn Writer + '_> = match args.output.format() {
            ListFormat::Text => Box::new(Lines::new(Form::Text, &ruleset, out)),
            ListFormat::Json => Box::new(Lines::new(Form::Json, &ruleset, out)),
            ListFormat::Jsonl => Box::new(Lines::new(Form::Jsonl, &ruleset, out)),
            ListFormat::Csv => Box::new(Lines::new(Form::Csv, &ruleset, out)),
            ListFormat::Parquet => Box::new(Parquet::new(&ruleset, out)),
        };
        write(&list, args, writer.as_mut())?;
        writer.finish().context(CANNOT_WRITE)?;
        Ok(Exit::Fine)
    })
}

fn write(list: &List, args: &ListArgs, writer: &mut dyn Writer) -> anyhow::Result<()> {
    writer.begin().context(CANNOT_WRITE)?;
    if let Some(count) = args.sample {
        let found = sample::of(list, count, seed_or_random(args.seed), args.longest)?;
        return writer.write(&found).context(CANNOT_WRITE);
    }
    let wanted = list.wanted(args.longest)?;
    list.each(|piece| {
        let found = piece.into_iter().filter(|(_, value)| wanted.include(*value));
        writer.write(&found.collect::<Vec<_>>()).context(CANNOT_WRITE)
    })
}
