//! `merels list`: the positions of a subspace with their values.

mod args;
mod choice;
mod rows;
mod sample;

pub(crate) use args::ListArgs;

use std::io::{self, BufWriter, Write};

use anyhow::Context;
use merels_core::{Arrangements, Position, Value};
use merels_query::Listed;

use crate::commands::list::args::Filter;
use crate::commands::list::choice::List;
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
    let mut out = BufWriter::new(io::stdout().lock());
    rows::write_heading(args.format, &mut out).context(CANNOT_WRITE)?;
    let mut write = |found: &[(Position, Value)]| {
        rows::write(args.format, &ruleset, found, &mut out).context(CANNOT_WRITE)
    };
    if let Some(count) = args.sample {
        write(&sample::of(&list, count, seed_or_random(args.seed), args.longest)?)?;
    } else {
        let wanted = list.wanted(args.longest)?;
        list.each(|piece| {
            let found = piece.into_iter().filter(|(_, value)| wanted.include(*value));
            write(&found.collect::<Vec<_>>())
        })?;
    }
    out.flush().context(CANNOT_WRITE)?;
    Ok(Exit::Fine)
}
