//! `merels stats`: counts of the databases of a folder, from their headers.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use merels_core::{Ruleset, Subspace, grouped};
use merels_db::{DbError, Expectation, Folder, SolveCommand, Table as Database, TableInfo};
use merels_json::{Counts, write_pretty};
use serde::Serialize;

use crate::exit::{self, Exit};
use crate::output::CANNOT_WRITE;
use crate::output::note::GONE;
use crate::output::note::complain;
use crate::output::rows::{PlyRow, Row, order};
use crate::output::table::Table;
use crate::shared::arguments::DatabaseArgs;

/// Count the positions of the databases by outcome
///
/// Prints a row for each subspace (stones of the side to move, then of the other side). Positions
/// that are images of each other under the symmetries of the board count once; `entries` counts the
/// entries of a database, in which a few positions occur more than once. `longest win` and `longest
/// loss` are plies to the end of the game (a move and its removal are one ply). The moving phase
/// comes first, by stones on the board; then the placing phase (5-4+2-3 has 2 and 3 stones in
/// hand), from its last ply back to the empty board. Reads headers only, which takes no time.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Write CSV: plain numbers, an empty field for a missing one
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write JSON: an object with `ruleset`, `subspaces` (an array) and `totals` (docs/json.md)
    #[arg(long)]
    json: bool,
    /// Count the placing phase only, a row for each number of stones placed
    ///
    /// Ply 0 is the empty board. With --json the array is `plies`. If stones may move before all
    /// are placed, the rows count stones placed and not plies.
    #[arg(long)]
    by_ply: bool,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &StatsArgs) -> anyhow::Result<Exit> {
    let folder = Folder::open(&database.existing_folder()?, database.solved_ruleset())?;
    let mut subspaces = folder.subspaces_present()?;
    subspaces.sort_by_key(|&subspace| order(subspace));
    let mut exit = Exit::Fine;
    let mut rows = Vec::new();
    for subspace in subspaces.into_iter().filter(|subspace| !(args.by_ply && subspace.is_moving()))
    {
        match open(&folder, subspace) {
            Ok(info) => rows.push((subspace, Row::new(&info))),
            // The others are still printed.
            Err(error) => exit = exit.or(exit::report(&error.into())),
        }
    }
    let present: Vec<_> = folder.subspaces_present()?;
    let manifest = folder.load_manifest()?;
    let listed = manifest.iter().map(|info| info.subspace);
    let is_counted = |subspace: &Subspace| !args.by_ply || !subspace.is_moving();
    let gone = listed.filter(|subspace| !present.contains(subspace)).filter(is_counted);
    for subspace in gone {
        complain(format_args!("{subspace}: {GONE}"));
        exit = exit.or(Exit::Missing);
    }
    if rows.is_empty() && exit == Exit::Fine {
        let what = if args.by_ply { "databases of the placing phase" } else { "databases" };
        let (path, command) = (folder.path().display(), SolveCommand::new(folder.path()));
        complain(format_args!("there are no {what} in {path} yet; make them with `{command}`"));
        exit = Exit::Missing;
    }
    let out = &mut io::stdout().lock();
    let written = if args.by_ply {
        write_plies(out, args, folder.ruleset(), &rows)
    } else {
        write_subspaces(out, args, folder.ruleset(), rows)
    };
    written.context(CANNOT_WRITE)?;
    Ok(exit)
}

fn open(folder: &Folder, subspace: Subspace) -> Result<TableInfo, DbError> {
    let expectation = Expectation { ruleset: *folder.ruleset(), subspace, edition: None };
    Ok(Database::open(&folder.path_of(subspace), &expectation)?.info())
}

fn write_subspaces(
    out: &mut impl Write,
    args: &StatsArgs,
    ruleset: &Ruleset,
    rows: Vec<(Subspace, Row)>,
) -> io::Result<()> {
    let totals = Row::total(rows.iter().map(|(_, row)| row));
    if args.csv {
        writeln!(out, "subspace,{COUNTS}")?;
        for (_, row) in &rows {
            writeln!(out, "{},{}", row.name(), counts(&row.counts))?;
        }
        return Ok(());
    }
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    if args.json {
        return write_pretty(
            out,
            &Report { ruleset: ruleset.to_string(), subspaces: rows, totals },
        );
    }
    let mut table = Table::new(&Row::HEADINGS);
    for row in rows.iter().chain([&totals]) {
        table.push(row.cells());
    }
    table.write(out)
}

fn write_plies(
    out: &mut impl Write,
    args: &StatsArgs,
    ruleset: &Ruleset,
    rows: &[(Subspace, Row)],
) -> io::Result<()> {
    let totals = Row::total(rows.iter().map(|(_, row)| row));
    let plies = PlyRow::all(ruleset, rows.iter().map(|(subspace, row)| (*subspace, row)));
    if args.csv {
        writeln!(out, "ply,subspaces,{COUNTS}")?;
        for row in &plies {
            writeln!(out, "{},{},{}", row.ply, row.subspaces, counts(&row.row.counts))?;
        }
        return Ok(());
    }
    if args.json {
        return write_pretty(out, &PlyReport { ruleset: ruleset.to_string(), plies, totals });
    }
    let mut table =
        Table::new(&[&[PlyRow::heading(ruleset), "subspaces"], &Row::HEADINGS[1..]].concat());
    let mut push = |name: String, subspaces: String, row: &Row| {
        table.push([name, subspaces].into_iter().chain(row.cells().into_iter().skip(1)));
    };
    for row in &plies {
        let subspaces = if row.subspaces == row.of {
            row.of.to_string()
        } else {
            format!("{} of {}", row.subspaces, row.of)
        };
        push(row.ply.to_string(), subspaces, &row.row);
    }
    push("total".to_owned(), grouped(rows.len() as u64), &totals);
    table.write(out)
}

#[derive(Debug, Serialize)]
struct Report {
    ruleset: String,
    subspaces: Vec<Row>,
    totals: Row,
}

#[derive(Debug, Serialize)]
struct PlyReport {
    ruleset: String,
    plies: Vec<PlyRow>,
    totals: Row,
}

/// Headings of [`counts`].
const COUNTS: &str = "entries,positions,wins,draws,losses,longest_win,longest_loss";

/// The numbers of a row, with commas between them.
fn counts(counts: &Counts) -> String {
    let longest = |plies: Option<u16>| plies.map(|plies| plies.to_string()).unwrap_or_default();
    format!(
        "{},{},{},{},{},{},{}",
        counts.entries,
        counts.positions,
        counts.wins,
        counts.draws,
        counts.losses,
        longest(counts.longest_win),
        longest(counts.longest_loss),
    )
}
