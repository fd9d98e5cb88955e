//! The result of `merels solve` for people.

use std::io::{self, Write};
use std::time::Duration;

use bytesize::ByteSize;
use merels_core::grouped;

use crate::commands::solve::findings::Findings;
use crate::commands::solve::report::{GameReport, Longest};
use crate::commands::solve::timings;
use crate::output::rows::{PlyRow, Row, ply_of};
use crate::output::table::{Table, millions};
use crate::output::time;

/// Writes the counts of the databases, the result of the game, and what the run took.
pub(super) fn write(out: &mut dyn Write, result: &Findings<'_>) -> io::Result<()> {
    write_rows(out, result)?;
    writeln!(out)?;
    if let Some(jobs) = result.timings
        && !jobs.is_empty()
    {
        timings::write(out, jobs)?;
        writeln!(out)?;
    }
    if let Some(report) = &result.report {
        write_report(out, report)?;
        writeln!(out)?;
    }
    let run = &result.run;
    if run.solved_entries == 0 {
        let count = result.rows.len();
        match count {
            1 => writeln!(out, "nothing to do: the subspace is solved and intact")?,
            _ => writeln!(out, "nothing to do: all {count} subspaces are solved and intact")?,
        }
    } else {
        let speed = millions(run.solved_entries as f64 / run.seconds.max(1e-9));
        writeln!(out, "solved {} entries, {speed} entries/s", grouped(run.solved_entries))?;
    }
    if run.work_files > 0 {
        let size = ByteSize::b(run.work_bytes).display().iec();
        writeln!(
            out,
            "{} work files (*.work, {size}) wait for larger subspaces (docs/solving.md)",
            run.work_files
        )?;
    }
    let size = ByteSize::b(run.size_bytes).display().iec();
    let took = time::in_words(Duration::from_secs_f64(run.seconds));
    write!(out, "{size} in {}, {took}", run.folder)?;
    if let Some(peak) = run.peak_memory_bytes {
        write!(out, ", at most {} of memory", ByteSize::b(peak).display().iec())?;
    }
    writeln!(out)?;
    out.flush()
}

/// Writes a row for each subspace of the moving phase and each ply of the placing phase, and the
/// sum.
fn write_rows(out: &mut dyn Write, result: &Findings<'_>) -> io::Result<()> {
    let mut table = Table::new(&[&Row::HEADINGS[..], &["solved"]].concat()).spare(&Row::SPARE);
    let cells = |row: &Row, solved: &str| row.cells().into_iter().chain([solved.to_owned()]);
    for (subspace, row, now) in &result.rows {
        if subspace.is_moving() {
            table.push(cells(row, if *now { "now" } else { "before" }));
        }
    }
    for ply in result.plies.iter().rev() {
        table.push(with_name(ply, cells(&ply.row, solved_of_ply(result, ply))));
    }
    table.push(cells(&result.totals, ""));
    table.write(out)
}

fn with_name(ply: &PlyRow, cells: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    std::iter::once(ply.name()).chain(cells.skip(1))
}

fn solved_of_ply(result: &Findings<'_>, ply: &PlyRow) -> &'static str {
    let of_ply = result
        .rows
        .iter()
        .filter(|(subspace, ..)| ply_of(&result.ruleset, *subspace) == Some(ply.ply));
    let now = of_ply.filter(|(.., now)| *now).count();
    match now {
        0 => "before",
        now if now == ply.subspaces => "now",
        _ => "partly now",
    }
}

fn write_report(out: &mut dyn Write, report: &GameReport) -> io::Result<()> {
    writeln!(out, "The empty board is a {}.\n", report.opening.value.in_words())?;
    let mut table = Table::new(&["first move", "points", "value", "replies that hold it"]);
    for first in &report.opening.first_moves {
        table.push([
            first.point.clone(),
            first.points.to_string(),
            first.value.in_words(),
            format!("{} of {}", first.holding, first.replies),
        ]);
    }
    table.write(out)?;
    writeln!(out)?;
    let longest = |longest: Option<Longest>| match longest {
        Some(Longest { subspace, plies }) => format!("{}, in {subspace}", plies.in_words()),
        None => "none".to_owned(),
    };
    writeln!(out, "longest win   {}", longest(report.longest_win))?;
    writeln!(out, "longest loss  {}", longest(report.longest_loss))
}
