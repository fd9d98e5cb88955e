//! Answers for people: the board, the value, the moves grouped by value, the line of best play.

use std::io::{self, Write};

use merels_core::{GameEnd, Ruleset};
use merels_query::{Line, LineEnd, Missing};

use crate::advice::told;
use crate::commands::query::answer::Answer;
use crate::commands::query::format::{Format, Frame};
use crate::commands::query::request::{Question, Refusal, Request};
use crate::output::screen::{coloured, name, write_moves, write_situation, write_unvalued};
use crate::output::style::HEADING;

/// For people.
#[derive(Debug)]
pub(super) struct Text;

impl Format for Text {
    fn frame(&self) -> Frame {
        Frame { between: "\n", ..Frame::default() }
    }

    fn write_answer(
        &self,
        question: &Question<'_>,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<Option<Missing>> {
        let answer = Answer::of(question)?;
        write(out, question.oracle.ruleset(), question.request, &answer)?;
        Ok(answer.missing())
    }

    fn write_refusal(&self, _: &Refusal<'_>, _: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }
}

fn write(
    out: &mut impl Write,
    ruleset: &Ruleset,
    request: &Request,
    answer: &Answer,
) -> io::Result<()> {
    let geometry = ruleset.board.geometry();
    let situation = answer.survey.situation();
    let value = answer.survey.value();
    let value = value.map_or_else(|_| "unknown".to_owned(), |value| coloured(value).to_string());
    if let Some(end) = answer.end {
        // The history may have ended the game in a position that could be played on.
        let by_history = GameEnd::of_situation(situation, ruleset).is_none();
        write_situation(out, ruleset, situation, (!by_history).then_some(&value))?;
        writeln!(out, "{}\n", situation.text(ruleset))?;
        writeln!(out, "The game is over: {end}.")?;
        if by_history {
            writeln!(out, "Without that rule, the value for the side to move is: {value}.")?;
        }
        return Ok(());
    }
    write_situation(out, ruleset, situation, Some(&value))?;
    writeln!(out, "{}\n", situation.text(ruleset))?;
    let choices = if request.all_best { answer.best() } else { answer.choices() };
    let classes = answer.classes.as_deref();
    write_moves(out, geometry, choices, classes)?;
    let rest = classes.map(|classes| &classes[answer.choices().len()..]);
    write_unvalued(out, geometry, answer.unvalued(), rest)?;
    for (place, missing) in answer.all_missing().into_iter().enumerate() {
        // In one line each, so that the command can be copied.
        let before = if place == 0 { "\n" } else { "" };
        writeln!(out, "{before}Unknown: {}.", told(missing))?;
    }
    match &answer.line {
        Some(Ok(line)) => write_line(out, ruleset, line),
        Some(Err(_)) => writeln!(out, "So the line of best play is unknown, too."),
        None => Ok(()),
    }
}

/// Writes the line of best play: each ply with its number, its side, its move, and the value for
/// the other side after it.
fn write_line(out: &mut impl Write, ruleset: &Ruleset, line: &Line) -> io::Result<()> {
    let geometry = ruleset.board.geometry();
    writeln!(
        out,
        "\n{HEADING}Best play, with the value for the other side after each ply:{HEADING:#}"
    )?;
    let names = line.steps.iter().map(|step| step.choice.display(geometry).to_string());
    let names: Vec<_> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let digits = names.len().to_string().len();
    let mut side = line.start.position().side();
    for (place, (step, move_name)) in line.steps.iter().zip(&names).enumerate() {
        let number = place + 1;
        let value = coloured(step.value);
        writeln!(out, "{number:>digits$}. {}  {move_name:<width$}  {value}", name(side))?;
        side = side.opponent();
    }
    writeln!(out, "{}", how_it_ends(ruleset, line))
}

/// Why a line ends.
fn how_it_ends(ruleset: &Ruleset, line: &Line) -> String {
    match line.end {
        LineEnd::Over => {
            let last = line.steps.last().map_or(*line.start.position(), |step| step.position);
            let end = GameEnd::of_position(&last, ruleset);
            end.map_or_else(String::new, |end| format!("The game is over: {end}."))
        }
        LineEnd::Repeats => "A position occurs again: a draw.".to_owned(),
        LineEnd::Cut => "The line is cut here.".to_owned(),
    }
}
