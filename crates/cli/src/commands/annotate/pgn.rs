//! A judged game as PGN: the verdicts are comments and glyphs, so that other programs show them.

use std::io::{self, Write};

use merels_core::{Game, GameRecord, Geometry, Side};
use merels_query::{AnnotatedPly, Annotation, Judgement, Verdict};

/// The longest line.
const WIDTH: usize = 80;

/// Writes a game with its tags, its variations where they were judged, and its result.
pub(super) fn write(
    out: &mut (impl Write + ?Sized),
    record: &GameRecord,
    annotation: &Annotation,
    variations: &[Annotation],
) -> io::Result<()> {
    let game = &record.game;
    let ruleset = game.ruleset();
    let is_ours = |name: &str| {
        ["ruleset", "variant", "fen", "position", "annotator"]
            .iter()
            .any(|ours| name.eq_ignore_ascii_case(ours))
    };
    for (name, value) in record.tags.iter().filter(|(name, _)| !is_ours(name)) {
        write_tag(out, name, value)?;
    }
    write_tag(out, "Ruleset", &ruleset.to_string())?;
    if *game.start() != *Game::new(ruleset).start() {
        write_tag(out, "Position", &game.start().plain(ruleset).to_string())?;
    }
    write_tag(out, "Annotator", "merels")?;
    writeln!(out)?;
    let mut words = Words { out, column: 0 };
    let lines = record.variations.iter().zip(variations);
    let lines: Vec<_> =
        lines.map(|(variation, judged)| (&variation.game, variation.shared, judged)).collect();
    write_moves(&mut words, game, 0, annotation, &lines)?;
    words.put(record.result.as_deref().unwrap_or("*"))?;
    writeln!(out, "\n")
}

fn write_tag(out: &mut (impl Write + ?Sized), name: &str, value: &str) -> io::Result<()> {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{value}\"]")
}

/// Words with blanks between them, in lines.
struct Words<'a, W: ?Sized> {
    out: &'a mut W,
    column: usize,
}

impl<W: Write + ?Sized> Words<'_, W> {
    fn put(&mut self, word: &str) -> io::Result<()> {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            writeln!(self.out)?;
            self.column = 0;
        }
        if self.column > 0 {
            write!(self.out, " ")?;
            self.column += 1;
        }
        write!(self.out, "{word}")?;
        self.column += length;
        Ok(())
    }
}

/// Writes the plies from `first` on. `variations` are those that leave this line: each with the
/// number of plies that they share, in their order.
fn write_moves<W: Write + ?Sized>(
    words: &mut Words<'_, W>,
    game: &Game,
    first: usize,
    annotation: &Annotation,
    variations: &[(&Game, usize, &Annotation)],
) -> io::Result<()> {
    let geometry = game.ruleset().board.geometry();
    let black_first = usize::from(game.start().position().side() == Side::Black);
    let mut needs_number = true;
    for (place, ply) in annotation.plies.iter().enumerate().skip(first) {
        let number = (place + black_first) / 2 + 1;
        match ply.side() {
            Side::White => words.put(&format!("{number}."))?,
            Side::Black if needs_number => words.put(&format!("{number}..."))?,
            Side::Black => {}
        }
        words.put(&ply.step.choice.display(geometry).to_string())?;
        needs_number = write_verdict(words, geometry, ply)?;
        let is_here = |(line, shared, _): &&(&Game, usize, &Annotation)| {
            *shared == place && is_of_line(game, line, place)
        };
        for (line, shared, judged) in variations.iter().filter(is_here) {
            words.put("(")?;
            let others: Vec<_> = variations
                .iter()
                .filter(|(other, from, _)| *from > *shared && is_of_line(line, other, *from))
                .copied()
                .collect();
            write_moves(words, line, *shared, judged, &others)?;
            words.put(")")?;
            needs_number = true;
        }
    }
    if let Some(half) = game.half() {
        let place = game.steps().len() + black_first;
        let dots = if place.is_multiple_of(2) { "." } else { "..." };
        words.put(&format!("{}{dots}", place / 2 + 1))?;
        words.put(&merels_core::Choice::Move(half).display(geometry).to_string())?;
    }
    Ok(())
}

/// Whether `line` shares its first plies with `game`.
fn is_of_line(game: &Game, line: &Game, plies: usize) -> bool {
    let shared = |game: &Game| game.steps().get(..plies).map(<[_]>::to_vec);
    shared(game).is_some() && shared(game) == shared(line)
}

/// Writes glyph and comment of a move. Returns whether there was a comment.
fn write_verdict<W: Write + ?Sized>(
    words: &mut Words<'_, W>,
    geometry: &Geometry,
    ply: &AnnotatedPly,
) -> io::Result<bool> {
    let Some(judgement) = &ply.judgement else { return Ok(false) };
    let glyph = match judgement.verdict() {
        Verdict::Best if judgement.is_only_move() => Some("$7"),
        Verdict::Best => None,
        Verdict::Slip { .. } => Some("$6"),
        Verdict::Blunder { .. } => Some("$4"),
    };
    if let Some(glyph) = glyph {
        words.put(glyph)?;
    }
    for word in comment(geometry, judgement).split(' ') {
        words.put(word)?;
    }
    Ok(true)
}

/// The value of the move, and the best move if it is better.
fn comment(geometry: &Geometry, judgement: &Judgement) -> String {
    let value = judgement.played.in_words();
    match judgement.best_instead().first() {
        None => format!("{{{value}}}"),
        Some(better) => {
            let better_move = better.choice.display(geometry);
            format!("{{{value}; better {better_move}: {}}}", better.value.in_words())
        }
    }
}
