//! The lines of a file or of standard input, in batches.
//!
//! A batch has the lines that have arrived. If lines come one at a time, each is a batch, and the
//! program answers it before it waits for the next one. From a file, a batch has many thousand
//! lines.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// Bytes read at once.
pub(super) const READ_AT_ONCE: usize = 1024 * 1024;
/// The longest line. A picture in one line has at most some hundred characters.
pub(super) const LINE_LIMIT: u64 = 16 * 1024;
/// The mark with which some programs begin a UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The source of the lines.
pub(super) struct Input<R> {
    pub(super) read: R,
    /// Whether it is a file: then all lines exist already, and no writer waits for an answer.
    pub(super) is_file: bool,
}

impl Input<Box<dyn Read>> {
    /// The lines of standard input.
    pub(super) fn stdin() -> Self {
        Self { read: Box::new(io::stdin().lock()), is_file: stdin_is_file() }
    }

    /// The lines of a file, or of a pipe with a name.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn file(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let is_file = file.metadata()?.is_file();
        Ok(Self { read: Box::new(file), is_file })
    }
}

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

/// Lines that are answered together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    text: Vec<u8>,
    pub(super) lines: Vec<InputLine>,
    /// The number of lines read, in all batches.
    read: u64,
    /// Whether a batch is read until it is full.
    waits: bool,
}

#[derive(Debug)]
pub(super) struct InputLine {
    /// From 1.
    pub(super) number: u64,
    /// Its bytes in the text of the batch.
    place: Range<usize>,
    /// Whether it is longer than [`LINE_LIMIT`].
    pub(super) is_too_long: bool,
}

impl Batch {
    /// An empty batch. If it `waits`, it is read until it is full.
    pub(super) fn new(waits: bool) -> Self {
        Self { waits, ..Self::default() }
    }

    /// Waits for a line and takes the others that have arrived with it, `most` in all. Returns
    /// false at the end of the input.
    pub(super) fn read(
        &mut self,
        input: &mut BufReader<impl Read>,
        most: usize,
    ) -> io::Result<bool> {
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

    /// The text of a line, without blanks around it.
    pub(super) fn text_of(&self, line: &InputLine) -> Cow<'_, str> {
        String::from_utf8_lossy(self.text[line.place.clone()].trim_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 100;

    fn batches(input: &[u8], capacity: usize) -> Vec<Vec<(u64, String)>> {
        let mut input = BufReader::with_capacity(capacity, input);
        let mut batch = Batch::default();
        let mut found = Vec::new();
        while batch.read(&mut input, MOST).unwrap() {
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
        // All at once. The last line has no end yet, so it is a batch of its own.
        assert_eq!(batches(input, 1024), [lines(&[(3, "a"), (4, "b")]), lines(&[(5, "c")])]);
        // Byte by byte: each line is a batch.
        assert_eq!(batches(input, 1), [lines(&[(3, "a")]), lines(&[(4, "b")]), lines(&[(5, "c")])]);
        assert_eq!(batches(b"\n#\n", 16), Vec::<Vec<_>>::new());
        assert_eq!(batches("\u{feff}a\n".as_bytes(), 16), [lines(&[(1, "a")])]);
        assert_eq!(batches("\u{feff}# heading\n".as_bytes(), 16), Vec::<Vec<_>>::new());
    }

    #[test]
    fn batches_have_a_limit() {
        let input = b"x\n".repeat(MOST + 3);
        let sizes: Vec<_> = batches(&input, 1024 * 1024).iter().map(Vec::len).collect();
        assert_eq!(sizes, [MOST, 3]);
    }

    #[test]
    fn lines_of_a_file_are_waited_for() {
        let mut input = BufReader::with_capacity(4, &b"a\nb\nc\nd"[..]);
        let mut batch = Batch::new(true);
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
        assert!(batch.read(&mut input, MOST).unwrap());
        let lines = batch.lines.iter().map(|line| (line.number, line.is_too_long));
        assert_eq!(lines.collect::<Vec<_>>(), [(1, true), (2, false)]);
        assert_eq!(batch.lines[0].place, 0..LINE_LIMIT as usize);
        assert!(!batch.read(&mut input, MOST).unwrap());
    }
}
