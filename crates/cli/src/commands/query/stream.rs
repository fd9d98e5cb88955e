//! Answers to the lines of standard input: in their order, in batches, on several threads.
//!
//! A batch is what has arrived: one line if they come one at a time, each of which is answered before
//! the next is waited for; thousands if they come from a file. A batch is answered in pieces, in
//! parallel, and written in order.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::Range;

use anyhow::Context;
use merels_core::{Situation, Value, one_line};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{CANNOT_WRITE, Format, Origin, Request, csv};
use crate::exit::Exit;
use crate::output::note::complain;
use crate::shared::oracle::Oracle;

/// Bytes read at once.
const READ_AT_ONCE: usize = 1024 * 1024;
/// The most lines of a batch of values alone: less than a megabyte of answers.
const BATCH_LINES: usize = 8 * 1024;
/// The same if the lines come from a file. Random positions share few blocks, so that many together take far
/// less time; some hundred bytes of memory each.
const FILE_BATCH_LINES: usize = 1024 * 1024;
/// The most lines of a batch whose answers tell all moves, some kilobytes each.
const LONG_BATCH_LINES: usize = 512;
/// Lines that one thread answers at a time: enough to make light of handing them out, few enough to
/// keep all threads busy to the end of a batch.
const PIECE_LINES: usize = 64;
/// What some programs begin a text with, to tell that it is UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// The longest line. A picture in one line has no more than some hundred characters.
const LINE_LIMIT: u64 = 16 * 1024;

/// Where lines come from.
pub(super) struct Input<R> {
    pub(super) read: R,
    /// Whether it is a file, so that nobody who writes the lines waits for answers.
    pub(super) is_file: bool,
}

/// Answers the lines of `input`.
///
/// # Errors
/// If `input` cannot be read or `out` cannot be written. A line that has no answer is reported and
/// makes the result [`Exit::Negative`].
pub(super) fn answer_lines(
    oracle: &Oracle,
    request: &Request,
    pool: &ThreadPool,
    input: Input<impl Read>,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let is_for_file = input.is_file && request.is_for_values();
    let mut input = BufReader::with_capacity(READ_AT_ONCE, input.read);
    let most = match request.format {
        _ if is_for_file => FILE_BATCH_LINES,
        Format::Csv => BATCH_LINES,
        _ => LONG_BATCH_LINES,
    };
    let mut batch = Batch { waits: is_for_file, ..Batch::default() };
    let mut exit = Exit::Fine;
    let mut is_first = true;
    match request.format {
        Format::Json => write!(out, "[").context(CANNOT_WRITE)?,
        Format::Csv => csv::write_heading(out, request).context(CANNOT_WRITE)?,
        Format::Text | Format::Jsonl => {}
    }
    out.flush().context(CANNOT_WRITE)?;
    while batch.read(&mut input, most).context("cannot read standard input")? {
        for piece in batch.answer(oracle, request, pool)? {
            let mut text = piece.text.as_slice();
            if is_first && !text.is_empty() {
                is_first = false;
                text = &text[request.format.separator().len()..];
                if request.format == Format::Json {
                    writeln!(out).context(CANNOT_WRITE)?;
                }
            }
            out.write_all(text).context(CANNOT_WRITE)?;
            for (line, problem) in piece.problems {
                complain(format_args!("line {line}: {problem}"));
                exit = Exit::Negative;
            }
        }
        // Whoever sends the lines may be waiting for the answers.
        out.flush().context(CANNOT_WRITE)?;
    }
    if request.format == Format::Json {
        writeln!(out, "{}]", if is_first { "" } else { "\n" }).context(CANNOT_WRITE)?;
    }
    out.flush().context(CANNOT_WRITE)?;
    Ok(exit)
}

/// Lines that are answered together.
#[derive(Debug, Default)]
struct Batch {
    text: Vec<u8>,
    lines: Vec<InputLine>,
    /// How many lines have been read, in all batches.
    read: u64,
    /// Whether a batch waits until it is full.
    waits: bool,
}

#[derive(Debug)]
struct InputLine {
    /// From 1.
    number: u64,
    /// Where it is in the text of the batch.
    place: Range<usize>,
    /// Whether it goes on beyond [`LINE_LIMIT`].
    is_too_long: bool,
}

/// Answers to consecutive lines.
#[derive(Debug, Default)]
struct Piece {
    /// What is to be written, a separator before each answer.
    text: Vec<u8>,
    /// The numbers of the lines that have no answer, with the reasons.
    problems: Vec<(u64, String)>,
}

impl Batch {
    /// Waits for a line and takes the others that have come with it, `most` in all; false at the end of
    /// the input.
    fn read(&mut self, input: &mut BufReader<impl Read>, most: usize) -> std::io::Result<bool> {
        self.text.clear();
        self.lines.clear();
        loop {
            let mut start = self.text.len();
            let read = input.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut self.text)?;
            if read == 0 {
                return Ok(!self.lines.is_empty());
            }
            self.read += 1;
            let is_too_long = read as u64 == LINE_LIMIT && self.text.last() != Some(&b'\n');
            if is_too_long {
                input.skip_until(b'\n')?;
            }
            if self.read == 1 && self.text[start..].starts_with(BYTE_ORDER_MARK) {
                start += BYTE_ORDER_MARK.len();
            }
            let text = self.text[start..].trim_ascii();
            if !text.is_empty() && text[0] != b'#' {
                let place = start..self.text.len();
                self.lines.push(InputLine { number: self.read, place, is_too_long });
            }
            let has_more = self.waits || input.buffer().contains(&b'\n');
            if !self.lines.is_empty() && (!has_more || self.lines.len() == most) {
                return Ok(true);
            }
        }
    }

    /// Answers all lines.
    fn answer(
        &self,
        oracle: &Oracle,
        request: &Request,
        pool: &ThreadPool,
    ) -> anyhow::Result<Vec<Piece>> {
        let answer = |lines: &[InputLine]| {
            let read: Vec<_> = lines.iter().map(|line| self.situation(oracle, line)).collect();
            self.answer_piece(oracle, request, lines, &read, &vec![None; lines.len()])
        };
        if self.lines.len() <= PIECE_LINES {
            return Ok(vec![answer(&self.lines)?]);
        }
        if !request.is_for_values() {
            return pool.install(|| self.lines.par_chunks(PIECE_LINES).map(answer).collect());
        }
        pool.install(|| {
            let read: Vec<_> =
                self.lines.par_iter().map(|line| self.situation(oracle, line)).collect();
            let situations: Vec<_> =
                read.iter().filter_map(|read| read.as_ref().ok().copied()).collect();
            let mut values = oracle.values(&situations).into_iter();
            // A line without a value is asked for it again, alone, and tells why there is none.
            let values: Vec<_> = read
                .iter()
                .map(|read| if read.is_ok() { values.next()?.ok() } else { None })
                .collect();
            let pieces = self.lines.par_chunks(PIECE_LINES);
            let pieces =
                pieces.zip(read.par_chunks(PIECE_LINES)).zip(values.par_chunks(PIECE_LINES));
            pieces
                .map(|((lines, read), values)| {
                    self.answer_piece(oracle, request, lines, read, values)
                })
                .collect()
        })
    }

    fn text_of(&self, line: &InputLine) -> Cow<'_, str> {
        String::from_utf8_lossy(self.text[line.place.clone()].trim_ascii())
    }

    /// What a line says.
    fn situation(&self, oracle: &Oracle, line: &InputLine) -> anyhow::Result<Situation> {
        if line.is_too_long {
            anyhow::bail!("the line is longer than {LINE_LIMIT} bytes");
        }
        Ok(Situation::parse(self.text_of(line).trim(), oracle.ruleset())?)
    }

    fn answer_piece(
        &self,
        oracle: &Oracle,
        request: &Request,
        lines: &[InputLine],
        read: &[anyhow::Result<Situation>],
        values: &[Option<Value>],
    ) -> anyhow::Result<Piece> {
        let mut piece = Piece::default();
        for ((line, situation), &value) in lines.iter().zip(read).zip(values) {
            let text = self.text_of(line);
            let text = text.trim();
            let start = piece.text.len();
            piece.text.extend(request.format.separator());
            let error = match situation {
                Ok(situation) => {
                    let origin = Origin { line: Some(line.number), text, value, end: None };
                    let answered = request.answer(oracle, &origin, *situation, &mut piece.text);
                    answered.err().map(|error| one_line(error.as_ref()))
                }
                Err(error) => Some(one_line(error.as_ref())),
            };
            if let Some(error) = error {
                piece.text.truncate(start);
                if request.format != Format::Text {
                    piece.text.extend(request.format.separator());
                }
                request
                    .refusal(line.number, text, &error, &mut piece.text)
                    .context("cannot tell of an error")?;
                piece.problems.push((line.number, error));
            }
        }
        Ok(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(input: &[u8], capacity: usize) -> Vec<Vec<(u64, String)>> {
        let mut input = BufReader::with_capacity(capacity, input);
        let mut batch = Batch::default();
        let mut found = Vec::new();
        while batch.read(&mut input, BATCH_LINES).unwrap() {
            let text = |line: &InputLine| {
                let text = String::from_utf8_lossy(&batch.text[line.place.clone()]);
                (line.number, text.trim().to_owned())
            };
            found.push(batch.lines.iter().map(text).collect());
        }
        found
    }

    #[test]
    fn a_batch_is_what_has_arrived() {
        let input = b"# heading\n\na\r\n b\nc";
        let lines = |lines: &[(u64, &str)]| {
            lines.iter().map(|&(number, text)| (number, text.to_owned())).collect::<Vec<_>>()
        };
        // All at once; the last line is not whole, so it may have to be waited for.
        assert_eq!(batches(input, 1024), [lines(&[(3, "a"), (4, "b")]), lines(&[(5, "c")])]);
        // Byte by byte: every line on its own.
        assert_eq!(batches(input, 1), [lines(&[(3, "a")]), lines(&[(4, "b")]), lines(&[(5, "c")])]);
        assert_eq!(batches(b"\n#\n", 16), Vec::<Vec<_>>::new());
        assert_eq!(batches("\u{feff}a\n".as_bytes(), 16), [lines(&[(1, "a")])]);
        assert_eq!(batches("\u{feff}# heading\n".as_bytes(), 16), Vec::<Vec<_>>::new());
    }

    #[test]
    fn batches_have_a_limit() {
        let input = b"x\n".repeat(BATCH_LINES + 3);
        let sizes: Vec<_> = batches(&input, 1024 * 1024).iter().map(Vec::len).collect();
        assert_eq!(sizes, [BATCH_LINES, 3]);
    }

    #[test]
    fn lines_of_a_file_are_waited_for() {
        let mut input = BufReader::with_capacity(4, &b"a\nb\nc\nd"[..]);
        let mut batch = Batch { waits: true, ..Batch::default() };
        let mut sizes = Vec::new();
        while batch.read(&mut input, 3).unwrap() {
            sizes.push(batch.lines.len());
        }
        assert_eq!(sizes, [3, 1]);
    }

    #[test]
    fn the_rest_of_a_line_that_is_too_long_is_skipped() {
        let mut input = vec![b'x'; LINE_LIMIT as usize * 3];
        input.extend(b"\nb\n");
        let mut input = BufReader::with_capacity(1024 * 1024, input.as_slice());
        let mut batch = Batch::default();
        assert!(batch.read(&mut input, BATCH_LINES).unwrap());
        let lines = batch.lines.iter().map(|line| (line.number, line.is_too_long));
        assert_eq!(lines.collect::<Vec<_>>(), [(1, true), (2, false)]);
        assert_eq!(batch.lines[0].place, 0..LINE_LIMIT as usize);
        assert!(!batch.read(&mut input, BATCH_LINES).unwrap());
    }
}
