//! `merels annotate`: judges a game move by move.

mod text;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use merels_core::Game;
use merels_json::{AnnotatedGame, write_pretty};
use merels_query::Annotation;

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::note::complain;
use crate::shared::arguments::DatabaseArgs;
use crate::shared::oracle;

/// Judge the moves of a game
///
/// Prints the value before and after each ply. If a move gives something away, it also prints the
/// better moves. A blunder changes the result (a win becomes a draw, a draw a loss); a slip makes a
/// win longer or a loss shorter. docs/play.md shows an example.
///
/// The game is a list of moves as in "1. d6 f4 2. f2 b4xd6", for example what `merels play --save`
/// writes (docs/notation.md). If a database is missing, the moves that need it have no judgement,
/// and the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct AnnotateArgs {
    /// File with the game; - or nothing for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print only blunders and slips
    #[arg(long, conflicts_with = "json")]
    mistakes: bool,
    /// Write one JSON object (docs/json.md)
    #[arg(long)]
    json: bool,
}

/// The longest text that the command reads: a hundred thousand moves.
const LIMIT: u64 = 1024 * 1024;

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &AnnotateArgs) -> anyhow::Result<Exit> {
    let text = read(args.file.as_deref())?;
    let game = Game::parse(&text, &database.ruleset)?;
    let oracle = oracle::open(database)?;
    let annotation = oracle.annotate(&game)?;
    write(&game, &annotation, args).context(CANNOT_WRITE)?;
    for (subspace, command) in &annotation.missing {
        complain(format_args!("there is no database for {subspace} yet; make it with `{command}`"));
    }
    Ok(if annotation.missing.is_empty() { Exit::Fine } else { Exit::Negative })
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

fn write(game: &Game, annotation: &Annotation, args: &AnnotateArgs) -> io::Result<()> {
    if args.json {
        let mut out = BufWriter::new(io::stdout().lock());
        write_pretty(&mut out, &AnnotatedGame::new(game, annotation))?;
        return out.flush();
    }
    let mut out = BufWriter::new(anstream::stdout().lock());
    text::write(&mut out, game, annotation, args.mistakes)?;
    out.flush()
}
