//! `merels stats`: counts of the databases of a folder, from their headers.

mod counted;
mod histogram;

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use merels_advice::SolveCommand;
use merels_core::{Ruleset, Subspace, grouped};
use merels_db::TableInfo;
use merels_db::{DbError, Distribution, Expectation, Folder, Table as Database};
use serde::Serialize;

use crate::commands::stats::counted::Counted;
use crate::commands::stats::histogram::Histogram;
use crate::exit::{self, Exit};
use crate::output::CANNOT_WRITE;
use crate::output::note::{GONE, complain};
use crate::output::rows::{PlyRow, Row, order};
use crate::output::table::Table;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::completers;
use crate::shared::output::{Format, OutputArgs};
use crate::shared::records::{self, Records};

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
    /// Only these subspaces, as in 5-4 or 5-4+2-3
    #[arg(value_name = "SUBSPACE", add = ArgValueCandidates::new(completers::solved_subspaces))]
    subspaces: Vec<Subspace>,
    /// Count the placing phase only, a row for each number of stones placed
    ///
    /// Ply 0 is the empty board. In JSON the array is `plies`. If stones may move before all are
    /// placed, the rows count stones placed and not plies.
    #[arg(long)]
    by_ply: bool,
    /// Count positions by outcome and distance, in all these subspaces together
    ///
    /// As JSON lines and CSV, each subspace has rows of its own.
    #[arg(long, conflicts_with = "by_ply")]
    histogram: bool,
    #[command(flatten)]
    output: OutputArgs<Format>,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &StatsArgs) -> anyhow::Result<Exit> {
    let folder = Folder::open(&database.existing_folder()?, database.solved_ruleset())?;
    let mut exit = Exit::Fine;
    let mut counted = Vec::new();
    for subspace in wanted(&folder, args)? {
        match open(&folder, subspace) {
            Ok((info, distribution)) => {
                counted.push(Counted { subspace, row: Row::new(&info), distribution });
            }
            // The others are still printed.
            Err(error) => exit = exit.or(exit::report(&error.into())),
        }
    }
    if args.subspaces.is_empty() {
        exit = exit.or(report_gone(&folder, args)?);
    }
    if counted.is_empty() && exit == Exit::Fine {
        let what = if args.by_ply { "databases of the placing phase" } else { "databases" };
        let (path, command) = (folder.path().display(), SolveCommand::new(folder.path()));
        complain(format_args!("there are no {what} in {path} yet; make them with `{command}`"));
        exit = Exit::Missing;
    }
    args.output.write(|out| write(out, folder.ruleset(), args, counted).context(CANNOT_WRITE))?;
    Ok(exit)
}

/// The subspaces to count, in the order of the output.
fn wanted(folder: &Folder, args: &StatsArgs) -> Result<Vec<Subspace>, DbError> {
    if !args.subspaces.is_empty() {
        return Ok(args.subspaces.clone());
    }
    let mut subspaces = folder.subspaces_present()?;
    subspaces.retain(|subspace| !args.by_ply || !subspace.is_moving());
    subspaces.sort_by_key(|&subspace| order(subspace));
    Ok(subspaces)
}

/// Complains about tables that the manifest lists and the folder lacks.
fn report_gone(folder: &Folder, args: &StatsArgs) -> Result<Exit, DbError> {
    let present = folder.subspaces_present()?;
    let mut exit = Exit::Fine;
    for subspace in folder.load_manifest()?.iter().map(|info| info.subspace) {
        let is_left_out = args.by_ply && subspace.is_moving();
        if !is_left_out && !present.contains(&subspace) {
            complain(format_args!("{subspace}: {GONE}"));
            exit = Exit::Missing;
        }
    }
    Ok(exit)
}

fn open(folder: &Folder, subspace: Subspace) -> Result<(TableInfo, Distribution), DbError> {
    let expectation = Expectation { ruleset: *folder.ruleset(), subspace, edition: None };
    let table = Database::open(&folder.path_of(subspace), &expectation)?;
    Ok((table.info(), (*table.header().distribution).clone()))
}

fn write(
    out: &mut dyn Write,
    ruleset: &Ruleset,
    args: &StatsArgs,
    counted: Vec<Counted>,
) -> io::Result<()> {
    let format = args.output.format();
    let ruleset_name = ruleset.to_string();
    if args.histogram {
        let histogram = Histogram::of(&counted);
        let document = histogram.document(ruleset_name);
        return records::write(
            out,
            format,
            |out| histogram.write(out),
            &document,
            || histogram.rows(),
        );
    }
    let totals = Row::total(counted.iter().map(|counted| &counted.row));
    if args.by_ply {
        let subspaces = counted.len();
        let rows = counted.iter().map(|counted| (counted.subspace, &counted.row));
        let plies = PlyRow::all(ruleset, rows);
        let document = PlyReport { ruleset: ruleset_name, plies, totals };
        let text = |out: &mut dyn Write| write_plies(out, ruleset, subspaces, &document);
        return records::write(out, format, text, &document, || Records::new(&document.plies));
    }
    let subspaces = counted.into_iter().map(|counted| counted.row).collect();
    let document = Report { ruleset: ruleset_name, subspaces, totals };
    let text = |out: &mut dyn Write| write_subspaces(out, &document);
    records::write(out, format, text, &document, || Records::new(&document.subspaces))
}

fn write_subspaces(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut table = Table::new(&Row::HEADINGS).spare(&Row::SPARE);
    for row in report.subspaces.iter().chain([&report.totals]) {
        table.push(row.cells());
    }
    table.write(out)
}

fn write_plies(
    out: &mut dyn Write,
    ruleset: &Ruleset,
    subspaces: usize,
    report: &PlyReport,
) -> io::Result<()> {
    let mut table =
        Table::new(&[&[PlyRow::heading(ruleset), "subspaces"], &Row::HEADINGS[1..]].concat())
            .spare(&Row::SPARE);
    let mut push = |name: String, subspaces: String, row: &Row| {
        table.push([name, subspaces].into_iter().chain(row.cells().into_iter().skip(1)));
    };
    for row in &report.plies {
        let subspaces = if row.subspaces == row.of {
            row.of.to_string()
        } else {
            format!("{} of {}", row.subspaces, row.of)
        };
        push(row.ply.to_string(), subspaces, &row.row);
    }
    push("total".to_owned(), grouped(subspaces as u64), &report.totals);
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
