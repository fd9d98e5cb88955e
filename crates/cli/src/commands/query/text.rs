//! Answers for people: the board, the value, and the moves grouped by value.

use std::io::{self, Write};

use merels_core::{Ruleset, Side, draw};
use merels_query::Analysis;

use crate::value::in_plies;

/// Lines of moves are broken before this column.
const WIDTH: usize = 80;

/// Writes the answer that `analysis` gives.
pub(super) fn write(
    out: &mut impl Write,
    ruleset: &Ruleset,
    analysis: &Analysis,
) -> io::Result<()> {
    let geometry = ruleset.board.geometry();
    let situation = analysis.situation();
    let position = situation.position();
    writeln!(out, "{}\n", situation.fen(ruleset))?;
    writeln!(out, "{}", draw(geometry, position))?;
    let name = |side| match side {
        Side::White => "White (O)",
        Side::Black => "Black (@)",
    };
    let hands = [Side::White, Side::Black].map(|side| position.stones(side).hand);
    if hands != [0, 0] {
        let (white, black) = (name(Side::White), name(Side::Black));
        writeln!(out, "In hand: {white} {}, {black} {}", hands[0], hands[1])?;
    }
    let side = name(position.side());
    let turn = match situation.pending() {
        0 => "to move",
        1 => "has closed a mill and is to remove a stone",
        _ => "has closed two mills and is to remove two stones",
    };
    writeln!(out, "{side} {turn}: {}", in_plies(analysis.value()))?;
    if analysis.choices().is_empty() {
        let why = if position.mover().total() < Ruleset::MIN_STONES {
            "fewer than three stones are left"
        } else {
            "there is no legal move"
        };
        return writeln!(out, "The game is over: {why}.");
    }
    writeln!(out)?;
    for group in analysis.choices().chunk_by(|a, b| a.value == b.value) {
        let moves = group.iter().map(|ranked| ranked.choice.display(geometry).to_string());
        write_group(out, &in_plies(group[0].value), moves)?;
    }
    Ok(())
}

/// The moves that share a value, in as many lines as they need.
fn write_group(
    out: &mut impl Write,
    value: &str,
    moves: impl Iterator<Item = String>,
) -> io::Result<()> {
    // As wide as "loss in 204 plies".
    const VALUE_WIDTH: usize = 17;
    let mut line = format!("{value:<VALUE_WIDTH$} ");
    let mut empty = true;
    for name in moves {
        if !empty && line.len() + 1 + name.len() > WIDTH {
            writeln!(out, "{line}")?;
            line = format!("{:VALUE_WIDTH$} ", "");
        }
        line.push(' ');
        line.push_str(&name);
        empty = false;
    }
    writeln!(out, "{line}")
}
