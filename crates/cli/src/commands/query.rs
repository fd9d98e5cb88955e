//! `merels query`: what a position is worth, and each of its moves.

mod json;
mod text;

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use anyhow::Context;
use clap::{Args, ValueEnum};
use merels_core::{Ruleset, Situation};
use merels_query::{Analysis, Oracle};

use crate::args::DatabaseArgs;
use crate::exit::{Exit, one_line};
use crate::note::note;

use json::{Answer, Refusal};

/// Look a position up: its value, and that of every legal move
///
/// A position is written as the FEN-like string of the field's most used program, in quotes:
///
///   merels query '@*******/********/OO@O**@* b m s 3 0 3 0'
///
/// that is the board (O white, @ black, * empty; inner/middle/outer ring, each clockwise from the
/// top), the side to move (w or b), phase and action (p p while placing, m s while moving; p r and
/// m r when a mill is closed and a stone is still to be removed), then white's stones on the board
/// and in hand, and black's. Further fields may follow. The empty board of the standard game is
///
///   merels query '********/********/******** w p p 0 9 0 9'
///
/// Distances are in plies to the end of the game under best play (the winner hurries, the loser
/// delays). A move with its removal is one ply, so a win in N moves is 2N-1 plies.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct QueryArgs {
    /// The position; without it, positions are read from standard input, one a line
    ///
    /// Empty lines and lines that begin with # are skipped. A line that cannot be answered is
    /// reported, the others are answered all the same.
    position: Option<String>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
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
}

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &QueryArgs) -> anyhow::Result<Exit> {
    // Before any database is asked for: a position that cannot be read needs none.
    let situation = args.position.as_deref();
    let situation =
        situation.map(|text| Situation::from_fen(text, &database.ruleset)).transpose()?;
    let oracle = Oracle::open(&database.db, database.ruleset)?;
    let out = BufWriter::new(io::stdout().lock());
    let mut writer = Writer { format: args.format, ruleset: database.ruleset, out, written: 0 };
    let Some(situation) = situation else {
        return answer_lines(&oracle, &mut writer);
    };
    writer.answer(None, &oracle.analyse(situation)?).context(CANNOT_WRITE)?;
    writer.out.flush().context(CANNOT_WRITE)?;
    Ok(Exit::Fine)
}

const CANNOT_WRITE: &str = "cannot write to standard output";

fn analyse(oracle: &Oracle, text: &str) -> anyhow::Result<Analysis> {
    let situation = Situation::from_fen(text, oracle.ruleset())?;
    Ok(oracle.analyse(situation)?)
}

/// Answers the lines of standard input in their order, each before the next is waited for.
fn answer_lines(oracle: &Oracle, writer: &mut Writer<impl Write>) -> anyhow::Result<Exit> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut bytes = Vec::new();
    let mut exit = Exit::Fine;
    writer.begin().context(CANNOT_WRITE)?;
    for line in 1.. {
        if input.buffer().is_empty() {
            // We may have to wait for whoever reads our answers.
            writer.out.flush().context(CANNOT_WRITE)?;
        }
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes).context("cannot read standard input")?;
        if read == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match analyse(oracle, text) {
            Ok(analysis) => writer.answer(Some(line), &analysis).context(CANNOT_WRITE)?,
            Err(error) => {
                let error = one_line(error.as_ref());
                note(format_args!("merels: line {line}: {error}"));
                writer.refusal(line, text, error).context(CANNOT_WRITE)?;
                exit = Exit::Negative;
            }
        }
    }
    writer.end().context(CANNOT_WRITE)?;
    Ok(exit)
}

/// Writes answers in the format asked for.
struct Writer<W> {
    format: Format,
    ruleset: Ruleset,
    out: W,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// Before the answers to the lines of standard input.
    fn begin(&mut self) -> io::Result<()> {
        if self.format == Format::Json { write!(self.out, "[") } else { Ok(()) }
    }

    /// After the answers to the lines of standard input.
    fn end(&mut self) -> io::Result<()> {
        if self.format == Format::Json {
            writeln!(self.out, "{}]", if self.written > 0 { "\n" } else { "" })?;
        }
        self.out.flush()
    }

    /// What `line` of the standard input (if it comes from there) is answered.
    fn answer(&mut self, line: Option<u64>, analysis: &Analysis) -> io::Result<()> {
        match self.format {
            Format::Text => {
                if self.written > 0 {
                    writeln!(self.out)?;
                }
                self.written += 1;
                text::write(&mut self.out, &self.ruleset, analysis)
            }
            Format::Json | Format::Jsonl => {
                self.object(line.is_some(), &Answer::new(line, &self.ruleset, analysis))
            }
        }
    }

    /// That a line cannot be answered. For people it stands on standard error only.
    fn refusal(&mut self, line: u64, position: &str, error: String) -> io::Result<()> {
        match self.format {
            Format::Text => Ok(()),
            Format::Json | Format::Jsonl => self.object(true, &Refusal { line, position, error }),
        }
    }

    fn object(&mut self, in_array: bool, object: &impl serde::Serialize) -> io::Result<()> {
        if self.format == Format::Jsonl {
            serde_json::to_writer(&mut self.out, object)?;
            writeln!(self.out)?;
        } else if in_array {
            write!(self.out, "{}", if self.written > 0 { ",\n" } else { "\n" })?;
            serde_json::to_writer_pretty(&mut self.out, object)?;
        } else {
            serde_json::to_writer_pretty(&mut self.out, object)?;
            writeln!(self.out)?;
        }
        self.written += 1;
        Ok(())
    }
}
