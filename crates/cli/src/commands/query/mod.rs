//! `merels query`: what a position is worth, and each of its moves.

mod answer;
mod csv;
mod json;
mod stream;
mod text;

#[cfg(unix)]
use std::fs::File;
use std::io::{self, BufWriter, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use merels_core::{GameEnd, Situation, Value};

use crate::exit::Exit;
use crate::shared::arguments::{self, DatabaseArgs};
use crate::shared::oracle::{self, Oracle};
use crate::shared::threads;

use answer::Answer;

/// Look a position up: its value, and that of every legal move
///
/// A position is written in any of these ways; letters may be large or small:
///
///   merels query w:d7,g7,g1 b:a4,g4,d5 move:b
///       the points with stones and the side to move; `hand:9,8` tells the stones
///       in hand, if any, `remove:1` that a mill is closed and a stone still to be
///       removed. For every board.
///   merels query '@*******/********/OO@O**@* b m s 3 0 3 0'
///       the FEN-like string of the field's most used program, in quotes
///   merels query '.WWBW..B/......../.B......|B|9|9'
///       24 letters, then the side to move and the stones that White and Black
///       have placed so far
///   merels query "$(cat picture.txt)"
///       the picture that this command prints, with the lines below it
///
/// docs/notation.md explains them, docs/query.md shows more. Without a database, positions of
/// small subspaces are solved on the spot, which takes a second or two.
///
/// Distances are in plies to the end of the game under best play (the winner hurries, the loser
/// delays). A move with its removal is one ply, so a win in N moves is 2N-1 plies.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct QueryArgs {
    /// The position, in one word or several; without it, standard input has one a line
    ///
    /// Empty lines and lines that begin with # are skipped. A line that cannot be answered is
    /// reported, the others are answered all the same, and the exit code is 1.
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    position: Vec<String>,
    /// Ask about the position after these moves from the empty board, as in "d2 d6 f4"
    ///
    /// Numbers, comments in braces and results are skipped: the list of a game can be given as it is, that of a
    /// file as "$(cat FILE)". If the game is over, by rules about its history too, that is told.
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    moves: Option<String>,
    /// Show the line of best play to the end, with the value after each ply
    ///
    /// Of equally good moves the first is taken. A drawn line is shown until a position occurs again.
    #[arg(long)]
    line: bool,
    /// Show the best moves only, all of them
    #[arg(long)]
    all_best: bool,
    /// Show which moves are the same by a symmetry of the board
    #[arg(long)]
    symmetries: bool,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Threads that answer the lines of standard input [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The board and a table of moves, for people
    Text,
    /// An object, or an array of objects for standard input
    Json,
    /// An object a line
    Jsonl,
    /// The value alone, a row for each position
    Csv,
}

impl Format {
    /// What stands between two answers.
    const fn separator(self) -> &'static [u8] {
        match self {
            Self::Text => b"\n",
            Self::Json => b",\n",
            Self::Jsonl | Self::Csv => b"",
        }
    }
}

/// What is asked about each position.
#[derive(Clone, Copy, Debug)]
struct Request {
    format: Format,
    line: bool,
    all_best: bool,
    symmetries: bool,
    /// Whether the position is that of a game, whose history is known.
    game: bool,
}

/// Where a position was found, and what is known of it already.
#[derive(Clone, Copy, Debug)]
struct Origin<'a> {
    /// The number of the line of standard input, from 1; none for an argument.
    line: Option<u64>,
    /// The position as it was given.
    text: &'a str,
    /// Its value, if it was looked up together with others.
    value: Option<Value>,
    /// How the game has ended that came to it, by its history too; none if it goes on, or if it is not known
    /// how it came about.
    end: Option<GameEnd>,
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &QueryArgs) -> anyhow::Result<Exit> {
    let &QueryArgs { line, all_best, symmetries, format, .. } = args;
    anyhow::ensure!(
        !(symmetries && format == Format::Csv),
        "--symmetries has nothing to say in CSV; take --format jsonl"
    );
    let request = Request { format, line, all_best, symmetries, game: args.moves.is_some() };
    let ruleset = &database.ruleset;
    let (text, situation, end) = if let Some(moves) = &args.moves {
        let game = arguments::game(moves, ruleset)?;
        let situation = *game.situation();
        (situation.text(ruleset).to_string(), situation, game.end())
    } else if !args.position.is_empty() {
        let text = args.position.join(" ");
        // Before any database is asked for: a position that cannot be read needs none.
        let situation = Situation::parse(&text, ruleset)?;
        (text, situation, None)
    } else {
        let oracle = oracle::open(database)?;
        let pool = threads::pool(args.threads)?;
        let input = stream::Input { read: io::stdin().lock(), is_file: stdin_is_file() };
        return with_output(format, |out| {
            stream::answer_lines(&oracle, &request, &pool, input, out)
        });
    };
    let oracle = oracle::open(database)?;
    let mut answer = Vec::new();
    let origin = Origin { line: None, text: &text, value: None, end };
    request.answer(&oracle, &origin, situation, &mut answer)?;
    with_output(format, |out| {
        if format == Format::Csv {
            csv::write_heading(out, &request).context(CANNOT_WRITE)?;
        }
        out.write_all(&answer).context(CANNOT_WRITE)?;
        if format == Format::Json {
            writeln!(out).context(CANNOT_WRITE)?;
        }
        out.flush().context(CANNOT_WRITE)?;
        Ok(Exit::Fine)
    })
}

const CANNOT_WRITE: &str = "cannot write to standard output";

/// Gives `write` the standard output. Only text has colours, which cost time to look for.
fn with_output(
    format: Format,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    if format == Format::Text {
        write(&mut BufWriter::new(anstream::stdout().lock()))
    } else {
        write(&mut BufWriter::new(io::stdout().lock()))
    }
}

/// Whether standard input is a file, of which everything is there already.
fn stdin_is_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let stdin = io::stdin().as_fd().try_clone_to_owned();
        stdin.is_ok_and(|stdin| File::from(stdin).metadata().is_ok_and(|data| data.is_file()))
    }
    #[cfg(not(unix))]
    false
}

impl Request {
    /// Whether each position is asked for its value and nothing else.
    fn is_for_values(&self) -> bool {
        self.format == Format::Csv && !self.all_best && !self.line
    }

    /// Adds the answer for `situation` to `out`, without what separates answers.
    fn answer(
        &self,
        oracle: &Oracle,
        origin: &Origin<'_>,
        situation: Situation,
        out: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        let ruleset = oracle.ruleset();
        let look_up = || Answer::of(oracle, self, situation, origin.end);
        let object = |answer: &Answer| json::Answer::new(origin.line, ruleset, self, answer);
        match self.format {
            Format::Text => text::write(out, ruleset, self, &look_up()?)?,
            Format::Json => serde_json::to_writer_pretty(out, &object(&look_up()?))?,
            Format::Jsonl => {
                serde_json::to_writer(&mut *out, &object(&look_up()?))?;
                out.push(b'\n');
            }
            // Most are asked for no more than the value, which takes less than all moves.
            Format::Csv => csv::write(out, oracle, self, origin, situation)?,
        }
        Ok(())
    }

    /// Adds to `out` that a line of standard input has no answer. For people that stands on standard
    /// error only.
    fn refusal(&self, line: u64, position: &str, error: &str, out: &mut Vec<u8>) -> io::Result<()> {
        let object = json::Refusal { line, position, error };
        match self.format {
            Format::Text => {}
            Format::Json => serde_json::to_writer_pretty(out, &object)?,
            Format::Jsonl => {
                serde_json::to_writer(&mut *out, &object)?;
                out.push(b'\n');
            }
            Format::Csv => csv::write_refusal(out, self, line, position, error)?,
        }
        Ok(())
    }
}
