//! `merels stats`: what the databases of a folder hold, from their headers.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use merels_core::Subspace;
use merels_db::{DbError, Expectation, Folder, Table as Database, TableInfo};
use serde::Serialize;

use crate::args::DatabaseArgs;
use crate::exit::{self, Exit};
use crate::row::{Row, order};
use crate::table::Table;

/// Count the positions of the databases, by outcome
///
/// One row for each subspace (stones of the side to move, then of the other side). Positions that
/// are images of each other under the symmetries of the board are counted once; `entries` counts
/// what a database stores, where a few positions occur more than once. `longest win` and `longest
/// loss` are in plies to the end of the game (a move with its removal is one ply). Reads the
/// headers only, which takes no time.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Write CSV: plain numbers, empty where there is none
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write JSON: an object with `ruleset`, `subspaces` (an array) and `totals`
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &StatsArgs) -> anyhow::Result<Exit> {
    let folder = Folder::open(&database.db, database.ruleset)?;
    let mut subspaces = folder.subspaces_present()?;
    subspaces.sort_by_key(|&subspace| order(subspace));
    let mut exit = Exit::Fine;
    let mut rows = Vec::new();
    for subspace in subspaces {
        match open(&folder, subspace) {
            Ok(info) => rows.push(Row::new(&info)),
            // The others are still worth telling about.
            Err(error) => exit = exit::report(&error.into()),
        }
    }
    if rows.is_empty() && exit == Exit::Fine {
        eprintln!(
            "merels: there are no databases in {} yet; make them with `merels solve`",
            folder.path().display()
        );
        exit = Exit::Missing;
    }
    let totals = Row::total(&rows);
    let out = &mut io::stdout().lock();
    let written = if args.csv {
        write_csv(out, &rows)
    } else if args.json {
        write_json(out, &Report { ruleset: database.ruleset.to_string(), subspaces: rows, totals })
    } else {
        write_text(out, &rows, &totals)
    };
    written.context("cannot write to standard output")?;
    Ok(exit)
}

fn open(folder: &Folder, subspace: Subspace) -> Result<TableInfo, DbError> {
    let expectation = Expectation { ruleset: *folder.ruleset(), subspace, entries: None };
    Ok(Database::open(&folder.path_of(subspace), &expectation)?.info())
}

#[derive(Debug, Serialize)]
struct Report {
    ruleset: String,
    subspaces: Vec<Row>,
    totals: Row,
}

fn write_csv(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "subspace,entries,positions,wins,draws,losses,longest_win,longest_loss")?;
    let longest = |plies: Option<u16>| plies.map(|plies| plies.to_string()).unwrap_or_default();
    for row in rows {
        writeln!(
            out,
            "{},{},{},{},{},{},{},{}",
            row.name(),
            row.entries,
            row.positions,
            row.wins,
            row.draws,
            row.losses,
            longest(row.longest_win),
            longest(row.longest_loss),
        )?;
    }
    Ok(())
}

fn write_json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}

fn write_text(out: &mut impl Write, rows: &[Row], totals: &Row) -> io::Result<()> {
    let mut table = Table::new(&Row::HEADINGS);
    for row in rows.iter().chain([totals]) {
        table.push(row.cells());
    }
    table.write(out)
}
