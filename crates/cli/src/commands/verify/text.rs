//! Findings as text for people.

use std::io::{self, Write};

use merels_core::{Ruleset, draw, grouped};
use merels_db::{Edition, Folder};
use merels_verify::{
    Answer, ClaimReport, Mismatch, Precision, QuickProblem, QuickReport, RestoredOtherwise,
    SampleReport, SubspaceReport,
};

use crate::advice::told;
use crate::commands::verify::findings::Findings;
use crate::output::note::GONE;
use crate::output::table::Table;

/// The message for a file whose numbers of positions by distance are wrong.
pub(super) const DISTANCES_DIFFER: &str =
    "the numbers of positions by distance in the file are not those of its entries";

/// The message for a file that names a wrong entry for its longest win or loss.
pub(super) const LONGEST_DIFFERS: &str =
    "the entry that the file names for its longest win or loss has another value";

/// The most moves to list for a wrong position.
const MOVES: usize = 8;

pub(super) fn write(out: &mut dyn Write, folder: &Folder, findings: &Findings) -> io::Result<()> {
    let ruleset = folder.ruleset();
    match findings {
        Findings::Quick(reports) => write_quick(out, reports),
        Findings::Sample { seed, reports } => write_sample(out, folder, *seed, reports),
        Findings::Full(reports) => write_full(out, folder, reports),
        Findings::Claims(reports) => write_claims(out, ruleset, reports),
        Findings::Digests(digests) => write!(out, "{digests}"),
    }
}

fn write_quick(out: &mut dyn Write, reports: &[QuickReport]) -> io::Result<()> {
    let mut table = Table::new(&["subspace", "files"]);
    for report in reports {
        let files = match (&report.problem, report.listed) {
            (Some(_), _) => "wrong",
            (None, true) => "right",
            (None, false) => "right, not listed yet",
        };
        table.push([report.subspace.to_string(), files.into()]);
    }
    table.write(out)?;
    let mut wrong = 0;
    for report in reports {
        if let Some(problem) = &report.problem {
            writeln!(out, "{}: {}", report.subspace, describe(problem))?;
            wrong += 1;
        }
    }
    match wrong {
        0 => writeln!(out, "All {} files match the manifest and their digests.", reports.len()),
        wrong => writeln!(out, "{wrong} of {} files are wrong.", reports.len()),
    }
}

pub(super) fn describe(problem: &QuickProblem) -> String {
    match problem {
        QuickProblem::Gone => GONE.into(),
        QuickProblem::NotTheListed { reason } => {
            format!("not the file that the manifest lists: {reason}")
        }
        QuickProblem::Positions { stated, expected } => {
            format!("{stated} positions, but the subspace has {expected}")
        }
        QuickProblem::Unreadable(error) => told(error),
        _ => "wrong".into(),
    }
}

/// A number of subspaces in words.
fn subspaces(count: usize) -> String {
    if count == 1 { "1 subspace".into() } else { format!("{count} subspaces") }
}

/// The words for entries that pass.
fn passed(edition: Edition) -> &'static str {
    match Precision::of(edition) {
        Precision::Exact => "have the value of their best move",
        Precision::Outcomes => "have the outcome of their best move",
    }
}

fn write_sample(
    out: &mut dyn Write,
    folder: &Folder,
    seed: u64,
    reports: &[SampleReport],
) -> io::Result<()> {
    let mut table = Table::new(&["subspace", "checked", "wrong"]);
    for report in reports {
        let wrong = if report.compared { grouped(report.wrong) } else { "not kept".into() };
        table.push([report.subspace.to_string(), grouped(report.samples), wrong]);
    }
    table.write(out)?;
    for report in reports {
        write_mismatches(out, folder.ruleset(), report.wrong, &report.mismatches)?;
    }
    let samples: u64 = reports.iter().map(|report| report.samples).sum();
    let wrong: u64 = reports.iter().map(|report| report.wrong).sum();
    let edition = folder.edition();
    let count = |pick: &dyn Fn(&SampleReport) -> bool| {
        subspaces(reports.iter().filter(|report| pick(report)).count())
    };
    if reports.iter().any(|report| !report.compared) {
        writeln!(
            out,
            "{} could not be checked: the edition '{edition}' keeps no values of them, or of what \
             their moves lead to. --full checks digests and numbers of positions.",
            count(&|report| !report.compared)
        )?;
    }
    if reports.iter().any(|report| report.compared && report.samples == 0) {
        writeln!(
            out,
            "Not checked: {}, of which the edition '{edition}' keeps no entries, because other \
             entries decide them. --full restores them and compares their digests.",
            count(&|report| report.compared && report.samples == 0)
        )?;
    }
    if samples == 0 {
        return writeln!(out, "No entry was checked (edition {edition}, seed {seed}).");
    }
    let samples = grouped(samples);
    match wrong {
        0 => write!(out, "All {samples} entries {}", passed(edition))?,
        _ => write!(out, "{} of {samples} entries are wrong", grouped(wrong))?,
    }
    writeln!(out, " (edition {edition}, seed {seed}).")
}

fn write_full(out: &mut dyn Write, folder: &Folder, reports: &[SubspaceReport]) -> io::Result<()> {
    let mut table = Table::new(&["subspace", "entries", "known before", "wrong", "seconds"]);
    for report in reports {
        table.push([
            report.subspace.to_string(),
            grouped(report.entries),
            grouped(report.before),
            if report.compared { grouped(report.wrong) } else { "not kept".into() },
            format!("{:.1}", report.elapsed.as_secs_f64()),
        ]);
    }
    table.write(out)?;
    for report in reports {
        write_mismatches(out, folder.ruleset(), report.wrong, &report.mismatches)?;
        if let Some((stated, counted)) = &report.statistics {
            let subspace = report.subspace;
            writeln!(out, "{subspace}: the header says {stated}; its entries are {counted}")?;
        }
        if report.distances_differ {
            writeln!(out, "{}: {DISTANCES_DIFFER}", report.subspace)?;
        }
        if report.longest_differs {
            writeln!(out, "{}: {LONGEST_DIFFERS}", report.subspace)?;
        }
        for restored in &report.restored {
            writeln!(out, "{}: {}", report.subspace, describe_restored(restored))?;
        }
    }
    let (compared, counted): (Vec<_>, Vec<_>) = reports.iter().partition(|report| report.compared);
    let sum = |reports: &[&SubspaceReport]| grouped(reports.iter().map(|r| r.entries).sum());
    let (tables, entries) = (subspaces(compared.len()), sum(&compared));
    if !counted.is_empty() {
        writeln!(
            out,
            "{} entries of {} could not be checked: the edition '{}' keeps no values of them, \
             or of what their moves lead to. Their digests and numbers of positions were checked.",
            sum(&counted),
            subspaces(counted.len()),
            folder.edition()
        )?;
    }
    let edition = folder.edition();
    let before: u64 = reports.iter().map(|report| report.before).sum();
    let before = if before == 0 { "none".into() } else { grouped(before) };
    let notes = format!("(edition {edition}, {before} from notes of an earlier run)");
    if reports.iter().all(SubspaceReport::holds) {
        if compared.is_empty() {
            return writeln!(out, "No entry was checked (edition {edition}).");
        }
        if Precision::of(edition) == Precision::Outcomes {
            writeln!(
                out,
                "Every drawn entry is a draw. A win without a distance could be a draw (docs/proof.md)."
            )?;
        }
        return writeln!(out, "All {entries} entries of {tables} {} {notes}.", passed(edition));
    }
    let wrong: u64 = reports.iter().map(|report| report.wrong).sum();
    if wrong == 0 {
        return writeln!(out, "Not all of {tables} are right, see above {notes}.");
    }
    writeln!(out, "{} of {entries} entries of {tables} are wrong {notes}.", grouped(wrong))
}

pub(super) fn describe_restored(restored: &RestoredOtherwise) -> String {
    let RestoredOtherwise { subspace, stated, found } = restored;
    format!(
        "the restored values of {subspace} have the digest {found}, but the solved values had \
         {stated}"
    )
}

fn write_mismatches(
    out: &mut dyn Write,
    ruleset: &Ruleset,
    wrong: u64,
    mismatches: &[Mismatch],
) -> io::Result<()> {
    for mismatch in mismatches {
        write_mismatch(out, ruleset, mismatch)?;
    }
    let more = wrong - mismatches.len() as u64;
    if more > 0 {
        let which = match mismatches {
            [] => "entries differ from the restored values",
            _ => "more entries are wrong",
        };
        writeln!(out, "\n... and {} {which} there.", grouped(more))?;
    }
    if wrong > 0 {
        writeln!(out)?;
    }
    Ok(())
}

fn write_mismatch(out: &mut dyn Write, ruleset: &Ruleset, mismatch: &Mismatch) -> io::Result<()> {
    let Mismatch { position, index, stored, recomputed, moves } = mismatch;
    let geometry = ruleset.board.geometry();
    let subspace = position.subspace();
    writeln!(
        out,
        "\n{subspace}, entry {}: holds {stored}, but its moves make it {recomputed}.",
        index.0
    )?;
    writeln!(out, "{}", position.text(ruleset))?;
    write!(out, "{}", draw(geometry, position))?;
    let (mover, other) = (position.mover(), position.other());
    if mover.hand + other.hand > 0 {
        writeln!(out, "In hand: O {}, @ {}.", mover.hand, other.hand)?;
    }
    if moves.is_empty() {
        return writeln!(out, "O (to move) has no move.");
    }
    writeln!(out, "Moves of O, best first:")?;
    for ranked in moves.iter().take(MOVES) {
        writeln!(out, "  {:<12} {}", ranked.mv.display(geometry), ranked.value)?;
    }
    match moves.len().saturating_sub(MOVES) {
        0 => Ok(()),
        more => writeln!(out, "  ... and {more} more"),
    }
}

/// The position as a FEN-like string, on boards that have one.
pub(super) fn fen(ruleset: &Ruleset, mismatch: &Mismatch) -> Option<String> {
    mismatch.position.fen(ruleset).map(|fen| fen.to_string())
}

fn write_claims(out: &mut dyn Write, ruleset: &Ruleset, reports: &[ClaimReport]) -> io::Result<()> {
    let mut counts = [0; 5];
    for report in reports {
        let ClaimReport { claim, source, expected, answer } = report;
        let (verdict, found, number) = match answer {
            Answer::Holds => ("holds", expected.clone(), 0),
            Answer::Differs { found } => ("DIFFERS", found.clone(), 1),
            Answer::Needs(needs) => ("open", format!("not answerable: needs {}", list(needs)), 2),
            Answer::NeedsDistances => {
                ("open", "not answerable: the edition 'outcome' keeps no distances".into(), 3)
            }
            Answer::NeedsValues(subspace) => {
                ("open", format!("not answerable: the edition keeps no values of {subspace}"), 4)
            }
        };
        counts[number] += 1;
        writeln!(out, "{verdict:<8} {claim} ({source})")?;
        writeln!(out, "         expected {expected}")?;
        writeln!(out, "         found    {found}")?;
    }
    let [hold, differ, open, exact, not_kept] = counts;
    if reports.is_empty() {
        return writeln!(
            out,
            "The program knows no published facts about the ruleset '{ruleset}'."
        );
    }
    write!(out, "{hold} published facts hold, {differ} differ, {open} need missing databases")?;
    if exact > 0 {
        write!(out, ", {exact} need distances")?;
    }
    if not_kept > 0 {
        write!(out, ", {not_kept} need values that the edition leaves out")?;
    }
    writeln!(out, ".")
}

/// The first names of subspaces, and the number of the others.
fn list(subspaces: &[merels_core::Subspace]) -> String {
    const NAMES: usize = 6;
    let names: Vec<_> = subspaces.iter().take(NAMES).map(ToString::to_string).collect();
    match subspaces.len().saturating_sub(NAMES) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
