//! `merels annotate`: judges games move by move.

mod pgn;
mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::iter;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use merels_core::GameRecord;
use merels_json::{AnnotatedGame, GamePly, write_pretty};
use merels_query::Annotation;
use serde::Serialize;

use crate::advice::told;
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::note::complain;
use crate::shared::arguments::{DatabaseArgs, NotationArgs};
use crate::shared::input::InputFile;
use crate::shared::oracle::{self, Oracle};
use crate::shared::output::{OutputArgs, ResultFormat};
use crate::shared::records::Records;
use crate::shared::terminal::TerminalArgs;

/// Judge the moves of a game
///
/// Prints the value before and after each ply. If a move gives something away, it also prints the
/// better moves. A blunder changes the result (a win becomes a draw, a draw a loss); a slip makes a
/// win longer or a loss shorter. docs/play.md shows an example.
///
/// The game is a list of moves as in "1. d6 f4 2. f2 b4xd6", in PGN or in another notation
/// (docs/notation.md), for example what `merels play --save` writes. If a database is missing, the
/// moves that need it have no judgement, and the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct AnnotateArgs {
    /// File with one or more games; - or nothing for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Judge only this game of the file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<NonZeroUsize>,
    /// Judge the variations in parentheses, too
    #[arg(long)]
    variations: bool,
    /// Print only blunders and slips, as text
    #[arg(long)]
    mistakes: bool,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    output: OutputArgs<AnnotationFormat>,
}

/// How a judged game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AnnotationFormat {
    /// A table, for people
    Text,
    /// An object; an array of objects for a file of several games
    Json,
    /// An object in each line: a ply of a game, without variations
    Jsonl,
    /// The same rows, with a heading, separated by commas
    Csv,
    /// The game again, with verdicts as comments and glyphs
    Pgn,
}

impl ResultFormat for AnnotationFormat {
    const USUAL: &'static str = "text";
    const JSON: Self = Self::Json;
    const CSV: Self = Self::Csv;

    fn has_colours(self) -> bool {
        self == Self::Text
    }
}

/// A ply of a game.
#[derive(Debug, Serialize)]
struct Row {
    /// The number of the game in the file, from 1.
    game: usize,
    #[serde(flatten)]
    ply: GamePly,
}

/// A game, or a variation of one, with its judgement.
struct Judged {
    record: GameRecord,
    annotation: Annotation,
    /// In the order of the record's variations; empty if they are not asked for.
    variations: Vec<Annotation>,
}

/// Runs the command.
pub(crate) fn run(
    database: &DatabaseArgs,
    terminal: TerminalArgs,
    args: &AnnotateArgs,
) -> anyhow::Result<Exit> {
    let hint = "Type a game, as in 1. d6 f4 2. f2 b4xd6; Ctrl-D ends it.";
    let text = InputFile::new(args.file.as_ref()).text(terminal, hint)?;
    let records = GameRecord::read_all(&text, &database.read_options(args.notation))?;
    let records = picked(records, args.game)?;
    let mut oracle: Option<Oracle> = None;
    let mut games = Vec::with_capacity(records.len());
    for record in records {
        // Each game has its rules; those of a file are mostly the same.
        let ruleset = *record.game.ruleset();
        let oracle = match oracle.take() {
            Some(same) if *same.ruleset() == ruleset => oracle.insert(same),
            _ => oracle.insert(oracle::open(database, ruleset)?),
        };
        let annotation = oracle.annotate(&record.game)?;
        let variations = record.variations.iter().filter(|_| args.variations);
        let variations = variations.map(|variation| oracle.annotate(&variation.game));
        let variations = variations.collect::<Result<_, _>>()?;
        games.push(Judged { record, annotation, variations });
    }
    args.output.write(|out| write(out, &games, args).context(CANNOT_WRITE))?;
    let all = games.iter().flat_map(|game| iter::once(&game.annotation).chain(&game.variations));
    let missing = all.flat_map(|annotation| &annotation.missing);
    let missing: BTreeMap<_, _> = missing.map(|missing| (missing.subspace, missing)).collect();
    missing.values().for_each(|&missing| complain(told(missing)));
    Ok(if missing.is_empty() { Exit::Fine } else { Exit::Negative })
}

/// The game of this number, or all.
fn picked(
    mut records: Vec<GameRecord>,
    number: Option<NonZeroUsize>,
) -> anyhow::Result<Vec<GameRecord>> {
    let Some(number) = number else { return Ok(records) };
    let count = records.len();
    anyhow::ensure!(
        number.get() <= count,
        "--game {number}: the file has {count} game{}",
        if count == 1 { "" } else { "s" }
    );
    Ok(vec![records.swap_remove(number.get() - 1)])
}

fn write(out: &mut dyn Write, games: &[Judged], args: &AnnotateArgs) -> io::Result<()> {
    match args.output.format() {
        AnnotationFormat::Json => write_json(out, games),
        AnnotationFormat::Jsonl => rows(games)?.write_lines(out),
        AnnotationFormat::Csv => rows(games)?.write_csv(out),
        AnnotationFormat::Pgn => games
            .iter()
            .try_for_each(|game| pgn::write(out, &game.record, &game.annotation, &game.variations)),
        AnnotationFormat::Text => {
            for (number, game) in (1..).zip(games) {
                if games.len() > 1 {
                    let space = if number == 1 { "" } else { "\n" };
                    writeln!(out, "{space}Game {number} of {}\n", games.len())?;
                }
                text::write(out, &game.record.game, &game.annotation, args.mistakes)?;
                for (variation, annotation) in game.record.variations.iter().zip(&game.variations) {
                    writeln!(out, "\nVariation: {}\n", variation.game)?;
                    text::write(out, &variation.game, annotation, args.mistakes)?;
                }
            }
            Ok(())
        }
    }
}

/// A row for each ply of each game, without variations.
fn rows(games: &[Judged]) -> io::Result<Records> {
    let plies = (1..).zip(games).flat_map(|(game, judged)| {
        let answer = AnnotatedGame::new(&judged.record.game, &judged.annotation);
        answer.plies.into_iter().map(move |ply| Row { game, ply })
    });
    Records::new(plies)
}

fn write_json(out: &mut dyn Write, games: &[Judged]) -> io::Result<()> {
    let answer = |game: &Judged| {
        let variations = game.record.variations.iter().zip(&game.variations);
        let variations = variations
            .map(|(variation, annotation)| AnnotatedGame::new(&variation.game, annotation))
            .collect();
        AnnotatedGame::new(&game.record.game, &game.annotation).with_variations(variations)
    };
    match games {
        [game] => write_pretty(&mut *out, &answer(game)),
        games => write_pretty(&mut *out, &games.iter().map(answer).collect::<Vec<_>>()),
    }
}
