//! `merels stats`: what the databases of a folder hold, from their headers.

use std::cmp::Reverse;
use std::io::{self, Write};

use anyhow::Context;
use bytesize::ByteSize;
use clap::Args;
use merels_core::{Plies, Subspace};
use merels_db::{DbError, Expectation, Folder, Table as Database, TableInfo};
use serde::Serialize;

use crate::args::DatabaseArgs;
use crate::exit::{self, Exit};
use crate::table::{Table, grouped};

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

/// Stones on the board first, as subspaces are solved; the more lopsided ones first.
fn order(subspace: Subspace) -> impl Ord {
    let (mover, other) = (subspace.mover(), subspace.other());
    let in_hand = subspace.mover_hand() + subspace.other_hand();
    (in_hand, mover + other, Reverse(mover.max(other)), Reverse(mover), subspace)
}

fn open(folder: &Folder, subspace: Subspace) -> Result<TableInfo, DbError> {
    let expectation = Expectation { ruleset: *folder.ruleset(), subspace, entries: None };
    Ok(Database::open(&folder.path_of(subspace), &expectation)?.info())
}

/// What is told about a subspace, or about all of them.
#[derive(Debug, Serialize)]
struct Row {
    /// None for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    subspace: Option<String>,
    entries: u64,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<u16>,
    longest_loss: Option<u16>,
    size_bytes: u64,
    /// Of the values, in hexadecimal digits; none for the totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct Report {
    ruleset: String,
    subspaces: Vec<Row>,
    totals: Row,
}

impl Row {
    fn new(info: &TableInfo) -> Self {
        let statistics = &info.statistics;
        Self {
            subspace: Some(info.subspace.to_string()),
            entries: info.entries,
            positions: statistics.positions,
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            longest_win: statistics.longest_win.map(|Plies(plies)| plies),
            longest_loss: statistics.longest_loss.map(|Plies(plies)| plies),
            size_bytes: info.size,
            digest: Some(info.digest.to_string()),
        }
    }

    fn total(rows: &[Self]) -> Self {
        let sum = |count: fn(&Self) -> u64| rows.iter().map(count).sum();
        Self {
            subspace: None,
            entries: sum(|row| row.entries),
            positions: sum(|row| row.positions),
            wins: sum(|row| row.wins),
            draws: sum(|row| row.draws),
            losses: sum(|row| row.losses),
            longest_win: rows.iter().filter_map(|row| row.longest_win).max(),
            longest_loss: rows.iter().filter_map(|row| row.longest_loss).max(),
            size_bytes: sum(|row| row.size_bytes),
            digest: None,
        }
    }

    fn name(&self) -> &str {
        self.subspace.as_deref().unwrap_or("total")
    }
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
    let mut table = Table::new([
        "subspace",
        "entries",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win",
        "longest loss",
        "size",
    ]);
    let longest = |plies: Option<u16>| plies.map_or_else(|| "-".into(), |plies| plies.to_string());
    for row in rows.iter().chain([totals]) {
        table.push([
            row.name().to_owned(),
            grouped(row.entries),
            grouped(row.positions),
            grouped(row.wins),
            grouped(row.draws),
            grouped(row.losses),
            longest(row.longest_win),
            longest(row.longest_loss),
            ByteSize::b(row.size_bytes).display().iec().to_string(),
        ]);
    }
    table.write(out)
}
