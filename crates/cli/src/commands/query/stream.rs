//! Answers to the lines of standard input: in their order, in batches, on several threads.

use std::io::{BufReader, Read, Write};

use anyhow::Context;
use merels_core::{Game, GameEnd, ReadOptions, Situation, Value};
use merels_query::QueryError;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::advice::told;
use crate::commands::query::format::Format;
use crate::commands::query::lines::{Batch, Input, InputLine, LINE_LIMIT, READ_AT_ONCE};
use crate::commands::query::request::{Question, Refusal, Request};
use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use crate::output::note::complain;
use crate::shared::oracle::Oracle;

/// The most lines of a batch of values: less than a megabyte of answers.
const BATCH_LINES: usize = 8 * 1024;
/// The same if the lines come from a file. Random positions share few blocks, so that many together
/// take far less time; each takes some hundred bytes of memory.
const FILE_BATCH_LINES: usize = 1024 * 1024;
/// The most lines of a batch whose answers list all moves, some kilobytes each.
const LONG_BATCH_LINES: usize = 512;
/// Lines that one thread answers at a time: enough that handing them out costs little, few enough
/// that all threads are busy to the end of a batch.
const PIECE_LINES: usize = 64;

/// Answers lines.
pub(super) struct Answerer<'a> {
    pub(super) oracle: &'a Oracle,
    pub(super) format: &'a dyn Format,
    pub(super) request: Request,
    pub(super) options: ReadOptions,
    pub(super) pool: &'a ThreadPool,
}

/// Answers to consecutive lines.
#[derive(Debug, Default)]
struct Piece {
    /// The answers, each after [`Frame::between`](crate::commands::query::format::Frame).
    text: Vec<u8>,
    /// The numbers of the lines that have no value, with the reasons.
    problems: Vec<(u64, String)>,
}

impl Answerer<'_> {
    /// Answers the lines of `input`.
    ///
    /// # Errors
    /// If `input` cannot be read or `out` cannot be written. A line that has no answer is reported
    /// and makes the result [`Exit::Negative`].
    pub(super) fn answer_lines(
        &self,
        input: Input<impl Read>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Exit> {
        let frame = self.format.frame();
        let is_for_values = self.format.needs_values_only(&self.request);
        let most = match (is_for_values, input.is_file) {
            (true, true) => FILE_BATCH_LINES,
            (true, false) => BATCH_LINES,
            (false, _) => LONG_BATCH_LINES,
        };
        let mut batch = Batch::new(is_for_values && input.is_file);
        let mut input = BufReader::with_capacity(READ_AT_ONCE, input.read);
        let mut exit = Exit::Fine;
        let mut is_first = true;
        out.write_all(frame.open.as_bytes()).context(CANNOT_WRITE)?;
        self.format.write_heading(&self.request, out).context(CANNOT_WRITE)?;
        out.flush().context(CANNOT_WRITE)?;
        while batch.read(&mut input, most).context("cannot read standard input")? {
            self.oracle.source().refresh().map_err(QueryError::from)?;
            for piece in self.answer(&batch, is_for_values)? {
                let mut text = piece.text.as_slice();
                if is_first && !text.is_empty() {
                    is_first = false;
                    text = &text[frame.between.len()..];
                    out.write_all(frame.first.as_bytes()).context(CANNOT_WRITE)?;
                }
                out.write_all(text).context(CANNOT_WRITE)?;
                for (line, problem) in piece.problems {
                    complain(format_args!("line {line}: {problem}"));
                    exit = Exit::Negative;
                }
            }
            // The sender of the lines may be waiting for the answers.
            out.flush().context(CANNOT_WRITE)?;
        }
        let end = if is_first { "" } else { frame.end };
        write!(out, "{end}{}", frame.close).context(CANNOT_WRITE)?;
        out.flush().context(CANNOT_WRITE)?;
        Ok(exit)
    }

    /// Answers a batch in pieces, in parallel.
    fn answer(&self, batch: &Batch, is_for_values: bool) -> anyhow::Result<Vec<Piece>> {
        let read = |line: &InputLine| self.situation(batch, line);
        let answer = |lines: &[InputLine]| {
            let situations: Vec<_> = lines.iter().map(read).collect();
            self.answer_piece(batch, lines, &situations, &vec![None; lines.len()])
        };
        let lines = batch.lines.as_slice();
        if lines.len() <= PIECE_LINES {
            return Ok(vec![answer(lines)?]);
        }
        if !is_for_values {
            return self.pool.install(|| lines.par_chunks(PIECE_LINES).map(answer).collect());
        }
        self.pool.install(|| {
            let read: Vec<_> = lines.par_iter().map(read).collect();
            let situations: Vec<_> =
                read.iter().filter_map(|read| Some(read.as_ref().ok()?.0)).collect();
            let mut values = self.oracle.values(&situations).into_iter();
            // A line without a value is looked up again alone, which returns the reason.
            let values: Vec<_> = read
                .iter()
                .map(|read| if read.is_ok() { values.next()?.ok() } else { None })
                .collect();
            let pieces = lines.par_chunks(PIECE_LINES);
            let pieces =
                pieces.zip(read.par_chunks(PIECE_LINES)).zip(values.par_chunks(PIECE_LINES));
            pieces
                .map(|((lines, read), values)| self.answer_piece(batch, lines, read, values))
                .collect()
        })
    }

    /// Reads the position in a line.
    fn situation(
        &self,
        batch: &Batch,
        line: &InputLine,
    ) -> anyhow::Result<(Situation, Option<GameEnd>)> {
        if line.is_too_long {
            anyhow::bail!("the line is longer than {LINE_LIMIT} bytes");
        }
        let game = Game::to_position(&batch.text_of(line), &self.options)?;
        let end = if game.steps().is_empty() { None } else { game.end() };
        Ok((*game.situation(), end))
    }

    fn answer_piece(
        &self,
        batch: &Batch,
        lines: &[InputLine],
        read: &[anyhow::Result<(Situation, Option<GameEnd>)>],
        values: &[Option<Value>],
    ) -> anyhow::Result<Piece> {
        let Self { oracle, format, request, .. } = self;
        let between = format.frame().between.as_bytes();
        let mut piece = Piece::default();
        for ((line, situation), &value) in lines.iter().zip(read).zip(values) {
            let text = batch.text_of(line);
            let (text, number) = (text.trim(), line.number);
            let before = piece.text.len();
            piece.text.extend(between);
            let start = piece.text.len();
            let error = match situation {
                &Ok((situation, end)) => {
                    let line = Some(number);
                    let question = Question { oracle, request, line, text, situation, value, end };
                    match format.write_answer(&question, &mut piece.text) {
                        Ok(missing) => {
                            let missing = missing.map(|missing| (number, told(&missing)));
                            piece.problems.extend(missing);
                            None
                        }
                        Err(error) => Some(told(error.as_ref())),
                    }
                }
                Err(error) => Some(told(error.as_ref())),
            };
            if let Some(error) = error {
                piece.text.truncate(start);
                let refusal = Refusal { request, line: number, text, error: &error };
                format
                    .write_refusal(&refusal, &mut piece.text)
                    .context("cannot report a line without an answer")?;
                if piece.text.len() == start {
                    piece.text.truncate(before);
                }
                piece.problems.push((number, error));
            }
        }
        Ok(piece)
    }
}
