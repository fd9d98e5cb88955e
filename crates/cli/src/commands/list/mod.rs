//! `merels list`: the positions of a subspace with their values.

mod args;
mod rows;
mod sample;

pub(crate) use args::ListArgs;

use std::io::{self, BufWriter, Write};
use std::ops::Range;

use anyhow::Context;
use merels_core::{Arrangements, Outcome, Position, Value};
use merels_query::Listed;

use crate::commands::list::args::Filter;
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::{DatabaseArgs, seed_or_random};
use crate::shared::oracle::{self, Oracle};

/// Entries that are listed at a time: some tens of megabytes.
const AT_ONCE: u64 = 1 << 18;

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

/// The positions to choose from.
struct List {
    oracle: Oracle,
    arrangements: Arrangements,
    filter: Filter,
    listed: Listed,
}

/// The values that are listed.
struct Wanted {
    filter: Filter,
    /// The only win and the only loss, if the longest are wanted.
    longest: Option<[Option<Value>; 2]>,
}

impl Wanted {
    fn include(&self, value: Value) -> bool {
        let is_longest = |longest: [Option<Value>; 2]| longest.contains(&Some(value));
        self.filter.includes(value) && self.longest.is_none_or(is_longest)
    }
}

impl List {
    /// Calls `work` with all positions, piece by piece, in order.
    fn each(
        &self,
        mut work: impl FnMut(Vec<(Position, Value)>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for piece in self.pieces() {
            work(self.oracle.list(&self.arrangements, piece, self.listed)?)?;
        }
        Ok(())
    }

    fn pieces(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let entries = self.arrangements.index().entries();
        (0..entries).step_by(AT_ONCE as usize).map(move |start| start..entries.min(start + AT_ONCE))
    }

    /// The values to list. The longest ones are looked for first.
    fn wanted(&self, longest: bool) -> anyhow::Result<Wanted> {
        let filter = self.filter;
        if !longest {
            return Ok(Wanted { filter, longest: None });
        }
        let [mut win, mut loss] = [None, None];
        for piece in self.pieces() {
            for (_, value) in self.oracle.list(&self.arrangements, piece, Listed::Classes)? {
                match value.outcome() {
                    // Of wins the longest is the least value, of losses the greatest.
                    Outcome::Win => win = Some(win.map_or(value, |it: Value| it.min(value))),
                    Outcome::Loss => loss = Some(loss.map_or(value, |it: Value| it.max(value))),
                    Outcome::Draw => {}
                }
            }
        }
        Ok(Wanted { filter, longest: Some([win, loss]) })
    }

    /// Makes sure that the databases have distances.
    fn check_distances(&self) -> anyhow::Result<()> {
        let subspace = self.arrangements.index().subspace();
        // Opens the table, or solves the subspace.
        self.oracle.list(&self.arrangements, 0..1, Listed::Classes)?;
        let edition = self.oracle.source().edition_of(subspace);
        if let Some(edition) = edition.filter(|edition| !edition.has_distances()) {
            anyhow::bail!(
                "the edition {edition} keeps no distances; omit --distance and --longest, or name \
                 a folder of another edition with --db"
            );
        }
        Ok(())
    }
}
