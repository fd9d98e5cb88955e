//! A judged game for people: a line for each ply, then the number of mistakes of each side.

use std::io::{self, Write};

use merels_core::{Game, Geometry, Side, Value};
use merels_query::{AnnotatedPly, Annotation, Judgement, RankedChoice, Verdict};

use crate::output::screen::name;
use crate::output::style::{self, HEADING};

/// As wide as "loss in 204 plies".
const VALUE_WIDTH: usize = 17;
/// The most better moves that a line names.
const MOST_NAMED: usize = 4;

/// Writes the game, or only its mistakes.
pub(super) fn write(
    out: &mut dyn Write,
    game: &Game,
    annotation: &Annotation,
    mistakes_only: bool,
) -> io::Result<()> {
    let geometry = game.ruleset().board.geometry();
    let names = annotation.plies.iter().map(|ply| ply.step.choice.display(geometry).to_string());
    let names: Vec<_> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max("move".len());
    let black_first = usize::from(game.start().position().side() == Side::Black);
    let digits = (annotation.plies.len() + black_first).div_ceil(2).to_string().len();
    writeln!(
        out,
        "{HEADING}{:>digits$}  {:<5}  {:<width$}  {:<VALUE_WIDTH$}  after{HEADING:#}",
        "", "side", "move", "before"
    )?;
    for (place, (ply, move_name)) in annotation.plies.iter().zip(&names).enumerate() {
        if mistakes_only && matches!(ply.verdict(), None | Some(Verdict::Best)) {
            continue;
        }
        let number = (place + black_first) / 2 + 1;
        write!(out, "{number:>digits$}. {:<5}  {move_name:<width$}  ", name(ply.side()))?;
        write_judgement(out, geometry, ply)?;
    }
    write_summary(out, game, annotation)
}

/// Writes the value before the move, the value after it, and a remark.
fn write_judgement(out: &mut dyn Write, geometry: &Geometry, ply: &AnnotatedPly) -> io::Result<()> {
    let Some(judgement) = &ply.judgement else {
        return writeln!(out, "not known");
    };
    write_value(out, judgement.best, VALUE_WIDTH)?;
    write!(out, "  ")?;
    match remark(geometry, judgement) {
        Some(remark) => {
            write_value(out, judgement.played, VALUE_WIDTH)?;
            writeln!(out, "  {remark}")
        }
        None => {
            write_value(out, judgement.played, 0)?;
            writeln!(out)
        }
    }
}

fn write_value(out: &mut dyn Write, value: Value, width: usize) -> io::Result<()> {
    let style = style::of(value.outcome());
    write!(out, "{style}{:<width$}{style:#}", value.in_words())
}

/// The remark about a move; none about an ordinary one.
fn remark(geometry: &Geometry, judgement: &Judgement) -> Option<String> {
    let what = match judgement.verdict() {
        Verdict::Best if judgement.is_only_move() => return Some("the only move".to_owned()),
        Verdict::Best => return None,
        Verdict::Slip { plies: Some(plies) } => format!("slip of {}", plies.in_words()),
        Verdict::Slip { plies: None } => "slip".to_owned(),
        Verdict::Blunder { from, to } => format!("BLUNDER, {from} to {to}"),
    };
    Some(format!("{what}; better: {}", named(geometry, judgement.best_instead())))
}

/// The first of these moves, and the number of the others.
fn named(geometry: &Geometry, choices: &[RankedChoice]) -> String {
    let first = choices.iter().take(MOST_NAMED);
    let names: Vec<_> = first.map(|one| one.choice.display(geometry).to_string()).collect();
    let more = choices.len() - names.len();
    let names = names.join(" ");
    if more == 0 { names } else { format!("{names} and {more} more") }
}

/// Writes the mistakes of each side, and the end of the game or the value of the last position.
fn write_summary(out: &mut dyn Write, game: &Game, annotation: &Annotation) -> io::Result<()> {
    writeln!(out)?;
    for side in [Side::White, Side::Black] {
        let (all, known) = annotation.known(side);
        if known == 0 && all > 0 {
            writeln!(out, "{}: not known", name(side))?;
            continue;
        }
        let blunders = annotation.count(side, |it| matches!(it, Verdict::Blunder { .. }));
        let slips = annotation.count(side, |it| matches!(it, Verdict::Slip { .. }));
        write!(out, "{}: {}, {}", name(side), count(blunders, "blunder"), count(slips, "slip"))?;
        // Moves without a judgement are not counted.
        let part =
            if known < all { format!(" (of {known} of {all} moves)") } else { String::new() };
        writeln!(out, "{part}")?;
    }
    if let Some(end) = game.end() {
        return writeln!(out, "The game is over: {end}.");
    }
    if let Some(value) = annotation.last {
        let side = name(game.situation().position().side());
        let style = style::of(value.outcome());
        let what = if game.situation().is_pending() { "to remove a stone" } else { "to move" };
        writeln!(out, "{side} {what}: {style}{}{style:#}", value.in_words())?;
    }
    Ok(())
}

fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
