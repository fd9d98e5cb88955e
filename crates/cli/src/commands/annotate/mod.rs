//! `merels annotate`: judges games move by move.

mod pgn;
mod text;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use merels_core::GameRecord;
use merels_json::{AnnotatedGame, write_pretty};
use merels_query::Annotation;

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::note::complain;
use crate::shared::arguments::{DatabaseArgs, NotationArgs};
use crate::shared::oracle::{self, Oracle};

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
    /// Print only blunders and slips
    #[arg(long, conflicts_with = "json")]
    mistakes: bool,
    #[command(flatten)]
    notation: NotationArgs,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AnnotationFormat::Text)]
    format: AnnotationFormat,
    /// Write JSON (docs/json.md): the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How a judged game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AnnotationFormat {
    /// A table, for people
    Text,
    /// An object; an array of objects for a file of several games
    Json,
    /// The game again, with verdicts as comments and glyphs
    Pgn,
}

/// The longest text that the command reads: a hundred thousand moves.
const LIMIT: u64 = 1024 * 1024;

/// A game, or a variation of one, with its judgement.
struct Judged {
    record: GameRecord,
    annotation: Annotation,
    /// In the order of the record's variations; empty if they are not asked for.
    variations: Vec<Annotation>,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &AnnotateArgs) -> anyhow::Result<Exit> {
    let text = read(args.file.as_deref())?;
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
    write(&games, args).context(CANNOT_WRITE)?;
    let all = games.iter().flat_map(|game| iter::once(&game.annotation).chain(&game.variations));
    let missing = all.flat_map(|annotation| &annotation.missing);
    let missing: BTreeMap<_, _> = missing.map(|missing| (missing.subspace, missing)).collect();
    missing.values().for_each(complain);
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

/// The text of the file, or of standard input.
fn read(file: Option<&Path>) -> anyhow::Result<String> {
    let file = file.filter(|file| *file != Path::new("-"));
    let mut bytes = Vec::new();
    match file {
        Some(path) => File::open(path)
            .and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", path.display()))?,
        None => io::stdin()
            .lock()
            .take(LIMIT + 1)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?,
    };
    anyhow::ensure!(bytes.len() as u64 <= LIMIT, "the game is longer than {LIMIT} bytes");
    String::from_utf8(bytes).context("the game is not written in UTF-8")
}

fn write(games: &[Judged], args: &AnnotateArgs) -> io::Result<()> {
    let format = if args.json { AnnotationFormat::Json } else { args.format };
    let mut out: Box<dyn Write> = match format {
        AnnotationFormat::Text => Box::new(BufWriter::new(anstream::stdout().lock())),
        _ => Box::new(BufWriter::new(io::stdout().lock())),
    };
    match format {
        AnnotationFormat::Json => write_json(&mut out, games)?,
        AnnotationFormat::Pgn => {
            for game in games {
                pgn::write(&mut out, &game.record, &game.annotation, &game.variations)?;
            }
        }
        AnnotationFormat::Text => {
            for (number, game) in (1..).zip(games) {
                if games.len() > 1 {
                    let space = if number == 1 { "" } else { "\n" };
                    writeln!(out, "{space}Game {number} of {}\n", games.len())?;
                }
                text::write(&mut out, &game.record.game, &game.annotation, args.mistakes)?;
                for (variation, annotation) in game.record.variations.iter().zip(&game.variations) {
                    writeln!(out, "\nVariation: {}\n", variation.game)?;
                    text::write(&mut out, &variation.game, annotation, args.mistakes)?;
                }
            }
        }
    }
    out.flush()
}

fn write_json(out: &mut impl Write, games: &[Judged]) -> io::Result<()> {
    let answer = |game: &Judged| {
        let variations = game.record.variations.iter().zip(&game.variations);
        let variations = variations
            .map(|(variation, annotation)| AnnotatedGame::new(&variation.game, annotation))
            .collect();
        AnnotatedGame::new(&game.record.game, &game.annotation).with_variations(variations)
    };
    match games {
        [game] => write_pretty(out, &answer(game)),
        games => write_pretty(out, &games.iter().map(answer).collect::<Vec<_>>()),
    }
}
