//! A position for people: the board, the stones in hand, the side to move, and moves grouped by
//! value. In colours, which `anstream` removes if the output is not a terminal.

use std::fmt::Display;
use std::io::{self, Write};

use anstyle::Style;
use merels_core::{Geometry, Ruleset, Side, Situation, Value, draw, draw_turn};
use merels_db::Edition;
use merels_query::{RankedChoice, UnvaluedChoice};

use crate::output::style::{self, BLACK, WHITE};

/// Lines of moves end before this column.
const WIDTH: usize = 80;

/// `White` or `Black`.
pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// A value with its unit, in its colour.
pub(crate) fn coloured(value: Value) -> impl Display {
    let style = style::of(value.outcome());
    format!("{style}{}{style:#}", value.in_words())
}

/// An edition, and what its answers do not have.
pub(crate) fn edition_in_words(edition: Edition) -> String {
    let lack = if edition.has_distances() { "" } else { ": no distances" };
    format!("edition {edition}{lack}")
}

/// Writes the board, an empty line, stones in hand (if there are any) and the side to move, with
/// `value` if there is one.
pub(crate) fn write_situation(
    out: &mut (impl Write + ?Sized),
    ruleset: &Ruleset,
    situation: &Situation,
    value: Option<impl Display>,
) -> io::Result<()> {
    let picture = draw(ruleset.board.geometry(), situation.position());
    let picture = picture.replace('O', &format!("{WHITE}O{WHITE:#}"));
    let picture = picture.replace('@', &format!("{BLACK}@{BLACK:#}"));
    writeln!(out, "{picture}")?;
    let turn = draw_turn(situation);
    match value {
        Some(value) => writeln!(out, "{turn}: {value}"),
        None => writeln!(out, "{turn}"),
    }
}

/// Writes moves with their values, best first. Moves of one value share as many lines as they need.
/// With `classes` (a number for each move), `=` joins moves that are the same by symmetry.
pub(crate) fn write_moves(
    out: &mut (impl Write + ?Sized),
    geometry: &Geometry,
    choices: &[RankedChoice],
    classes: Option<&[usize]>,
) -> io::Result<()> {
    let mut first = 0;
    for group in choices.chunk_by(|a, b| a.value == b.value) {
        let names: Vec<_> =
            group.iter().map(|ranked| ranked.choice.display(geometry).to_string()).collect();
        let words = match classes {
            Some(classes) => joined_by_class(&names, &classes[first..first + group.len()]),
            None => names,
        };
        let style = style::of(group[0].value.outcome());
        write_group(out, style, &group[0].value.in_words(), &words)?;
        first += group.len();
    }
    Ok(())
}

/// Writes the moves whose value is not known, like those of one value; nothing if there are none.
pub(crate) fn write_unvalued(
    out: &mut (impl Write + ?Sized),
    geometry: &Geometry,
    unvalued: &[UnvaluedChoice],
    classes: Option<&[usize]>,
) -> io::Result<()> {
    if unvalued.is_empty() {
        return Ok(());
    }
    let names = unvalued.iter().map(|one| one.choice.display(geometry).to_string());
    let names: Vec<_> = names.collect();
    let words = match classes {
        Some(classes) => joined_by_class(&names, classes),
        None => names,
    };
    write_group(out, Style::new(), "unknown", &words)
}

/// Words with blanks between them, in lines of [`WIDTH`] columns at most.
pub(crate) fn wrapped(words: impl Iterator<Item = impl AsRef<str>>) -> String {
    wrapped_to(WIDTH, words)
}

/// A text as an item of a list, in lines of [`WIDTH`] columns at most.
pub(crate) fn bullet(text: &str) -> String {
    format!("- {}", wrapped_to(WIDTH - 2, text.split(' ')).replace('\n', "\n  "))
}

fn wrapped_to(most: usize, words: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let word = word.as_ref();
        if width > 0 && width + 1 + word.len() > most {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text
}

/// The names of each class side by side. `=` follows all but the last of a class.
fn joined_by_class(names: &[String], classes: &[usize]) -> Vec<String> {
    let mut seen = Vec::new();
    for class in classes {
        if !seen.contains(class) {
            seen.push(*class);
        }
    }
    let mut words = Vec::new();
    for class in seen {
        let same = names.iter().zip(classes).filter(|(_, other)| **other == class);
        let start = words.len();
        words.extend(same.map(|(name, _)| name.clone()));
        let last = words.len() - 1;
        words[start..last].iter_mut().for_each(|word| word.push('='));
    }
    words
}

/// Writes the moves of a value. A blank follows each word that does not end in `=`.
fn write_group(
    out: &mut (impl Write + ?Sized),
    style: Style,
    value: &str,
    words: &[String],
) -> io::Result<()> {
    // As wide as "loss in 204 plies".
    const VALUE_WIDTH: usize = 17;
    write!(out, "{style}{value:<VALUE_WIDTH$}{style:#} ")?;
    let mut width = VALUE_WIDTH + 1;
    let mut separator = " ";
    let mut is_first = true;
    for word in words {
        if !is_first && width + separator.len() + word.len() > WIDTH {
            write!(out, "\n{:VALUE_WIDTH$} ", "")?;
            width = VALUE_WIDTH + 1;
            separator = " ";
        }
        write!(out, "{separator}{word}")?;
        width += separator.len() + word.len();
        separator = if word.ends_with('=') { "" } else { " " };
        is_first = false;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(words: &[String]) -> String {
        let mut out = Vec::new();
        write_group(&mut out, Style::new(), "win in 3 plies", words).unwrap();
        anstream::adapter::strip_bytes(&out).into_vec().try_into().unwrap()
    }

    #[test]
    fn moves_of_a_class_are_joined() {
        let names = ["a1", "b2", "c3", "d1", "g7"].map(str::to_owned);
        let words = joined_by_class(&names, &[0, 1, 2, 1, 0]);
        assert_eq!(words, ["a1=", "g7", "b2=", "d1", "c3"]);
        assert_eq!(group(&words), "win in 3 plies     a1=g7 b2=d1 c3\n");
    }

    #[test]
    fn long_groups_are_broken() {
        let words = vec!["a1-a4xd7".to_owned(); 10];
        let text = group(&words);
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.lines().nth(1).unwrap().starts_with(&" ".repeat(19)));
    }
}
